"""Every snippet of README and docs runs as it stands, one after the other, where a reader would run it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import nbformat
import pytest
from commands.command_line import run

import dashboard

pytestmark = pytest.mark.deep
ROOT = Path(__file__).parents[1]
PAGES = {page.name: page for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]}
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = ".venv/bin/python -m dashboard "
RUN_ELSEWHERE = {
    "python3 -m venv": ".ci/run runs README's own commands",
    "py -m venv": "the same on Windows",
    "BROWSER_PATH=": "tests/notebooks executes the notebooks",
    ".venv/bin/python -m sphinx": "tests/test_docs_build.py builds the site with it",
    "psql": "tests/browser/test_watching.py runs its statement",
    "pybabel": "Babel's own; tests/test_words.py reads what it writes",
    "python docs/generate_catalogue.py": "tests/test_words.py compares what it gives",
}


def snippets(document: str, *languages: str) -> list[str]:
    """A page's snippets, each preceded by as many empty lines as stand above it."""
    text = PAGES[document].read_text(encoding="utf-8")
    return [
        "\n" * text.count("\n", 0, block.start(2)) + block[2]
        for block in BLOCK.finditer(text)
        if block[1] in languages
    ]


def commands(document: str) -> list[str]:
    lines = "\n".join(snippets(document, "sh", "bat")).replace("\\\n", " ").splitlines()
    return [line.strip() for line in lines if line.strip()]


@pytest.mark.usefixtures("in_project")
@pytest.mark.parametrize("document", [page for page in PAGES if snippets(page, "python")])
def test_python_runs(document: str) -> None:
    names: dict[str, object] = {}
    for snippet in snippets(document, "python"):
        exec(compile(snippet, str(PAGES[document]), "exec"), names)  # noqa: S102 - our own docs


@pytest.mark.parametrize(
    "command", [line for page in PAGES for line in commands(page) if line.startswith(COMMAND)]
)
def test_a_command_runs(command: str, project: Path) -> None:
    settings = {"DASHBOARD_DATA": str(project / ".dashboard"), "DASHBOARD_MESSAGES_PER_SECOND": "0"}
    done = run(project, *shlex.split(command.removeprefix(COMMAND)), says="yes\n", **settings)
    assert done.returncode == 0, done.stdout + done.stderr


def test_whatever_else_is_shown_runs_elsewhere() -> None:
    others = [line for page in PAGES for line in commands(page) if not line.startswith(COMMAND)]
    assert [line for line in others if not line.startswith(tuple(RUN_ELSEWHERE))] == []
    assert [start for start in RUN_ELSEWHERE if not any(line.startswith(start) for line in others)] == []
    blocks = [BLOCK.finditer(page.read_text(encoding="utf-8")) for page in PAGES.values()]
    server = "shell"  # what is typed as root, where no test can run it
    assert {block[1] for one in blocks for block in one} == {"python", "sh", "bat", server}


def notebook_code() -> dict[str, str]:
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    return {
        path.name: "\n".join(
            cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"
        )
        for path in notebooks
    }


CODE = {**{page: "\n".join(snippets(page, "python")) for page in PAGES}, **notebook_code()}


@pytest.mark.parametrize("source", [source for source in CODE if "dashboard" in CODE[source]])
def test_docs_come_in_by_the_one_door(source: str) -> None:
    """Only `import dashboard as d`, and of that only what is public."""
    imports = re.findall(r"^\s*(?:from|import) +(dashboard\b.*)$", CODE[source], re.MULTILINE)
    assert set(imports) <= {"dashboard as d"}
    assert set(re.findall(r"(?<![\w.])d\.(\w+)", CODE[source])) <= {*dashboard.__all__}
