"""Figures of a study as numbers and, with matplotlib, as drawings."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

import pandas

from ._study import Study, file_name, file_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def _read(study: Study, name: str) -> dict[str, Any]:
    with open(file_of(study, "figures.json"), encoding="utf-8") as file:
        figures: dict[str, dict[str, Any]] = {f["name"]: f for f in json.load(file)["figures"]}
    for known, document in figures.items():
        if name in (known, file_name(known)):
            return document
    raise ValueError(f"there is no figure {name!r}; the figures are {', '.join(figures)}")


def figure(study: Study, name: str) -> pandas.DataFrame:
    """The numbers of a figure, from figures.json: one row for each point, those of the page's figure.

    The columns are panel, series, by ("ours" or "published"), x, label (its name on the axis, if it has one), value,
    low, high, n and sd; of a Gantt chart width and height, too. The numbers are in the units of the columns; attrs has
    the title, the caption and the axes.
    """
    document = _read(study, name)
    rows = []
    for panel in document["panels"]:
        for series in panel["series"]:
            for by, points in (("ours", series), ("published", series.get("published"))):
                for i in range(len(points["x"]) if points else 0):
                    row = {"panel": panel["label"], "series": series["label"], "by": by, "x": points["x"][i]}
                    row["label"] = points["labels"][i] if "labels" in points else ""
                    for key in ("value", "low", "high", "n", "sd", "width", "height"):
                        row[key] = points[key][i] if key in points else None
                    rows.append(row)
    heads = ["panel", "series", "by", "x", "label", "value", "low", "high", "n", "sd"]
    if document["kind"] == "gantt":
        heads += ["width", "height"]
    frame = pandas.DataFrame(rows, columns=heads)
    frame = frame.astype({head: float for head in heads if head not in ("panel", "series", "by", "label")})
    frame.attrs.update({key: document[key] for key in ("title", "caption", "kind", "x", "y")})
    return frame


def plot(study: Study, name: str) -> Figure:
    """Draw a figure of a study with matplotlib, from the numbers of the page's figure; save it with savefig.

    Vertical lines through marks are the intervals that the caption names; hollow marks are published numbers.
    """
    import matplotlib.pyplot as pyplot

    document = _read(study, name)
    panels = document["panels"]
    drawing, axes = pyplot.subplots(
        1, max(len(panels), 1), squeeze=False, figsize=(4.8 * max(len(panels), 1), 3.6), layout="constrained"
    )
    for ax, panel in zip(axes[0], panels):
        ax.set_ylabel(_title(panel["y"]))
        _PANELS.get(document["kind"], _marks)(ax, document, panel)
        ax.set_title(panel["label"])
        ax.set_xlabel(_title(document["x"]))
    drawing.suptitle(textwrap.fill(document["title"], 52 * max(len(panels), 1)))
    pyplot.close(drawing)  # notebooks show what a cell returns, not once more what is open
    return drawing


def _size(axis: dict[str, Any]) -> float:
    size: float = axis.get("shown_unit_size") or 1
    return size


def _title(axis: dict[str, Any]) -> str:
    unit = "" if axis.get("labels") else axis.get("shown_unit") or axis.get("unit", "")
    return f"{axis['title']} ({unit})" if unit else str(axis["title"])


def _scaled(points: dict[str, Any], key: str, size: float) -> list[float]:
    return [float("nan") if value is None else value / size for value in points[key]]


def _limits(ax: Axes, document: dict[str, Any], panel: dict[str, Any]) -> None:
    x, y = _size(document["x"]), _size(panel["y"])
    if "range_x" in document:
        ax.set_xlim(*(end / x for end in document["range_x"]))
    if "range_y" in panel:
        ax.set_ylim(*(end / y for end in panel["range_y"]))
    if document["x"].get("labels"):
        names = document["x"]["labels"]
        ax.set_xticks(range(len(names)), names, rotation=0 if sum(map(len, names)) < 50 else 90)
    elif document.get("log_x"):
        ax.set_xscale("log")
    if document.get("log_y"):
        ax.set_yscale("log")


def _marks(ax: Axes, document: dict[str, Any], panel: dict[str, Any]) -> None:
    """Lines, bars and clouds of points."""
    kind, x_size, count = document["kind"], _size(document["x"]), len(panel["series"])
    right = ax.twinx() if any(series.get("right") for series in panel["series"]) else None
    if right is not None:
        right.set_ylabel(_title(document["right"]))
    positions = sorted({x for series in panel["series"] for x in series["x"] if x is not None})
    names = document["x"].get("labels")
    for k, series in enumerate(panel["series"]):
        on = right if right is not None and series.get("right") else ax
        y_size = _size(document["right"] if on is right else panel["y"])
        colour, label = f"C{k % 10}", series["label"] or None

        def place(points: dict[str, Any]) -> list[float]:
            if kind != "bar":
                return _scaled(points, "x", x_size)
            return [(x if names else positions.index(x)) + 0.8 * ((k + 0.5) / count - 0.5) for x in points["x"]]

        x, y = place(series), _scaled(series, "value", y_size)
        if kind == "bar":
            on.bar(x, y, 0.8 / count, color=colour, label=label)
        elif kind == "points":
            on.plot(x, y, ".", color=colour, label=label)
        else:
            on.plot(x, y, marker="o", markersize=3, color=colour, label=label)
        if "low" in series:
            low, high = _scaled(series, "low", y_size), _scaled(series, "high", y_size)
            on.vlines(x, low, high, color="black" if kind == "bar" else colour, linewidth=1)
        published = series.get("published")
        if published:
            # bars without names have positions only where we have numbers
            shown = [i for i, at in enumerate(published["x"]) if kind != "bar" or names or at in positions]
            kept = {key: [published[key][i] for i in shown] for key in ("x", "value")}
            on.plot(
                place(kept), _scaled(kept, "value", y_size), "o", markerfacecolor="none",
                color="black" if kind == "bar" else colour,
            )
    if document.get("diagonal"):
        ax.axline((0, 0), slope=1, color="grey", linewidth=0.8)
    if kind == "bar" and not names:
        ax.set_xticks(range(len(positions)), [f"{x / x_size:g}" for x in positions])
        if document.get("log_y"):
            ax.set_yscale("log")
    else:
        _limits(ax, document, panel)
    if any(series["label"] for series in panel["series"]):
        ax.legend(fontsize="small")


def _heat(ax: Axes, document: dict[str, Any], panel: dict[str, Any]) -> None:
    """A colour for each x and series."""
    positions = sorted({x for series in panel["series"] for x in series["x"]})
    values = [[float("nan")] * len(positions) for _ in panel["series"]]
    for row, series in zip(values, panel["series"]):
        for x, value in zip(series["x"], _scaled(series, "value", _size(panel["y"]))):
            row[positions.index(x)] = value
    names = document["x"].get("labels") or [f"{x / _size(document['x']):g}" for x in positions]
    image = ax.imshow(values, aspect="auto", origin="lower")
    ax.set_xticks(range(len(names)), names, rotation=0 if sum(map(len, names)) < 50 else 90)
    ax.set_yticks(range(len(panel["series"])), [series["label"] for series in panel["series"]])
    ax.figure.colorbar(image, ax=ax, label=_title(panel["y"]))
    ax.set_ylabel(_title(document["rows"]))


def _gantt(ax: Axes, document: dict[str, Any], panel: dict[str, Any]) -> None:
    """A rectangle for each point."""
    x_size, y_size = _size(document["x"]), _size(panel["y"])
    for k, series in enumerate(panel["series"]):
        ax.bar(
            _scaled(series, "x", x_size), _scaled(series, "height", y_size), _scaled(series, "width", x_size),
            _scaled(series, "value", y_size), align="edge", color=f"C{k % 10}", label=series["label"] or None,
        )
    _limits(ax, document, panel)
    if any(series["label"] for series in panel["series"]):
        ax.legend(fontsize="small")


_PANELS = {"heat": _heat, "gantt": _gantt}
