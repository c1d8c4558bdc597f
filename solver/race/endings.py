"""What the end of a turn changes: for the mover, and for those whom he passes or throws off.

The order of events is that of the game's rules:

on a stop: new score (held at the barrel), win, dump truck of the mover, climb onto the barrel and fall of whoever sat
there, overtaking, dump truck of those charged;
on a turn without result: barrel attempt, failed opening or bolt, its penalty, floor, dump truck;
in the end: what a stop on an obstacle costs.
"""

from typing import NamedTuple

from solver.race.penalties import charge, count_fall, fail_attempt, fail_opening, fall_off, give_bolt
from solver.race.player import Player, may_lead, obstacle, on_barrel, without_offer
from solver.race.rules import BLANK, INSTANT_WIN, End, RaceRules, Stop
from solver.race.stops import (
    MUST_THROW,
    TURN_ENDS,
    dumps_at_once,
    highest_total,
    least_total,
    overshoots,
    total_mode,
    written_score,
)

NO_END = 1 << 40
"""Upper end of an interval of scores without bound."""


class Attack(NamedTuple):
    """What a mover does to every other player whose score is in ``low <= score < high``."""

    rule: str
    """``overtaking``, ``barrel``, or one made by ``offer`` or ``gift``."""
    low: int
    high: int


class Outcome(NamedTuple):
    """How a turn ended for the mover."""

    player: Player
    won: bool = False
    attacks: tuple[Attack, ...] = ()
    dumped: bool = False
    kept: bool = False
    """Whether the mover keeps the move, for an extra turn."""
    leads: bool = False
    """Whether the mover has reached the target, and the other player has a last turn."""


class Transitions(NamedTuple):
    """What one player state can lead to."""

    modes: list[int]
    """By turn total in steps, up to the highest that matters: MUST_THROW, MAY_STOP or TURN_ENDS."""
    stops: list[list[Outcome | None]]
    """By turn total and kind of stop: how the turn ends there, None where it cannot."""
    ends: list[Outcome]
    """By kind of forced end."""


Written = dict[int, tuple[int, list[Outcome | None]]]
"""By score: what a turn total that leads there allows, and how the turn ends by each kind of stop."""


class Totals(NamedTuple):
    """Turn totals that can occur, in steps, as the bits of integers; -1 for all."""

    stops: int
    """Totals at which a turn can be where stopping is allowed."""
    all: int
    """Totals at which a turn can be at all."""
    most_lead: int = 0
    """Points beyond the target that are told apart where a leader waits for the last turn; more count as so many."""


ANY_TOTALS = Totals(-1, -1)


def transitions(
    rules: RaceRules,
    player: Player,
    totals: Totals = ANY_TOTALS,
    known: dict[Player, Transitions] | None = None,
    written: Written | None = None,
) -> Transitions:
    """Everything that a turn of this player can lead to, with the turn totals that can occur.

    ``known`` keeps what was found for players without counters, from which that of others follows much sooner, and
    ``written`` what was found for scores, where nothing else matters.
    """
    if player.skips or player.score >= rules.winning_score():
        lost = after_total(rules, player, 0)
        return Transitions([TURN_ENDS], [[lost] * len(rules.stop_kinds())], [lost for _kind in rules.end_kinds()])
    plain = player._replace(bolts=0, falls=0, marks=0, failures=0, admission=0, offered=0, banked=0)
    if known is None or _stops_touch_counters(rules, player):
        modes, stops = _stops(rules, player, totals, written)
    else:
        if plain not in known:
            known[plain] = Transitions(*_stops(rules, plain, totals, written), [])
        modes, stops, _ends = known[plain]
        if player != plain:
            stops = [[outcome and _carrying(outcome, player) for outcome in kinds] for kinds in stops]
    if rules.match.finish == "exactly" and rules.match.overshoot != "given away":  # a void turn counts
        voids: list[Outcome | None] = [
            _leaving(rules, after_overshoot(rules, player, blank=kind.blank), kind.dice, 0)
            for kind in rules.stop_kinds()
        ]
        past = (rules.match.target - player.score) // rules.match.step + 1
        stops = stops[:past] + [voids if mode != MUST_THROW else [None] * len(voids) for mode in modes[past:]]
    return Transitions(modes, stops, [after_end(rules, player, kind) for kind in rules.end_kinds()])


