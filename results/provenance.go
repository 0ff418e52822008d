// The metadata of data files: what they belong to and how their rows were made.

package results

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Provenance is how rows were made. It is in the metadata of every file and changes no row.
type Provenance struct {
	Version         string `json:"version"`    // version of the program
	Commit          string `json:"commit"`     // commit of its source; empty when not known
	Dirty           bool   `json:"dirty"`      // the source differed from the commit
	StudyFile       string `json:"study_file"` // name of the study file
	StudyFileSHA256 string `json:"study_file_sha256"`
	Seed            int64  `json:"seed"`    // seed of the study
	Command         string `json:"command"` // the command line
	Machine         string `json:"machine"` // machine on which it ran
}

// formatVersion changes with the files if a program for the new ones would misread old ones.
const formatVersion = "1"

// Keys of a file's metadata.
const (
	keyFormat       = "gridsweep.format"
	keyTable        = "gridsweep.table"
	keyStudy        = "gridsweep.study"
	keyModel        = "gridsweep.model"
	keyModelVersion = "gridsweep.model_version"
	// JSON object, table to SHA-256: a commit file names all others, a long table the timings
	keyFiles   = "gridsweep.files"
	keyColumns = "gridsweep.columns" // JSON object, column to columnInfo
	// the fingerprint of the model's source, if known; it belongs to the provenance
	keySource = "gridsweep.model_source"

	// Of merged batches.
	keyProvenances = "gridsweep.provenances" // see joinProvenances
	// in runs and timings: JSON list of the SHA-256 of the merged batches' commit files
	keyReplaces = "gridsweep.replaces"
)

// Metadata returns the provenance as the key-value metadata of a file.
func (p Provenance) Metadata() map[string]string {
	return map[string]string{
		"gridsweep.version":           p.Version,
		"gridsweep.commit":            p.Commit,
		"gridsweep.dirty":             strconv.FormatBool(p.Dirty),
		"gridsweep.study_file":        p.StudyFile,
		"gridsweep.study_file_sha256": p.StudyFileSHA256,
		"gridsweep.seed":              strconv.FormatInt(p.Seed, 10),
		"gridsweep.command":           p.Command,
		"gridsweep.machine":           p.Machine,
	}
}

// provenance returns the metadata of a batch that this program makes: provenance and source of the
// model.
func (d *Dataset) provenance(p Provenance) (map[string]string, error) {
	metadata := p.Metadata()
	source, err := d.fingerprint()
	if source != "" {
		metadata[keySource] = source
	}
	return metadata, err
}

// identify returns the metadata of a data file: the provenance, what the file belongs to, and the
// files of its batch that it names, if any.
func (d *Dataset) identify(provenance map[string]string, table string, files map[string]string) map[string]string {
	metadata := maps.Clone(provenance)
	metadata[keyFormat] = formatVersion
	metadata[keyTable] = table
	metadata[keyStudy] = d.study
	metadata[keyModel] = d.model.Name
	metadata[keyModelVersion] = strconv.Itoa(d.model.Version)
	if files != nil {
		metadata[keyFiles] = mustJSON(files)
	}
	return metadata
}

// checkMetadata returns an error if a file with this metadata is not one of the dataset's for the
// table.
func (d *Dataset) checkMetadata(metadata map[string]string, table string) error {
	if _, found := metadata[keyFormat]; !found {
		return fmt.Errorf("%w, nor of any other", errForeign)
	}
	if study := metadata[keyStudy]; study != d.study {
		return fmt.Errorf("%w but of %q", errForeign, study)
	}
	for _, want := range []struct{ what, key, value string }{
		{"format", keyFormat, formatVersion},
		{"model", keyModel, d.model.Name},
		{"model version", keyModelVersion, strconv.Itoa(d.model.Version)},
	} {
		if have := metadata[want.key]; have != want.value {
			return fmt.Errorf("%w: it is of %s %q, not %q", errOtherVersion, want.what, have, want.value)
		}
	}
	if have := metadata[keyTable]; have != table {
		return fmt.Errorf("is of table %q, not %q", have, table)
	}
	return nil
}

// filesOf returns the SHA-256 of the data file of each table that a commit file names.
func filesOf(metadata map[string]string) (map[string]string, error) {
	var files map[string]string
	if err := json.Unmarshal([]byte(metadata[keyFiles]), &files); err != nil {
		return nil, fmt.Errorf("names its tables in a form that cannot be read: %w", err)
	}
	for table, sum := range files {
		if !isHex(sum, sumDigits) {
			return nil, fmt.Errorf("names %q as its table %s, which is no SHA-256", sum, table)
		}
	}
	return files, nil
}

// replacesOf returns the SHA-256 of the commit files of the batches that were merged into the one
// with this metadata.
func replacesOf(metadata map[string]string) ([]string, error) {
	text, found := metadata[keyReplaces]
	if !found {
		return nil, nil
	}
	var sums []string
	if err := json.Unmarshal([]byte(text), &sums); err != nil {
		return nil, fmt.Errorf("names the batches that were merged into it in a form that cannot be read: %w", err)
	}
	return sums, nil
}

// aboutFile are the keys about the file itself. All others are entries of a provenance.
var aboutFile = []string{
	keyFormat, keyTable, keyStudy, keyModel, keyModelVersion, keyFiles, keyColumns, keyProvenances, keyReplaces,
}

// joinProvenances returns the provenance of a merged batch as metadata. Entries that are equal in
// all of its sources are kept. The others are in a JSON list of objects, one for each combination
// that occurs.
func joinProvenances(sources []committed) (map[string]string, error) {
	var all []map[string]string
	for _, s := range sources {
		list, err := provenancesOf(s.metadata)
		if err != nil {
			return nil, unreadable(s.path, err)
		}
		all = append(all, list...)
	}
	common := maps.Clone(all[0])
	for _, other := range all[1:] {
		maps.DeleteFunc(common, func(key, value string) bool {
			have, found := other[key]
			return !found || have != value
		})
	}
	different := map[string]bool{}
	for _, provenance := range all {
		maps.DeleteFunc(provenance, func(key, _ string) bool { _, same := common[key]; return same })
		different[mustJSON(provenance)] = true
	}
	if len(different) > 1 {
		common[keyProvenances] = "[" + strings.Join(slices.Sorted(maps.Keys(different)), ",") + "]"
	}
	return common, nil
}

// provenancesOf returns the different provenances of a file's rows.
func provenancesOf(metadata map[string]string) ([]map[string]string, error) {
	common := maps.Clone(metadata)
	maps.DeleteFunc(common, func(key, _ string) bool { return slices.Contains(aboutFile, key) })
	text, found := metadata[keyProvenances]
	if !found {
		return []map[string]string{common}, nil
	}
	var list []map[string]string
	err := json.Unmarshal([]byte(text), &list)
	if err == nil && (len(list) == 0 || slices.ContainsFunc(list, func(p map[string]string) bool { return p == nil })) {
		err = fmt.Errorf("it is not a list of objects: %s", text)
	}
	if err != nil {
		return nil, fmt.Errorf("has a provenance in a form that cannot be read: %w", err)
	}
	for _, provenance := range list {
		maps.Copy(provenance, common)
	}
	return list, nil
}

// mustJSON returns a value as JSON. It panics if the value has no such form.
func mustJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}
