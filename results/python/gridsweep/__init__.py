"""Read, compare and plot the results of gridsweep.

A study is named by its folder, such as "out/coallocation", in which `gridsweep reproduce` or `gridsweep analyze` wrote
its results:

    import gridsweep

    cells = gridsweep.load("out/mornings")
    gridsweep.compare(cells, "blocking", base={"next": "1G"})
    gridsweep.claims("out/mornings")
    gridsweep.plot("out/mornings", "blocking")

All intervals are 95 %, computed as those of the page.
"""

from ._compare import compare
from ._plot import figure, plot
from ._study import claims, load, table

__all__ = ["claims", "compare", "figure", "load", "plot", "table"]
