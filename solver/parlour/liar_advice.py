"""Advice for liar with two players: which dice to leave, what to announce, and whether to doubt."""

from collections.abc import Callable
from typing import Any

from solver.errors import TableError
from solver.parlour.answer import Answer, Option, percent
from solver.parlour.claims import draw, read_claim
from solver.parlour.hands import FULL, TWO_PAIRS
from solver.parlour.liar import Announcement, Cup, Rules, cup, stake_pairs
from solver.parlour.liar_table import Values, make_table
from solver.parlour.position import faces_of, read_faces, read_number, refuse
from solver.parlour.signals import Equilibrium, reply_values
from solver.text import _, plural

LEAST_SHARE = 5e-7
"""Less than this is not told: it is how far a linear program may be off."""


def advise(rules: Rules, ruleset: str, **stated: Any) -> Answer:
    """Advice for one position. PositionError if it cannot be.

    The announcement that stands is ``claim``. With ``dice`` alone they are those accepted with it, and the answer is
    which to leave; with ``state`` as well (the dice that were accepted) they are those after the throw, and the answer
    is what to announce, as it is at the start of a series, with dice and no claim. With a claim and no dice the answer
    is whether to doubt it; before it, with a / between them, comes the claim that had been accepted, with its dice in
    ``state``.
    """
    return for_two(rules, ruleset, stated, _stakes(rules, stated), lambda: _values(rules, stated))


def for_two(
    rules: Rules, ruleset: str, stated: dict[str, Any], stakes: tuple[int, int], find: Callable[[], Values]
) -> Answer:
    """Advice with two left; ``find`` gives the values once the position is known to be sound."""
    known = cup(rules)
    claims = read_claims(known, stated.get("claim"), 2)
    hand = read_dice(rules, "--dice", stated["dice"]) if "dice" in stated else None
    before = _before(rules, stated)
    _check(known, stated, claims, hand is not None, before is not None)
    values = find()
    seed = stated.get("seed")
    standing = claims[-1] if claims else -1
    if hand is None:
        return (
            _doubt(rules, ruleset, values, stakes, before, claims, seed)
            if claims
            else _begin(rules, ruleset, values, stakes)
        )
    if claims and before is None:
        return _leave(rules, ruleset, values, stakes, hand, standing, seed)
    return _announce(rules, ruleset, values, stakes, before, hand, standing, seed)


def _check(known: Cup, stated: dict[str, Any], claims: list[int], dice: bool, before: bool) -> None:  # noqa: FBT001
    """PositionError for what does not fit together, before a table is looked for or made."""
    if "seed" in stated:
        draw(stated["seed"], [Option("", {}, 0.0, 1.0)])
    if not claims and before:
        raise refuse("--state", stated["state"], _("only with --claim, the announcement that was accepted"))
    if dice and len(claims) > 1:
        raise refuse("--claim", stated["claim"], _("only the announcement that stands, with --dice"))
    if dice and claims and claims[-1] == len(known.announcements) - 1:
        raise refuse("--claim", stated["claim"], _("not the highest, which must be doubted"))
    if not dice and claims and (len(claims) == 2) != before:
        allowed = _("one accepted and one new, with / between, just when --state has the dice accepted")
        raise refuse("--claim", stated["claim"], allowed)
    if len(claims) == 2 and claims[1] <= claims[0]:
        raise refuse("--claim", stated["claim"], _("each above the one before"))


def _begin(rules: Rules, ruleset: str, values: Values, stakes: tuple[int, int]) -> Answer:
    return _answer(
        rules, ruleset, stakes, {}, None, (_("You begin a series."),), (), values.starts[stakes], None, values, None
    )


def _leave(
    rules: Rules, ruleset: str, values: Values, stakes: tuple[int, int], hand: int, claim: int, seed: str | None
) -> Answer:
    known = cup(rules)
    solved, keeps = values.solved(rules, stakes, hand, claim)
    game = values.game(rules, stakes, claim)
    worth = game.chances[keeps] @ reply_values(game, solved.doubt)
    options = [
        leave_option(rules, keep, value, share)
        for keep, share, value in zip(keeps.tolist(), solved.sources, worth.tolist(), strict=True)
    ]
    text = _("You have accepted {claim} and found {dice}.")
    heading = text.format(claim=known.announcements[claim], dice=spoken(known, hand))
    return _answer(
        rules,
        ruleset,
        stakes,
        {"claim": fact(known, claim)},
        known.hands[hand],
        (heading,),
        in_order(options),
        max(worth.tolist()),
        seed,
        values,
        solved,
    )


