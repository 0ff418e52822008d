"""Executes a notebook with nbconvert in the current folder and compares its outputs with those that it shows.

    python notebook.py NOTEBOOK [--update]

Pictures are not compared, since their bytes depend on the version of matplotlib. With --update the outputs are written
into the notebook instead, without what depends on the machine.
"""

import os
import sys

import nbformat
from nbconvert.preprocessors import ExecutePreprocessor


def clean(notebook):
    """Removes the times of cells and the versions of Python and of the kernel."""
    notebook.metadata = {"kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"}}
    for cell in notebook.cells:
        cell.metadata = {}


def texts(cell):
    """The outputs of a cell but pictures: what it prints and shows."""
    found = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            found.append({output.name: output.text})
        else:
            found.append({mime: data for mime, data in output.data.items() if not mime.startswith("image/")})
    return found


def main(path, update=False):
    shown = nbformat.read(path, as_version=4)
    nbformat.validate(shown)
    executed, _ = ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(
        nbformat.from_dict(shown), {"metadata": {"path": os.getcwd()}}
    )
    clean(executed)
    for number, (have, want) in enumerate(zip(executed.cells, shown.cells, strict=True), 1):
        text = str(texts(have))
        assert os.getcwd() not in text, f"{path}: cell {number} shows a path of this machine: {text}"
        assert update or texts(have) == texts(want), f"{path}: cell {number} gives\n{text}\nand shows\n{texts(want)}"
        if update:
            have.id = f"cell-{number}"
    if update:
        nbformat.write(executed, path)


if __name__ == "__main__":
    main(sys.argv[1], *(argument == "--update" for argument in sys.argv[2:]))
