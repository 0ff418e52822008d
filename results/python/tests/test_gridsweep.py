"""Tests of the package against datasets that the program made.

GRIDSWEEP_STUDIES names the folders of studies, separated by os.pathsep; the first is that of `gridsweep new mornings`.
"""

import csv
import json
import math
import os
import pathlib
import tempfile
import unittest

import pandas
import polars

import gridsweep
from gridsweep import _statistics

STUDIES = [pathlib.Path(folder) for folder in os.environ["GRIDSWEEP_STUDIES"].split(os.pathsep)]
MORNINGS = STUDIES[0]


def near(test, have, want, what):
    test.assertEqual(math.isnan(have), want is None or math.isnan(want), what)
    if want is not None and not math.isnan(want):
        test.assertAlmostEqual(have, want, delta=1e-9 * max(1, abs(want)), msg=what)


class Load(unittest.TestCase):
    def test_cells_have_units_and_ordered_levels(self):
        cells = gridsweep.load(MORNINGS)
        self.assertEqual(len(cells), 60)
        self.assertEqual(cells.attrs["units"]["blocking"], "%")
        self.assertEqual(cells.attrs["symbols"]["lambda"], "λ")
        self.assertIn("rejected", cells.attrs["docs"]["blocking"])
        self.assertEqual(cells.attrs["provenance"]["study_file"].split("/")[-1], "mornings.yaml")
        self.assertEqual(list(cells.label_lambda.cat.categories), ["0.2", "0.3", "0.4"])
        self.assertTrue(cells.label_lambda.cat.ordered)
        self.assertEqual((cells.label_lambda > "0.2").sum(), 40)

    def test_polars_has_the_same_cells(self):
        for study in STUDIES:
            cells, others = gridsweep.load(study), gridsweep.load(study, "polars")
            self.assertEqual(list(cells.columns), others.columns)
            for name in cells:
                have = [None if value is pandas.NA or value != value else value for value in cells[name].tolist()]
                self.assertEqual(have, others[name].to_list(), name)
        self.assertEqual(gridsweep.load(MORNINGS, "polars")["label_next"].dtype, polars.Enum(["1G", "1H"]))

    def test_what_is_missing_is_named(self):
        with self.assertRaisesRegex(FileNotFoundError, "nowhere.*gridsweep analyze"):
            gridsweep.load("nowhere")
        with self.assertRaisesRegex(FileNotFoundError, "tables/A.9.csv does not exist; the tables are "):
            gridsweep.table(MORNINGS, "A.9")
        with self.assertRaisesRegex(ValueError, "no figure '4-99'; the figures are blocking"):
            gridsweep.plot(MORNINGS, "4-99")


class Claims(unittest.TestCase):
    def test_an_unknown_kind_of_row_is_an_error_without_claims_too(self):
        with tempfile.TemporaryDirectory() as study:
            pathlib.Path(study, "claims.json").write_text('{"claims": []}', encoding="utf-8")
            self.assertEqual(len(gridsweep.claims(study)), 0)
            with self.assertRaisesRegex(ValueError, "by is 'cell', want 'claim', 'comparison' or 'assumption'"):
                gridsweep.claims(study, by="cell")

    def test_claims_are_those_of_the_file(self):
        for study in STUDIES:
            with open(study / "claims.json", encoding="utf-8") as file:
                want = json.load(file)["claims"]
            have = gridsweep.claims(study)
            self.assertEqual(have.claim.tolist(), [c["name"] for c in want])
            self.assertEqual(have.number.tolist(), [c["number"] for c in want])
            self.assertEqual(have.verdict.tolist(), [c["ours"]["verdict"] for c in want])
            self.assertEqual(len(gridsweep.claims(study, by="comparison")),
                             sum(len(c["ours"].get("evidence", [])) for c in want))
            readings = sum(len(c.get("readings", [])) for c in want)
            self.assertEqual(len(gridsweep.claims(study, by="assumption")), readings)
            for margin, claim in zip(have.margin, want):
                near(self, margin, claim["ours"]["mean_margin"]["value"], claim["name"])
        claim = gridsweep.claims(MORNINGS).set_index("claim").loc["the busiest resource is the better choice"]
        self.assertEqual((claim.verdict, claim.unit, claim.holding), ("reproduced", "points", 3))

    def test_there_are_claims_under_assumptions(self):
        self.assertTrue(any(len(gridsweep.claims(study, by="assumption")) for study in STUDIES))


