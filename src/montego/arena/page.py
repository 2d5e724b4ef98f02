"""The HTML pages of reports: one file each that needs nothing else, light or dark as the reader."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8883; }
th:first-child, td:first-child, .text, .words th, .words td { text-align: left; }
.scroll { overflow-x: auto; } .note { opacity: .75; } figure { margin: 1rem 0; }
svg { max-width: 100%; height: auto; } .verdict { font-weight: 600; } td.self { background: #8882; }
"""


def html_page(title: str, parts: Iterable[str]) -> str:
    """Return a page with its title above these parts, which are HTML."""
    name = escape(title)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{name}</title><style>{STYLE}</style></head><body>\n"
        f"<h1>{name}</h1>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def html_cells(*texts: str, kind: str = "") -> str:
    """Return cells of a row with these texts, of a class of the style if one is named."""
    of = f' class="{kind}"' if kind else ""
    return "".join(f"<td{of}>{escape(text)}</td>" for text in texts)


def html_table(head: Sequence[str], rows: Sequence[str], kind: str = "figures") -> str:
    """Return a table of rows, each of which is its cells; nothing without rows."""
    if not rows:
        return ""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="scroll"><table class="{kind}"><tr>{top}</tr>{body}</table></div>'
