"""The command ``advise``: answers in words and as data, and one line for every question that makes no sense."""

import json
from pathlib import Path
from typing import Any

import pytest
from games import shipped_table
from processes import Run, start

OPTION = {"hold", "points", "turn_points", "then", "dice", "value", "loss", "bust"}
ANSWER = {"ruleset", "objective", "state", "opponents", "throw", "turn_points", "options", "bust", "value"}
ANSWER |= {"error_bound", "rules_in_force"}
THROW = ("--score", 225, "--dice", "1,5,3,3,4")


def ask(advise: Run, *words: object) -> dict[str, Any]:
    """An answer as data, checked for what holds of every answer."""
    answer: dict[str, Any] = json.loads(advise(*words, "--json").result)
    assert set(answer) == (ANSWER | {"plan"} if answer["throw"] is None else ANSWER)
    values = [option["value"] for option in answer["options"]]
    best_first = values == sorted(values, reverse=answer["objective"] != "turns")
    # Options whose values differ by less than the proof can tell are ranked by other merits.
    assert best_first or max(values) - min(values) <= 10 * answer["error_bound"]
    for option in answer["options"]:
        assert set(option) == OPTION
        assert option["loss"] >= 0.0
        assert option["then"] == ("throw" if option["dice"] else "stop")
        assert option["turn_points"] == answer["turn_points"] + option["points"]
    return answer


# ---- answers ----


def test_the_example_of_the_readme_is_answered_in_words(advise: Run) -> None:
    text = advise(*THROW).result
    assert "Hold 1 5 for 15 and throw 3 dice.  28.82 turns to go." in text
    assert "27.8 %" in text  # 5/18, that three dice bring nothing
    assert "in the pit 200-300 a turn needs 75 points, and this one has 15" in text


def test_the_example_of_the_readme_is_answered_as_data(advise: Run) -> None:
    answer = ask(advise, *THROW)
    assert answer["ruleset"] == "thousand-classic"
    assert answer["objective"] == "turns"
    assert answer["state"] == {"score": 225, "opened": True, "bolts": 0}
    assert answer["opponents"] == []
    assert (answer["throw"], answer["turn_points"], answer["bust"]) == ([1, 3, 3, 4, 5], 0, False)
    (option,) = answer["options"]
    assert (option["hold"], option["points"], option["then"], option["dice"]) == ([1, 5], 15, "throw", 3)
    assert option["value"] == answer["value"] == pytest.approx(28.82, abs=0.005)
    assert (option["loss"], option["bust"]) == (0.0, pytest.approx(5 / 18))
    assert 0.0 < answer["error_bound"] <= 1e-9
    assert answer["rules_in_force"]["pits"]["bounds"] == [[200, 300], [600, 700]]


@pytest.mark.parametrize("dice", ["4,3,1,3,5", "5 4 3 3 1", "1, 5, 3, 3, 4", " 1  5,3 3,4 "])
def test_dice_may_be_stated_in_any_order_with_spaces_or_commas(dice: str, advise: Run) -> None:
    assert ask(advise, "--score", 225, "--dice", dice) == ask(advise, *THROW)


def test_options_are_ranked_and_priced(advise: Run) -> None:
    answer = ask(advise, "--score", 500, "--vs", 640, "--turn", 100, "--dice", "5,2,3")
    assert answer["objective"] == "win"
    assert answer["opponents"] == [{"score": 640, "opened": True, "bolts": 0}]
    stop, throw = answer["options"]
    assert (stop["then"], stop["dice"], stop["bust"], stop["loss"]) == ("stop", 0, 0.0, 0.0)
    assert (throw["then"], throw["dice"]) == ("throw", 2)
    assert throw["loss"] == pytest.approx(stop["value"] - throw["value"])
    assert stop["value"] == answer["value"] > throw["value"]


def test_a_throw_that_brings_nothing_ends_the_turn(advise: Run) -> None:
    words = ("--score", 225, "--state", "bolts=1", "--dice", "2,3,4,6,6")
    answer = ask(advise, *words)
    assert (answer["bust"], answer["options"]) == (True, [])
    assert "Nothing scores" in advise(*words).result
    # Outside a pit the third bolt costs 100.
    assert "You now have: score 225" in advise("--score", 325, "--state", "bolts=2", *words[4:]).result


def test_without_a_throw_the_value_and_the_plan_are_told(advise: Run) -> None:
    answer = ask(advise, "--ruleset", "pig", "--score", 41, "--vs", 49)
    assert answer["throw"] is None
    assert answer["options"] == []
    # The chance of the mover, and where to stop: see the tests of values.
    assert 0.0 < answer["value"] < 1.0
    assert answer["plan"] == [{"dice": 1, "stop": [[22, 26], [28, 56], [59, None]]}]
    assert "22 to 26, 28 to 56, 59 or more" in advise("--ruleset", "pig", "--score", 41, "--vs", 49).result


