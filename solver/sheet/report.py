"""How the final totals of a sheet are spread under the best play for points, told in short."""

from typing import Any

from solver.sheet.model import compile_sheet
from solver.sheet.position import read_sheet
from solver.sheet.rules import SheetGameRules
from solver.sheet.solve import solve
from solver.sheet.spread import spread_from
from solver.text import _

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Of games, for which the total that they do not exceed is told."""


def spread_report(rules: SheetGameRules) -> tuple[dict[str, Any], str]:
    """The distribution of the final total, as plain data and as lines of text. PositionError if it is too large."""
    model = compile_sheet(rules)
    solution = solve(model)
    spread = spread_from(model, model.kernel(), solution.values, read_sheet(model, "--sheet", None))
    quantiles = {share: spread.quantile(share) for share in SHARES}
    chances = spread.chances.tolist()
    found = {
        "mean": float(solution.values[0]),
        "error_bound": solution.bound,
        "deviation": spread.deviation,
        "quantiles": {str(share): total for share, total in quantiles.items()},
        "totals": {str(spread.low + place): chance for place, chance in enumerate(chances) if chance > 0.0},
    }
    lines = [
        _("Expected total: {mean:.10f}, proven to {bound:.1e}").format(mean=found["mean"], bound=solution.bound),
        _("Standard deviation: {deviation:.4f}").format(deviation=spread.deviation),
        *(
            _("{percent:.0f} % of games end with at most {total}").format(percent=100.0 * share, total=total)
            for share, total in quantiles.items()
        ),
    ]
    return found, "\n".join(lines)
