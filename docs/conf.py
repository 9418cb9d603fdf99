"""Builds README, these pages and the API reference as one site.

The pages stay plain Markdown, since code hosts show them as well: what only the site needs is added here.
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx

import dashboard

CONTENTS = """
```{toctree}
:hidden:
:caption: How to

docs/marketers
docs/analysts
docs/notebook
docs/messages
docs/phones
docs/sandbox
docs/translating
```

```{toctree}
:hidden:
:caption: API reference

docs/reference/index
```

```{toctree}
:hidden:
:caption: To look up

docs/glossary
docs/columns
docs/recognised_columns
data/README
docs/guarantees
docs/security
docs/hosting
docs/changelog
docs/architecture
docs/contract
docs/benchmarks
```
"""

project = "Campaign dashboard"
version = release = dashboard.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "README"
include_patterns = ["README.md", "data/README.md", "docs/*.md", "docs/reference/*.rst"]
exclude_patterns = [".*", "build", "dashboard", "notebooks", "tests"]
html_theme = "furo"
html_title = project
html_copy_source = False

default_role = "py:obj"  # `Ledger` in a docstring leads to it; what is not a name of ours is shown as code
add_module_names = False
maximum_signature_line_length = 90
python_use_unqualified_type_names = True
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True}
napoleon_use_ivar = True  # "Attributes:" as a list, because the members of a class follow it
napoleon_use_rtype = False
myst_heading_anchors = 3


def for_the_site(_app: Sphinx, document: str, source: list[str]) -> None:
    """The front page is README, with a list of all pages; no link leads to the notebooks, which are none."""
    source[0] = re.sub(r"\[([^]]+)]\((?:\.\./)?notebooks\)", r"\1", source[0])
    if document == root_doc:
        source[0] += CONTENTS


def without_factories(*event: object) -> tuple[str | None, str | None]:
    """A signature in Python: fields of a dataclass that are made anew show as `<factory>`, which is none."""
    _app, _kind, _name, _described, _options, signature, returned = event
    return signature and str(signature).replace("<factory>", "..."), returned


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.connect("source-read", for_the_site)
    app.connect("autodoc-process-signature", without_factories)
