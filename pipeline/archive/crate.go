// The description of a bundle by RO-Crate 1.1: what it holds, and what to cite.

package archive

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Terms of RO-Crate 1.1, and the licence of the program.
const (
	crateContext    = "https://w3id.org/ro/crate/1.1/context"
	crateProfile    = "https://w3id.org/ro/crate/1.1"
	softwareLicense = "https://spdx.org/licenses/Apache-2.0"
)

// Crate is what the metadata of a bundle says besides its files.
type Crate struct {
	Name, Description string
	Date              string // day of publication, as 2026-11-24
	// of the data: an address, an SPDX identifier or a text; empty if not stated
	License  string
	Papers   []string // citations, with a DOI or an address in each that has one
	Traces   []string // references NAME@sha256:SUM of the traces that the runs read
	Command  string   // command line that makes the results
	Version  string   // version of the program that made them
	Commit   string   // commit of the program; empty if unknown
	Citation string   // the file in the bundle that says how to cite the program
	// Describe returns what a file is for people; empty for no description.
	Describe func(name string) string
}

// entity is a JSON-LD object. Encoding sorts its keys.
type entity map[string]any

// ref returns a reference to an entity.
func ref(id any) entity { return entity{"@id": id} }

// refs returns references to entities.
func refs(list []entity) []entity {
	var all []entity
	for _, e := range list {
		all = append(all, ref(e["@id"]))
	}
	return all
}

// Identifiers of entities of the program and what it did.
const (
	softwareID   = "#software"
	authorsID    = "#software-authors"
	simulationID = "#simulation"
)

// encode returns the content of CrateFile for the files, which are sorted by name.
func (c Crate) encode(files []listedFile) []byte {
	license, data, papers, inputs := c.license(), c.files(files), c.papers(), c.inputs()
	root := entity{
		"@id": "./", "@type": "Dataset", "name": c.Name, "description": c.Description, "datePublished": c.Date,
		"license": ref(license["@id"]), "hasPart": refs(data), "citation": append(refs(papers), ref(softwareID)),
		"mentions": ref(simulationID),
	}
	simulation := entity{
		"@id": simulationID, "@type": "CreateAction", "name": "simulation and analysis", "description": c.Command,
		"instrument": ref(softwareID), "result": ref("./"),
	}
	if len(inputs) > 0 {
		simulation["object"] = refs(inputs)
	}
	about := entity{"@id": CrateFile, "@type": "CreativeWork", "conformsTo": ref(crateProfile), "about": ref("./")}
	graph := slices.Concat([]entity{about, root, license}, data, papers, inputs, c.software(),
		[]entity{simulation})
	text, err := json.MarshalIndent(entity{"@context": crateContext, "@graph": graph}, "", "  ")
	if err != nil {
		panic(err) // texts and lists of texts
	}
	return append(text, '\n')
}

// files returns the entities of the files and of the manifest.
func (c Crate) files(files []listedFile) []entity {
	var all []entity
	for _, f := range append(slices.Clone(files), listedFile{File: File{Name: ManifestFile}}) {
		e := entity{"@id": idOf(f.Name), "@type": "File", "name": f.Name, "encodingFormat": formatOf(f.Name)}
		if f.Name == ManifestFile {
			e["description"] = "SHA-256 of every other file"
		} else {
			e["contentSize"] = strconv.FormatInt(f.size, 10)
		}
		if text := c.Describe(f.Name); text != "" {
			e["description"] = text
		}
		all = append(all, e)
	}
	return all
}

// papers returns the entities of the citations.
func (c Crate) papers() []entity {
	var all []entity
	for i, text := range c.Papers {
		id := cmp.Or(addressIn(text), fmt.Sprintf("#paper-%d", i+1))
		all = append(all, entity{"@id": id, "@type": "ScholarlyArticle", "name": text})
	}
	return all
}

// inputs returns the entities of the traces; files of one name are one.
func (c Crate) inputs() []entity {
	var all []entity
	for _, reference := range c.Traces {
		name, sum, _ := strings.Cut(reference, "@")
		trace := entity{
			"@id": "#trace-" + idOf(name), "@type": "CreativeWork", "name": name, "identifier": sum,
			"description": "log of jobs that the runs read; the identifier is the checksum of its file",
		}
		if !slices.ContainsFunc(all, func(e entity) bool { return e["@id"] == trace["@id"] }) {
			all = append(all, trace)
		}
	}
	return all
}

