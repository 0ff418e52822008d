package results

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"gridsweep/model"
)

// part is one verified file of the dataset, open for reading.
type part struct {
	path     string
	reader   *file.Reader
	columns  []model.Column    // in the order of the file
	metadata map[string]string // of the file
	size     int64             // bytes of the file
}

// name returns the name of the part's file.
func (p *part) name() string { return filepath.Base(p.path) }

// values returns the rows times the columns of the file.
func (p *part) values() int { return int(p.reader.NumRows()) * len(p.columns) }

// openCommit opens a file of the folder runs.
func (d *Dataset) openCommit(name string) (*part, error) {
	path := filepath.Join(d.dir, model.RunsTable, name)
	sum, found := strings.CutSuffix(name, partExtension)
	if !found || !isHex(sum, sumDigits) {
		return nil, fmt.Errorf("%s is no part of this dataset, whose parts are named by the SHA-256 of their bytes: "+
			"move it away", path)
	}
	p, err := d.open(path, sum, model.RunsTable, runsColumns(d.model))
	if errors.Is(err, errMissing) && !leadsNowhere(path) {
		return nil, fmt.Errorf("%s %w", path, errVanished)
	}
	if err != nil {
		return nil, advise(err, "move it away")
	}
	return p, nil
}

var (
	// errForeign is what is wrong with a file that no dataset of this study wrote, which Clear
	// leaves alone.
	errForeign = errors.New("is no file of this study")
	// errMissing is what is wrong with a file that is not there.
	errMissing = errors.New("is missing")
	// errOther is what is wrong with a sound part of this study that cannot be read, like the rest
	// of its folder.
	errOther = errors.New("was written by another version of the model or the program")
)

// advise adds to the error of a file what to do; remedy is what to do where it is damaged.
func advise(err error, remedy string) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return adviseAccess(err)
	case errors.Is(err, errOther):
		return fmt.Errorf("%w: keep the folder and choose another with --out, or start over with --fresh", err)
	case errors.Is(err, errForeign):
		return fmt.Errorf("%w: move it away", err)
	default:
		return fmt.Errorf("%w: %s, or start over with --fresh", err, remedy)
	}
}

// adviseAccess adds to the error of a file or folder that we may not read what to do; it returns
// others as they are.
func adviseAccess(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: make it readable", err)
	}
	return err
}

// openNamed opens the file of another table that a commit names; nil where it has none and needs
// none.
func (d *Dataset) openNamed(commit *part, table string, columns []model.Column) (*part, error) {
	files, err := filesOf(commit.metadata)
	if err != nil {
		return nil, fmt.Errorf("%s %w: move it away, or start over with --fresh", commit.path, err)
	}
	sum, found := files[table]
	if !found {
		if i := d.model.Table(table); i > 0 && d.model.Tables[i].Optional {
			return nil, nil
		}
		return nil, fmt.Errorf("%s names no file of table %s: move it away, or start over with --fresh", commit.path, table)
	}
	p, err := d.open(d.path(table, sum), sum, table, columns)
	if err != nil {
		return nil, adviseNamed(err, commit)
	}
	return p, nil
}

// adviseNamed adds to the error of a file that a commit names what to do; it is errVanished where
// the commit is gone too.
func adviseNamed(err error, commit *part) error {
	if errors.Is(err, errMissing) && gone(commit.path) {
		return fmt.Errorf("%s %w", commit.path, errVanished)
	}
	return advise(err, fmt.Sprintf("move %s away, which needs it and whose runs will be run again", commit.path))
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
func (d *Dataset) open(path, sum, table string, columns []model.Column) (*part, error) {
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
		return nil, fmt.Errorf("%s %w: %w", path, errOther, err)
	}
	return &part{path: path, reader: reader, columns: columns, metadata: metadata, size: int64(len(data))}, nil
}

// openParquet opens a Parquet file. Arrow panics on some files that are none; everything it does
// for us it does in our goroutine, so the panic becomes an error.
func openParquet(data []byte) (reader *file.Reader, err error) {
	defer recoverTo(&err)
	return file.NewParquetReader(bytes.NewReader(data))
}

func recoverTo(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("broken Parquet: %v", r)
	}
}

func metadataOf(reader *file.Reader) map[string]string {
	metadata := map[string]string{}
	for _, entry := range reader.MetaData().KeyValueMetadata() {
		metadata[strings.Clone(entry.GetKey())] = strings.Clone(entry.GetValue())
	}
	return metadata
}

// checkSchema returns the first way in which the columns of the file are not those that it should
// have.
func checkSchema(reader *file.Reader, columns []model.Column) (err error) {
	defer recoverTo(&err)
	schema := reader.MetaData().Schema
	for i, want := range columns {
		if i >= schema.NumColumns() {
			return fmt.Errorf("it has no column %s", want.Name)
		}
		have := schema.Column(i)
		if have.Path() != want.Name {
			return fmt.Errorf("it has a column %s where %s should be", have.Path(), want.Name)
		}
		if have.PhysicalType() != physicalType(want.Kind) || have.MaxRepetitionLevel() != 0 ||
			(have.MaxDefinitionLevel() == 1) != want.Nullable || have.MaxDefinitionLevel() > 1 {
			return fmt.Errorf("it has a column %s of another type: %s", want.Name, have.PhysicalType())
		}
	}
	if schema.NumColumns() > len(columns) {
		return fmt.Errorf("it has a column %s too many", schema.Column(len(columns)).Path())
	}
	return nil
}

func physicalType(k model.Kind) parquet.Type {
	switch k {
	case model.KindBool:
		return parquet.Types.Boolean
	case model.KindFloat:
		return parquet.Types.Double
	case model.KindString:
		return parquet.Types.ByteArray
	default:
		return parquet.Types.Int64
	}
}

// runs returns the ids of the runs of a runs file.
func (p *part) runs() ([]string, error) {
	ids := newColumn(runID)
	if err := p.read([]*Column{ids}); err != nil {
		return nil, err
	}
	if len(ids.words.list) != len(ids.bits) {
		return nil, fmt.Errorf("%s names a run twice: move it away, or start over with --fresh", p.path)
	}
	return ids.words.list, nil
}

// read appends all rows of the file to columns, each of which is one of the file's by its name.
func (p *part) read(columns []*Column) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s cannot be read: %w: move it away, or start over with --fresh", p.path, err)
		}
	}()
	defer recoverTo(&err)
	for g := range p.reader.NumRowGroups() {
		group := p.reader.RowGroup(g)
		for _, column := range columns {
			for i, c := range p.columns {
				if c.Name != column.Name {
					continue
				}
				chunk, err := group.Column(i)
				if err == nil {
					err = column.readChunk(chunk, int(group.NumRows()))
				}
				if err != nil {
					return fmt.Errorf("column %s: %w", column.Name, err)
				}
			}
		}
	}
	return nil
}
