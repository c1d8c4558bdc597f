"""What all pictures share: paper and ink, and how a file is written.

Needs matplotlib, the extra ``plot``.
"""

from pathlib import Path
from typing import Any

from solver.errors import PositionError
from solver.table import write_atomically
from solver.text import _

INK, PAPER, SHADE = "#22223b", "#fbfaf6", "#e8e4d8"
WARM, COLD = "#c8553d", "#2a6f97"
"""Two colours that people of any colour vision tell apart."""
FORMATS = (".png", ".svg")


def check_picture(out: Path) -> None:
    """PositionError if a picture cannot be written to a file of this name, or without matplotlib."""
    if out.suffix.lower() not in FORMATS:
        allowed = _("a name that ends in .png or .svg")
        raise PositionError(_("--out: {out}; allowed: {allowed}").format(out=out, allowed=allowed))
    try:
        import matplotlib  # noqa: F401 (an extra, and slow to import)
    except ImportError:
        raise PositionError(_('pictures need matplotlib: install it with "pip install kosti[plot]"')) from None


def page(width: float, height: float, *, axes: bool = True) -> tuple[Any, Any]:
    """A figure of so many inches, and its axes unless it gets several."""
    from matplotlib.figure import Figure  # an extra, and slow to import

    figure = Figure(figsize=(width, height), facecolor=PAPER, layout="constrained")
    if not axes:
        return figure, None
    place = figure.add_subplot()
    place.set_facecolor(PAPER)
    for name, edge in place.spines.items():
        edge.set_visible(name in ("left", "bottom"))
        edge.set_color(INK)
    place.tick_params(colors=INK)
    return figure, place


def save(figure: Any, game: str, text: str, out: Path) -> None:
    """Write a figure, below the title of its game and a line of text, as its file's name says; always the same bytes.

    TableError if the file cannot be written.
    """
    figure.suptitle(f"{game}\n{text}", x=0.01, ha="left", color=INK, fontsize=14)
    kind = out.suffix.lower()[1:]
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    write_atomically(out, lambda stream: figure.savefig(stream, format=kind, dpi=160, metadata=metadata))
