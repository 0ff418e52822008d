"""Comparisons of levels, paired by replication."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import pandas

from ._statistics import STATISTICS, Estimate, estimate, granularity, jackknife

Change = Literal["difference", "percent", "ratio"]


def compare(
    cells: pandas.DataFrame,
    column: str,
    base: Mapping[str, str],
    *,
    experiment: str | None = None,
    statistic: Literal["mean", "median", "trimmed"] = "mean",
    change: Change = "difference",
) -> pandas.DataFrame:
    """Compare a column of cells with the cells at a base level, replication by replication.

    base names a level of one or more factors, such as {"policy": "easy"}. Each other cell of the experiment is compared
    with the cell that has the base's levels and otherwise its own. Replication k of both met the same random numbers,
    so the noise that they share cancels. Only replications in which both have a value count.

    change is "difference" (cell - base), "percent" ((cell - base) / base * 100) or "ratio" (cell / base).

    - A difference is the statistic of the replications' differences, with Student's t interval; for the median it is
      that of order statistics, for the trimmed mean Student's with the winsorised deviation.
    - Percentages and ratios are of means, or of trimmed means, with the jackknife's interval over replications; of
      medians they are the median of the replications' ratios.
    - If all replications give the same number, an event may be so rare that none has it: the interval is that of no
      event in as many replications. What one event adds is taken from the differences between replications of all cells
      of the experiment: give all of them, not only those to compare.

    The result has a row for each cell but those at the base, with its labels as index, ordered as the levels are, and
    the columns value, low, high, n (replications) and sd, in the unit in attrs["unit"]. experiment may be omitted if
    the cells are of one.

    Claims with `order` have these numbers, with the sign that the claim gives its margins. So do tables and figures
    with `against`, but there the interval of equal differences has no width, and those of proportions stay within their
    bounds.
    """
    if column not in cells:
        raise ValueError(f"there is no column {column!r}; the columns are {', '.join(cells.columns)}")
    if statistic not in STATISTICS:
        raise ValueError(f"statistic is {statistic!r}, want {', '.join(map(repr, STATISTICS))}")
    if change not in ("difference", "percent", "ratio"):
        raise ValueError(f"change is {change!r}, want 'difference', 'percent' or 'ratio'")
    of_experiment = _experiment(cells, experiment)
    factors = [
        str(head) for head in of_experiment.columns
        if str(head).startswith("label_") and of_experiment[head].notna().any()
    ]
    for factor, level in base.items():
        head = "label_" + factor
        if head not in factors:
            known = ", ".join(f.removeprefix("label_") for f in factors)
            raise ValueError(f"base: the experiment does not vary {factor!r}; it varies {known}")
        if level not in set(of_experiment[head]):
            known = ", ".join(map(str, of_experiment[head].dropna().unique()))
            raise ValueError(f"base: {factor!r} has no level {level!r} in the experiment; it has {known}")
    if not base:
        raise ValueError("base names no factor")

    values: dict[tuple[str, ...], dict[int, float]] = {}
    for labels, group in of_experiment.groupby(factors, observed=True, sort=True):
        key = tuple(str(label) for label in (labels if isinstance(labels, tuple) else (labels,)))
        if group["round"].duplicated().any():
            raise ValueError(f"the cell {key} has a replication twice: give the cells of one dataset")
        values[key] = dict(zip(group["round"].astype(int), group[column].astype(float)))

    # an event adds 1 to whole numbers that vary in no cell
    is_whole = pandas.api.types.is_integer_dtype(cells[column]) or pandas.api.types.is_bool_dtype(cells[column])
    event = granularity(list(of_cell.values()) for of_cell in values.values()) or float(is_whole)

    index: list[tuple[str, ...]] = []
    rows: list[Estimate] = []
    for key in values:  # by level
        based = tuple(base.get(f.removeprefix("label_"), label) for f, label in zip(factors, key))
        if based == key or based not in values:
            continue
        own, other = values[key], values[based]
        common = [k for k in sorted(own) if k in other and not math.isnan(own[k]) and not math.isnan(other[k])]
        index.append(key)
        rows.append(_estimate([own[k] for k in common], [other[k] for k in common], statistic, change, event))
    labelled = pandas.DataFrame(index, columns=factors).astype({f: of_experiment[f].dtype for f in factors})
    names = [f.removeprefix("label_") for f in factors]
    result = pandas.DataFrame(
        rows, columns=list(Estimate._fields), index=pandas.MultiIndex.from_frame(labelled, names=names)
    )
    unit = cells.attrs.get("units", {}).get(column, "")
    result.attrs["unit"] = {"difference": "points" if unit == "%" else unit, "percent": "%", "ratio": ""}[change]
    return result


def _experiment(cells: pandas.DataFrame, name: str | None) -> pandas.DataFrame:
    known = list(cells["experiment"].unique())
    if name is None and len(known) == 1:
        name = known[0]
    if name not in known:
        what = "give one experiment" if name is None else f"there is no experiment {name!r}"
        raise ValueError(f"{what}: the cells are of {', '.join(known)}")
    return cells[cells["experiment"] == name]


def _estimate(
    own: Sequence[float], base: Sequence[float], statistic: str, change: Change, event: float
) -> Estimate:
    def compared(x: float, b: float) -> float:
        if change == "difference":
            return x - b
        if b == 0:
            return math.nan
        return x / b if change == "ratio" else (x - b) / b * 100

    if change == "difference" or statistic == "median":
        return estimate(statistic, [compared(x, b) for x, b in zip(own, base)], event)
    added = [  # by an event of the cell or of its base
        abs(more - compared(x, b))
        for x, b in zip(own, base)
        for more in (compared(x + event, b), compared(x, b + event))
    ]
    of = STATISTICS[statistic][0]
    return jackknife(
        len(own), lambda kept: compared(of([own[k] for k in kept]), of([base[k] for k in kept])),
        max((a for a in added if not math.isnan(a)), default=0.0),
    )
