"""The notebooks run on the sample data, what is committed is what they give, and the figures are right."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pandas as pd
import pytest
from each import each
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

FOLDER = Path(__file__).parents[2] / "notebooks"
BY_CHANCE = "03"
"""The sandbox's carriers are drawn anew for each id."""
LARGEST_KB = 150
IMAGES = ("image/svg+xml", "image/png")

FIGURES = {
    "01": ["1,900 of 2,001", "1,900 rows could be texted, 1,901 can now."],
    "02": [
        "1,900 messages\n1,900 to 2,439 credits\nEUR 85.50 to 109.76",
        "Edit(characters=1, credits=282)",
        "Messages by credits, at most: 1 credit 1,361, 2 credits 539.",
    ],
    "03": [
        "50 reports told something new; taken again: 0",
        "50 of 50 messages have come to an end.",
        "50 handed to the service, 50 accepted, 50 sent",
    ],
    "04": [
        "1,043 handed to the service, 1,043 accepted, 1,043 sent, 849 delivered.",
        "unknown subscriber 102, blocked by carrier 41, unreachable 35",
        "Christmas 53.66 of 108.47",
    ],
    "05": [
        "Spring: Short links have 23 characters, as 836 returned texts show.",
        "Autumn: The service bills by an encoding, as carriers do",
        "estimated then: 836 to 1,555\nestimated today: 836 to 836",
    ],
    "06": ["2025-11 fair.csv 258 of 276", "4 of 248 numbers are judged differently."],
    "07": [
        "By this table 14:00 is the best hour. Is it?",
        "10:00 87.6 % (84.7 to 90.1); 14:00 86.8 % (83.9 to 89.3); 20:00 81.3 % (78.0 to 84.3)",
        "Hour: 10:00 gets through more often than 20:00: by 1.2 to 11.4 percentage points",
        "10:00 and 14:00 are too close to tell",
        "Too close to tell: the difference may be chance. If it is real, 402 more people would show it",
        "Text: Without a link gets through more often than with a link: by 2.5 to 11.1 percentage points",
    ],
    "08": [
        "Back to school: 0% delivered in FR.",
        "Twice or more: 384 messages to 85 numbers, EUR 20.41.\nOf these 0 were delivered.",
        "Within three weeks: 21 of 1,709; otherwise: 21 of 7,099.",
        "Cheapest for each person reached: without a link, without dead numbers.",
        "It costs EUR 49.04 instead of 53.98\nand reaches about 905 people instead of 841",
    ],
}
"""What each must say; counted by hand, by the ledger's own sums or by another way in the tests of its room."""


def read(number: str) -> NotebookNode:
    return nbformat.read(next(FOLDER.glob(f"{number}_*.ipynb")), as_version=4)


def outputs(notebook: NotebookNode) -> list[NotebookNode]:
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def said(notebook: NotebookNode) -> list[str]:
    """What each output says: printed text, or the plain form of what a cell shows and the bars drawn.

    What libraries write to stderr on a busy machine is nothing that a notebook says.
    """
    return [
        output.get("text") or "".join(output.data.get(form, "") for form in ("text/plain", "image/svg+xml"))
        for output in outputs(notebook)
        if output.get("name") != "stderr"
    ]


@pytest.mark.first
def test_the_notebooks_are_numbered_without_a_gap() -> None:
    assert [path.name[:2] for path in sorted(FOLDER.glob("*.ipynb"))] == sorted(FIGURES)


@pytest.mark.parametrize("number", sorted(FIGURES))
def test_a_notebook_runs_and_says_what_is_committed(number: str) -> None:
    where = {"metadata": {"path": str(FOLDER)}}
    fresh = NotebookClient(read(number), timeout=240, resources=where, coalesce_streams=True).execute()
    text = "\n".join(said(fresh))
    assert [figure for figure in FIGURES[number] if figure not in text] == []
    if number != BY_CHANCE:
        assert said(read(number)) == said(fresh)


@pytest.mark.first
def test_what_a_notebook_does_runs_without_a_kernel_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The shortest one, in this process: a kernel takes longer to start than the notebook does."""
    monkeypatch.chdir(FOLDER)
    shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}))
    with pd.option_context("display.max_colwidth", None), capture_output() as captured:
        results = [shell.run_cell(cell.source) for cell in read("02").cells if cell.cell_type == "code"]
    assert all(result.success for result in results), captured.stdout
    assert [figure for figure in FIGURES["02"] if figure not in captured.stdout] == []


@each("number", sorted(FIGURES))
@pytest.mark.first
def test_a_code_host_shows_every_figure_and_the_file_is_small(number: str) -> None:
    committed = read(number)
    assert [output for output in outputs(committed) if output.get("name") == "stderr"] == []
    assert [error for output in outputs(committed) if (error := output.get("ename"))] == []
    text = "\n".join(said(committed))
    assert [figure for figure in FIGURES[number] if figure not in text] == []
    charts = [
        one.data for one in outputs(committed) if "application/vnd.plotly.v1+json" in one.get("data", {})
    ]
    assert charts
    assert all(any(image in chart for image in IMAGES) for chart in charts)
    path = next(FOLDER.glob(f"{number}_*.ipynb"))
    assert path.stat().st_size < LARGEST_KB * 1024
    assert "/tmp/" not in path.read_text(encoding="utf-8")