def _stops(
    rules: RaceRules, player: Player, totals: Totals, written: Written | None
) -> tuple[list[int], list[list[Outcome | None]]]:
    """What each turn total allows, and how the turn ends there by each kind of stop."""
    least, step, kinds = least_total(rules, player), rules.match.step, rules.stop_kinds()
    modes: list[int] = []
    stops: list[list[Outcome | None]] = []
    nowhere: list[Outcome | None] = [None for _kind in kinds]
    highest = highest_total(rules, player, totals.most_lead)
    shared = written if written is not None and _only_the_score_matters(rules, player) else {}
    for points in range(0, highest + 1, step):
        found = shared.get(player.score + points) if points >= least else None
        mode = total_mode(rules, player, points, least) if found is None else found[0]
        possible = totals.all if mode == TURN_ENDS else totals.stops
        # The highest total stands for all above it.
        if not possible >> points // step & (1 if points < highest else -1):
            mode = MUST_THROW
        modes.append(mode)
        if mode == MUST_THROW:
            stops.append(nowhere)
            continue
        if found is None:
            found = mode, [after_total(rules, player, points, kind) for kind in kinds]
            if points >= least:
                shared[player.score + points] = found
        stops.append(found[1])
    return modes, stops


def _only_the_score_matters(rules: RaceRules, player: Player) -> bool:
    """Whether a stop of this player depends on nothing but the score that it writes."""
    other = (
        rules.overtaking or rules.barrel or rules.obstacles or rules.bolts or rules.overshoot or rules.inherited_dice
    )
    return (
        not other
        and rules.match.finish != "exactly"
        and rules.match.ending == "at once"
        and player == Player(player.score)
    )


def _stops_touch_counters(rules: RaceRules, player: Player) -> bool:
    """Whether a stop may change what else it would carry over: bolts, falls, marks, the admission."""
    consecutive = rules.bolts is not None and rules.bolts.consecutive
    return on_barrel(rules, player) or not player.opened or consecutive or rules.blank_counts()


def _carrying(outcome: Outcome, player: Player) -> Outcome:
    """The same outcome for a player who has counters already."""
    score, opened, _bolts, attempts, _falls, _marks, failures, _admission, *rest = outcome.player
    carried = Player(
        score, opened, player.bolts, attempts, player.falls, player.marks, failures, player.admission, *rest
    )
    return Outcome(carried, *outcome[1:])


USUAL = Stop()


def after_total(rules: RaceRules, player: Player, points: int, stop: Stop = USUAL) -> Outcome:
    """How the turn ends when it ends at this total, by a stop of some kind or at once."""
    if player.skips:
        return Outcome(without_offer(player)._replace(skips=0))
    if player.score >= rules.winning_score():  # by a gift
        return Outcome(player, won=True)
    player = without_offer(player)
    if overshoots(rules, player, points):
        outcome = after_overshoot(rules, player, blank=stop.blank, points=points)
        points = 0
    elif dumps_at_once(rules, player, points):
        outcome = _after_writing(rules, player, player.score + points, blank=stop.blank)
    else:
        outcome = after_stop(rules, player, points, blank=stop.blank)
    return _leaving(rules, outcome, stop.dice, points)


def _leaving(rules: RaceRules, outcome: Outcome, dice: int, points: int) -> Outcome:
    """The same end of a turn, which leaves dice, or also its points, to the next player where the rules offer them."""
    points = points if rules.points_are_left() else 0
    if not rules.inherited_dice or not dice or outcome.won or (rules.points_are_left() and not points):
        return outcome
    return outcome._replace(attacks=(*outcome.attacks, Attack(offer(dice, points), -NO_END, NO_END)))


