"""Checks of claims about races, for one player alone: expected turns, where nothing else is said."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from docs.intuition.findings import Case, dice_left
from docs.intuition.games import alone, chance_within, rule_alone, rules_of, turn_of, turns_at
from solver.dice import throw_ways
from solver.race.model import compile_race
from solver.race.player import Player, start
from solver.race.rules import RaceRules
from solver.race.turn import compile_turn


def bust_chances(rules: RaceRules) -> dict[int, Fraction]:
    """By number of dice, the exact chance that a throw brings nothing."""
    graph = compile_turn(rules)
    pairs = zip(graph.slots, graph.bust, strict=True)
    return {slot.dice: bust for slot, bust in pairs if slot.dice and not slot.retries}


def fewer_dice_bust_more(ruleset: str) -> Iterator[Case]:
    """Whether each die less makes a throw that brings nothing likelier."""
    chances = bust_chances(rules_of(ruleset))
    for dice in sorted(chances, reverse=True)[:-1]:
        more, fewer = chances[dice], chances[dice - 1]
        yield Case(
            f"from {dice} dice to {dice - 1}",
            more < fewer,
            f"{dice} dice bring nothing with {more}, {dice - 1} with {fewer}",
        )


def usually_scores(ruleset: str, dice: int, least: float) -> Iterator[Case]:
    """Whether a single throw brings something with at least this chance."""
    rules = rules_of(ruleset)
    scoring = rules.scoring()
    throws = throw_ways([die for die, count in rules.dice_set() for _each in range(count)][:dice])
    good = sum(ways for throw, ways in throws.items() if scoring.holds(throw))
    chance = Fraction(good, sum(throws.values()))
    yield Case(f"{dice} dice", float(chance) >= least, f"{dice} dice score with {chance}, {100 * float(chance):.2f} %")


def usually_fails(ruleset: str, dice: int, most: float) -> Iterator[Case]:
    """Whether a single throw brings something with at most this chance."""
    for case in usually_scores(ruleset, dice, 0.0):
        chance = 1.0 - float(bust_chances(rules_of(ruleset))[dice])
        yield case._replace(name=f"that {case.name} seldom score", holds=chance <= most)


def best_place(ruleset: str, low: int, high: int, place: int) -> Iterator[Case]:
    """Whether a place of a stretch leaves the fewest turns, alone."""
    rules = rules_of(ruleset)
    model, _table = alone(rules)
    turns = {score: turns_at(rules, Player(score)) for score in range(low, high + 1, rules.match.step)
             if Player(score) in model.numbers}  # fmt: skip
    best = min(turns, key=turns.__getitem__)
    near = ", ".join(f"{score}: {turns[score]:.3f}" for score in sorted(turns) if score >= high - 35)
    yield Case("alone", best == place, f"fewest turns to go at {best}; turns to go by score: {near}")


def rule_costs(ruleset: str, policy: str, least: float) -> Iterator[Case]:
    """Whether a rule costs at least so many turns, alone."""
    found = rule_alone(ruleset, policy)
    yield Case("alone", found.loss >= least,
               f"by \"{policy}\" {found.values[0]:.4f} turns, by best play {found.best[0]:.4f}: it costs {found.loss:.4f}")  # fmt: skip


def rule_costs_little(ruleset: str, policy: str, share: float) -> Iterator[Case]:
    """Whether a rule costs at most this share of the turns that best play takes, alone."""
    found = rule_alone(ruleset, policy)
    for case in rule_costs(ruleset, policy, 0.0):
        part = found.loss / found.best[0]
        yield Case(f'"{policy.partition(";")[0]}"', part <= share, f"{case.numbers}, {100 * part:.2f} %")


def rules_in_order(ruleset: str, policies: list[str]) -> Iterator[Case]:
    """Whether each rule is better than the next, alone."""
    turns = [rule_alone(ruleset, policy).values[0] for policy in policies]
    for (one, fewer), (other, more) in zip(
        zip(policies, turns, strict=True), list(zip(policies, turns, strict=True))[1:], strict=False
    ):
        yield Case(
            f"{one.partition(';')[0]} before {other.partition(';')[0]}",
            fewer < more,
            f'"{one}" takes {fewer:.3f} turns, "{other}" {more:.3f}',
        )


def skill_shrinks(policies: list[str], less: str, more: str) -> Iterator[Case]:
    """Whether rules cost a smaller share of turns in one game than in another, alone."""
    for policy in policies:
        shares = [rule_alone(name, policy).loss / rule_alone(name, policy).best[0] for name in (less, more)]
        yield Case(f'"{policy}"', shares[0] < shares[1],
                   f"\"{policy}\" takes {100 * shares[0]:.1f} % more turns than best play in {less}, {100 * shares[1]:.1f} % more in {more}")  # fmt: skip


def longer(one: str, other: str, share: float) -> Iterator[Case]:
    """Whether the other game takes at least this share more turns than the one, alone."""
    turns = [turns_at(rules_of(name), start(rules_of(name))) for name in (one, other)]
    yield Case("alone", turns[1] >= turns[0] * (1.0 + share),
               f"{one} takes {turns[0]:.3f} turns, {other} {turns[1]:.3f}, {100 * (turns[1] / turns[0] - 1):+.2f} %")  # fmt: skip


def change_gains(ruleset: str, key: str, value: Any, least: float) -> Iterator[Case]:
    """Whether a change of the rules saves at least so many turns, alone."""
    rules, changed = rules_of(ruleset), rules_of(ruleset, **{key.replace(".", "__"): value})
    before, after = (turns_at(some, start(some)) for some in (rules, changed))
    yield Case("alone", before - after >= least, f"as it is {before:.4f} turns, with {key} = {value!r} {after:.4f}")


def small_comfort(ruleset: str, most: float) -> Iterator[Case]:
    """Whether having opened is worth little at 0, alone."""
    rules = rules_of(ruleset)
    opened, not_yet = turns_at(rules, Player(0)), turns_at(rules, start(rules))
    yield Case("alone", not_yet - opened <= most, f"0 points opened: {opened:.4f} turns; not opened: {not_yet:.4f}")


def no_stop_in(ruleset: str, pits: list[list[int]]) -> Iterator[Case]:
    """Whether best play alone never stops in the lower half of a pit when it comes from below."""
    rules = rules_of(ruleset)
    model, _table = alone(rules)
    for low, high in pits:
        middle = (low + high) // 2
        stops = []
        for player in model.states:
            if player != Player(player.score) or not 0 < player.score < low:
                continue
            turn = turn_of(rules, player)
            for rule in turn.plan(2e-9):
                for first, last in rule.totals:
                    at = max(first, low - player.score)
                    if player.score + at < middle and (last is None or at <= last):
                        stops.append((player.score, player.score + at, rule.dice))
        example = f", as from {stops[-1][0]} at {stops[-1][1]} with {dice_left(stops[-1][2])} left" if stops else ""
        yield Case(
            f"the pit {low}-{high}", not stops, f"{low}-{high}: stops below {middle} in {len(stops)} cases{example}"
        )


def one_turn(ruleset: str, score: int, turns: int, least: float, most: float) -> Iterator[Case]:
    """Whether the best chance to win within some turns from a score lies in a range."""
    rules = rules_of(ruleset)
    model = compile_race(rules, 1)
    player = next(state for state in sorted(model.states, key=lambda state: state[1:]) if state.score == score)
    chance = chance_within(rules, player, turns)
    yield Case(
        f"at {score}",
        least <= chance <= most,
        f"from {score} best play wins within {turns} turns with {100 * chance:.3f} %",
    )


def falling_chances(ruleset: str, scores: list[int]) -> Iterator[Case]:
    """Whether the chance to win in one turn is the smaller, the later a score stands in the list."""
    rules = rules_of(ruleset)
    chances = [chance_within(rules, Player(score), 1) for score in scores]
    for (score, chance), (after, less) in zip(
        zip(scores, chances, strict=True), list(zip(scores, chances, strict=True))[1:], strict=False
    ):
        yield Case(
            f"{score} before {after}",
            chance > less,
            f"{score}: {100 * chance:.3f} % in one turn, {after}: {100 * less:.3f} %",
        )


def stops_before_opening(ruleset: str, total: int, dice: list[int]) -> Iterator[Case]:
    """Whether best play alone stops before opening with this turn total, by dice left."""
    rules = rules_of(ruleset)
    yield from _stops(rules, start(rules), total, dice)


def stops_at(ruleset: str, score: int, total: int, dice: list[int]) -> Iterator[Case]:
    """Whether best play alone stops at a score with this turn total, by dice left."""
    rules = rules_of(ruleset)
    yield from _stops(rules, Player(score), total, dice)


def _stops(rules: RaceRules, player: Player, total: int, dice: list[int]) -> Iterator[Case]:
    turn = turn_of(rules, player)
    for left in dice:
        slot = next(number for number, slot in enumerate(turn.graph.slots) if slot.dice == left and slot.may_stop)
        throw = turn.throw_value(slot, total)
        stop = next(
            found.stop for found in turn.decisions(slot) if found.points == min(total, turn.highest * turn.step)
        )
        assert stop is not None
        yield Case(
            f"with {dice_left(left)}",
            stop >= throw,
            f"{total} with {dice_left(left)}: to stop {-stop:.4f} turns, to throw {-throw:.4f}",
        )


def holds_these(ruleset: str, score: int, throw: list[int], fewer: list[int]) -> Iterator[Case]:
    """Whether, where best play alone throws on, it holds these few dice of the first throw."""
    rules = rules_of(ruleset)
    turn = turn_of(rules, Player(score))
    choices = [choice for choice in turn.choices(turn.graph.start, tuple(sorted(throw)), 0) if not choice.stop]
    best = max(choices, key=lambda choice: choice.value)
    told = "; ".join(f"hold {' '.join(map(str, choice.hold))}: {-choice.value:.4f} turns" for choice in choices)
    yield Case(" ".join(map(str, throw)), best.hold == tuple(sorted(fewer)), told)


CHECKS: dict[str, Callable[..., Iterator[Case]]] = {
    check.__name__: check
    for check in (
        fewer_dice_bust_more, usually_scores, usually_fails, best_place, rule_costs, rule_costs_little, rules_in_order,
        skill_shrinks, longer, change_gains, small_comfort, no_stop_in, one_turn, falling_chances,
        stops_before_opening, stops_at, holds_these,
    )
}  # fmt: skip
"""By name, as ``claims.toml`` has them."""
