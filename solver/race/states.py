"""The player states of a race: all that can follow from some of them, and what their turns lead to."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain

from solver.errors import UnplayableError
from solver.race.endings import ANY_TOTALS, Outcome, Totals, Transitions, Written, after_attack, transitions
from solver.race.leads import last_turns
from solver.race.player import Player, counting_keys, facts_of
from solver.race.rules import RaceRules
from solver.race.stops import TURN_ENDS, needs
from solver.race.turn import TurnGraph, possible_totals
from solver.race.vocabulary import MOST_STEPS
from solver.schema import quoted
from solver.text import _

MOST_STATES = 100_000
MOST_OUTCOMES = 2_000_000
"""Limits on what is compiled; far above every known game, far below the memory of a small machine."""


def winnable(rules: RaceRules, players: int, graph: TurnGraph, starts: list[Player]) -> dict[Player, Transitions]:
    """Every player state, with its transitions. UnplayableError if somebody could come to where he can never win."""
    last = last_turns(rules)
    totals = Totals(*possible_totals(graph, 2 * MOST_STEPS), last.most_lead if last else 0)
    found = dict(explore(rules, players, starts, ANY_TOTALS._replace(most_lead=totals.most_lead)))
    if _hopeless(found, totals):
        # Scores that no dice can make may be beyond hope; leave them out.
        found = dict(explore(rules, players, starts, totals))
    for player in sorted(_hopeless(found, totals)):
        facts = facts_of(rules, player)
        spelled = {True: "yes", False: "no"}
        stated = ", ".join(
            f"{name}={spelled[fact] if isinstance(fact, bool) else fact}" for name, fact in facts.items()
        )
        where = next((need.rule for need in reversed(needs(rules, player))), "match.target")
        raise UnplayableError(_("{where}: a player with {facts} can never win").format(where=where, facts=stated))
    return found


def _hopeless(found: dict[Player, Transitions], totals: Totals) -> set[Player]:
    """States from which no turns lead to a win."""
    hopeful: set[Player] = set()
    left = sorted(found, reverse=True)
    count = -1
    while len(hopeful) > count:
        count = len(hopeful)
        for player in left:
            # Most find hope at once, in their best outcomes.
            if any(
                outcome.won or outcome.leads or outcome.player in hopeful
                for outcome in _possible_outcomes(found[player], totals)
            ):
                hopeful.add(player)
        left = [player for player in left if player not in hopeful]
    return set(left)


def _possible_outcomes(reached: Transitions, totals: Totals) -> Iterator[Outcome]:
    """All ways to end a turn, those with most points first."""
    highest = len(reached.modes) - 1
    for total in range(highest, -1, -1):
        possible = totals.all if reached.modes[total] == TURN_ENDS else totals.stops
        if possible >> total & (1 if total < highest else -1):
            yield from (outcome for outcome in reached.stops[total] if outcome)
    yield from reached.ends


def explore(
    rules: RaceRules, players: int, starts: Iterable[Player], totals: Totals = ANY_TOTALS
) -> Iterator[tuple[Player, Transitions]]:
    """Every player state that can follow the given ones, with its transitions; what needs fewest turns comes first."""
    found: set[Player] = set()
    known: dict[Player, Transitions] = {}
    written: Written = {}
    hit: dict[str, tuple[int, int]] = {}  # by rule: the scores at which somebody can be attacked
    size, waiting = 0, deque(starts)
    while waiting:
        player = waiting.popleft()
        if player not in found:
            found.add(player)
            reached = transitions(rules, player, totals, known, written)
            size += len(reached.modes)
            if len(found) > MOST_STATES or size > MOST_OUTCOMES:
                raise UnplayableError(_too_large(rules))
            yield player, reached
            waiting.extend(outcome.player for outcome in outcomes_of(reached))
            widen(rules, hit, reached)
        if not waiting and players > 1:
            waiting.extend(after for _victim, after in attacked(rules, found, hit) if after not in found)


def _too_large(rules: RaceRules) -> str:
    """What is wrong with a game of too many states, with the keys that make them."""
    keys = {"match.target": rules.match.target, "match.step": rules.match.step} | counting_keys(rules)
    return _("{keys}: together more than {states} player states or {outcomes} ways to end a turn").format(
        keys=", ".join(f"{key} = {quoted(value)}" for key, value in keys.items()),
        states=MOST_STATES,
        outcomes=MOST_OUTCOMES,
    )


def outcomes_of(reached: Transitions) -> Iterator[Outcome]:
    """All ways to end a turn after which the match goes on."""
    return (
        outcome for outcome in chain(*reached.stops, reached.ends) if outcome and not (outcome.won or outcome.leads)
    )


def widen(rules: RaceRules, hit: dict[str, tuple[int, int]], reached: Transitions) -> None:
    """Widen the scores at which somebody can be attacked, by rule, by the attacks of one more state."""
    for outcome in outcomes_of(reached):
        for rule, low, high in outcome.attacks if not rules.points_are_left() else ():  # no states of their own
            widest = hit.get(rule, (low, high))
            hit[rule] = (min(widest[0], low), max(widest[1], high))


def attacked(
    rules: RaceRules, victims: Iterable[Player], hit: dict[str, tuple[int, int]]
) -> Iterator[tuple[Player, Player]]:
    """Everybody who can be attacked, and what becomes of him."""
    for rule, (low, high) in hit.items():
        for victim in victims:
            if low <= victim.score < high:
                yield victim, after_attack(rules, victim, rule)