def test_points_of_a_turn_need_no_table(advise: Run, cache: Path) -> None:
    answer = ask(advise, "--ruleset", "pig", "--objective", "points")
    assert answer["value"] == pytest.approx(492303203 / 60466176, abs=1e-9)
    assert answer["plan"] == [{"dice": 1, "stop": [[20, None]]}]
    assert not cache.exists()


def test_facts_of_both_players_are_taken(advise: Run) -> None:
    answer = ask(advise, "--state", "opened=No , bolts = 0", "--vs", "bolts=1, score=640", "--dice", "1,1,1,2,3")
    assert answer["state"] == {"score": 0, "opened": False, "bolts": 0}
    assert answer["opponents"] == [{"score": 640, "opened": True, "bolts": 1}]
    # Who has nothing and has opened has lost what he had.
    answer = ask(advise, "--score", 0, "--state", "opened=yes,bolts=2", "--vs", 640)
    assert answer["state"] == {"score": 0, "opened": True, "bolts": 2}


def test_a_game_without_a_table_is_solved_once_and_remembered(advise: Run, cache: Path, tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text('extends = "pig"\n[match]\ntarget = 12\n')
    words = ("--ruleset", tmp_path / "short.toml", "--score", 3, "--vs", 5)
    answer = ask(advise, *words)
    (kept,) = cache.iterdir()
    before = kept.stat().st_mtime_ns
    assert ask(advise, *words) == answer
    assert kept.stat().st_mtime_ns == before


# ---- questions that make no sense ----

GAME_FOR_ONE = 'extends = "pig"\n[match]\nmost_players = 1\n'
BAD_DICE = [
    "0,1,2,3,4",
    "1,2,3,4,7",
    "",
    "1,,2",
    ",",
    "1.5,2",
    "1,2,3,4,5,5",
    "1,2,x",
    "one",
    "-1,2",
    "1;2",
    "1,2,3,4,",
]
BAD_DICE += ["\u0661,\u0662", "\u00b2,1", "1e0,2", "9" * 5000, "1_1", "+1", "0x1", "1\x00"]
BAD_SCORE = ["abc", "223", "1000", "5000", "-5", "9" * 5000, "1e2", "", " ", "5.0", "\u0665", "555", "0x5", "+5", "nan"]
BAD_TURN = ["7", "-5", "abc", "9" * 5000, "10005", "", "5.0", "nan"]
BAD_STATE = [
    "luck=1",
    "bolts=3",
    "bolts=-1",
    "bolts=x",
    "opened=maybe",
    "opened=",
    "",
    ",",
    "bolts",
    "=1",
    "bolts=1,bolts=1",
]
BAD_STATE += ["bolts=1,", "score=5", "attempts=1", "bolts=1.0", "bolts==1", "bolts=" + "9" * 5000]
BAD_VS = [
    "abc",
    "",
    "score",
    "bolts=1",
    "score=640,score=1",
    "score=x",
    "640,bolts=1",
    "score=641",
    "-5",
    "1000",
    "score=",
]
BAD_VS += ["score=640,luck=1", "score=640,bolts=3", "score=640,opened=perhaps", "555"]


def test_an_option_with_two_values_is_refused(advise: Run) -> None:
    # Whoever plays against two opponents may try this, and must not get advice against one of them.
    assert advise("--vs", 640, "--score", 225, "--vs", 500).refusal == "--vs: given twice; allowed: once\n"


@pytest.mark.parametrize("dice", BAD_DICE)
def test_a_throw_of_no_dice_of_this_game_is_refused(dice: str, advise: Run) -> None:
    assert "--dice" in advise("--score", 225, "--dice", dice).refusal


@pytest.mark.parametrize("score", BAD_SCORE)
def test_a_score_that_nobody_can_have_is_refused(score: str, advise: Run) -> None:
    assert "--score" in advise("--score", score).refusal


@pytest.mark.parametrize("turn", BAD_TURN)
def test_points_that_no_turn_can_have_are_refused(turn: str, advise: Run) -> None:
    assert "--turn" in advise("--score", 225, "--turn", turn, "--dice", "1,5").refusal


@pytest.mark.parametrize("state", BAD_STATE)
def test_facts_that_this_game_does_not_know_are_refused(state: str, advise: Run) -> None:
    assert "--state" in advise("--score", 225, "--state", state).refusal


@pytest.mark.parametrize("opponent", BAD_VS)
def test_an_opponent_who_cannot_be_is_refused(opponent: str, advise: Run) -> None:
    assert "--vs" in advise("--score", 225, "--vs", opponent).refusal


@pytest.mark.parametrize(
    ("turn", "dice"), [(0, "1,2,3,4"), (0, "1"), (5, "1"), (5, "1,2,3,4,5"), (10, "2,3"), (5, "1,2,3")]
)
def test_a_throw_that_no_turn_leads_to_is_refused(turn: int, dice: str, advise: Run) -> None:
    # Five points are one die, which leaves four.
    assert "--dice" in advise("--score", 225, "--turn", turn, "--dice", dice).refusal


def test_points_of_a_turn_without_a_throw_are_refused(advise: Run) -> None:
    assert "--turn" in advise("--score", 225, "--turn", 5).refusal


def test_an_unknown_ruleset_is_refused_with_near_names(advise: Run) -> None:
    assert "did you mean thousand-classic" in advise("--ruleset", "thousand-clasic").refusal
    assert "listed by: kosti rules list" in advise("--ruleset", "zzz").refusal
    for name in ("", "missing.toml", "../pig", "pig\n", "a" * 5000, "."):
        assert advise("--ruleset", name).refusal


def test_an_opponent_in_a_game_for_one_is_refused(advise: Run, tmp_path: Path) -> None:
    (tmp_path / "alone.toml").write_text(GAME_FOR_ONE)
    assert "--vs" in advise("--ruleset", tmp_path / "alone.toml", "--vs", 0).refusal


def test_two_players_on_one_barrel_are_refused(advise: Run) -> None:
    assert "--vs" in advise("--ruleset", "thousand-classic-barrel", "--score", 880, "--vs", 880).refusal


def test_an_objective_that_does_not_fit_is_refused(advise: Run) -> None:
    assert "--objective" in advise("--objective", "luck").refusal
    assert "--objective" in advise("--objective", "").refusal
    assert "--objective" in advise("--objective", "win").refusal
    assert "--objective" in advise("--objective", "turns", "--vs", 0).refusal


@pytest.mark.parametrize("words", [["--scoer", "5"], ["--luck"], ["225"], ["--score"], ["-x"]])
def test_words_that_the_command_does_not_know_are_refused(words: list[str], advise: Run) -> None:
    assert words[0] in advise(*words).refusal


def test_a_player_who_cannot_be_is_refused(advise: Run) -> None:
    # Points open a player, and by these rules nobody gets a bolt before.
    assert "cannot occur" in advise("--score", 500, "--state", "opened=no").refusal
    assert "cannot occur" in advise("--score", 0, "--state", "bolts=1").refusal
    assert "cannot occur" in advise("--vs", "score=500,opened=no").refusal


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("--score", 0, "--state", "bolts=1"), "--state"),
        (("--score", 0, "--state", "bolts=1", "--vs", 640), "--state"),
        (("--score", 500, "--state", "opened=no"), "--state"),
        (("--score", 555, "--state", "bolts=1"), "--score"),
        (("--score", 640, "--vs", "score=0,opened=no,bolts=1"), "--vs"),
    ],
)
def test_a_player_who_cannot_be_is_refused_by_the_option_that_says_so(
    words: tuple[object, ...], option: str, advise: Run
) -> None:
    refusal = advise(*words).refusal
    assert refusal.startswith(f"{option}: ")
    assert "cannot occur" in refusal


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("--score", 555), "--score"),
        (("--score", 500, "--state", "opened=no"), "--state"),
        (("--score", 0, "--vs", 555), "--vs"),
        (("--score", 0, "--vs", "score=500,opened=no"), "--vs"),
    ],
)
def test_points_of_a_turn_of_a_player_who_cannot_be_are_refused(
    words: tuple[object, ...], option: str, advise: Run
) -> None:
    assert advise("--objective", "points", *words).refusal.startswith(f"{option}: ")


