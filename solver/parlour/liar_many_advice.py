"""Advice for liar with any number of players, in the main with more than two."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from solver.parlour import liar_advice
from solver.parlour.answer import Answer, Option, percent
from solver.parlour.claims import draw
from solver.parlour.liar import SEATS, Cup, Rules, cup
from solver.parlour.liar_many import Match, Ring, Series, check_size, rings, solve
from solver.parlour.liar_series import (
    TREMBLE,
    Step,
    announce_values,
    doubt_payoffs,
    evaluate,
    forward,
    moves,
    replies,
    steps,
)
from solver.parlour.position import read_number, refuse
from solver.text import _

POSITION = ("dice", "claim", "state", "score", "vs", "players", "seed", "table", "solve", "warn", "working")
MOST_TOLD = 12
"""Rings of stakes that are listed where one cannot come up."""
SELDOM = 1e-4
"""With a smaller chance that the others bring a position about, it is told that they hardly do."""


class Place(NamedTuple):
    """Where a player decides: a node of the tree of announcements, and what is needed there."""

    step: Step
    """With the edges of this node alone."""
    number: int
    """Of the step in the whole tree."""
    node: int
    edges: Any
    """Their numbers."""
    reach: Any
    """How likely all hands are that are remembered, if everybody trembles a little: one node by ``Axes.state``."""
    chance: Any
    """The same without what the player chose himself, and without trembling."""


def advise(rules: Rules, ruleset: str, **stated: Any) -> Answer:
    """Advice for one position. PositionError if it cannot be. With two players it is that of ``liar_advice``.

    ``score`` holds your stakes and ``vs`` those of the others, from your left on with a / between them and 0 for who is
    out; ``claim`` holds all announcements of the series. With ``dice`` alone they are those accepted, and the answer is
    which to leave; with ``before`` in ``state`` (the dice that were accepted) they are those after the throw, and the
    answer is what to announce, as it is at the start of a series. Without dice the answer is whether to doubt; from
    your second turn on ``passed`` in ``state`` holds the dice that you passed on last.
    """
    players = read_number("--players", stated.pop("players", "2"), SEATS.low, SEATS.high)
    if players == 2:
        return liar_advice.advise(rules, ruleset, **stated)
    if "table" in stated:
        raise refuse("--table", stated["table"], _("only for two players"))
    check_size(rules, players)
    mine = _stakes(rules, players, stated)
    working = stated.get("working")
    if len(mine) == 2:
        _check_ring(rules, players, mine)
        return liar_advice.for_two(
            rules, ruleset, stated, (mine[0], mine[1]), lambda: _match(rules, players, working).values
        )
    known = cup(rules)
    claims = liar_advice.read_claims(known, stated.get("claim"), len(known.announcements))
    hands = _hands(rules, stated)
    hand = liar_advice.read_dice(rules, "--dice", stated["dice"]) if "dice" in stated else None
    _check(rules, stated, len(mine), claims, hand, hands)
    seat = len(claims) % len(mine)
    ring = tuple(mine[(place - seat) % len(mine)] for place in range(len(mine)))
    _check_ring(rules, players, ring)
    match = _match(rules, players, working)
    turn = _Turn(rules, ruleset, match, ring, seat, claims, stated.get("seed"))
    if hand is None:
        return turn.doubt(hands.get("passed")) if claims else turn.begin()
    if claims and "before" not in hands:
        return turn.leave(hand)
    return turn.announce(hands.get("before"), hand)


def _match(rules: Rules, players: int, working: Any) -> Match:
    if working is None:
        return solve(rules, players)
    with working(_("solving {title}").format(title=rules.title or rules.game)) as progress:
        return solve(rules, players, progress)


def _check_ring(rules: Rules, players: int, ring: Ring) -> None:
    """PositionError for stakes that cannot come up."""
    known = [other for other in rings((rules.stakes,) * players) if len(other) == len(ring)]
    if ring not in known:
        allowed = ", ".join("/".join(map(str, other)) for other in known[:MOST_TOLD])
        more = ", ..." if len(known) > MOST_TOLD else ""
        text = _("stakes that can come up; from the player who begins the series on: {rings}{more}")
        raise refuse("--score, --vs", "/".join(map(str, ring)), text.format(rings=allowed, more=more))


class _Turn:
    """One decision of a player."""

    def __init__(
        self, rules: Rules, ruleset: str, match: Match, ring: Ring, seat: int, claims: list[int], seed: str | None
    ) -> None:
        self.rules, self.ruleset, self.match, self.ring, self.seat = rules, ruleset, match, ring, seat
        self.claims, self.seed = claims, seed
        self.cup: Cup = cup(rules)
        self.series: Series = match.series[ring]
        self.payoffs = match.payoffs(ring)
        self.notes: tuple[str, ...] = ()

    def begin(self) -> Answer:
        return self._answer((_("You begin a series."),), None, [], float(self.series.worth[self.seat]))

    def leave(self, hand: int) -> Answer:
        place = self._place(self.claims)
        said = self.series.policy.announces[place.number][place.edges][:, hand]
        worth = self.cup.chances @ (self._announced(place, hand) * said).sum(axis=0)
        shares = self.series.policy.keeps[place.number][place.node, hand]
        options = [
            liar_advice.leave_option(self.rules, keep, float(worth[keep]), float(shares[keep]))
            for keep in np.flatnonzero(self.cup.within[hand]).tolist()
        ]
        heading = _("You have accepted {claim} and found {dice}.").format(
            claim=self.cup.announcements[self.claims[-1]], dice=liar_advice.spoken(self.cup, hand)
        )
        return self._answer((heading,), self.cup.hands[hand], options, float(worth @ shares))

    def announce(self, before: int | None, hand: int) -> Answer:
        place = self._place(self.claims)
        accepted = 0 if before is None else before
        worth = self._announced(place, accepted)[:, hand]
        shares = self.series.policy.announces[place.number][place.edges][:, accepted, hand]
        options = [
            liar_advice.announce_option(self.rules, hand, claim, value, share)
            for claim, value, share in zip(place.step.claim.tolist(), worth.tolist(), shares.tolist(), strict=True)
        ]
        heading = [_("Your dice: {dice}.").format(dice=liar_advice.spoken(self.cup, hand))]
        if self.claims:
            heading.append(
                _("More than {claim} must be announced.").format(claim=self.cup.announcements[self.claims[-1]])
            )
        facts = {"before": list(self.cup.hands[before]) if before is not None else None}
        return self._answer(tuple(heading), self.cup.hands[hand], options, float(worth @ shares), facts)

    def doubt(self, passed: int | None) -> Answer:
        place = self._place(self.claims[:-1])
        edge = place.step.claim.tolist().index(self.claims[-1])
        policy = self.series.policy
        one = _edges(place.step, [edge])
        moved = moves(one, self._keeps(place), policy.announces[place.number][place.edges[[edge]]])
        later = self._later(place)
        doubted = doubt_payoffs(self.rules, one, self.payoffs, self.seat)
        own = 0 if passed is None else passed
        # An announcement that is never made is thought of as a slip, whatever the dice.
        slips = np.maximum(moved, TREMBLE * self._thrown(place)[None])
        accepted = later[[edge]] if one.goes_on[0] else None
        found = replies(len(self.ring), one, place.reach, slips, doubted, accepted)
        real = replies(len(self.ring), one, place.chance, moved, doubted, accepted)
        self._tell_if_seldom(float(real.weight.sum()))
        weight = float(found.weight[0, own])
        share = float(policy.doubts[place.number][place.edges[edge], own])
        doubt = float(found.doubt[0, own]) / weight
        options = [Option(_("Doubt"), {"do": "doubt"}, doubt, share)]
        value = doubt
        if found.accept is not None:
            accept = float(found.accept[0, own]) / weight
            options.append(Option(_("Accept"), {"do": "accept"}, accept, 1.0 - share))
            value = share * doubt + (1.0 - share) * accept
        heading = [_("Your right neighbour announces {claim}.").format(claim=self.cup.announcements[self.claims[-1]])]
        if passed is not None:
            heading.append(_("You passed on {dice}.").format(dice=liar_advice.spoken(self.cup, passed)))
        facts = {"passed": list(self.cup.hands[passed]) if passed is not None else None}
        return self._answer(tuple(heading), None, options, value, facts)

    def _place(self, claims: list[int]) -> Place:
        """The node after these announcements, which were all accepted."""
        players, policy = len(self.ring), self.series.policy
        reach = chance = np.ones([1] * players)
        node = 0
        for number, (step, claim) in enumerate(zip(steps(self.rules, players), [*claims, None], strict=False)):
            edges = np.flatnonzero(step.parent == node)
            here = _edges(step, edges)
            if claim is None:
                return Place(here, number, node, edges, reach, chance)
            edge = edges[step.claim[edges] == claim]
            one = _edges(step, edge)
            thrown = policy.keeps[number][[node]] @ step.chances
            said, believed = policy.announces[number][edge], 1.0 - policy.doubts[number][edge]
            slip = np.maximum(said, TREMBLE), np.maximum(believed, TREMBLE)
            reach = forward(players, one, reach, np.maximum(thrown, TREMBLE**2) * slip[0], slip[1])
            own_said = np.ones_like(said) if step.holder == self.seat else said
            own_believed = np.ones_like(believed) if step.doubter == self.seat else believed
            chance = forward(players, one, chance, thrown * own_said, own_believed)
            node = int(step.goes_on[: edge[0]].sum())
        raise AssertionError("the highest announcement is never accepted")

    def _announced(self, place: Place, accepted: int) -> Any:
        """What each announcement is worth with each hand after the throw, given the dice that were accepted."""
        self._tell_if_seldom(float(place.chance[..., accepted].sum()))
        policy = self.series.policy
        doubted = doubt_payoffs(self.rules, place.step, self.payoffs, self.seat)
        later = self._later(place)
        later = later[place.step.goes_on] if place.step.goes_on.any() else None
        value = announce_values(
            len(self.ring), place.step, place.reach, policy.doubts[place.number][place.edges], doubted, later
        )
        return value[:, accepted] / place.reach[..., accepted].sum()

    def _later(self, place: Place) -> Any:
        """For each edge, what the node after it is worth to the player; nothing that counts for the highest."""
        players = len(self.ring)
        worth = evaluate(self.rules, players, self.series.policy, self.payoffs, self.seat)
        if place.number + 1 == len(worth):
            return np.zeros((len(place.edges), 1))
        step = steps(self.rules, players)[place.number]
        after = np.cumsum(step.goes_on) - 1
        return worth[place.number + 1][np.maximum(after[place.edges], 0)]

    def _keeps(self, place: Place) -> Any:
        return self.series.policy.keeps[place.number][[place.node]]

    def _thrown(self, place: Place) -> Any:
        return (self._keeps(place) @ place.step.chances)[0]

    def _tell_if_seldom(self, chance: float) -> None:
        if chance < SELDOM:
            self.notes = (_("By these strategies the others hardly ever bring this about; it is taken for a slip."),)

    def _answer(
        self,
        heading: tuple[str, ...],
        throw: tuple[int, ...] | None,
        options: list[Option],
        value: float,
        facts: dict[str, Any] | None = None,
    ) -> Answer:
        size = len(self.ring)
        mine, *others = (self.ring[(self.seat + place) % size] for place in range(size))
        gain = float(self.series.best[self.seat] - self.series.worth[self.seat])
        said = [liar_advice.fact(self.cup, claim) for claim in self.claims]
        first = [
            _("You have {mine} of the stakes, the others from your left {theirs}.").format(
                mine=mine, theirs=", ".join(map(str, others))
            )
        ]
        if self.claims:
            spoken = ", ".join(str(self.cup.announcements[claim]) for claim in self.claims)
            first.append(_("Announced so far: {claims}.").format(claims=spoken))
        ordered = liar_advice.in_order(options)
        return Answer(
            self.ruleset,
            self.rules,
            percent(_("to win the game")),
            {"stakes": mine, "other_stakes": others, "claims": said, **(facts or {})},
            throw,
            (*first, *heading),
            ordered,
            value,
            0.0,
            (
                *self.notes,
                _(
                    "From the start of this series on, a best answer to the others would win you {percent:.2g} % more "
                    "than these mixes."
                ).format(percent=100.0 * gain),
                _("With more than two players there is no one value: other strategies may hold as well."),
            ),
            draw(self.seed, ordered),
            {"gain": gain, "quality": "estimated", "error_bound": None},
        )


def _edges(step: Step, edges: Any) -> Step:
    """A step with some edges of one node alone."""
    return step._replace(
        parent=np.zeros(len(edges), dtype=int),
        first=np.array([0]),
        claim=step.claim[edges],
        goes_on=step.goes_on[edges],
    )


def _stakes(rules: Rules, players: int, stated: dict[str, Any]) -> Ring:
    """Your stakes, and those of the others who are in, from your left on."""
    most = players * rules.stakes
    mine = read_number("--score", stated["score"], 1, most) if "score" in stated else rules.stakes
    parts = stated["vs"].split("/") if "vs" in stated else [str(rules.stakes)] * (players - 1)
    if len(parts) != players - 1:
        allowed = _("the stakes of {count} others from your left on, with / between them, and 0 for who is out")
        raise refuse("--vs", stated["vs"], allowed.format(count=players - 1))
    others = [read_number("--vs", part, 0, most) for part in parts]
    found = (mine, *(stakes for stakes in others if stakes))
    if len(found) == 1:
        raise refuse("--vs", stated["vs"], _("somebody else with a stake"))
    return found


def _hands(rules: Rules, stated: dict[str, Any]) -> dict[str, int]:
    """Dice that are told as facts."""
    found: dict[str, int] = {}
    for part in stated["state"].split(",") if "state" in stated else []:
        name, equals, value = part.partition("=")
        name = name.strip()
        if name not in ("before", "passed") or not equals or name in found:
            allowed = _("before= and the dice that were accepted, passed= and those that you passed on, each once")
            raise refuse("--state", stated["state"], allowed)
        found[name] = liar_advice.read_dice(rules, "--state", ",".join(value.strip()))
    return found


def _check(
    rules: Rules, stated: dict[str, Any], players: int, claims: list[int], hand: int | None, hands: dict[str, int]
) -> None:
    """PositionError for what does not fit together, before anything is solved."""
    if "seed" in stated:
        draw(stated["seed"], [Option("", {}, 0.0, 1.0)])
    if any(later <= sooner for sooner, later in pairwise(claims)):
        raise refuse("--claim", stated["claim"], _("each above the one before"))
    top = len(cup(rules).announcements) - 1
    if claims and claims[-1] == top and hand is not None:
        raise refuse("--claim", stated["claim"], _("not the highest, which must be doubted"))
    if "before" in hands and (hand is None or not claims):
        raise refuse("--state", stated["state"], _("before only with --dice and --claim"))
    passed = hand is None and len(claims) >= players
    if passed != ("passed" in hands):
        allowed = (
            _("passed= and the dice that you passed on a round ago, such as passed=3")
            if passed
            else _("passed only where you doubt or accept in your second turn of a series")
        )
        raise refuse("--state", stated.get("state", ""), allowed)