class Compare(unittest.TestCase):
    def test_margins_and_intervals_are_those_of_the_claims(self):
        compared = gridsweep.compare(gridsweep.load(MORNINGS), "blocking", base={"next": "1G"})
        self.assertEqual(compared.attrs["unit"], "points")
        self.assertEqual(compared.index.names, ["lambda", "next"])
        self.assertEqual(compared.index.tolist(), [("0.2", "1H"), ("0.3", "1H"), ("0.4", "1H")])
        self.assertTrue(compared.index.get_level_values("lambda").ordered)
        evidence = gridsweep.claims(MORNINGS, by="comparison")
        evidence = evidence[evidence.margin_is == "1H − 1G"]
        self.assertEqual(len(evidence), 3)
        for (_, want), (labels, have) in zip(evidence.iterrows(), compared.iterrows()):
            self.assertEqual(want["labels"], f"lambda={labels[0]}")
            for mine, theirs in (("value", "margin"), ("low", "low"), ("high", "high"), ("n", "n"), ("sd", "sd")):
                near(self, have[mine], want[theirs], f"{labels}: {mine}")

    def test_changes_are_those_of_the_tables(self):
        """Each table of the study changes compares with the first level in one of the ways."""
        study = next(s for s in STUDIES if s.name == "changes")
        cells = gridsweep.load(study)
        for name, options in {
            "difference": {}, "percent": {"change": "percent"}, "ratio": {"change": "ratio"},
            "median": {"statistic": "median"}, "trimmed": {"statistic": "trimmed"},
            "median ratio": {"statistic": "median", "change": "ratio"},
            "trimmed percent": {"statistic": "trimmed", "change": "percent"},
        }.items():
            want = gridsweep.table(study, name)
            have = gridsweep.compare(cells, "utilisation", base={"next": "1E"}, experiment="load", **options)
            self.assertEqual(len(have), len(want), name)
            self.assertTrue(want.low.notna().all(), name)
            for _, row in want.iterrows():
                computed = have.loc[(row["lambda"], row["next"])]
                self.assertEqual(computed.n, row.n)
                for mine, theirs in ("value", "ours"), ("low", "low"), ("high", "high"), ("sd", "sd"):
                    near(self, float(f"{computed[mine]:.10g}"), row[theirs], f"{name} {row.to_dict()}: {mine}")

    def test_rare_events_have_the_intervals_of_the_claims(self):
        """Of numbers that are equal in all replications, or in those that a trimmed mean keeps."""
        study = next(s for s in STUDIES if s.name == "changes")
        cells, evidence = gridsweep.load(study), gridsweep.claims(study, by="comparison")
        widened = 0
        for claim, column, statistic in [
            ("mean", "blocking", "mean"), ("trimmed", "blocking", "trimmed"), ("median", "blocking", "median"),
            ("rejected", "rejected", "mean"), ("utilisation", "utilisation", "mean"),
        ]:
            have = gridsweep.compare(cells, column, base={"next": "1E"}, experiment="rare", statistic=statistic)
            of_claim = evidence[evidence.claim == claim]
            self.assertEqual(len(have), len(of_claim))
            for _, want in of_claim.iterrows():
                level = want["labels"].removeprefix("lambda=")
                computed = have.loc[(level, want.margin_is.split()[0])]
                for mine, theirs in (("value", "margin"), ("low", "low"), ("high", "high"), ("n", "n"), ("sd", "sd")):
                    near(self, computed[mine], want[theirs], f"{claim} {level} {want.margin_is}: {mine}")
                widened += computed.value == 0 and computed.high > 0
        self.assertGreater(widened, 4)

    def test_equal_ratios_of_counts(self):
        cells = pandas.DataFrame(
            [("load", policy, k, 4) for policy in ("a", "b") for k in range(10)],
            columns=["experiment", "label_policy", "round", "count"],
        )
        # one more of 4 adds a quarter to the ratio, one more of the base takes 0.2 away
        have = gridsweep.compare(cells, "count", base={"policy": "a"}, change="ratio").iloc[0]
        near(self, have.low, 1 - 0.25 * math.log(40) / 10, "low")
        near(self, have.high, 1 + 0.25 * math.log(40) / 10, "high")
        have = gridsweep.compare(cells.astype({"count": float}), "count", base={"policy": "a"}, change="ratio").iloc[0]
        self.assertEqual((have.low, have.high), (1, 1))

    def test_granularity(self):
        nan = math.nan
        for lists, want in [
            ([[0, 0, 1], [7, 4, nan, 9]], 1), ([[10.5, 12.5], [0.7, 6.7, 3.7]], 1), ([[0.35, 0.1, 0.25]], 0.05),
            ([[3, 3], [4]], 0), ([], 0), ([[0.1, 0.2, 1 / 3, 0.7071067811865476]], 0),
        ]:
            near(self, _statistics.granularity(lists), want, str(lists))

    def test_what_cannot_be_compared_is_an_error(self):
        cells = gridsweep.load(MORNINGS)
        for column, base, message in [
            ("blocked", {"next": "1G"}, "no column 'blocked'"),
            ("blocking", {"policy": "1G"}, "does not vary 'policy'; it varies lambda, next"),
            ("blocking", {"next": "1A"}, "'next' has no level '1A' in the experiment; it has 1G, 1H"),
            ("blocking", {}, "names no factor"),
        ]:
            with self.assertRaisesRegex(ValueError, message):
                gridsweep.compare(cells, column, base=base)
        with self.assertRaisesRegex(ValueError, "no experiment 'x': the cells are of load"):
            gridsweep.compare(cells, "blocking", base={"next": "1G"}, experiment="x")
        with self.assertRaisesRegex(ValueError, "replication twice"):
            gridsweep.compare(pandas.concat([cells, cells]), "blocking", base={"next": "1G"})

    def test_quantiles_are_those_of_tables(self):
        for degrees, want in {1: 12.7062, 2: 4.302653, 3: 3.182446, 9: 2.262157, 10: 2.228139, 120: 1.979930}.items():
            self.assertAlmostEqual(_statistics.quantile(degrees), want, delta=1e-6 * want * 5)

    def test_missing_replications_do_not_count(self):
        cells = gridsweep.load(MORNINGS)
        cells.loc[(cells["round"] == 3) & (cells.label_next == "1H"), "blocking"] = math.nan
        self.assertEqual(gridsweep.compare(cells, "blocking", base={"next": "1G"}).n.tolist(), [9, 9, 9])