def test_a_player_who_cannot_be_is_refused_before_a_solve(advise: Run, cache: Path, tmp_path: Path) -> None:
    (tmp_path / "yard.toml").write_text('extends = "thousand-classic"\n[dump_truck]\nscore = 600\n')
    assert "--score: '600'" in advise("--ruleset", tmp_path / "yard.toml", "--score", 600).refusal
    assert not cache.exists()


def test_a_table_that_does_not_fit_is_refused(advise: Run, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no table")
    assert "missing" in advise("--table", tmp_path / "missing").refusal
    assert "not a table" in advise("--table", tmp_path / "text").refusal
    assert "another ruleset" in advise("--table", shipped_table("pig.turns")).refusal
    assert "objective" in advise("--table", shipped_table("thousand-classic.win")).refusal
    for path in (tmp_path / "missing", tmp_path / "text", tmp_path, shipped_table("pig.turns")):
        assert advise("--table", path).refusal.startswith("--table: ")


def test_a_table_for_the_points_of_a_turn_is_refused(advise: Run) -> None:
    refusal = advise("--objective", "points", "--table", shipped_table("thousand-classic.turns")).refusal
    assert refusal.startswith("--table: ")
    assert "--objective points" in refusal


def test_the_command_works_in_a_process_of_its_own(tmp_path: Path) -> None:
    with start("advise", *THROW, cwd=tmp_path) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "28.82 turns to go" in out
    with start("advise", "--score", 223, cwd=tmp_path) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)


def test_nobody_was_admitted_with_less_than_the_opening(advise: Run) -> None:
    words = ["--ruleset", "thousand-confirm", "--score", 300]
    assert "nobody opens with less than 75" in advise(*words, "--state", "admission=70").refusal
