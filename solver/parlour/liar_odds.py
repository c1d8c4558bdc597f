"""What liar is worth: the game as ``solver.parlour.games`` calls it."""

from solver.library import find_table
from solver.parlour.liar import SEATS, Rules, cup, problems
from solver.parlour.liar_table import Values, make_table
from solver.parlour.odds import Odds, seat_figures
from solver.text import _

__all__ = ["SEATS", "Rules", "odds", "problems"]


def odds(rules: Rules, _players: int) -> Odds:
    """The chance of who begins; the table is solved now if there is none."""
    table = find_table(rules, "win", solve=lambda: make_table(rules))
    start = Values(rules, table).starts[rules.stakes, rules.stakes]
    known = cup(rules)
    return Odds(
        (
            *seat_figures(
                [start, 1.0 - start], _("Chance of player {seat} to win; 1 announces first"), bound=table.info.bound
            ),
        ),
        (),
        (
            _("Best answers could gain at most {gain:.1e} against both strategies.").format(
                gain=2.0 * table.info.bound
            ),
            _("{count} announcements, {hands} different throws; {games} games of one signal.").format(
                count=len(known.announcements), hands=len(known.hands), games=len(table.values)
            ),
        ),
    )
