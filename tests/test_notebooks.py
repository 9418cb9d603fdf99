"""The notebooks run on the sample data, and what is committed is what they give."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def execute(notebook: NotebookNode) -> NotebookNode:
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(FOLDER)}})
    return client.execute()


def outputs(notebook: NotebookNode) -> list[str]:
    """What each output says: printed text, or the plain and the image form of what a cell shows."""
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [
        str(output.get("text") or [output.data.get(form) for form in ("text/plain", "image/svg+xml")])
        for output in shown
    ]


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.stem)
def committed_and_fresh(request: pytest.FixtureRequest) -> tuple[NotebookNode, NotebookNode]:
    return read(request.param), execute(read(request.param))


def test_the_committed_outputs_are_what_comes_out(
    committed_and_fresh: tuple[NotebookNode, NotebookNode],
) -> None:
    committed, fresh = committed_and_fresh
    assert outputs(committed) == outputs(fresh)


def test_every_figure_has_an_image_beside_it(committed_and_fresh: tuple[NotebookNode, NotebookNode]) -> None:
    committed, _ = committed_and_fresh
    shown = [
        output.data for cell in committed.cells for output in cell.get("outputs", []) if "data" in output
    ]
    figures = [data for data in shown if "application/vnd.plotly.v1+json" in data]
    assert figures
    assert all(data["image/svg+xml"].startswith("<svg") for data in figures)


def test_the_first_notebook_goes_from_sheet_to_estimate() -> None:
    said = "\n".join(outputs(read(FOLDER / "01_from_sheet_to_estimate.ipynb")))
    assert "1,900 messages\n1,900 to 2,439 credits\nEUR 85.50 to 109.76" in said
    assert "Edit(characters=1, credits=282)" in said
    assert "Messages by credits, at most: 1 credit 1,361, 2 credits 539." in said
