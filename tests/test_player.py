"""What a turn changes for the players, against the reference's events, under random rules."""

from itertools import pairwise
from typing import Any

import pytest
from games import Data, rules_from
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference import events, standing
from reference.rulesets import CLASSIC
from reference.standing import PlayerState

from solver.race.endings import (
    Outcome,
    after_attack,
    after_bust,
    after_end,
    after_overshoot,
    after_total,
    attack_rules,
    attacked_by,
    transitions,
)
from solver.race.player import Player, fields_in_use, impossible_together, on_barrel, pit, start
from solver.race.rules import BLANK, BUST, INSTANT_WIN, RaceRules, Stop
from solver.race.stops import MAY_STOP, MUST_THROW, TURN_ENDS, highest_total, needs, total_mode

PROPERTY = settings(deadline=None, max_examples=200)


def state(player: Player) -> PlayerState:
    """The same player for the reference."""
    return PlayerState(*player)


def others_after(rules: RaceRules, outcome: Outcome, others: list[Player]) -> list[Player]:
    """Everybody else after a turn ended this way."""
    found = []
    for other in others:
        rule = attacked_by(outcome, other.score)
        found.append(other if rule is None else after_attack(rules, other, rule))
    return found


# ---- random rules and players ----


@st.composite
def rulesets(draw: st.DrawFn, finishes: tuple[str, ...]) -> Data:
    """Any sections together that do not contradict each other, on a track so short that they often meet."""
    step = draw(st.sampled_from([1, 5]))
    top = draw(st.integers(4, 15))
    finish = draw(st.sampled_from(finishes))

    def points(low: int, high: int) -> int:
        return step * draw(st.integers(low, high))

    data: Data = {
        "dice": {"count": 1, "hot_dice": "may", "hold": "all"},
        "combinations": {"single": {"6": step}},
        "match": {"target": step * top, "step": step, "finish": finish},
    }
    if draw(st.booleans()):
        data["barrel"] = {"start": points(2, top - 1), "attempts": draw(st.integers(1, 3))}
        data["barrel"] |= {"fine": points(1, top), "falls": draw(st.integers(1, 3) | st.just("unlimited"))}
        data["barrel"] |= {"cumulative": draw(st.booleans()), "clamp": draw(st.booleans())}
        data["barrel"]["thrown_off"] = draw(st.sampled_from(["fall", "one step"]))
        if draw(st.booleans()):
            data["barrel"]["attempts"] = "unlimited"
            if data["barrel"]["thrown_off"] == "one step":
                data["barrel"]["falls"] = "unlimited"  # nobody falls
        if not data["barrel"]["clamp"]:
            data["barrel"]["fine"] = data["match"]["target"]
    if finish == "exactly" and "barrel" not in data and draw(st.booleans()):
        data["overshoot"] = {"marks": draw(st.integers(1, 3)), "fine": points(1, top), "falls": draw(st.integers(1, 3))}
    if draw(st.booleans()):
        data["opening"] = {"points": points(1, top)}
        if draw(st.booleans()):
            debt = {"fine": points(1, 3), "failures": draw(st.integers(1, 3)), "min_score": points(-5, -1)}
            data["opening"]["debt"] = debt
        if "overshoot" in data:
            data["overshoot"]["reopen"] = draw(st.booleans())
        if "barrel" in data and data["opening"]["points"] < data["barrel"]["start"] and draw(st.booleans()):
            data["barrel"]["fall"] = "admission"
    if draw(st.booleans()):
        ceiling = data["barrel"]["start"] // step if "barrel" in data else top
        ends = sorted(draw(st.sets(st.integers(1, ceiling), min_size=2, max_size=4)))
        bounds = [[step * low, step * high] for low, high in zip(ends[::2], ends[1::2], strict=False)]
        inside = ends[-1] < ceiling and all(pair[1] < after[0] for pair, after in pairwise(bounds))
        upper = draw(st.sampled_from(["inside", "outside"])) if inside else "outside"
        name = draw(st.sampled_from(["pits", "obstacles"]))
        data[name] = {"bounds": bounds, "upper": upper}
        if name == "obstacles":
            data[name]["costs"] = draw(st.sampled_from(["every stop", "arrival", "every turn"]))
        if name == "obstacles" and draw(st.booleans()):
            data[name] |= {"extra_turn": True, "fine": draw(st.sampled_from(["none", step, 3 * step]))}
            data[name]["extra_turn_comes"] = draw(st.sampled_from(["at once", "next round"]))
    if draw(st.booleans()):
        data["overtaking"] = {"fine": points(1, top)}
    if draw(st.booleans()):
        data["dump_truck"] = {"score": points(1, top - 1), "mid_turn": draw(st.booleans())}
        assume("barrel" not in data or data["dump_truck"]["score"] != data["barrel"]["start"])
    if draw(st.booleans()):
        data["bolts"] = {"limit": draw(st.integers(1, 3)), "fine": points(1, top)}
        data["bolts"] |= {name: draw(st.booleans()) for name in ("in_pits", "on_barrel", "before_opening")}
        data["bolts"] |= {
            "given_for": draw(st.sampled_from(["turn", "first throw"])),
            "consecutive": draw(st.booleans()),
        }
    data["match"] |= {"win_at_once": draw(st.booleans()), "min_score": points(-5, 0) if draw(st.booleans()) else 0}
    if finish == "exactly":
        data["match"]["overshoot"] = draw(st.sampled_from(["at once", "on a stop"]))
    return data


