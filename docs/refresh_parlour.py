"""Write the pages about the small games anew: rules in force and results are those of the code."""

from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from solver.families import load_rules, read_ruleset
from solver.parlour.family import odds
from solver.parlour.odds import describe
from solver.parlour.rules import ParlourRules
from solver.reference import reference, toml
from solver.ruleset import Ruleset, load_ruleset
from solver.schema import write_section

FOLDER = Path(__file__).parent / "parlour"
COMMON = ("family", "game", "title", "about")


class Case(NamedTuple):
    """One table of results: a ruleset, perhaps changed, for so many players."""

    ruleset: str
    players: int | None = None
    changes: dict[str, Any] = {}  # noqa: RUF012 (never changed)


class Page(NamedTuple):
    """What a page says, beside what is generated."""

    title: str
    rules: str
    cases: list[Case]
    how: str


PAGES = {
    "craps": Page(
        "Craps",
        "Two dice. The first sum wins or loses at once, or becomes the point, which must then come again before the "
        "seven. Nothing is chosen.",
        [Case("craps-standard"), Case("craps-literal")],
        "Given a point of chance p and a seven of chance s, the point comes first with chance p / (p + s), and the "
        "wait is 1 / (p + s) throws. The tests solve the Markov chain of all throws instead and find the same. "
        "`against` figures are those of the bet that the shooter loses, where the barred sum pays nothing. One source "
        "prints 2, 8 and 12 as losing sums, which looks like a slip for 2, 3 and 12; both are kept.",
    ),
    "four-dice": Page(
        "Four dice",
        "One player wins if a six is among the dice, the other if none is.",
        [Case("four-dice")],
        "Binomial chances; the tests count all 1296 throws.",
    ),
    "dice-bank": Page(
        "Bank on dice",
        "A stake on a number is paid once, twice or three times as one, two or three dice show it; else it is lost.",
        [Case("dice-bank")],
        "Binomial chances; the tests count all 216 throws. Three dice on the number come once in 216 throws.",
    ),
    "high-dice": Page(
        "High dice",
        "The banker throws two dice, and the punter must throw more. With two or three throws he may pay instead of "
        "throwing again; failed throws cost a stake each, and a late success wins one stake. Two keys choose the other "
        "readings: compulsory throws, and a gain of as many stakes as throws.",
        [Case("high-dice"), Case("high-dice-2"), Case("high-dice-3")],
        "Backwards over the failed throws, for each sum of the banker. The tests try every number of throws against "
        "every sum. With one throw the banker has the better of it; with two or three the punter has, so the saying "
        "that three throws ruin the banker holds, though only where the punter may decline: all throws compulsory, he "
        "loses 913/5184 and 93337/419904 of a stake.",
    ),
    "drop-dead": Page(
        "Drop Dead",
        "Five dice. A throw without 2 and 5 scores its sum; dice that show one are set aside, until none is left. The "
        "highest total wins, and ties share.",
        [Case("drop-dead", 2), Case("drop-dead", 4)],
        "The expected score with n dice is that of one throw and of what is left. Chances of single scores come from "
        "the same equations, score by score, as fractions; the figures that compare players sum them in decimals, up "
        "to where the rest of the mean is below 1e-14, and that rest is part of the bound. The tests solve the chain "
        "of all throws.",
    ),
    "chicago": Page(
        "Chicago",
        "Eleven rounds ask for the sums 2 to 12, which are worth as many points. Either players throw in turn until "
        "one hits, and he alone scores, or all throw once and every hit scores.",
        [Case("chicago-first-hit", 2), Case("chicago-first-hit", 3), Case("chicago-one-throw", 2)],
        "The first to hit is player i of n with chance p (1 - p)^(i - 1) / (1 - (1 - p)^n). The totals of all players "
        "are carried through the rounds as whole numbers over one denominator. The tests list every way to win the "
        "rounds of smaller dice.",
    ),
    "aces": Page(
        "Aces",
        "Each player has five dice and throws all that he has: ones go to the centre, twos to the left, fives to the "
        "right. Who throws the last one with the last die loses.",
        [Case("aces", 2), Case("aces", 3)],
        "The dice outside the centre never grow in number, so the positions are solved level by level: for two players "
        "as linear equations in fractions, for more in decimals. There each error is bounded by the same equations "
        "with the remainders on their right side. The tests solve small games as Markov chains of all throws, in "
        "fractions. The game is for 2 to 4 players here, since 5 would have some 140,000 positions.",
    ),
    "buck-dice": Page(
        "Buck dice",
        "Three dice. Each die on the game point is a mark; three equal dice off the point are 5, and three on it are "
        "15 whatever the total was. A throw without marks ends the turn. With 15 or more a player is out; the last one "
        "in pays 1 to each other, and 2 to one who left with three dice on the point.",
        [Case("buck-dice", 2), Case("buck-dice", 3)],
        "Players do not touch each other, so all that matters is in which of his turns each gets out. That is a "
        "sequence of terms c z^t C(t, j), and chances for any number of seats are sums of products of such sequences, "
        "in closed form and exact. The tests solve the chain of all throws for two and three players.",
    ),
    "martinetti": Page(
        "Martinetti, or Ohio",
        "Three dice. The chip needs 1, then 2, and so on to 12; single dice and their sums count, each die once in a "
        "throw. Whoever moves throws on. Perfect players overlook nothing, so no number is left to a neighbour.",
        [Case("martinetti", 2), Case("martinetti", 3)],
        "As for buck dice: the turn in which each player arrives, and sums of products of sequences. `advise` lists "
        "all ways to use a throw; the farthest is always best. The tests solve the chain of all throws, and compare "
        "with the published 34.173467460516 throws for the way there and back with dice used freely.",
    ),
    "thirteen": Page(
        "Thirteen",
        "Two dice, one of them numbered from 2 to 7. A series has five throws: the first is the total, each later one "
        "is added, subtracted, or added two, three or four times, or as half, third or quarter where that is whole. "
        "The best multiple of 13 that the total was counts once, as one mark for each 13. Ten marks win.",
        [Case("thirteen", 2), Case("thirteen-eleven", 1), Case("thirteen-seventeen", 1)],
        "Backwards over the throws, for all totals and marks at once; expected marks are whole numbers over 36^5 and "
        "so exact. The ways to ten marks are solved by policy iteration, since a series without marks repeats the "
        "position; two more evaluations around each value prove its bound. The tests try every operation in fractions.",
    ),
    "showdown": Page(
        "Showdown poker and Indian dice",
        "Five dice, up to three throws. From high: five, four, full house, three, two pairs, pair, nothing; then the "
        "faces of the combination, then the sum of all dice. Players throw in turn and see all hands before theirs; "
        "equal best hands share the win. In showdown poker, dice that were left after the first throw stay. In Indian "
        "dice any may be thrown again, and nobody may throw more often than the first player did. In the two-throw "
        "game equal hands are played again, and two games win.",
        [
            Case("dice-poker-showdown", 2),
            Case("dice-poker-showdown", 3),
            Case("dice-poker-showdown-low", 2),
            Case("dice-poker-showdown-no-triple", 2),
            Case("dice-poker-witcher", 2),
            Case("indian-dice", 2),
            Case("indian-dice", 3),
        ],
        "From the last player back, for every hand to beat and every number of players who hold it, on the lattice of "
        "252 hands and 462 ways to keep dice; all in whole numbers, so that the chances are exact. Each player does "
        "the best for himself; of equal choices the one that keeps more dice is taken. A replayed tie is worth what "
        "the game is worth: policies are improved until that fraction repeats. The tests try every keep after every "
        "throw, one hand at a time. The saying that the first of Indian dice may stop early to cut the others short "
        "is right: how often he does is told above.",
    ),
    "bluff": Page(
        "Bluff",
        "The leader throws five dice unseen and announces any hand, with all faces and the sum. The other doubts it, "
        "and wins if the dice are lower, or accepts and throws five dice against it. Keys give either more throws.",
        [Case("bluff"), Case("bluff-real-dice")],
        "The leader's value depends on one number, what the best lie is worth; it is convex and piecewise linear in "
        "that, and cutting planes find its lowest point exactly. His lies make the other indifferent. Both strategies "
        "are fractions, and the last figure is what best answers to them gain, found without the solution: nothing. "
        "Where the answer must beat the real dice, announcing has no influence.",
    ),
    "liar": Page(
        "Liar",
        "Dice under a cup go from player to player. Whoever has them leaves some, throws the others, looks and "
        "announces more than the last announcement. The other accepts, and gets the cup, or doubts. A doubter who is "
        "wrong pays a stake to the centre; a liar who is caught pays one to the centre and one to the doubter. The "
        "last with a stake wins. An announcement names a combination and its main face; it is true if the dice are at "
        "least as good.",
        [
            Case("liar", 2, {"dice": 1, "stakes": 1}),
            Case("liar", 2, {"dice": 1}),
            Case("liar", 2, {"dice": 2, "stakes": 1}),
            Case("liar", 2, {"dice": 2}),
            Case("liar", 2, {"dice": 3, "stakes": 1}),
            Case("liar", 2),
            Case("liar", 3, {"dice": 1, "stakes": 1}),
            Case("liar", 4, {"dice": 1, "stakes": 1}),
            Case("liar", 3, {"dice": 1}),
            Case("liar", 3, {"dice": 2, "stakes": 1}),
        ],
        "With two players accepted dice are known to both, so the game falls apart into games of one signal: for each "
        "dice in the cup, each announcement and each pair of stakes one small game, from the highest announcement "
        "down. All that is known to both is the dice, the announcement and the stakes: 252 hands, 37 announcements and "
        "11 pairs of stakes with five dice. In each game the one who announces picks what to leave, and for each of "
        "the 252 results what to say; the other, for each announcement, whether to doubt.\n\n"
        "With up to four dice each is one linear program in the sequence form. With five that takes hours, so there "
        "both sides learn by counterfactual regrets (CFR+) until best answers gain at most a quarter of the tolerance "
        "in each game. Nothing is random. Either way doubts and lies are rated by best answers, here and in all later "
        "games, and the value lies between what these find: the bound told above is that of the worst position, so "
        "a best answer to the strategies of either player wins at most twice as much more than the value. Hands with "
        "the same useful dice share their strategies, which saves most of the work. The tests list all pure strategies "
        "of a small cup, play best answers to a small game by brute force, and compare both methods.\n\n"
        "How far this reaches: on two shared cores of a server processor, one stake each took 20 seconds of processor "
        "time with four dice by linear programs. Five dice and three stakes took some five minutes by regrets; the "
        "table comes with the package, so that `advise` answers at once. `kosti solve liar --tolerance 1e-4` takes "
        "longer and proves more; below 1e-5 linear programs are used again, in the order of hours. An interrupted "
        "solve is taken up again. `advise` solves the position at hand anew as a linear program upon the values of the "
        "table, and says how much its mix may give away.\n\n"
        "With three players or more, who must doubt or accept has not seen the dice that were accepted just before, "
        "but those that he passed on himself a round ago, and he heard all that was announced since. So a series does "
        "not fall apart, and the game is not zero-sum: the same rules may have several equilibria, with other "
        "chances, and no value is the only one. One set of strategies is found by counterfactual regrets (CFR+, with "
        "the last round once more), series by series from the fewest stakes up; with two left, the exact values above "
        "take over. Strategies know all announcements of the series and the dice of the last round, and forget those "
        "of before. That these hold is not assumed but measured: for each player, a best answer that remembers "
        "everything is worked out for the whole match, by code that knows nothing of how the strategies were found, "
        "and its gain is told. The tests compare it with brute force over all that a player may know, find the exact "
        "value of two players by the same rounds, and play games with dice. Another machine may round otherwise and "
        "come to somewhat other chances; the gains told are those of the strategies at hand.\n\n"
        "How far that reaches: on the same cores one die and one stake each took two seconds of processor time, one "
        "die and three stakes 17 seconds, two dice and one stake a minute; what was found is kept in the cache, series "
        "by series. By an estimate, the longest that are not refused take an hour: two dice and three stakes, or four "
        "players with two dice and one stake, or with one die and three. Three dice are refused, with the "
        "estimate.\n\n"
        "`advise --players 3` wants your stakes (`--score 2`) and those of the others from your left on (`--vs 1/3`, "
        'with 0 for who is out), all announcements of the series (`--claim "high 2/high 4"`), where you announce the '
        "dice that you had accepted (`--state before=3`), and where you doubt or accept in your second turn of a "
        "series those that you passed on (`--state passed=3`).",
    ),
    "liars-dice": Page(
        "Liar's dice",
        "Two players with hidden dice bid how many of all dice show a face, each bid above the one before, until one "
        "calls; the bidder wins if so many dice do. Ones may be plain, wild, or count twice, and stand lowest or "
        "highest; which bids may follow is a key as well.",
        [
            Case("liars-dice"),
            Case("liars-dice", None, {"faces": 4}),
            Case("liars-dice", None, {"dice": [2, 1], "faces": 3}),
        ],
        "The whole tree of bids as one linear program in the sequence form; the second player's strategy is its dual. "
        "Trees of more than 60,000 nodes times throws are played by counterfactual regrets (CFR+) instead, all nodes "
        "of one depth at once, for 200 rounds; nothing is random. Both are rated by best answers on the tree, which "
        "know nothing of how the strategies were found: the value lies within what they gain. Two dice against one "
        "with six faces are 262,144 nodes times 21 throws, the largest that is not refused, and take some minutes. The "
        "tests compare with the published values for one against one and two against one die of up to six faces, and "
        "both methods with one another.",
    ),
}


