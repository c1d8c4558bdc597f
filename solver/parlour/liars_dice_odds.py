"""What liar's dice are worth: the game as ``solver.parlour.games`` calls it."""

from solver.parlour.liars_dice import SEATS, Rules, bids, problems, tree
from solver.parlour.liars_dice_solve import ROUNDS, by_program, solve
from solver.parlour.odds import Figure, Odds
from solver.text import _

__all__ = ["SEATS", "Rules", "odds", "problems"]


def odds(rules: Rules, _players: int) -> Odds:
    """The value to the first player, and how far the strategies are from perfect."""
    found = solve(rules)
    middle, half = (found.low + found.high) / 2.0, abs(found.high - found.low) / 2.0 + 1e-14
    return Odds(
        (
            Figure("expected_payoff", _("Stakes won by the first player, on average"), middle, half),
            Figure("win_seat_1", _("Chance of player 1 to win"), (1.0 + middle) / 2.0, half / 2.0),
            Figure(
                "exploitability",
                _("What best answers gain against both strategies"),
                max(0.0, found.high - found.low),
                1e-14,
            ),
        ),
        (),
        (_note(rules),),
    )


def _note(rules: Rules) -> str:
    text = _("{bids} bids, {nodes} series of bids; strategies from a linear program, measured by best answers.")
    if not by_program(rules):
        text = _(
            "{bids} bids, {nodes} series of bids; strategies from {rounds} rounds of counterfactual regrets, measured "
            "by best answers."
        )
    return text.format(bids=len(bids(rules)), nodes=len(tree(rules).nodes), rounds=ROUNDS)