def _announce(
    rules: Rules,
    ruleset: str,
    values: Values,
    stakes: tuple[int, int],
    before: int | None,
    hand: int,
    claim: int,
    seed: str | None,
) -> Answer:
    known = cup(rules)
    solved, _keeps = values.solved(rules, stakes, before, claim)
    game = values.game(rules, stakes, claim)
    worth = game.accepted[hand] + solved.doubt * (game.doubted[hand] - game.accepted[hand])
    shares = _announcement_shares(solved, hand, worth)
    options = [
        announce_option(rules, hand, number, value, share)
        for number, value, share in zip(range(claim + 1, len(known.announcements)), worth.tolist(), shares, strict=True)
    ]
    heading = [_("Your dice: {dice}.").format(dice=spoken(known, hand))]
    if claim >= 0:
        heading.append(_("More than {claim} must be announced.").format(claim=known.announcements[claim]))
    state = {
        "claim": fact(known, claim) if claim >= 0 else None,
        "before": list(known.hands[before]) if before is not None else None,
    }
    return _answer(
        rules,
        ruleset,
        stakes,
        state,
        known.hands[hand],
        tuple(heading),
        in_order(options),
        float(worth.max()),
        seed,
        values,
        solved,
    )


def _announcement_shares(solved: Equilibrium, hand: int, worth: Any) -> list[float]:
    """How often each announcement is made; a hand that equilibrium play never has announces what is best."""
    total = float(solved.sent[hand].sum())
    if total > 0.0:
        return [float(part) / total for part in solved.sent[hand]]
    best = int(worth.argmax())
    return [float(number == best) for number in range(len(worth))]


def _doubt(
    rules: Rules,
    ruleset: str,
    values: Values,
    stakes: tuple[int, int],
    before: int | None,
    claims: list[int],
    seed: str | None,
) -> Answer:
    known = cup(rules)
    claim, standing = claims[-1], claims[0] if len(claims) == 2 else -1
    other = stakes[::-1]
    solved, _keeps = values.solved(rules, other, before, standing)
    game = values.game(rules, other, standing)
    signal = claim - standing - 1
    share = float(solved.doubt[signal])
    sent = solved.sent[:, signal]
    notes: tuple[str, ...] = ()
    if sent.sum() > LEAST_SHARE:
        doubt, accept = (
            1.0 - float(sent @ part[:, signal]) / float(sent.sum()) for part in (game.doubted, game.accepted)
        )
    else:
        # Nothing is known of who does what he never should; what can be said is what the doubts are held to.
        doubt = accept = 1.0 - solved.high
        notes = (_("Best play never announces this here; so often a doubt keeps it from paying."),)
    options = [Option(_("Doubt"), {"do": "doubt"}, doubt, share)]
    if not game.must_doubt[signal]:
        options.append(Option(_("Accept"), {"do": "accept"}, accept, 1.0 - share))
    value = share * doubt + (1.0 - share) * accept
    heading = _("The other announces {claim}.").format(claim=known.announcements[claim])
    state = {"claim": fact(known, claim), "before": list(known.hands[before]) if before is not None else None}
    answer = _answer(rules, ruleset, stakes, state, None, (heading,), in_order(options), value, seed, values, solved)
    return answer._replace(notes=(*notes, *answer.notes))


def _answer(
    rules: Rules,
    ruleset: str,
    stakes: tuple[int, int],
    state: dict[str, Any],
    throw: tuple[int, ...] | None,
    heading: tuple[str, ...],
    options: tuple[Option, ...],
    value: float,
    seed: str | None,
    values: Values,
    solved: Equilibrium | None,
) -> Answer:
    notes: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    if solved is not None:
        # Later values are only known within the bound of the table, on both sides.
        gain = max(0.0, solved.high - solved.low) + 2.0 * values.bound
        facts = {"exploitability": gain}
        text = _("By this mix you give away at most {percent:.2g} % of a game, even to somebody who knows it.")
        notes = (text.format(percent=100.0 * gain),)
    first = _("You have {mine} of the stakes, the other {theirs}.").format(mine=stakes[0], theirs=stakes[1])
    return Answer(
        ruleset,
        rules,
        percent(_("to win the game")),
        {"stakes": stakes[0], "other_stakes": stakes[1], **state},
        throw,
        (first, *heading),
        options,
        value,
        values.bound,
        notes,
        draw(seed, options),
        facts,
    )


