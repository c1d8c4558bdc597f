"""A human rule as fixed choices of a race: what its player does at every turn state of every match state."""

from array import array
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver._sweep import Choices, padded
from solver.certify import Values
from solver.errors import PolicyError
from solver.policies.policy import MOST_DICE, MOST_POINTS, STOP, THROW, Policy
from solver.race.model import RaceModel
from solver.race.player import Player, obstacle, on_barrel, pit
from solver.race.rules import RaceRules
from solver.race.stops import MAY_STOP, written_score
from solver.race.turn import Option, Roll, TurnGraph
from solver.text import _

THROWS, STOPS, FREE = range(3)
"""What is forced at a turn state, as the kernels know it."""

MOST_BYTES = 1 << 30
"""Memory that the choices of a policy may take."""

OWN = {
    "score": False, "turn": False, "dice": False, "written": False, "to_go": False, "bolts": False,
    "attempts": False, "falls": False, "marks": False, "failures": False, "opened": True, "pit": True,
    "barrel": True, "obstacle": True, "extra": True, "written_pit": True, "written_obstacle": True,
    "written_barrel": True, "wins": True, "all_dice": True,
}  # fmt: skip
"""What a player sees of himself, and whether it is a condition.

``turn`` are the points gathered, ``dice`` the number to be thrown next, ``written`` the score after a stop and
``to_go`` what is missing to the target then; ``written_pit`` tells that a stop leads into a pit.
"""
OPPOSED = {
    "opponent": False, "lead": False, "opponent_bolts": False, "opponent_attempts": False, "opponent_opened": True,
    "opponent_pit": True, "opponent_barrel": True,
}  # fmt: skip
"""What he sees of his opponent; ``lead`` is by how much a stop would put him ahead."""
View = dict[str, Any]
"""By name, what is seen at every turn state: arrays [totals of all states or 1, slots or 1]."""
NAMES = {1: OWN, 2: {**OWN, **OPPOSED}}
"""By number of players."""


def seen_of_player(rules: RaceRules, player: Player) -> dict[str, Any]:
    """What a player sees of himself between turns."""
    return {
        **{name: getattr(player, name) for name in ("score", "bolts", "attempts", "falls", "marks", "failures")},
        "opened": player.opened,
        "extra": bool(player.extra),
        "pit": pit(rules, player) is not None,
        "barrel": on_barrel(rules, player),
        "obstacle": obstacle(rules, player) is not None,
    }


def seen_of_opponent(rules: RaceRules, opponent: Player) -> dict[str, Any]:
    """What a player sees of his opponent."""
    return {
        "opponent": opponent.score,
        "opponent_bolts": opponent.bolts,
        "opponent_attempts": opponent.attempts,
        "opponent_opened": opponent.opened,
        "opponent_pit": pit(rules, opponent) is not None,
        "opponent_barrel": on_barrel(rules, opponent),
    }


def seen_of_stop(rules: RaceRules, player: Player, points: int) -> dict[str, Any]:
    """What a player sees of a stop at a turn total."""
    written = player._replace(score=written_score(rules, player, points), opened=True)
    return {
        "turn": points,
        "written": written.score,
        "to_go": rules.match.target - written.score,
        "written_pit": pit(rules, written) is not None,
        "written_obstacle": obstacle(rules, written) is not None,
        "written_barrel": on_barrel(rules, written),
    }


