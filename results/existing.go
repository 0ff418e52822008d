// Datasets as their files describe them, without the model of the program.

package results

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/parquet-go/parquet-go"

	"gridsweep/model"
)

// Existing returns the dataset in a folder as its files describe it, to read it: of any study, and
// of any version of its model. Every table counts as optional, and no run as stale. The error says
// that the folder has no runs, or names a file that is damaged or foreign.
func Existing(dir string) (*Dataset, error) {
	d := &Dataset{
		dir: dir, optional: map[string]bool{},
		syncAbove:   sync.OnceValue(func() error { return syncAbove(dir) }),
		fingerprint: func() (string, error) { return "", nil },
	}
	names, err := d.commitNames()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := d.describeBatch(filepath.Join(dir, model.RunsTable, name)); err != nil {
			return nil, err
		}
	}
	if d.model == nil {
		return nil, fmt.Errorf("%s is no dataset: it has no file %s; name the folder of a study, such as out/STUDY", dir,
			filepath.Join(model.RunsTable, "*"+dataExtension))
	}
	return d, nil
}

// Study returns the name of the dataset's study.
func (d *Dataset) Study() string { return d.study }

// Model returns the name of the dataset's model and its version.
func (d *Dataset) Model() (name string, version int) { return d.model.Name, d.model.Version }

// Columns returns the columns of the table runs.
func (d *Dataset) Columns() []model.Column { return runsColumns(d.model) }

// Tables returns the names of the tables of outcomes, runs first.
func (d *Dataset) Tables() []string {
	var names []string
	for _, table := range d.model.Tables {
		names = append(names, table.Name)
	}
	return names
}

// describeBatch adds the tables of a batch that the model lacks, by their columns in the files.
func (d *Dataset) describeBatch(path string) error {
	columns, metadata, err := columnsIn(path)
	if err != nil {
		return err
	}
	if d.model == nil {
		version, err := strconv.Atoi(metadata[keyModelVersion])
		if err != nil || metadata[keyFormat] != formatVersion {
			return unreadable(path, fmt.Errorf("%w: it is of format %q and model version %q", errOtherVersion,
				metadata[keyFormat], metadata[keyModelVersion]))
		}
		d.study, d.model = metadata[keyStudy], &model.Model{Name: metadata[keyModel], Version: version}
		first := []string{runIDColumn, SeedColumn, ReplicationColumn}
		if err := d.describeTable(path, model.RunsTable, columns, first); err != nil {
			return err
		}
	}
	files, err := filesOf(metadata)
	if err != nil {
		return unreadable(path, err)
	}
	for _, table := range slices.Sorted(maps.Keys(files)) {
		if table == TimingsTable || d.model.Table(table) >= 0 {
			continue
		}
		// A folder in the dataset has this name, and it must not be one for something else.
		if table != filepath.Base(table) || !filepath.IsLocal(table) || slices.Contains(Folders(), table) {
			return unreadable(path, fmt.Errorf("names a table %q, which is no name for one", table))
		}
		file := d.path(table, files[table])
		columns, _, err := columnsIn(file)
		if err != nil {
			return err
		}
		if err := d.describeTable(file, table, columns, []string{runIDColumn, rowColumn}); err != nil {
			return err
		}
	}
	return nil
}

// describeTable adds a table to the model, whose columns follow the first ones of every such table.
func (d *Dataset) describeTable(path, table string, columns []model.Column, first []string) error {
	for i, name := range first {
		if i >= len(columns) || columns[i].Name != name {
			return unreadable(path, fmt.Errorf("%w: it has no column %s at position %d", errOtherVersion, name, i+1))
		}
	}
	d.model.Tables = append(d.model.Tables, model.Table{Name: table, Optional: table != model.RunsTable,
		Columns: columns[len(first):]})
	return nil
}

// columnsIn returns the columns of a data file as its schema and metadata describe them, and the
// metadata.
func columnsIn(path string) (columns []model.Column, metadata map[string]string, err error) {
	sum, err := checkName(path)
	if err != nil {
		return nil, nil, err
	}
	data, err := readVerified(path, sum)
	if err != nil {
		return nil, nil, advise(err, "move it away")
	}
	reader, err := openParquet(data)
	if err != nil {
		return nil, nil, unreadable(path, fmt.Errorf("%w: %w", errForeign, err))
	}
	metadata = metadataOf(reader)
	columns, err = describedColumns(reader, metadata[keyColumns])
	if err != nil {
		return nil, nil, unreadable(path, err)
	}
	return columns, metadata, nil
}

// describedColumns returns the columns of a file, whose types and units are in the JSON object
// infos. It leaves out the columns that a writer adds (storedColumns), such as a duration in
// seconds.
func describedColumns(reader *parquet.File, infos string) (columns []model.Column, err error) {
	defer recoverTo(&err)
	var known map[string]columnInfo
	if err := json.Unmarshal([]byte(infos), &known); err != nil {
		return nil, fmt.Errorf("describes its columns in a form that cannot be read: %w", err)
	}
	for _, column := range reader.Root().Columns() {
		name := column.Name()
		info, found := known[name]
		typ, isType := typeNamed(info.Type)
		if !found || !isType {
			return nil, fmt.Errorf("has a column %s of the type %q, which is not known", name, info.Type)
		}
		columns = append(columns, model.Column{
			Name: name, Type: typ, Unit: info.Unit, Doc: info.Doc, Symbol: info.Symbol, Alias: info.Alias,
			Nullable: column.Optional(),
		})
	}
	added, _ := ColumnsInSeconds(columns)
	return slices.DeleteFunc(columns, func(c model.Column) bool {
		return slices.ContainsFunc(added, func(a model.Column) bool { return a.Name == c.Name })
	}), nil
}

// typeNamed returns the type of a name, as columnInfo has it.
func typeNamed(name string) (model.Type, bool) {
	types := []model.Type{model.TypeBool, model.TypeInt, model.TypeFloat, model.TypeString, model.TypeSeconds}
	for _, typ := range types {
		if typ.String() == name {
			return typ, true
		}
	}
	return 0, false
}
