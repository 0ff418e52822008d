"""Reads Parquet files of gridsweep with pandas, Polars and DuckDB and compares what they find.

    python read_dataset.py 'out/coallocation/runs/*.parquet' [expected.json]
    python read_dataset.py out/coallocation/cells.parquet

The three must find the same columns, types and rows, the types must be those in the files' metadata, and
all three must be able to show the units. Columns with an alias must have it as a name without quotes. Columns with
levels must be ordered categories in pandas. In files with an Arrow schema its fields must have the same metadata. With
expected.json ({"columns": [...], "rows": [[...], ...]}, in any order of rows, with "infos" or without) they must find
those rows, and those infos in the files' metadata.
"""

import glob
import json
import math
import sys

import duckdb
import pandas
import polars
import pyarrow.parquet

KEY = "gridsweep.columns"
ARROW = {"bool": "bool", "int": "int64", "float": "double", "string": "string", "duration": "int64"}
POLARS = {"bool": "Boolean", "int": "Int64", "float": "Float64", "string": "String", "duration": "Int64"}
DUCKDB = {"bool": "BOOLEAN", "int": "BIGINT", "float": "DOUBLE", "string": "VARCHAR", "duration": "BIGINT"}
ORDERED = {"pandas": "dictionary<values=string, indices=int32, ordered=1>", "Polars": "Categorical", "DuckDB": "VARCHAR"}


def by_pandas(files):
    frames = [pandas.read_parquet(f, dtype_backend="pyarrow") for f in files]
    frame = pandas.concat(frames, ignore_index=True)
    schema = pyarrow.parquet.read_schema(files[0])
    rows = [tuple(None if v is pandas.NA else v for v in row) for row in frame.itertuples(index=False, name=None)]
    types = [str(t.pyarrow_dtype) for t in frame.dtypes]
    return list(frame.columns), types, rows, json.loads(schema.metadata[KEY.encode()])


def by_polars(files):
    frame = polars.read_parquet(files)
    metadata = polars.read_parquet_metadata(files[0])
    return frame.columns, [str(t) for t in frame.dtypes], frame.rows(), json.loads(metadata[KEY])


def by_duckdb(files):
    result = duckdb.sql("SELECT * FROM read_parquet($files)", params={"files": files})
    rows = result.fetchall()
    metadata = duckdb.sql(
        "SELECT decode(value) FROM parquet_kv_metadata($file) WHERE decode(key) = $key",
        params={"file": files[0], "key": KEY},
    ).fetchall()
    return result.columns, [str(t) for t in result.types], rows, json.loads(metadata[0][0])


def ordered(rows):
    return sorted((tuple(row) for row in rows), key=lambda row: [(v is None, str(type(v)), str(v)) for v in row])


def exact(rows):
    """Rows as text in which 1, 1.0 and True differ, and so do null and the float that stands for it in pandas."""
    assert not any(isinstance(v, float) and math.isnan(v) for row in rows for v in row), "a null became a number"
    return [tuple((type(v).__name__, v) for v in row) for row in rows]


def without_quotes(files, columns, infos):
    """In a table with aliases, every column or its alias is a name that pandas and DuckDB take without quotes."""
    aliases = {c: infos[c]["alias"] for c in columns if infos[c].get("alias") in columns}
    if not aliases:
        return
    frame, table = pandas.read_parquet(files), polars.read_parquet(files)
    for c, alias in aliases.items():
        assert frame[c].equals(getattr(frame, alias)), f"pandas finds other values in {alias} than in {c}"
        assert table[c].equals(table.select(getattr(polars.col, alias))[alias]), f"Polars finds others in {alias}"
    for name in (aliases.get(c, c) for c in columns):
        assert len(frame.query(f"{name} == {name} or {name}.isnull()")) == len(frame), f"pandas does not take {name}"
        query = f"SELECT {name}, count({name}) FROM read_parquet($files) WHERE {name} IS NOT NULL GROUP BY {name}"
        duckdb.sql(query + f" ORDER BY {name}", params={"files": files}).fetchall()


def described(files, columns, infos):
    """Pandas has the order of levels, and an Arrow schema has the metadata of the columns."""
    schema, table = pyarrow.parquet.read_schema(files[0]), None
    for c in columns:
        metadata = {k.decode(): v.decode() for k, v in (schema.field(c).metadata or {}).items()}
        metadata.pop("PARQUET:field_id", None)
        want = {key: text for key, text in infos[c].items() if key != "levels"}
        if "levels" in infos[c] or metadata:
            assert metadata == want, f"the Arrow field {c} has the metadata {metadata}, not {want}"
        if "levels" in infos[c]:
            table = pandas.read_parquet(files) if table is None else table
            assert table[c].dtype.ordered, f"{c} has no order"
            assert list(table[c].cat.categories) == infos[c]["levels"], f"{c} has the categories {table[c].cat.categories}"


def main(pattern, expected=None):
    files = sorted(glob.glob(pattern))
    assert files, f"no file matches {pattern}"
    found = {"pandas": by_pandas(files), "Polars": by_polars(files), "DuckDB": by_duckdb(files)}
    columns, _, rows, infos = found["pandas"]
    rows = ordered(rows)
    if expected:
        with open(expected, encoding="utf-8") as file:
            want = json.load(file)
        columns, infos = want["columns"], want.get("infos", infos)
        rows = ordered(
            tuple(float(v) if infos[c]["kind"] == "float" and v is not None else v for c, v in zip(columns, row))
            for row in want["rows"]
        )
    for name, types_of in ("pandas", ARROW), ("Polars", POLARS), ("DuckDB", DUCKDB):
        has = found[name]
        assert list(has[0]) == columns, f"{name} finds columns {has[0]}, not {columns}"
        types = [ORDERED[name] if "levels" in infos[c] else types_of[infos[c]["kind"]] for c in columns]
        assert has[1] == types, f"{name} finds types {has[1]}, not {types}"
        assert has[3] == infos, f"{name} finds units {has[3]}, not {infos}"
        for have, want in zip(exact(ordered(has[2])), exact(rows)):
            assert have == want, f"{name} finds row {have}, not {want}"
        assert len(has[2]) == len(rows), f"{name} finds {len(has[2])} rows, not {len(rows)}"
    without_quotes(files, columns, infos)
    described(files, columns, infos)
    units = {c: infos[c]["unit"] for c in columns if "unit" in infos[c]}
    print(f"{len(files)} files, {len(rows)} rows, {len(columns)} columns, units {json.dumps(units)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