class Figures(unittest.TestCase):
    def test_points_are_the_cells_of_tables(self):
        """The figure and the table of mornings show the same query."""
        table, figure = gridsweep.table(MORNINGS, "blocking"), gridsweep.figure(MORNINGS, "blocking")
        self.assertEqual((figure.attrs["kind"], figure.attrs["y"]["unit"]), ("line", "%"))
        points = {(p.label, p.series): p for p in figure.itertuples()}
        self.assertEqual(len(points), len(table))
        for row in table.itertuples():
            near(self, float(f"{points[row[1], row.next].value:.10g}"), row.ours, str(row))

    def test_every_figure_is_drawn_with_all_its_series(self):
        import matplotlib

        matplotlib.use("Agg")
        kinds = set()
        for study in STUDIES:
            for path in sorted((study / "figures").glob("*.svg")):
                numbers, drawn = gridsweep.figure(study, path.stem), gridsweep.plot(study, path.stem)
                kinds.add(numbers.attrs["kind"])
                drawn.canvas.draw()
                if numbers.attrs["kind"] == "line":
                    lines = [line for ax in drawn.axes for line in ax.get_lines()]
                    shown = {tuple(y for y in line.get_ydata() if y == y) for line in lines}
                    size = numbers.attrs["y"].get("shown_unit_size") or 1
                    for _, series in numbers[numbers.by == "ours"].groupby(["panel", "series"], sort=False):
                        values = series.value.dropna()
                        self.assertTrue({tuple(values), tuple(values / size)} & shown or "right" in str(path), path)
        self.assertLessEqual({"line", "bar"}, kinds)


class Tables(unittest.TestCase):
    def test_tables_have_the_numbers_of_their_files(self):
        files = [file for study in STUDIES for file in sorted((study / "tables").glob("*.csv"))]
        self.assertGreater(len(files), 20)
        published = 0
        for file in files:
            table = gridsweep.table(file.parent.parent, file.stem)
            with open(file, encoding="utf-8", newline="") as lines:
                rows = list(csv.DictReader(lines))
            self.assertEqual(len(table), len(rows))
            for have, want in zip(table.itertuples(), rows):
                near(self, have.ours, float(want["ours"]) if want["ours"] else None, str(file))
                published += want["published"] != ""
                near(self, have.published, float(want["published"]) if want["published"] else None, str(file))
            self.assertTrue(set(table.verdict) <= {"", "inside", "outside"})
        self.assertGreater(published, 100)


if __name__ == "__main__":
    unittest.main()
