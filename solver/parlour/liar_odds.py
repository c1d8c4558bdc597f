"""What liar is worth: the game as ``solver.parlour.games`` calls it."""

from solver.library import find_table
from solver.parlour.liar import SEATS, Rules, cup, problems
from solver.parlour.liar_table import Values, make_table
from solver.parlour.odds import Figure, Odds, seat_figures
from solver.text import _

__all__ = ["SEATS", "Rules", "odds", "problems"]


PLAYED = 1e-12
"""More than the rounding of what strategies win, which are sums of products of chances."""
SEAT = _("Chance of player {seat} to win; 1 announces first")


def odds(rules: Rules, players: int) -> Odds:
    """The chance of each seat; what is not in a table or in the cache is solved now. PositionError if too large."""
    return _for_two(rules) if players == 2 else _for_more(rules, players)


def _for_more(rules: Rules, players: int) -> Odds:
    """Chances by one set of strategies, with what best answers to it gain."""
    from solver.parlour.liar_many import solve

    match = solve(rules, players)
    start = match.rings[-1]
    gains = match.gains.tolist()
    gain = _("What a best answer of player {seat} would gain")
    series = sum(len(ring) > 2 for ring in match.rings)
    return Odds(
        (
            *seat_figures(match.worth(start).tolist(), SEAT),
            *seat_figures(gains, gain, name="gain", bound=PLAYED + 2.0 * match.values.bound),
            Figure("nash_conv", _("All these gains together (NashConv)"), sum(gains), PLAYED * players),
        ),
        (),
        (
            _("These are the chances if all play the strategies that were found, and the gains of one who does not."),
            _("With more than two players no value is the only one: other strategies may hold, with other chances."),
            _("{count} series of announcements with more than two players, by counterfactual regrets.").format(
                count=series
            ),
        ),
    )


def _for_two(rules: Rules) -> Odds:
    table = find_table(rules, "win", solve=lambda: make_table(rules))
    start = Values(rules, table).starts[rules.stakes, rules.stakes]
    known = cup(rules)
    return Odds(
        (*seat_figures([start, 1.0 - start], SEAT, bound=table.info.bound),),
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