def action_codes(policy: Policy, seen: dict[str, Any], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """What the rules of a policy say, before what no player would do: THROWS, STOPS or FREE."""
    codes = np.full(shape, THROWS, dtype=np.uint8)
    left = np.ones(shape, dtype=bool)
    for rule in policy.rules:
        applies = left if rule.condition is None else left & rule.condition.value_for(seen)
        codes[applies] = {STOP: STOPS, THROW: THROWS}.get(rule.action, FREE)
        left = left & ~applies
    return codes


def choices_of(
    model: RaceModel, policy: Policy, guide: tuple[Values, Values] | None = None, view: View | None = None
) -> tuple[RaceModel, Choices | None]:
    """The model that the player of a policy plays in, and his choices; None for those that are best.

    ``guide``, needed by a policy that does somewhere as optimal play does, are the values of optimal play and what
    they make endings worth, ``Sweep.layers_of``. Nobody throws on where a stop wins, or where more points bring no
    more. ``view`` may be given to whoever looks at many policies. PolicyError if the policy distinguishes too much.
    """
    if policy.is_optimal and guide is None:
        return model, None
    table = view_of(model) if view is None else view
    waiters = len(model.states) if model.players == 2 else 1
    classes, class_of = _classes(_opponents(model, policy))
    size = len(classes) * table["turn"].shape[0] * len(model.graph.slots)
    if size > MOST_BYTES:
        raise PolicyError(
            _(
                "a policy that tells {count} kinds of opponents apart needs {size:.1f} GB; allowed: {most:.1f} GB"
            ).format(count=len(classes), size=size / 1e9, most=MOST_BYTES / 1e9)
        )
    forced: list[NDArray[np.uint8]] = []
    known: dict[bytes, int] = {}
    number_of = np.zeros(len(classes), dtype=np.int32)
    for number, facts in enumerate(classes):
        seen = {**table, **dict(zip(_opposed(policy), facts.tolist(), strict=True))}
        seen |= {name: bool(seen[name]) for name in _opposed(policy) if NAMES[2][name]}
        if "opponent" in seen:
            seen["lead"] = seen["written"] - seen["opponent"]
        codes = _forced(model, policy, seen)
        name = codes.tobytes()
        if name not in known:
            known[name] = len(forced)
            forced.append(codes)
        number_of[number] = known[name]
    of_waiter = np.zeros(padded(waiters), dtype=np.int32)
    of_waiter[:waiters] = number_of[class_of]
    if policy.hold in (MOST_POINTS, MOST_DICE):
        model = model._replace(graph=with_one_hold(model.graph, policy.hold))
    layers, values = None, None
    if policy.guided:
        if guide is None:
            raise ValueError("this policy needs the values of optimal play")
        values, layers = np.zeros((len(model.states), padded(waiters))), guide[1]
        values[:, :waiters] = guide[0]
    return model, Choices(np.array(forced), of_waiter, layers, values)


def choices_side_by_side(model: RaceModel, policies: Sequence[Policy], view: View) -> tuple[RaceModel, Choices]:
    """As ``choices_of``, for players alone who hold in the same way, ``most points`` or ``most dice``.

    Each policy is a lane of a sweep with as many. ValueError if they do not hold in one way, or look for what is best.
    """
    hold = policies[0].hold
    forced = np.array([_forced(model, policy, view) for policy in policies])
    alike = hold in (MOST_POINTS, MOST_DICE) and all(policy.hold == hold for policy in policies)
    if not alike or (forced == FREE).any():
        raise ValueError("these policies cannot be played side by side")
    of_lane = np.zeros(padded(len(policies)), dtype=np.int32)
    of_lane[: len(policies)] = range(len(policies))
    return model._replace(graph=with_one_hold(model.graph, hold)), Choices(forced, of_lane)


def _forced(model: RaceModel, policy: Policy, seen: View) -> NDArray[np.uint8]:
    """[totals of all states, slots], what a policy does; nobody throws on where that makes no sense."""
    codes = action_codes(policy, seen, (seen["turn"].shape[0], len(model.graph.slots)))
    codes[(codes == THROWS) & seen["senseless"]] = STOPS
    return codes


def liking(graph: TurnGraph, hold: str, option: Option) -> tuple[int, ...]:
    """How much a player likes an option who always holds in the same way; larger is better.

    Of dice that are offered he takes a fresh set, unless he is offered as many.
    """
    slot = graph.slots[option.slot]
    wish = (option.gain, slot.dice) if hold == MOST_POINTS else (slot.dice, option.gain)
    return (*wish, slot.may_stop, slot.inherited, option.slot)


def with_one_hold(graph: TurnGraph, hold: str) -> TurnGraph:
    """A turn in which every roll has one option left, which scores most or leaves most dice to throw.

    Throws that offered different options, of which the same is left, are one roll now: there are far fewer.
    """
    rolls: list[tuple[Roll, ...]] = []
    chances: list[float] = []
    for group, first in zip(graph.rolls, graph.roll_ptr, strict=False):
        alike: dict[Option, list[int]] = defaultdict(list)
        for number, roll in enumerate(group):
            alike[max(roll.options, key=lambda option: liking(graph, hold, option))].append(number)
        chosen = sorted(alike.items())  # the kernels want ascending gains
        rolls.append(tuple(Roll(sum(group[number].ways for number in same), (option,)) for option, same in chosen))
        chances += [fsum(graph.roll_chance[first + number] for number in same) for _option, same in chosen]
    options = [roll.options[0] for group in rolls for roll in group]
    roll_ptr = array("i", accumulate(map(len, rolls), initial=0))
    return graph._replace(
        rolls=tuple(rolls),
        roll_ptr=roll_ptr,
        roll_chance=array("d", chances),
        choice_ptr=roll_ptr[1:],
        option_ptr=array("i", accumulate([1] * len(options), initial=0)),
        option_gain=array("i", [option.gain for option in options]),
        option_slot=array("i", [option.slot for option in options]),
        option_offset=array("i", [option.gain * len(graph.slots) + option.slot for option in options]),
    )


def view_of(model: RaceModel) -> View:
    """What a player sees of himself at every total of every state, [totals, 1], and at every slot, [1, slots]."""
    rules, graph = model.rules, model.graph
    rows: dict[str, list[Any]] = {name: [] for name in OWN if name not in ("dice", "all_dice", "wins")}
    for player, highest in zip(model.states, model.highest.tolist(), strict=True):
        own = seen_of_player(rules, player)
        for total in range(highest + 1):
            stop = seen_of_stop(rules, player, total * rules.match.step)
            for name, column in rows.items():
                column.append(stop[name] if name in stop else own[name])
    table: dict[str, Any] = {name: np.array(column)[:, None] for name, column in rows.items()}
    dice = np.array([slot.dice for slot in graph.slots])[None, :]
    table["dice"] = dice
    table["all_dice"] = dice == rules.dice.count
    kinds = np.array(graph.stop_kind)
    kinds = np.where(kinds < 0, -1 - kinds, kinds % graph.stop_kinds)
    stops = model.outcome_row[: len(model.modes) * graph.stop_kinds].reshape(-1, graph.stop_kinds)
    table["wins"] = ((stops == len(model.states)) & (model.modes == MAY_STOP)[:, None])[:, kinds]
    highest_ones = np.zeros((len(model.modes), 1), dtype=bool)
    highest_ones[model.total_ptr[1:] - 1] = True
    table["senseless"] = table["wins"] | highest_ones
    return table


def _classes(facts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """The different rows, and the number of each."""
    if facts.shape[1] == 0:
        return facts[:1], np.zeros(len(facts), dtype=np.intp)
    different, number_of = np.unique(facts, axis=0, return_inverse=True)
    return different, number_of.ravel()


def _opposed(policy: Policy) -> list[str]:
    """The facts about an opponent that a policy looks at."""
    used = policy.names()
    return sorted((used & set(OPPOSED)) - {"lead"} | ({"opponent"} if "lead" in used else set()))


def _opponents(model: RaceModel, policy: Policy) -> NDArray[np.int64]:
    """Those facts, by waiter."""
    names = _opposed(policy)
    if model.players == 1:
        return np.zeros((1, 0), dtype=np.int64)
    facts = [seen_of_opponent(model.rules, state) for state in model.states]
    return np.array([[fact[name] for name in names] for fact in facts], dtype=np.int64).reshape(len(facts), len(names))