def after_stop(rules: RaceRules, player: Player, points: int, *, blank: bool = False) -> Outcome:
    """How the turn ends when the player writes its points down; he must be allowed to."""
    new = written_score(rules, player, points)
    if new >= rules.winning_score():
        leads = may_lead(rules, player)
        return Outcome(player._replace(score=new, opened=True), won=not leads, leads=leads)
    return _after_writing(rules, player, new, blank=blank)


def _after_writing(rules: RaceRules, player: Player, new: int, *, blank: bool) -> Outcome:
    """How the turn ends with a new score that does not win."""
    barrel, bolts = rules.barrel, rules.bolts
    dumped = rules.dump_truck is not None and new == rules.dump_truck.score
    score = 0 if dumped else new
    sits = barrel is not None and score >= barrel.start
    climbed = barrel is not None and sits and player.score < barrel.start
    admission = player.admission
    if not player.opened and barrel and barrel.fall == "admission":
        assert rules.opening is not None
        admission = rules.opening.points if sits else score
    # Made at once and not step by step: this is most of what is done to compile a game.
    after = Player(
        score=score,
        opened=True,
        bolts=0 if bolts and bolts.consecutive and not blank else player.bolts,
        attempts=player.attempts if sits else 0,
        falls=player.falls,
        marks=player.marks,
        admission=admission,
        second=player.second,
    )
    attacks: tuple[Attack, ...] = ()
    if barrel and climbed:
        attacks = (Attack("barrel", barrel.start, NO_END),)
    if rules.overtaking and player.score + rules.match.step < score:
        attacks = (*attacks, Attack("overtaking", player.score + rules.match.step, score))
    if blank or (sits and not climbed):
        fine = 0
        if sits and not climbed:
            after, fine = fail_attempt(rules, after)
        if blank:
            after, fine = give_bolt(rules, player, after, fine)
        after, dumped_by_fine = charge(rules, after, fine)
        dumped = dumped or dumped_by_fine
    return _delayed(rules, player, Outcome(after, attacks=attacks, dumped=dumped), written=True)


def after_end(rules: RaceRules, player: Player, end: End) -> Outcome:
    """How the turn ends by a throw that ends it, one of the kinds that ``RaceRules.end_kinds`` names."""
    if end == INSTANT_WIN:
        return Outcome(player._replace(score=rules.winning_score(), opened=True), won=True)
    player = without_offer(player)
    outcome = after_bust(rules, player, bolt=end.name == BLANK.name or not rules.blank_counts())
    return _leaving(rules, outcome, end.dice, 0)


def after_bust(rules: RaceRules, player: Player, *, bolt: bool = True) -> Outcome:
    """How a turn without result ends; ``bolt`` tells whether it is one that gives bolts."""
    after, fine = player, 0
    if on_barrel(rules, player):
        after, fine = fail_attempt(rules, after)
    after = fail_opening(rules, after)
    if bolt:
        after, fine = give_bolt(rules, player, after, fine)
    after, dumped = charge(rules, after, fine)
    return _delayed(rules, player, Outcome(after, dumped=dumped), written=False)


def after_overshoot(rules: RaceRules, player: Player, *, blank: bool = False, points: int = 0) -> Outcome:
    """How the turn ends for a player whose running sum passes an exact target: it counts nothing for him.

    ``blank`` tells that the first throw gave a bolt; ``points`` are those of the turn, where they are given away.
    """
    after, fine = fail_opening(rules, player), 0
    if on_barrel(rules, player):
        after, fine = fail_attempt(rules, after)
    if rules.overshoot:
        after = after._replace(marks=after.marks + 1)
        if after.marks == rules.overshoot.marks:
            after, fine = count_fall(after._replace(marks=0), rules.overshoot.falls, rules.overshoot.fine)
            if rules.overshoot.reopen and not fine:
                after = after._replace(opened=False)
    if blank:
        after, fine = give_bolt(rules, player, after, fine)
    after, dumped = charge(rules, after, fine)
    attacks: tuple[Attack, ...] = ()
    if rules.match.overshoot == "given away" and points <= rules.match.target - rules.least_score():
        # A gift that would take the other player past the target is void.
        attacks = (Attack(gift(points), -NO_END, rules.match.target - points + 1),)
    return _delayed(rules, player, Outcome(after, attacks=attacks, dumped=dumped), written=False)


