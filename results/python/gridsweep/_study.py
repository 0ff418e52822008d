"""The files of a study as data frames."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import pandas
import pyarrow.parquet

if TYPE_CHECKING:
    import polars

Study = str | os.PathLike[str]

_VERDICTS = ["reproduced", "inconclusive", "not reproduced", "vacuous", "no value", "not run"]
_ESTIMATE = ["margin", "low", "high", "n", "sd"]
_FORMULA = r"^'(?=['\s\x00-\x1f\x7f-\x9f\ufeff]*[=+\-@＝＋－＠])"  # an apostrophe before what spreadsheets evaluate


def file_of(study: Study, name: str) -> Path:
    """The path of a file of a study, which must exist."""
    path = Path(study) / name
    if not path.is_file():
        beside = sorted(file.stem for file in path.parent.glob("*.csv")) if path.parent.name == "tables" else []
        if beside:
            raise FileNotFoundError(f"{path} does not exist; the tables are {', '.join(beside)}")
        raise FileNotFoundError(
            f"{path} does not exist: give the folder of a study, in which `gridsweep analyze` writes it"
        )
    return path


def file_name(name: str) -> str:
    """The name of a table or figure as that of its files, without extension."""
    name = re.sub("[^a-zA-Z0-9._+-]", "-", name)
    return "_" + name[1:] if name.startswith("-") else name


@overload
def load(study: Study) -> pandas.DataFrame: ...
@overload
def load(study: Study, library: Literal["pandas"]) -> pandas.DataFrame: ...
@overload
def load(study: Study, library: Literal["polars"]) -> polars.DataFrame: ...
def load(study: Study, library: Literal["pandas", "polars"] = "pandas") -> pandas.DataFrame | polars.DataFrame:
    """The cells of a study: one row for each cell and replication, from cells.parquet.

    The columns are experiment, label_FACTOR for each factor, run_id, seed, round (the replication), the parameters
    and the metrics. A label_FACTOR is an ordered category (in Polars an Enum) with the levels of the study file, in
    their order; it is null in experiments that do not vary the factor.

    In pandas, attrs has "units", "docs" and "symbols" of the columns that have one, by name, and "provenance": the
    version of the program, the commit, the study file and the command.
    """
    path = file_of(study, "cells.parquet")
    metadata = {
        key.decode(): text.decode() for key, text in (pyarrow.parquet.read_metadata(path).metadata or {}).items()
    }
    columns: dict[str, dict[str, Any]] = json.loads(metadata["gridsweep.columns"])
    if library == "polars":
        import polars

        levels = {name: info["levels"] for name, info in columns.items() if "levels" in info}
        return polars.read_parquet(path).with_columns(
            polars.col(name).cast(polars.String).cast(polars.Enum(texts)) for name, texts in levels.items()
        )
    if library != "pandas":
        raise ValueError(f"library is {library!r}, want 'pandas' or 'polars'")
    frame = pandas.read_parquet(path)
    for key in ("unit", "doc", "symbol"):
        frame.attrs[key + "s"] = {name: info[key] for name, info in columns.items() if key in info}
    frame.attrs["provenance"] = {
        key.removeprefix("gridsweep."): text
        for key, text in metadata.items()
        if key.startswith("gridsweep.") and key != "gridsweep.columns"
    }
    return frame


def table(study: Study, name: str) -> pandas.DataFrame:
    """A table of a study with one row for each of its cells, from tables/NAME.csv.

    The columns are the labels, metric, unit, ours with low and high, n (the replications with a value), rounds (those
    run), sd, the published number with its page, the ends of the 95 % prediction interval, the verdict (inside or
    outside) and a note. Labels are text; they and the metric are categories in the order of the table.
    """
    file = file_of(study, f"tables/{file_name(name)}.csv")
    heads = list(pandas.read_csv(file, nrows=0).columns)
    texts = heads[: heads.index("ours")] + ["page", "verdict", "note"]
    frame = pandas.read_csv(file, dtype={head: str for head in texts}, keep_default_na=False, na_values={
        head: [""] for head in heads if head not in texts
    })
    for head in texts:
        frame[head] = frame[head].str.replace(_FORMULA, "", regex=True)
    for head in heads[: heads.index("unit")]:
        frame[head] = pandas.Categorical(frame[head], categories=list(frame[head].unique()), ordered=True)
    return frame


def claims(study: Study, by: Literal["claim", "comparison", "assumption"] = "claim") -> pandas.DataFrame:
    """The claims of a study with their verdicts, from claims.json.

    by="claim" gives a row for each claim, by="comparison" one for each comparison of a claim, and by="assumption" one
    for each claim under each alternative assumption that was run (empty if none was). In all of them margin, low, high,
    n and sd are the mean margin with its 95 % interval, its replications and their standard deviation, in unit; a
    margin is at least 0 where the claim holds.
    """
    heads = {
        "claim": ["claim", "number", "verdict", *_ESTIMATE, "holding", "comparisons", "unit", "published_verdict",
                  "main", "reason", "test", "doc", "source"],
        "comparison": ["claim", "labels", "margin_is", *_ESTIMATE, "clear", "unit"],
        "assumption": ["claim", "experiment", "level", "verdict", *_ESTIMATE, "holding", "comparisons", "unit"],
    }
    if by not in heads:
        raise ValueError(f"by is {by!r}, want 'claim', 'comparison' or 'assumption'")
    with open(file_of(study, "claims.json"), encoding="utf-8") as file:
        all_claims: list[dict[str, Any]] = json.load(file)["claims"]
    rows: list[dict[str, Any]] = []
    for claim in all_claims:
        if by == "claim":
            published = claim["published"] or {}
            rows.append({
                "claim": claim["name"], "number": claim.get("number"), **_judgement(claim["ours"]),
                "unit": claim.get("unit", ""), "published_verdict": published.get("verdict"),
                "main": claim.get("main", False), "reason": claim.get("reason", {}).get("text", ""),
                "test": claim["test"], "doc": claim["doc"], "source": claim["source"],
            })
        elif by == "comparison":
            for comparison in claim["ours"].get("evidence", []):
                rows.append({
                    "claim": claim["name"], "labels": ", ".join(comparison["labels"] or []),
                    "margin_is": comparison["margin_is"], **_margin(comparison["margin"]),
                    "clear": comparison["clear"], "unit": claim.get("unit", ""),
                })
        else:
            for reading in claim.get("readings", []):
                rows.append({
                    "claim": claim["name"], "experiment": reading["experiment"], "level": reading["level"],
                    **_judgement(reading), "unit": claim.get("unit", ""),
                })
    frame = pandas.DataFrame(rows, columns=heads[by]).astype({head: float for head in ("margin", "low", "high", "sd")})
    for head in ("verdict", "published_verdict"):
        if head in frame:
            frame[head] = pandas.Categorical(frame[head], categories=_VERDICTS)
    return frame


def _margin(estimate: dict[str, Any]) -> dict[str, Any]:
    return {"margin": estimate["value"], **{key: estimate[key] for key in ("low", "high", "n", "sd")}}


def _judgement(judgement: dict[str, Any]) -> dict[str, Any]:
    return {
        "verdict": judgement["verdict"], **_margin(judgement["mean_margin"]),
        "holding": judgement["comparisons_holding"], "comparisons": judgement["comparisons"],
    }
