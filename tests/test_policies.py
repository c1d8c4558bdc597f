"""Human rules: what may be written, what it means, and that nothing a stranger writes can do harm."""

import operator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import PolicyError
from solver.policies.expression import parse
from solver.policies.policy import load_policy

NAMES = {"turn": False, "dice": False, "score": False, "opened": True}
SEEN = {"turn": 35, "dice": 2, "score": 640, "opened": True}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("turn >= 35", True),
        ("turn > 35 or dice = 2", True),
        ("not opened", False),
        ("not opened or not not opened", True),
        ("300 <= score < 400", False),
        ("600 <= score < 700 and turn + score >= 675", True),
        ("1 < dice < 3 < turn", True),
        ("30 < turn < 35", False),
        ("turn >= 5 + 10 * dice", True),
        ("turn - 5 - 10 = 20", True),
        ("-turn < -(3 + 1)", True),
        ("(turn = 35) and (dice != 3)", True),
        ("dice ≤ 2", True),
        ("opened", True),
    ],
)
def test_conditions_mean_what_they_say(text: str, value: bool) -> None:
    assert parse(text, NAMES).value_for(SEEN) is value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("trn >= 3", "did you mean turn?"),
        ("turn >=", "the end"),
        ("turn", "a condition"),
        ("turn + opened >= 3", "a number"),
        ("opened and turn", "a condition"),
        ("not turn", "a condition"),
        ("turn >= 3)", "')'"),
        ("(turn >= 3", "the end"),
        ("turn @ 3", "'@'"),
        ("turn >= \N{ARABIC-INDIC DIGIT FIVE}0", "column 9: '\N{ARABIC-INDIC DIGIT FIVE}'"),
        ("turn >= 5\N{FULLWIDTH DIGIT ZERO}", "column 10:"),
        ("turn >= 9999999", "numbers up to"),
        ("turn >= " + "9" * 900, "numbers up to"),
        ("turn * turn * turn * turn > 1", "factors"),
        (f"{' + '.join(['1000000 * 1000000 * 1000000'] * 10)} > turn", "a smaller number"),
        (f"turn - {' - '.join(['score * score * score'] * 10)} > 0", "a smaller number"),
        ("(" * 100 + "turn", "nested too deep"),
        ("not " * 100 + "opened", "nested too deep"),
        ("turn >= 3 " * 200, "at most"),
        ("__import__('os')", "names, whole numbers"),
        ("", "the end"),
    ],
)
def test_a_wrong_condition_is_told_in_one_line(text: str, said: str) -> None:
    with pytest.raises(PolicyError, match=r"^[^\n]*$") as error:
        parse(text, NAMES)
    assert said in str(error.value)


@given(st.text(max_size=60))
def test_any_text_is_a_condition_or_an_error(text: str) -> None:
    try:
        found = parse(text, NAMES).value_for(SEEN)
    except PolicyError:
        return
    assert found in (True, False)


OPERATIONS = {"+": operator.add, "-": operator.sub, "<": operator.lt, "=": operator.eq, ">=": operator.ge}


@given(st.lists(st.integers(0, 99), min_size=2, max_size=6), st.lists(st.sampled_from("+-"), min_size=6, max_size=6))
def test_sums_are_counted_from_the_left(numbers: list[int], signs: list[str]) -> None:
    text, total = str(numbers[0]), numbers[0]
    for sign, number in zip(signs, numbers[1:], strict=False):
        text, total = f"{text} {sign} {number}", OPERATIONS[sign](total, number)
    assert parse(f"{text} = 0 - {-total}" if total < 0 else f"{text} = {total}", NAMES).value_for({})


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("stop if tun > 3", "rules[0]: column 9: 'tun'"),
        ("throw; stop if  turn", "rules[1]: column 10: 'turn'"),
        ("stop at 9999999", "rules[0]: column 9: '9999999'"),
        ("stop if turn / 2 > 5", "rules[0]: column 14: '/'"),
    ],
)
def test_what_is_wrong_with_a_rule_is_told_by_its_place_in_it(policy: str, said: str) -> None:
    with pytest.raises(PolicyError) as error:
        load_policy(policy, NAMES, "--policy")
    assert f"--policy: {said}; allowed:" in str(error.value)


def test_a_policy_is_a_line_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "card.toml"
    file.write_text(
        'title = "Card"\nrules = ["stop if turn >= 50", "stop if dice = 1 and turn >= 30"]\nhold = "most dice"\n'
    )
    by_file = load_policy(str(file), NAMES, "--policy")
    line = load_policy("stop at 50; stop if dice = 1 and turn >= 30; hold most dice", NAMES, "--policy")
    assert (by_file.title, by_file.hold, [rule.condition for rule in by_file.rules]) == (
        "Card", "most dice", [rule.condition for rule in line.rules])  # fmt: skip
    assert load_policy("optimal", NAMES, "--policy").is_optimal
    assert not load_policy("stop if dice <= 2; optimal", NAMES, "--policy").is_optimal


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('rules = ["stop at fifty"]', "stop at 50"),
        ('rules = "stop at 50"', "a list of at most"),
        ("rules = [5]", "rules[0]"),
        ('rules = ["best", "optimal"]', "only one of them"),
        ('rules = ["stop"]\nholds = "all"', "unknown key"),
        ("rules = [", "not valid TOML"),
        ('rules = ["stop if trn > 3"]', "did you mean turn?"),
    ],
)
def test_a_wrong_file_is_told_with_its_name(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(PolicyError, match=r"^[^\n]*$") as error:
        load_policy(str(file), NAMES, "--policy")
    assert said in str(error.value)
    assert "wrong.toml" in str(error.value)
