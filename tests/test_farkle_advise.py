"""``advise`` for Farkle and Pig: last turns, plans, dice left over, and positions that cannot be."""

import pytest
from processes import Run


def test_the_last_turns_of_the_official_game_are_advised_on(advise: Run) -> None:
    words = "--ruleset farkle-official --score 9200 --vs 9800 --turn 300 --dice 1,5,2,3"
    answer = advise(*words.split()).result
    # Two dice bring at most 200 points, so the player has miscounted; the question makes sense all the same.
    assert "No turn has 300 points with 4 dice left; this is advice as if one had." in answer
    assert "Hold 1 5 for 150 and stop with 450.  39.03 % to win." in answer
    answer = advise(*words.replace("--turn 300 --dice 1,5,2,3", "--turn 200 --dice 1,1,1,5").split()).result
    assert "That reaches the target. The opponent has one more turn" in answer or "throw 6 dice" in answer


def test_the_plan_of_a_turn_says_where_to_stop_with_each_number_of_dice(advise: Run) -> None:
    lines = advise("--ruleset", "farkle-official", "--score", 9200, "--vs", 10300).result.splitlines()
    assert "This is your last turn: you must get past 10300." in lines
    assert lines[-6:] == [
        f"  {dice} {'die' if dice == 1 else 'dice'} left: with 1150 or more" for dice in range(6, 0, -1)
    ]


@pytest.mark.parametrize(
    ("ruleset", "words", "error"),
    [
        ("farkle-base", "--score 9999 --vs 0", "--score: '9999'; allowed: a multiple of 50 from 0 to 9950"),
        ("farkle-base", "--score 10000 --vs 0", "--score: '10000'; allowed: a multiple of 50 from 0 to 9950"),
        ("farkle-base", "--score -1 --vs 0", "--score: '-1'; allowed: a multiple of 50 from 0 to 9950"),
        ("farkle-base", "--turn 30 --dice 1", "--turn: '30'; allowed: a multiple of 50 from 0"),
        ("farkle-base", "--dice 1,2,3,4,5,6,1", "--dice: '1,2,3,4,5,6,1'; allowed: 6 dice at most"),
        ("farkle-base", "--dice ,", "--dice: ','; allowed: 6 dice at most"),
        ("farkle-high-stakes", "--vs score=100,offered=2", "dice left over are offered to the player who moves"),
        (
            "pig-equal-turns",
            "--score 50 --vs 120 --state second=no",
            "'120'; allowed: a whole number from 0 to 99",
        ),
        (
            "pig-equal-turns",
            "--score 95 --vs score=98,second=yes --state second=yes",
            "--vs: 'second=yes': a position that cannot occur: one of the two players is second in each round",
        ),
        ("pig-equal-turns", "--score 95 --vs score=98,second=no --state second=no", "--vs: 'second=no'"),
        ("pig-equal-turns", "--score 95 --vs score=103,second=yes", "--vs: 'second=yes'"),
    ],
)
def test_positions_that_cannot_be_are_refused(ruleset: str, words: str, error: str, advise: Run) -> None:
    answer = advise("--ruleset", ruleset, *words.split())
    assert (answer.status, answer.out) == (2, "")
    assert error in answer.err


@pytest.mark.parametrize("opponent", ["second=yes,score=98", "second=no,score=98"])
def test_who_is_second_may_be_said_of_the_opponent(opponent: str, advise: Run) -> None:
    answer = advise("--ruleset", "pig-equal-turns", "--score", 95, "--vs", opponent).result
    you, other = answer.splitlines()[1:3]
    assert ("second" in other, "second" in you) == ("yes" in opponent, "no" in opponent)


def test_dice_left_over_may_be_taken_over(advise: Run) -> None:
    words = "--ruleset farkle-high-stakes --objective points --state offered=3 --dice 1,2,3"
    assert "Hold 1 for 1100 and stop with 1100." in advise(*words.split()).result
