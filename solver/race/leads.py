"""The last turn: once a player has reached the target, the others have one turn left to get past him.

That turn is about a chance only, the chance to gather enough. It depends on how much is
missing, not on who plays, so one pass backwards through the turn answers all questions.

Leaders far beyond the target are not told apart. Let a(n) be the chance of a turn to come n
steps or further in any way; throws that win the match are left out, since they win against
any lead. A turn gets past ``most_lead`` with at most a(most_lead), and then the other player
catches up with at most the same chance; so counting larger leads as that one changes no
value of a turn by more than the product, the ``doubt``.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import NamedTuple

from solver._turn import turn_values
from solver.errors import UnplayableError
from solver.race.player import Player, turn_start, without_points
from solver.race.rules import INSTANT_WIN, RaceRules
from solver.race.stops import MAY_STOP, MUST_THROW, TURN_ENDS, least_total
from solver.race.turn import TurnGraph, compile_turn, grid, rounding_bound
from solver.race.vocabulary import MOST_STEPS
from solver.text import _

NEGLIGIBLE = 1e-13
"""Doubt at which leads are told apart no further; proofs allow for it."""
LARGEST_DOUBT = 1e-10
"""Doubt with which nothing could be proven as precisely as usual."""


class LastTurns(NamedTuple):
    """What can be made of a last turn, by the steps that are missing and by slot."""

    graph: TurnGraph
    most_lead: int
    """Points beyond the target up to which leaders are told apart."""
    doubt: float
    """Bound on what that, and rounding, may change in the value of a turn."""
    beyond: memoryview[float]
    """[steps, slots], chance to stop with at least so many steps more."""
    level: memoryview[float]
    """[steps, slots], chance to stop with more, and half of that to stop with just so many, where the sum is best."""

    def chance(self, rules: RaceRules, player: Player, leader: int) -> float:
        """The share of the match that a player gets in his last turn against a leader's score.

        Scores beyond the largest lead that is told apart count as that one.
        """
        step = rules.match.step
        most = rules.winning_score() + self.most_lead
        plain = without_points(player)
        least, slot = least_total(rules, player) // step, self.graph.starts[turn_start(rules, plain)]
        share = self._share(rules, (min(leader, most) - player.score) // step, least, slot)
        if not player.banked:
            return share
        # The other beginning: to go on from the points that the leader has just written.
        missing, banked = (leader - player.score - player.banked) // step, player.banked // step
        return max(share, self._share(rules, missing, least - banked, self.graph.starts[turn_start(rules, player)]))

    def _share(self, rules: RaceRules, missing: int, least: int, slot: int) -> float:
        """The same for a throw in a slot, with so many steps missing of which ``least`` must be made."""
        if rules.match.ties == "shared" and missing >= max(least, 0):
            return self.level[missing, slot]
        return self.beyond[max(missing + 1, least, 0), slot]


@lru_cache(maxsize=4)
def last_turns(rules: RaceRules) -> LastTurns | None:
    """What last turns are worth under these rules; None if the target wins at once.

    UnplayableError if too many leads would have to be told apart.
    """
    if rules.match.ending == "at once":
        return None
    graph, step = compile_turn(rules), rules.match.step
    track = (rules.winning_score() - rules.least_score()) // step
    # Without wins by one throw: these are the same at every lead, so telling leads apart gains nothing by them.
    anyhow = _by_distance(graph, MOST_STEPS, [TURN_ENDS], [1.0], instant_win=0.0)
    starts = list(graph.starts.values())
    reach = [max(anyhow[distance, slot] for slot in starts) for distance in range(MOST_STEPS + 1)]
    # Whoever takes points over may come beyond any lead in one turn. But what the other can then take over in his last
    # turn does not depend on the lead, so only the chance of a turn of his own to catch up is falsified.
    # (Nor on what his turn must bring to be written, once the lead is larger than that.)
    far, least = ([1.0] * len(reach), least_turns(rules)) if rules.points_are_left() else (reach, 0)
    lead = next(
        (steps for steps in range(least, MOST_STEPS - 1) if far[steps] * reach[steps + 1] <= NEGLIGIBLE), MOST_STEPS - 1
    )
    if far[lead] * reach[lead + 1] > LARGEST_DOUBT:
        allowed = _('a larger one, or match.ending = "at once": a leader may be more than {most} steps ahead')
        allowed = allowed.format(most=lead)
        raise UnplayableError(_("match.step: {step}; allowed: {allowed}").format(step=step, allowed=allowed))
    longest = max(track + lead + 2, least_turns(rules))
    return LastTurns(
        graph=graph,
        most_lead=lead * step,
        doubt=far[lead] * reach[lead + 1] + rounding_bound(graph, 1.0),
        beyond=_by_distance(graph, longest, [MAY_STOP], [1.0]),
        level=_by_distance(graph, longest, [MAY_STOP, MAY_STOP], [0.5, 1.0]),
    )


def least_turns(rules: RaceRules) -> int:
    """The largest number of steps that any rule asks of a turn before it may be stopped."""
    opening = rules.opening.points if rules.opening else 0
    return max(rules.match.least_turn, opening, rules.match.target) // rules.match.step + 1


def _by_distance(
    graph: TurnGraph, longest: int, modes: list[int], worth: list[float], *, instant_win: float = 1.0
) -> memoryview[float]:
    """Values of a turn that gets ``worth`` at its highest totals only, by slot and steps to the first of these.

    A throw that wins the match is worth ``instant_win``.
    """
    highest = longest + len(modes) - 1
    stops = grid([[0.0] * graph.stop_kinds] * longest + [[value] * graph.stop_kinds for value in worth])
    ends = array("d", [instant_win * (end == INSTANT_WIN) for end in graph.end_names])
    values = grid([[0.0] * len(graph.slots)] * (highest + 1))
    turn_values(
        graph.roll_ptr, graph.roll_chance, graph.choice_ptr, graph.option_ptr, graph.option_gain,
        graph.option_slot, graph.option_offset, graph.end_chance, graph.stop_kind,
        array("B", [MUST_THROW] * longest + modes), stops, ends, values,
    )  # fmt: skip
    slots = range(len(graph.slots))
    return grid([[values[total, slot] for slot in slots] for total in range(longest, -1, -1)])
