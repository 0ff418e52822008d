package results

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
)

// Provenance is how rows came to be. It stands in the metadata of every file and changes no row.
type Provenance struct {
	Version         string // of the program
	Commit          string // of its source; empty when not known
	Dirty           bool   // whether the source differed from the commit
	StudyFile       string // the study file's name
	StudyFileSHA256 string
	Seed            int64  // of the study
	Command         string // the command line
	Machine         string // where it ran
}

// formatVersion is raised when files of an earlier program can no longer be read as if they were ours.
const formatVersion = "1"

// Keys of a file's metadata.
const (
	keyFormat       = "gridsweep.format"
	keyTable        = "gridsweep.table"
	keyStudy        = "gridsweep.study"
	keyModel        = "gridsweep.model"
	keyModelVersion = "gridsweep.model_version"
	keyFiles        = "gridsweep.files"   // JSON object from table to SHA-256: of a runs file; of long tables, see owner
	keyColumns      = "gridsweep.columns" // JSON object from column to kind, unit, doc and symbol
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

// metadata returns the metadata of a part's file; files are the other files of the part that it names, if any.
func (d *Dataset) metadata(p Provenance, table string, files map[string]string) map[string]string {
	return d.identify(p.Metadata(), table, files)
}

// identify adds to the provenance of a part's file what it belongs to and which files it names.
func (d *Dataset) identify(provenance map[string]string, table string, files map[string]string) map[string]string {
	metadata := maps.Clone(provenance)
	metadata[keyFormat] = formatVersion
	metadata[keyTable] = table
	metadata[keyStudy] = d.study
	metadata[keyModel] = d.model.Name
	metadata[keyModelVersion] = strconv.Itoa(d.model.Version)
	if files != nil {
		text, err := json.Marshal(files)
		if err != nil {
			panic(err) // strings always marshal
		}
		metadata[keyFiles] = string(text)
	}
	return metadata
}

// checkMetadata returns what makes a file with this metadata none of the dataset's parts; nil if it is one.
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
			return fmt.Errorf("%w: it is of %s %q, not %q", errOther, want.what, have, want.value)
		}
	}
	if have := metadata[keyTable]; have != table {
		return fmt.Errorf("is of table %q, not %q", have, table)
	}
	return nil
}

// filesOf returns which files of other tables a runs file names.
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
