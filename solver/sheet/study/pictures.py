"""The picture of a sheet: how likely each final total is under play for the most points.

Needs matplotlib, the extra ``plot``. Dark and light, not hue, tell the parts apart, and all numbers stand in words.
"""

from pathlib import Path

import numpy as np

from solver.errors import PositionError
from solver.sheet.rules import SheetGameRules
from solver.sheet.spread import Spread
from solver.table import write_atomically
from solver.text import _

INK, PAPER, SHADE = "#22223b", "#fbfaf6", "#e8e4d8"
WARM, COLD = "#c8553d", "#2a6f97"
"""Two colours that people of any colour vision tell apart."""
FORMATS = (".png", ".svg")
LEAST = 1e-4
"""Totals that are together less likely on either side are cut off."""


def check_out(out: Path) -> None:
    """PositionError if a picture cannot be written to a file of this name, or without matplotlib."""
    if out.suffix.lower() not in FORMATS:
        allowed = _("a name that ends in .png or .svg")
        raise PositionError(_("--out: {out}; allowed: {allowed}").format(out=out, allowed=allowed))
    try:
        import matplotlib  # noqa: F401 (an extra, and slow to import)
    except ImportError:
        raise PositionError(_('pictures need matplotlib: install it with "pip install kosti[plot]"')) from None


def draw_totals(rules: SheetGameRules, spread: Spread, out: Path) -> None:
    """The chance of each final total, with its mean, and the middle half and nine tenths of all games."""
    from matplotlib.figure import Figure  # an extra, and slow to import

    figure = Figure(figsize=(13.0, 6.5), facecolor=PAPER, layout="constrained")
    axes = figure.add_subplot()
    axes.set_facecolor(PAPER)
    for name, edge in axes.spines.items():
        edge.set_visible(name in ("left", "bottom"))
        edge.set_color(INK)
    axes.tick_params(colors=INK)
    totals = spread.low + np.arange(len(spread.chances))
    percent = 100.0 * spread.chances
    marks = {share: spread.quantile(share) for share in (0.05, 0.25, 0.5, 0.75, 0.95)}
    inner = (totals >= marks[0.25]) & (totals <= marks[0.75])
    middle = (totals >= marks[0.05]) & (totals <= marks[0.95]) & ~inner
    for part, colour, name in (
        (~inner & ~middle, "#b8c4cc", _("the other tenth of games")),
        (middle, "#6f9bb5", _("nine tenths of games: {low} to {high}").format(low=marks[0.05], high=marks[0.95])),
        (inner, COLD, _("half of games: {low} to {high}").format(low=marks[0.25], high=marks[0.75])),
    ):
        axes.bar(totals[part], percent[part], width=1.0, color=colour, linewidth=0, label=name, zorder=3)
    axes.axvline(spread.mean, color=WARM, linewidth=1.6, linestyle=(0, (4, 3)), zorder=4,
                 label=_("on average {mean:.2f}, standard deviation {deviation:.2f}").format(
                     mean=spread.mean, deviation=spread.deviation))  # fmt: skip
    axes.set_xlim(spread.quantile(LEAST) - 1, spread.quantile(1.0 - LEAST) + 1)
    axes.set_xlabel(_("final total, in points"), color=INK)
    axes.set_ylabel(_("chance of exactly this total, in %"), color=INK)
    axes.grid(axis="y", color=SHADE, linewidth=0.8, zorder=0)
    axes.legend(frameon=False, labelcolor=INK)
    text = _("How likely each final total is, played for the most points")
    figure.suptitle(f"{rules.title}\n{text}", x=0.01, ha="left", color=INK, fontsize=14)
    kind = out.suffix.lower()[1:]
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    write_atomically(out, lambda stream: figure.savefig(stream, format=kind, dpi=160, metadata=metadata))