KEYS = """# Rulesets of the small games

A ruleset is a text file, see [Writing your own ruleset](../rulesets.md). Those of the small games name the `game` and
change some of its keys:

```toml
extends = "liar"
title = "Liar with three dice"
dice = 3
```

Below are all keys of each game. `kosti rules reference --family parlour` tells the same of the version that you have
installed.
"""


def rules_of(case: Case) -> ParlourRules:
    """The rules of a case."""
    loaded = load_ruleset(case.ruleset)
    found = read_ruleset(Ruleset(loaded.name, {**loaded.data, **case.changes}, loaded.origins))
    assert isinstance(found, ParlourRules)
    return found


def page(name: str) -> str:
    """A whole page in Markdown."""
    about = PAGES[name]
    lines = [f"# {about.title}", "", *_wrapped(about.rules), "", "## Rules in force", ""]
    shipped = list(dict.fromkeys(case.ruleset for case in about.cases))
    values = [write_section(load_rules(ruleset)) for ruleset in shipped]
    lines += [_row(["key", "meaning", *(f"`{ruleset}`" for ruleset in shipped)]), _row(["---"] * (2 + len(shipped)))]
    for key, known in type(rules_of(about.cases[0])).keys.items():
        if key not in COMMON:
            lines.append(_row([f"`{key}`", known.sentence, *(f"`{toml(each[key])}`" for each in values)]))
    lines += ["", "## Results", ""]
    for case in about.cases:
        changed = "".join(f", `{key} = {toml(value)}`" for key, value in case.changes.items())
        players = f", {case.players} players" if case.players and case.players > 1 else ""
        lines += [f"`{case.ruleset}`{changed}{players}:", "", "```text"]
        lines += [*describe(odds(rules_of(case), case.players)), "```", ""]
    lines += [
        "Where a fraction is too long for a line, `kosti odds --json` tells it.",
        "",
        "## How it was computed",
        "",
    ]
    return "\n".join([*lines, *_wrapped(about.how), ""])


def keys_page() -> str:
    """What ruleset files of small games may say, in Markdown."""
    return f"{KEYS}\n{reference('parlour')}\n"


def _wrapped(text: str) -> list[str]:
    return "\n\n".join(fill(part, 120, break_on_hyphens=False) for part in text.split("\n\n")).split("\n")


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in PAGES:
        (FOLDER / f"{name}.md").write_text(page(name))
    (FOLDER / "rulesets.md").write_text(keys_page())
