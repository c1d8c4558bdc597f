"""The picture of a sheet: how likely each final total is under play for the most points.

Needs matplotlib, the extra ``plot``. Dark and light, not hue, tell the parts apart, and all numbers stand in words.
"""

from pathlib import Path

import numpy as np

from solver.pictures import COLD, INK, SHADE, WARM, page, save
from solver.sheet.rules import SheetGameRules
from solver.sheet.spread import Spread
from solver.text import _

LEAST = 1e-4
"""Totals that are together less likely on either side are cut off."""


def draw_totals(rules: SheetGameRules, spread: Spread, out: Path) -> None:
    """The chance of each final total, with its mean, and the middle half and nine tenths of all games."""
    figure, axes = page(13.0, 6.5)
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
    save(figure, rules.title, text, out)