// software returns the entities of the program, its licence and its authors.
func (c Crate) software() []entity {
	return []entity{
		{
			"@id": softwareID, "@type": "SoftwareApplication", "name": "gridsweep", "version": c.Version,
			"softwareVersion": strings.TrimSpace(c.Version + " " + c.Commit), "author": ref(authorsID),
			"license": ref(softwareLicense), "subjectOf": ref(c.Citation),
		},
		{
			"@id": softwareLicense, "@type": "CreativeWork", "name": path.Base(softwareLicense),
			"description": "licence of the software",
		},
		{"@id": authorsID, "@type": "Organization", "name": "The gridsweep authors"},
	}
}

// license returns the entity of the licence of the data.
func (c Crate) license() entity {
	isSPDX := regexp.MustCompile(`^[A-Za-z0-9.+-]+$`).MatchString(c.License)
	e := entity{"@id": "#license", "@type": "CreativeWork", "name": c.License, "description": "licence of the data"}
	switch {
	case c.License == "":
		e["name"], e["description"] = "not stated", "no licence of the data is stated; ask its authors before using it"
	case strings.HasPrefix(c.License, "https://") || strings.HasPrefix(c.License, "http://"):
		e["@id"] = c.License
	case isSPDX:
		e["@id"] = "https://spdx.org/licenses/" + c.License
	}
	return e
}

var addressPattern = regexp.MustCompile(`https?://\S+`)

// addressIn returns the first address in a text, empty if there is none.
func addressIn(text string) string {
	return strings.TrimRight(addressPattern.FindString(text), ".,;:)")
}

// idOf returns the identifier of a file: its path, encoded as a relative address.
func idOf(name string) string { return (&url.URL{Path: name}).EscapedPath() }

// formats are media types of files by their extensions.
var formats = map[string]string{
	".parquet": "application/vnd.apache.parquet", ".csv": "text/csv", ".md": "text/markdown", ".tex": "application/x-tex",
	".json": "application/json", ".yaml": "application/yaml", ".yml": "application/yaml", ".cff": "application/yaml",
	".html": "text/html", ".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf",
	".eps": "application/postscript", ".txt": "text/plain", ".swf": "text/plain", ".gwf": "text/plain",
	".gz": "application/gzip", ".zst": "application/zstd", ".bz2": "application/x-bzip2",
}

func formatOf(name string) string {
	if format, known := formats[path.Ext(name)]; known {
		return format
	}
	return "application/octet-stream"
}

// checkCrate returns an error if a text is no RO-Crate 1.1 whose root lists just these files, of
// which CrateFile is the descriptor. The names are in ascending order.
func checkCrate(text []byte, names []string) error {
	var document struct {
		Context any              `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("is no RO-Crate: %w", err)
	}
	contexts, isList := document.Context.([]any)
	if !isList {
		contexts = []any{document.Context}
	}
	if !slices.Contains(contexts, any(crateContext)) {
		return fmt.Errorf("is no RO-Crate 1.1: its @context is not %s", crateContext)
	}
	entities := map[string]map[string]any{}
	for i, e := range document.Graph {
		id, isText := e["@id"].(string)
		if _, twice := entities[id]; !isText || twice {
			return fmt.Errorf("is no RO-Crate: entity %d of @graph has no @id of its own", i+1)
		}
		entities[id] = e
	}
	descriptor, root := entities[CrateFile], entities["./"]
	switch {
	case descriptor == nil || idIn(descriptor["about"]) != "./" || idIn(descriptor["conformsTo"]) != crateProfile:
		return fmt.Errorf("is no RO-Crate 1.1: no entity %s is about ./ and conforms to %s", CrateFile, crateProfile)
	case root == nil || root["@type"] != "Dataset":
		return errors.New("is no RO-Crate: ./ is no Dataset")
	}
	members, _ := root["hasPart"].([]any)
	listed := map[string]bool{CrateFile: true}
	var problems []string
	for _, member := range members {
		id := idIn(member)
		name, err := url.PathUnescape(id)
		if _, found := slices.BinarySearch(names, name); err != nil || !found {
			problems = append(problems, fmt.Sprintf("lists %q, which the bundle has not", shorten(id)))
			continue
		}
		if entities[id] == nil || entities[id]["@type"] != "File" {
			problems = append(problems, fmt.Sprintf("does not describe %q as a File", shorten(id)))
		}
		listed[name] = true
	}
	for _, name := range names {
		if !listed[name] {
			problems = append(problems, fmt.Sprintf("does not list %q in hasPart of ./", shorten(name)))
		}
	}
	return joined(problems)
}

// idIn returns the identifier in a reference, empty if the value is none.
func idIn(value any) string {
	reference, _ := value.(map[string]any)
	id, _ := reference["@id"].(string)
	return id
}
