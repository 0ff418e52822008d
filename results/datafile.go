// Data files of a dataset, opened and verified: checksum, provenance and schema.

package results

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"gridsweep/model"
)

// dataFile is a verified Parquet file of the dataset, open for reading: one table of a batch.
type dataFile struct {
	path     string
	reader   *parquet.File
	columns  []model.Column // columns in the order of the file
	metadata map[string]string
	size     int64 // bytes
}

// values returns the number of values: rows times columns.
func (f *dataFile) values() int { return int(f.reader.NumRows()) * len(f.columns) }

// checkName returns the SHA-256 in the name of a data file, or an error for another name.
func checkName(path string) (sum string, err error) {
	sum, found := strings.CutSuffix(filepath.Base(path), dataExtension)
	if !found || !isHex(sum, sumDigits) {
		return "", fmt.Errorf("%s is no data file: those are named by the SHA-256 of their bytes; move it away", path)
	}
	return sum, nil
}

// checkNames returns an error for a file that no dataset wrote in the folder of one of the tables.
func (d *Dataset) checkNames(tables []string) error {
	for _, table := range tables {
		entries, err := listIfThere(filepath.Join(d.dir, table))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if strings.HasPrefix(entry.Name(), ".") {
				continue
			}
			if _, err := checkName(filepath.Join(d.dir, table, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

var (
	// errForeign is the error of a file that no dataset of this study wrote. Clear leaves it alone.
	errForeign = errors.New("is no file of this study")
	// errMissing is the error of a file that does not exist.
	errMissing = errors.New("is missing")
	// errOtherVersion is the error of an undamaged data file of this study that this program cannot
	// read, like the rest of its folder.
	errOtherVersion = errors.New("was written by another version of the model or the program")
)

// advise adds what to do to the error of a file; remedy is for a damaged file.
func advise(err error, remedy string) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return adviseAccess(err)
	case errors.Is(err, errOtherVersion):
		return fmt.Errorf("%w: keep the folder and choose another with --out, or start over with --fresh", err)
	case errors.Is(err, errForeign):
		return fmt.Errorf("%w: move it away", err)
	default:
		return fmt.Errorf("%w: %s, or start over with --fresh", err, remedy)
	}
}

// unreadable returns the error of a file that cannot be used for a reason, with what to do.
func unreadable(path string, reason error) error {
	return advise(fmt.Errorf("%s %w", path, reason), "move it away")
}

// adviseAccess adds what to do to an error of missing permission. Other errors stay as they are.
func adviseAccess(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: make it readable", err)
	}
	return err
}

// readVerified returns the bytes of a file whose name is their SHA-256. The error says what is
// wrong with the file.
func readVerified(path, sum string) ([]byte, error) {
	data, err := ReadFile(path)
	switch {
	case vanished(err):
		return nil, fmt.Errorf("%s %w", path, errMissing)
	case err != nil:
		return nil, err
	case sumOf(data) != sum:
		return nil, fmt.Errorf("%s is damaged: its bytes are not those of its name", path)
	}
	return data, nil
}

// open reads a file and verifies its bytes before anything parses them. The error says what is
// wrong with the file.
func (d *Dataset) open(path, sum, table string, columns []model.Column) (*dataFile, error) {
	data, err := readVerified(path, sum)
	if err != nil {
		return nil, err
	}
	reader, err := openParquet(data)
	if err != nil {
		return nil, fmt.Errorf("%s %w: %w", path, errForeign, err)
	}
	metadata := metadataOf(reader)
	if err := d.checkMetadata(metadata, table); err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	if err := checkSchema(reader, columns); err != nil {
		return nil, fmt.Errorf("%s %w: %w", path, errOtherVersion, err)
	}
	return &dataFile{path: path, reader: reader, columns: columns, metadata: metadata, size: int64(len(data))}, nil
}

// openParquet opens a Parquet file. The library panics on some malformed files. It works on the
// caller's goroutine, so the panic becomes an error.
func openParquet(data []byte) (reader *parquet.File, err error) {
	defer recoverTo(&err)
	return parquet.OpenFile(bytes.NewReader(data), int64(len(data)), parquet.SkipPageIndex(true),
		parquet.SkipBloomFilters(true))
}

func recoverTo(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("broken Parquet: %v", r)
	}
}

func metadataOf(reader *parquet.File) map[string]string {
	metadata := map[string]string{}
	for _, entry := range reader.Metadata().KeyValueMetadata {
		metadata[entry.Key] = entry.Value
	}
	return metadata
}

// checkSchema returns the first difference between the columns of the file and those that it should
// have. Files of version 0.2.0 lack the columns that storedColumns adds.
func checkSchema(reader *parquet.File, columns []model.Column) (err error) {
	defer recoverTo(&err)
	all := reader.Root().Columns()
	if len(all) != len(columns) {
		columns = storedColumns(columns)
	}
	for i, want := range columns {
		if i >= len(all) {
			return fmt.Errorf("it has no column %s", want.Name)
		}
		have := all[i]
		if have.Name() != want.Name {
			return fmt.Errorf("it has a column %s where %s should be", have.Name(), want.Name)
		}
		if !holds(have, want.Type) || have.Optional() != want.Nullable {
			return fmt.Errorf("it has a column %s of another type: %s", want.Name, typeText(have))
		}
	}
	if len(all) > len(columns) {
		return fmt.Errorf("it has a column %s too many", all[len(columns)].Name())
	}
	return nil
}

// holds reports whether a column of a schema has one value or null of a type in each row.
func holds(c *parquet.Column, t model.Type) bool {
	return c.Leaf() && !c.Repeated() && c.Type().Kind() == leafOf(t).Type().Kind()
}

// typeText returns the type of a column of a schema for messages.
func typeText(c *parquet.Column) string {
	switch {
	case !c.Leaf():
		return "a group"
	case c.Repeated():
		return "repeated " + c.Type().Kind().String()
	default:
		return c.Type().Kind().String()
	}
}

// read appends all rows of the file to columns, each of which is one of the file's by its name.
func (f *dataFile) read(columns []*Column) (err error) {
	defer func() {
		if err != nil {
			err = unreadable(f.path, fmt.Errorf("cannot be read: %w", err))
		}
	}()
	defer recoverTo(&err)
	for _, group := range f.reader.RowGroups() {
		for _, column := range columns {
			i := slices.IndexFunc(f.columns, func(c model.Column) bool { return c.Name == column.Name })
			if err := column.readChunk(group, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// readRuns reads the file into columns, of which the run id is the first, and returns where the
// rows of each of the batch's runs are.
func (f *dataFile) readRuns(runs []string, columns []*Column) ([]span, error) {
	if err := f.read(columns); err != nil {
		return nil, err
	}
	return spansOf(columns[0], runs, f.path)
}
