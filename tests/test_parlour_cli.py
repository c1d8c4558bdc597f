"""The small games on the command line: odds, advice, and what is refused."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from processes import Run

from solver.families import advise_by, load_rules, solve_table
from solver.ruleset import shipped_names

PARLOUR = [name for name in shipped_names() if load_rules(name).family == "parlour"]
QUICK = [name for name in PARLOUR if not name.startswith("liar")]


@pytest.mark.parametrize("name", PARLOUR)
def test_every_ruleset_is_in_order(name: str, kosti: Run) -> None:
    assert kosti("rules", "check", name).result == f"{name}: in order\n"
    assert 'family = "parlour"' in kosti("rules", "show", name).result


@pytest.mark.parametrize("name", QUICK)
def test_every_game_has_odds(name: str, kosti: Run) -> None:
    found = json.loads(kosti("odds", name, "--json").result)
    assert found["ruleset"] == name
    assert found["figures"]
    for figure in found["figures"]:
        assert figure["quality"] in ("exact", "certified")
        assert (figure["quality"] == "exact") == ("fraction" in figure)
        assert figure["bound"] < 1e-8


def test_distributions_add_up(kosti: Run) -> None:
    for name in QUICK:
        for distribution in json.loads(kosti("odds", name, "--json").result)["distributions"]:
            if distribution["name"] != "payoff_by_banker":
                total = sum(row["decimal"] for row in distribution["results"]) + distribution["rest"]["decimal"]
                assert abs(total - 1.0) < 1e-12, (name, distribution["name"])


@pytest.mark.parametrize(("one", "other"), [("craps-standard", "craps-literal"), ("four-dice", "pig"), ("pig", "aces")])
def test_differences_are_told_also_between_families(one: str, other: str, kosti: Run) -> None:
    told = kosti("rules", "diff", one, other).result
    assert "lose_sums" in told or "family" in told
    found = json.loads(kosti("rules", "diff", one, other, "--json").result)
    assert not found["same"]


def test_more_players_than_can_be_worked_out_are_refused(kosti: Run, tmp_path: Path) -> None:
    for text, players, most in [
        ('extends = "buck-dice"\ntarget = 50', 3, 2),
        ('extends = "martinetti"\nfields = 18\nroute = "up and back"', 4, 3),
    ]:
        (tmp_path / "long.toml").write_text(text)
        refusal = kosti("odds", tmp_path / "long.toml", "--players", players).refusal
        assert f"--players: {players}; allowed: at most {most}" in refusal


def test_odds_are_told_as_fractions_and_decimals(kosti: Run) -> None:
    lines = kosti("odds", "craps-standard").result.splitlines()
    assert lines[0] == "Craps"
    assert lines[2].split("  ")[0] == "Chance of the shooter to win"
    assert lines[2].endswith("244/495 = 0.492929292929")


def test_odds_of_liar_for_a_small_cup(kosti: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text('extends = "liar"\ndice = 1\nstakes = 1\n')
    assert "0.683333333333" in kosti("odds", path).result
    table = tmp_path / "one.safetensors"
    assert "0.683333333333" in kosti("solve", path, "--out", table).result
    assert "proven within" in kosti("table", "verify", table).result
    assert kosti("table", "export", table).status == 0


def test_odds_of_liar_for_three_are_estimates_with_what_best_answers_gain(kosti: Run, tmp_path: Path) -> None:
    path = tmp_path / "three.toml"
    path.write_text('extends = "liar"\ndice = 1\nfaces = 3\nstakes = 1\n')
    found = json.loads(kosti("odds", path, "--players", "3", "--json").result)
    figures = {figure["name"]: figure for figure in found["figures"]}
    assert sum(figures[f"win_seat_{seat}"]["decimal"] for seat in (1, 2, 3)) == pytest.approx(1.0)
    assert {figures[f"win_seat_{seat}"]["quality"] for seat in (1, 2, 3)} == {"estimated"}
    assert figures["nash_conv"]["decimal"] < 1e-4
    assert kosti("odds", "liar", "--players", "3").refusal.startswith(
        "--players: 3; allowed: with more than two, fewer"
    )


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("odds", "pig"), "pig: family race; allowed: parlour"),
        (("odds", "nowhere"), "nowhere"),
        (("odds", "craps-standard", "--players", "2"), "--players: 2; allowed: 1"),
        (("odds", "aces", "--players", "5"), "--players: 5; allowed: a whole number from 2 to 4"),
        (("odds", "dice-poker-witcher", "--players", "3"), "--players: 3; allowed: 2"),
        (("solve", "aces"), "aces: needs no table; see: kosti odds aces"),
    ],
)
def test_what_cannot_be_asked_of_kosti_is_refused(words: tuple[str, ...], refusal: str, kosti: Run) -> None:
    assert refusal in kosti(*words).refusal


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("craps-standard",), "--ruleset: craps-standard; allowed: a game with choices"),
        (("thirteen", "--locked", "1"), "--locked: '1'; allowed: for this game only --dice"),
        (("thirteen", "--turn", "1"), "--turn"),
        (("thirteen", "--dice", "2"), "--dice: '2'; allowed: a whole number from 3 to 13"),
        (("thirteen", "--dice", "1,1"), "--dice: '1,1'"),
        (("thirteen", "--dice", "5", "--state", "throw=2"), "--state: 'throw=2'"),
        (("thirteen", "--dice", "5", "--state", "thrw=2"), "did you mean throw?"),
        (("thirteen", "--dice", "5", "--state", "throw=2,total=99999"), "--state total"),
        (("thirteen", "--objective", "win"), "--objective: 'win'"),
        (("high-dice-2",), "--vs"),
        (("high-dice-2", "--vs", "13"), "--vs: '13'; allowed: a whole number from 2 to 12"),
        (("martinetti", "--dice", "1,2"), "--dice: '1,2'; allowed: 3 faces"),
        (("martinetti", "--score", "12"), "--score: '12'; allowed: a whole number from 0 to 11"),
        (("dice-poker-showdown", "--dice", "1,2,3,4,7"), "--dice"),
        (("dice-poker-showdown", "--dice", "1,2,3,4,5", "--throw", "4"), "--throw: '4'"),
        (("dice-poker-showdown", "--vs", "1,1,1,1,1/2,2,2,2,2"), "--vs"),
        (("dice-poker-showdown", "--dice", "1,2,3,4,5", "--locked", "1"), "--locked"),
        (("dice-poker-showdown", "--state", "limit=1"), "--state"),
        (("indian-dice", "--vs", "1,1,1,1,1", "--state", "limit=4"), "--state limit: '4'"),
        (("bluff", "--claim", "nonsense"), "--claim: 'nonsense'"),
        (("bluff", "--claim", "pair 5, sum 99"), "--claim"),
        (("bluff", "--dice", "1,1,1,1,1", "--seed", "x"), "--seed: 'x'"),
        (("liar-two-dice", "--dice", "1,1", "--state", "before=12"), "--state"),
        (("liar-two-dice", "--claim", "pair 4/pair 3", "--state", "before=12"), "each above"),
        (("liar-two-dice", "--claim", "pair 4/pair 5"), "--state has the dice accepted"),
        (("liar-two-dice", "--claim", "pair 6", "--dice", "1,1"), "must be doubted"),
        (("liar-two-dice", "--dice", "1,1", "--seed", "x"), "--seed: 'x'"),
        (("liar-two-dice", "--score", "6"), "--score"),
        (("liar-two-dice", "--claim", "full 3 2"), "--claim: 'full 3 2'"),
        (("liar", "--claim", "two pairs 3 5"), "--claim: 'two pairs 3 5'; allowed: after its main face only"),
        (("liar", "--claim", "full 3 3"), "--claim: 'full 3 3'"),
        (("liar", "--claim", "pair 3 4"), "--claim: 'pair 3 4'"),
        (("liar", "--turn", "40"), "--turn: '40'; allowed: for this game only --dice, --claim, --state, --score"),
        (("high-dice", "--die", "a=1,1,1,1,1,2"), "--die: 'a=1,1,1,1,1,2'; allowed: for this game only --vs, --state"),
        (("thirteen", "--dice", "6,7", "--state", "throw=2,total=40"), "--state: 'throw=2,total=40'; allowed: a total"),
        (("thirteen", "--dice", "6,7", "--state", "throw=2,total=9,marks=5"), "--state"),
        (("thirteen", "--dice", "6,7", "--state", "throw=3,total=13,marks=0"), "--state"),
        (("liars-dice",), "--dice"),
        (("liars-dice", "--dice", "3,3"), "--dice: '3,3'; allowed: one face of 1, 2, 3, 4, 5, 6"),
        (("liars-dice", "--dice", "3", "--claim", "1x5/1x3"), "--claim: '1x3'"),
        (("liars-dice", "--dice", "3", "--claim", "1+5"), "--claim: '1+5'"),
    ],
)
def test_what_cannot_be_asked_of_advise_is_refused(
    words: tuple[str, ...], refusal: str, advise: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is wrong is found before a table is looked for.
    monkeypatch.setattr("solver.library.find_table", lambda *_given, **_more: pytest.fail("a table was looked for"))
    name, *more = words
    assert refusal in advise("--ruleset", name, *more).refusal


@pytest.mark.parametrize(
    "words",
    [
        ("thirteen", "--dice", "12", "--state", "throw=2,total=9"),
        ("thirteen", "--dice", "6,7", "--score", "3"),
        ("high-dice-3", "--vs", "7", "--state", "failed=1"),
        ("martinetti", "--dice", "1,1,1", "--vs", "3"),
        ("martinetti",),
        ("dice-poker-showdown", "--dice", "K,K,9,10,J", "--vs", "A,A,9,9,J"),
        ("dice-poker-showdown", "--dice", "1,1,3,4,6", "--throw", "2", "--locked", "1,1", "--players", "3"),
        ("indian-dice", "--dice", "5,5,5,1,2", "--vs", "6,6,6,1,1", "--state", "limit=2"),
        ("dice-poker-witcher", "--dice", "5,5,5,1,2"),
        ("bluff",),
        ("bluff", "--dice", "1,1,2,3,4", "--seed", "1"),
        ("bluff", "--claim", "two pairs 5 3"),
        ("bluff", "--claim", "three 5", "--dice", "6,6,1,2,3"),
        ("bluff-real-dice", "--dice", "1,1,2,3,4"),
        ("liars-dice", "--dice", "3", "--claim", "1x3/1x5", "--seed", "4"),
        ("liars-dice", "--dice", "1", "--claim", "1x1/2x5/2x6"),
    ],
)
def test_advice_is_told_in_words_and_as_data(words: tuple[str, ...], advise: Run) -> None:
    text = advise("--ruleset", *words).result
    found = json.loads(advise("--ruleset", *words, "--json").result)
    assert text.startswith(load_rules(words[0]).title)
    assert found["ruleset"] == words[0]
    values = [option["value"] for option in found["options"]]
    assert all(option["loss"] >= 0 for option in found["options"])
    if values and "share" not in found["options"][0]:
        assert found["options"][0]["loss"] <= found["error_bound"] * 2
    if "share" in (found["options"] or [{}])[0]:
        assert abs(sum(option["share"] for option in found["options"]) - 1.0) < 1e-9
        assert ("drawn" in found) == ("--seed" in words)


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ('family = "parlour"', "game: missing"),
        ('family = "parlour"\ngame = "crabs"', "did you mean craps?"),
        ('extends = "craps-standard"\nlose_sums = [7]', "lose_sums: [7]; allowed: no sum that wins as well"),
        ('extends = "craps-standard"\nlose_sums = [2, 13]', "sums from 2 to 12"),
        ('extends = "craps-standard"\nseven = 8', "seven: 8"),
        ('extends = "craps-standard"\nlose_sms = [2]', "did you mean lose_sums?"),
        ('extends = "dice-bank"\npays = [1, 2]', "pays: [1, 2]; allowed: 3 numbers"),
        ('extends = "dice-bank"\ndice = 21', "dice: 21; allowed: a whole number from 1 to 20"),
        ('extends = "four-dice"\nneeded = 5', "needed: 5; allowed: at most 4"),
        ('extends = "drop-dead"\ndead = [1, 2, 3, 4, 5, 6]', "dead"),
        ('extends = "buck-dice"\nlittle_buck = 16', "little_buck: 16"),
        ('extends = "martinetti"\nfields = 19', "fields: 19"),
        ('extends = "dice-poker-witcher"\nties = "share"', "wins: 2; allowed: 1"),
        ('extends = "indian-dice"\nties = "replay"', "ties"),
        ('extends = "bluff-real-dice"\nleader_throws = 2\nanswer_throws = 2', "leader_throws: 2"),
        ('extends = "liars-dice"\ndice = [5, 5]', "dice: [5, 5]; allowed: fewer dice or faces"),
        ('extends = "liars-dice"\ndice = [1]', "two numbers"),
        ('extends = "liar"\ndice = 6', "dice: 6; allowed: a whole number from 1 to 5"),
        ('extends = "aces"\n[[example]]\nthrow = "1"\npoints = 1', "example"),
    ],
)
def test_bad_rulesets_are_refused_by_name(text: str, refusal: str, kosti: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(text)
    answer = kosti("rules", "check", tmp_path / "bad.toml")
    assert answer.status == 2
    assert answer.out == ""
    assert refusal in answer.err


@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("thirteen", {"dice": "3,4"}),
        ("liars-dice", {"dice": "3"}),
        ("bluff", {"claim": "two pairs 5 3"}),
        ("liar", {"dice": "3", "score": "1", "vs": "1"}),  # here with one die and one stake
    ],
)
def test_advice_that_may_take_long_shows_that_something_is_done(name: str, position: dict[str, str]) -> None:
    told: list[str] = []

    @contextmanager
    def working(what: str) -> Iterator[None]:
        told.append(what)
        yield

    def solve(rules: Any, objective: str) -> Any:
        told.append(f"solving {objective}")
        return solve_table(rules, objective)[0]

    rules: Any = load_rules(name)
    if name == "liar":
        rules = type(rules)(**{**vars(rules), "dice": 1, "stakes": 1})
    advise_by(rules, name, working=working, solve=solve, **position)
    assert told == (["solving win"] if name == "liar" else [f"working out {rules.title}"])
