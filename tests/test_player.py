"""What a turn changes for the players, against the reference's events, under random rules."""

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
    after_overshoot,
    after_stop,
    after_total,
    attack_rules,
    attacked_by,
)
from solver.race.player import Player, fields_in_use, impossible_together, on_barrel, pit, start
from solver.race.rules import RaceRules
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
    if finish != "exactly" and draw(st.booleans()):
        data["barrel"] = {"start": points(2, top - 1), "attempts": draw(st.integers(1, 3))}
        data["barrel"] |= {"fine": points(1, top), "falls": draw(st.integers(1, 3))}
    if finish == "exactly" and draw(st.booleans()):
        data["overshoot"] = {"marks": draw(st.integers(1, 3)), "fine": points(1, top), "falls": draw(st.integers(1, 3))}
    if draw(st.booleans()):
        data["opening"] = {"points": points(1, top)}
    if draw(st.booleans()):
        ceiling = data["barrel"]["start"] // step if "barrel" in data else top
        ends = sorted(draw(st.sets(st.integers(1, ceiling), min_size=2, max_size=4)))
        bounds = [[step * low, step * high] for low, high in zip(ends[::2], ends[1::2], strict=False)]
        data["pits"] = {"bounds": bounds}
    if draw(st.booleans()):
        data["overtaking"] = {"fine": points(1, top)}
    if draw(st.booleans()):
        data["dump_truck"] = {"score": points(1, top - 1)}
        assume("barrel" not in data or data["dump_truck"]["score"] != data["barrel"]["start"])
    if draw(st.booleans()):
        data["bolts"] = {"limit": draw(st.integers(1, 3)), "fine": points(1, top)}
        data["bolts"] |= {name: draw(st.booleans()) for name in ("in_pits", "on_barrel", "before_opening")}
    return data


@st.composite
def players(draw: st.DrawFn, data: Data) -> Player:
    """A player that these rules allow between turns."""
    step = data["match"]["step"]
    top = data["barrel"]["start"] if "barrel" in data else data["match"]["target"] - step
    score = draw(st.just(top) | st.integers(0, top // step).map(lambda steps: step * steps))
    assume(score != data.get("dump_truck", {}).get("score"))
    falls = {**data.get("barrel", {}), **data.get("overshoot", {})}.get("falls", 1)
    sits = "barrel" in data and score == top
    return Player(
        score=score,
        opened=score > 0 or "opening" not in data or draw(st.booleans()),
        bolts=draw(st.integers(0, data.get("bolts", {}).get("limit", 1) - 1)),
        attempts=draw(st.integers(0, data["barrel"]["attempts"] - 1)) if sits else 0,
        falls=draw(st.integers(0, falls - 1)),
        marks=draw(st.integers(0, data.get("overshoot", {}).get("marks", 1) - 1)),
    )


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
        if standing.overshoots(data, state(mover), points):
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
@given(matches(), st.integers(1, 20))
def test_a_stop_changes_everybody_as_in_the_reference(match: Match, steps: int) -> None:
    data, rules, mover, others = match
    points = steps * data["match"]["step"]
    assume(standing.may_stop(data, state(mover), points))
    after, left = events.outcome_of_stop(data, state(mover), tuple(map(state, others)), points)
    outcome = after_stop(rules, mover, points)
    assert after_total(rules, mover, points) == outcome
    assert state(outcome.player) == after
    assert outcome.won == (left == "win")
    if left == "win":
        assert outcome.attacks == ()
    else:
        assert list(map(state, others_after(rules, outcome, others))) == list(left)
        assert outcome.dumped == (after.score == 0)  # only a dump truck takes the points of a stop


@PROPERTY
@given(matches())
def test_a_bust_changes_the_mover_as_in_the_reference(match: Match) -> None:
    data, rules, mover, _others = match
    outcome = after_bust(rules, mover)
    assert state(outcome.player) == events.outcome_of_bust(data, state(mover), ())[0]
    assert (outcome.won, outcome.attacks) == (False, ())
    assert outcome.player.score == 0 or not outcome.dumped


@PROPERTY
@given(matches(finishes=("exactly",)))
def test_an_overshoot_changes_the_mover_as_in_the_reference(match: Match) -> None:
    data, rules, mover, _others = match
    outcome = after_overshoot(rules, mover)
    assert state(outcome.player) == events.outcome_of_overshoot(data, state(mover), ())[0]
    assert (outcome.won, outcome.attacks) == (False, ())
    too_much = data["match"]["target"] - mover.score + data["match"]["step"]
    assert after_total(rules, mover, too_much) == outcome


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