@st.composite
def players(draw: st.DrawFn, data: Data) -> Player:
    """A player that these rules allow between turns."""
    step, barrel, debt = data["match"]["step"], data.get("barrel"), data.get("opening", {}).get("debt")
    held = barrel and barrel["clamp"] and not barrel["cumulative"]
    top = barrel["start"] if held else data["match"]["target"] - step
    least = min(data["match"]["min_score"], debt["min_score"] if debt else 0)
    score = draw(st.just(top) | st.integers(least // step, top // step).map(lambda steps: step * steps))
    assume(score != data.get("dump_truck", {}).get("score"))
    falls = {**(barrel or {}), **data.get("overshoot", {})}.get("falls", 1)
    sits = barrel is not None and score >= barrel["start"]
    opened = score > 0 or "opening" not in data or draw(st.booleans())
    player = Player(
        score=score,
        opened=opened,
        bolts=draw(st.integers(0, data.get("bolts", {}).get("limit", 1) - 1)),
        attempts=draw(st.integers(0, barrel["attempts"] - 1)) if sits and barrel["attempts"] != "unlimited" else 0,
        falls=draw(st.integers(0, falls - 1)) if falls != "unlimited" else 0,
        marks=draw(st.integers(0, data.get("overshoot", {}).get("marks", 1) - 1)),
        failures=draw(st.integers(0, debt["failures"] - 1)) if debt and not opened else 0,
    )
    if barrel and barrel.get("fall") == "admission" and opened:
        player = player._replace(admission=data["opening"]["points"])
    extra = data.get("obstacles", {}).get("extra_turn") and standing.within(data, "obstacles", state(player))
    return player._replace(extra=draw(st.integers(0, 1)) if extra else 0)


@st.composite
def matches(
    draw: st.DrawFn, finishes: tuple[str, ...] = ("at least", "more than", "exactly")
) -> tuple[Data, RaceRules, Player, list[Player]]:
    """A ruleset, a player to move and up to three others."""
    data = draw(rulesets(finishes))
    mover = draw(players(data))
    return data, rules_from(data), mover, draw(st.lists(players(data), max_size=3))


Match = tuple[Data, RaceRules, Player, list[Player]]


@PROPERTY
@given(matches())
def test_a_players_standing_follows_from_the_score(match: Match) -> None:
    data, rules, mover, others = match
    assert state(start(rules)) == standing.start(data)
    assert on_barrel(rules, mover) == standing.on_barrel(data, state(mover))
    assert (pit(rules, mover) is not None) == standing.in_pit(data, state(mover))
    for other in others:
        both = standing.on_barrel(data, state(mover)) and standing.on_barrel(data, state(other))
        assert impossible_together(rules, mover, other) == both


@PROPERTY
@given(matches())
def test_each_turn_total_allows_what_the_reference_allows(match: Match) -> None:
    data, rules, mover, _others = match
    step = data["match"]["step"]
    last = standing.saturation(data, state(mover)) + 3 * step
    for points in range(step, last + 1, step):
        if standing.over_at_once(data, state(mover), points):
            expected = TURN_ENDS
        else:
            expected = MAY_STOP if standing.may_stop(data, state(mover), points) else MUST_THROW
        assert total_mode(rules, mover, points) == expected, points


@PROPERTY
@given(matches())
def test_from_the_highest_total_on_every_turn_total_gives_the_same(match: Match) -> None:
    data, rules, mover, others = match
    step, highest = data["match"]["step"], highest_total(rules, mover)
    assert highest % step == 0
    assert 0 < highest <= standing.saturation(data, state(mover))

    def ending(points: int) -> object:
        outcome = after_total(rules, mover, points)
        if outcome.won:
            return "win"
        return total_mode(rules, mover, points), outcome.player, others_after(rules, outcome, others)

    assert len({str(ending(highest + more * step)) for more in range(4)}) == 1


@PROPERTY
@given(matches())
def test_needs_are_the_least_turn_total_to_stop(match: Match) -> None:
    data, rules, mover, _others = match
    asked = needs(rules, mover)
    least = max([need.points for need in asked], default=0)
    modes = {points: total_mode(rules, mover, points) for points in range(1, highest_total(rules, mover) + 1)}
    assert all(modes[points] != MAY_STOP for points in modes if points < least)
    assert all(need.points > 0 and data[need.rule] for need in asked)
    if data["match"]["finish"] == "at least":
        assert standing.least_stop(data, state(mover)) == max(least, data["match"]["step"])


@PROPERTY
@given(matches(), st.integers(1, 20), st.booleans())
def test_a_stop_changes_everybody_as_in_the_reference(match: Match, steps: int, blank: bool) -> None:
    data, rules, mover, others = match
    points = steps * data["match"]["step"]
    at_once = standing.over_at_once(data, state(mover), points)
    assume(at_once == "dump truck" or standing.may_stop(data, state(mover), points))
    happens = events.outcome_of_dump if at_once == "dump truck" else events.outcome_of_stop
    arguments = () if at_once == "dump truck" else (points,)
    after, left = happens(data, state(mover), tuple(map(state, others)), *arguments, blank=blank)
    outcome = after_total(rules, mover, points, Stop(blank and rules.blank_counts()))
    assert state(outcome.player) == after._replace(extra=after.extra if left != "win" else mover.extra)
    assert outcome.won == (left == "win")
    if left == "win":
        assert outcome.attacks == ()
    else:
        assert list(map(state, others_after(rules, outcome, others))) == list(left)
        assert outcome.kept == events.goes_on(data, state(mover), after)
        assert outcome.player.score == 0 or not outcome.dumped


@PROPERTY
@given(matches(), st.booleans())
def test_a_bust_changes_the_mover_as_in_the_reference(match: Match, blank: bool) -> None:
    data, rules, mover, _others = match
    outcome = after_end(rules, mover, BLANK if blank and rules.blank_counts() else BUST)
    after = events.outcome_of_bust(data, state(mover), (), blank=blank)[0]
    assert state(outcome.player) == after
    assert (outcome.won, outcome.attacks) == (False, ())
    assert outcome.kept == events.goes_on(data, state(mover), after)
    assert outcome.player.score == 0 or not outcome.dumped


@PROPERTY
@given(matches(finishes=("exactly",)), st.booleans())
def test_an_overshoot_changes_the_mover_as_in_the_reference(match: Match, blank: bool) -> None:
    data, rules, mover, _others = match
    outcome = after_overshoot(rules, mover, blank=blank and rules.blank_counts())
    assert state(outcome.player) == events.outcome_of_overshoot(data, state(mover), (), blank=blank)[0]
    assert (outcome.won, outcome.attacks) == (False, ())
    too_much = data["match"]["target"] - mover.score + data["match"]["step"]
    assert after_total(rules, mover, too_much, Stop(blank and rules.blank_counts())) == outcome


@PROPERTY
@given(matches())
def test_a_lost_turn_changes_nothing_and_an_instant_win_everything(match: Match) -> None:
    _data, rules, mover, _others = match
    assert after_total(rules, mover._replace(skips=1), 0) == Outcome(mover)
    assert transitions(rules, mover._replace(skips=1)).modes == [TURN_ENDS]
    assert after_end(rules, mover, INSTANT_WIN).won


@PROPERTY
@given(matches(), st.integers(1, 20))
def test_what_the_rules_do_not_use_keeps_its_default(match: Match, steps: int) -> None:
    data, rules, mover, others = match
    unused = set(Player._fields) - set(fields_in_use(rules))
    outcomes = [after_bust(rules, mover)]
    points = steps * data["match"]["step"]
    if total_mode(rules, mover, points) != MUST_THROW:
        outcomes.append(after_total(rules, mover, points))
    found = [outcome.player for outcome in outcomes]
    found += [after_attack(rules, other, "overtaking") for other in others if "overtaking" in attack_rules(rules)]
    for player in found:
        assert all(getattr(player, name) == getattr(Player(), name) for name in unused)


# ---- single rules ----


def test_the_barrel_acts_before_overtaking() -> None:
    # Who is thrown off pays no fine for being passed as well.
    barrel = {"start": 880, "attempts": 3, "fine": 100, "falls": 3}
    assert attack_rules(rules_from({**CLASSIC, "barrel": barrel})) == ("barrel", "overtaking")
    assert attack_rules(rules_from(CLASSIC)) == ("overtaking",)


def test_a_turn_that_has_gathered_nothing_may_not_be_stopped() -> None:
    # A hold may be worth nothing, such as three dice whose triple has no points.
    worthless = {**CLASSIC["combinations"], "three": {str(face): 0 for face in range(1, 7)}}
    rules = rules_from({**CLASSIC, "combinations": worthless})
    assert total_mode(rules, Player(300), 0) == MUST_THROW
    assert total_mode(rules, Player(300), 5) == MAY_STOP


def test_a_failed_attempt_that_is_a_bolt_too_pays_both_fines_before_the_dump_truck_comes() -> None:
    data = {
        **CLASSIC,
        "barrel": {"start": 880, "attempts": 1, "fine": 325, "falls": 3},
        "bolts": {"limit": 1, "fine": 100, "on_barrel": True},
    }
    assert after_bust(rules_from(data), Player(880)) == Outcome(Player(455, falls=1))
    landing = {**data, "dump_truck": {"score": 455}}
    assert after_bust(rules_from(landing), Player(880)) == Outcome(Player(0, falls=1), dumped=True)


# ---- readings that are not the usual ones ----

BARRELS = {"bounds": [[300, 400], [600, 700]]}


def obstacles(**options: Any) -> RaceRules:
    return rules_from(
        {
            **{name: part for name, part in CLASSIC.items() if name not in ("pits", "overtaking")},
            "obstacles": BARRELS | options,
        }
    )


@pytest.mark.parametrize(("costs", "arrival", "moving", "bust"), [
    ("every stop", 1, 1, 0),
    ("arrival", 1, 0, 0),
    ("every turn", 1, 1, 1),
])  # fmt: skip
def test_an_obstacle_costs_the_next_turn(costs: str, arrival: int, moving: int, bust: int) -> None:
    rules = obstacles(costs=costs)
    assert after_total(rules, Player(280), 40).player.skips == arrival
    assert after_total(rules, Player(320), 40).player.skips == moving
    assert after_total(rules, Player(320), 300).player.skips == 1  # another obstacle
    assert after_bust(rules, Player(320)).player.skips == bust


def test_an_extra_turn_in_the_next_round_comes_before_the_usual_one() -> None:
    rules = obstacles(extra_turn=True, extra_turn_comes="next round")
    assert after_total(rules, Player(280), 40) == Outcome(Player(320, extra=1))
    assert after_total(rules, Player(320, extra=1), 100) == Outcome(Player(420), kept=True)
    # One that does not leave costs the usual turn, and nothing else.
    assert after_total(rules, Player(320, extra=1), 40) == Outcome(Player(360))
    fined = obstacles(extra_turn=True, extra_turn_comes="next round", fine=100)
    assert after_total(fined, Player(320, extra=1), 40) == Outcome(Player(260), kept=True)
    assert "skips" not in fields_in_use(rules)


def test_a_player_may_be_thrown_off_by_one_step_only() -> None:
    barrel = {"start": 900, "attempts": 3, "fine": 100, "falls": 3, "thrown_off": "one step"}
    rules = rules_from({**CLASSIC, "barrel": barrel})
    assert after_attack(rules, Player(900, attempts=2, falls=2), "barrel") == Player(895, falls=2)


def test_a_fall_that_costs_everything_may_ask_for_a_new_opening() -> None:
    exact = {**CLASSIC, "match": {**CLASSIC["match"], "finish": "exactly"}}
    rules = rules_from({**exact, "overshoot": {"marks": 1, "fine": 100, "falls": 2, "reopen": True}})
    assert after_overshoot(rules, Player(500)).player == Player(400, falls=1)
    assert after_overshoot(rules, Player(500, falls=1)).player == Player(0, opened=False)


def test_a_barrel_may_ask_for_the_exact_rest() -> None:
    exact = {**CLASSIC["match"], "finish": "exactly"}
    rules = rules_from({**CLASSIC, "match": exact, "barrel": {"start": 880, "attempts": 2, "fine": 100, "falls": 3}})
    assert total_mode(rules, Player(880), 120) == MAY_STOP
    assert total_mode(rules, Player(880), 125) == TURN_ENDS
    assert after_total(rules, Player(880), 125).player == Player(880, attempts=1)
    assert after_total(rules, Player(880, attempts=1), 125).player == Player(780, falls=1)