def leave_option(rules: Rules, keep: int, value: float, share: float) -> Option:
    """To leave dice in the cup, ``Cup.keeps`` of that number."""
    left = cup(rules).keeps[keep]
    count = rules.dice - len(left)
    words = plural("Leave {dice} and throw {count} die", "Leave {dice} and throw {count} dice", count)
    told = " ".join(map(str, left)) if left else _("nothing")
    return Option(words.format(dice=told, count=count), {"hold": list(left), "throw": count}, value, share)


def announce_option(rules: Rules, hand: int, claim: int, value: float, share: float) -> Option:
    """To announce something, with this hand in the cup."""
    known = cup(rules)
    words = _("Announce {claim}").format(claim=known.announcements[claim])
    facts = {"announce": fact(known, claim), "true": bool(known.own[hand] >= claim)}
    return Option(words, facts, value, share)


def in_order(options: list[Option]) -> tuple[Option, ...]:
    """The most frequent first; of equals, the best. Shares are freed of the error of a solver, and add up to 1."""
    shares = [share if (share := option.share or 0.0) >= LEAST_SHARE else 0.0 for option in options]
    total = sum(shares)
    told = [option._replace(share=share / total) for option, share in zip(options, shares, strict=True)]
    return tuple(sorted(told, key=lambda option: (-(option.share or 0.0), -option.value)))


def spoken(known: Cup, hand: int) -> str:
    """A hand as it is said."""
    return " ".join(map(str, known.hands[hand]))


def fact(known: Cup, claim: int) -> dict[str, Any]:
    """An announcement as data."""
    found = known.announcements[claim]
    return {"class": found.name, "face": found.face}


def _stakes(rules: Rules, stated: dict[str, Any]) -> tuple[int, int]:
    most = 2 * rules.stakes
    mine, theirs = (
        read_number(option, stated[name], 1, most) if (name := option[2:]) in stated else rules.stakes
        for option in ("--score", "--vs")
    )
    if (mine, theirs) not in stake_pairs(rules):
        allowed = ", ".join(f"{one} and {other}" for one, other in stake_pairs(rules))
        raise refuse("--score", f"{mine}, --vs {theirs}", _("stakes that can come up: {pairs}").format(pairs=allowed))
    return mine, theirs


def read_dice(rules: Rules, option: str, text: str) -> int:
    """The number of a hand that is stated on the command line."""
    return cup(rules).hand_number[read_faces(option, text, faces_of(rules.faces), (rules.dice,))]


def _before(rules: Rules, stated: dict[str, Any]) -> int | None:
    if "state" not in stated:
        return None
    name, equals, value = stated["state"].partition("=")
    if name.strip() != "before" or not equals:
        raise refuse("--state", stated["state"], _("before= and the dice that were accepted, such as before=33556"))
    return read_dice(rules, "--state", ",".join(value.replace(",", "").strip()))


def read_claims(known: Cup, text: str | None, most: int) -> list[int]:
    """The numbers of announcements that are stated with / between them."""
    found = []
    for part in text.split("/") if text else []:
        name, numbers = read_claim("--claim", part, faces_of(6))
        main, *others = numbers
        # The second face tells nothing here, but one that cannot be is a slip: two pairs 3 5 are two pairs 5 3.
        faces = {face for hand in known.hands for face in hand}
        seconds = {TWO_PAIRS: faces & set(range(main)), FULL: faces - {main}}.get(name, set())
        if len(others) > 1 or any(other not in seconds for other in others):
            allowed = _("after its main face only the other of a full house, or the lower of two pairs")
            raise refuse("--claim", part.strip(), allowed)
        claim = Announcement(name, main)
        if claim not in known.announcements:
            options = ", ".join(str(other) for other in known.announcements)
            raise refuse("--claim", part.strip(), options)
        found.append(known.announcements.index(claim))
    if len(found) > most:
        raise refuse("--claim", text, _("at most {most} announcements").format(most=most))
    return found


def _values(rules: Rules, stated: dict[str, Any]) -> Values:
    from solver.library import find_table

    file = stated.get("table")
    solve = stated.get("solve")
    try:
        table = find_table(
            rules,
            "win",
            file=file,
            solve=(lambda: solve(rules, "win")) if solve else (lambda: make_table(rules)),
            warn=stated.get("warn"),
        )
    except TableError as error:
        raise TableError(f"--table: {error}" if file is not None else str(error)) from None
    return Values(rules, table)