def offer(dice: int, points: int = 0) -> str:
    """The rule by which dice are left to the next player, or dice and points."""
    return f"offer {dice} {points}" if points else f"offer {dice}"


def left_with_points(outcome: Outcome) -> int:
    """The dice that an end of a turn leaves to the other player together with its points; 0 for none."""
    rules = (attack.rule.split() for attack in outcome.attacks)
    return next((int(rule[1]) for rule in rules if rule[0] == "offer" and len(rule) > 2), 0)


def gift(points: int) -> str:
    """The rule by which points are given to the other player."""
    return f"gift {points}"


def after_attack(rules: RaceRules, player: Player, rule: str) -> Player:
    """What becomes of a player whom another one overtakes, throws off the barrel, or leaves something to."""
    name, *amounts = rule.split()
    if name == "offer":
        return player._replace(offered=int(amounts[0]), banked=int(amounts[1]) if len(amounts) > 1 else 0)
    if name == "gift":  # who has points has opened
        score = player.score + int(amounts[0])
        return Player(score) if score >= rules.match.target else player._replace(score=score, opened=True)
    if rule == "barrel":
        assert rules.barrel is not None
        if rules.barrel.thrown_off == "one step":
            return charge(rules, player._replace(score=rules.barrel.start - rules.match.step), 0)[0]
        return charge(rules, *fall_off(rules, player))[0]
    assert rules.overtaking is not None
    return charge(rules, player, rules.overtaking.fine)[0]


def attack_rules(rules: RaceRules) -> tuple[str, ...]:
    """Names of the rules by which a mover changes another player, in the order in which they act.

    Without offers of points: these are too many for a list, see ``solver.race.copying``.
    """
    found = tuple(name for name in ("barrel", "overtaking") if getattr(rules, name))
    if rules.inherited_dice and not rules.points_are_left():
        found += tuple(map(offer, range(1, rules.dice.count + 1)))
    if rules.match.overshoot == "given away":
        step = rules.match.step
        found += tuple(map(gift, range(step, rules.match.target - rules.least_score() + 1, step)))
    return found


def attacked_by(outcome: Outcome, score: int) -> str | None:
    """The rule by which an outcome changes another player with this score, if any: the first one counts."""
    return next((attack.rule for attack in outcome.attacks if attack.low <= score < attack.high), None)


def _delayed(rules: RaceRules, before: Player, outcome: Outcome, *, written: bool) -> Outcome:
    """The end of a turn with what a stop on an obstacle costs, or an extra turn that has not left one."""
    obstacles = rules.obstacles
    if obstacles is None:
        return outcome
    after = outcome.player._replace(extra=0)
    inside, began = obstacle(rules, after), obstacle(rules, before)
    stayed = inside is not None and inside == began
    at_once = obstacles.extra_turn_comes == "at once"
    if before.extra and stayed:
        if not obstacles.fine:  # the turn that is lost is the one that would follow: now, or in the next round
            return outcome._replace(player=after._replace(skips=1) if at_once else after)
        after, dumped = charge(rules, after, obstacles.fine)
        return outcome._replace(player=after, dumped=outcome.dumped or dumped, kept=not at_once)
    usual_follows = before.extra == 1 and not at_once
    costs = {"every stop": written, "arrival": written and not stayed, "every turn": written or stayed}
    if inside is None or not costs[obstacles.costs]:
        return outcome._replace(player=after, kept=usual_follows)
    if obstacles.extra_turn:
        return outcome._replace(player=after._replace(extra=1), kept=at_once or usual_follows)
    return outcome._replace(player=after._replace(skips=1))
