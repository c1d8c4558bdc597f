"""Ruleset files: what they may say, and what is said about those that may not be used.

The first line of each file in ``rulesets/bad`` is the error that it must give, with FILE for its own name; but for
the one that is shown to readers.
"""

import os
import signal
import tracemalloc
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import RulesetError
from solver.families import load_rules, read_ruleset
from solver.race.rules import BoltRules, RaceRules
from solver.ruleset import Rules, canonical, digest, from_canonical, load_ruleset, shipped_names

PROPERTY = settings(deadline=None, max_examples=200)
FOLDER = Path(__file__).parent / "rulesets"
BAD = sorted({path.name for path in (FOLDER / "bad").glob("*.toml")} - {"readme.toml"})
GOOD = sorted(path.name for path in (FOLDER / "good").glob("*.toml"))
CLASSIC = 'extends = "thousand-classic"\n'


class TooSlowError(BaseException):
    """Not an Exception, so that no handler of the code under test can swallow it."""


@contextmanager
def within_seconds(seconds: float) -> Iterator[None]:
    def stop(*_arguments: object) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def error_of(name: str, folder: Path = FOLDER) -> str:
    """The one line that is said about a ruleset of the folder, which must not be accepted."""
    with chdir(folder), within_seconds(4), pytest.raises(RulesetError) as caught:
        load_rules(name)
    assert str(caught.value).isprintable()  # so it is one line, too
    return str(caught.value)


def untitled(rules: Rules) -> Rules:
    return type(rules)(**{**vars(rules), "title": "", "about": ""})


def written(folder: Path, text: str | bytes, name: str = "rules.toml") -> str:
    """Write a file with this text into the folder; returns its path."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def error_of_text(folder: Path, text: str | bytes, name: str = "rules.toml") -> str:
    """The one line that is said about a file with this text, which must not be accepted."""
    written(folder, text, name)
    return error_of(name, folder)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_one_line_with_file_key_value_and_what_is_allowed(name: str) -> None:
    expected = (FOLDER / "bad" / name).read_text().partition("\n")[0].removeprefix("# ").replace("FILE", name)
    assert error_of(name, FOLDER / "bad") == expected


@pytest.mark.parametrize("name", GOOD)
def test_a_good_file_is_read_and_its_canonical_text_says_the_same(name: str) -> None:
    rules = load_rules(str(FOLDER / "good" / name))
    again = read_ruleset(from_canonical(canonical(rules), name))
    assert again == untitled(rules)


# ---- extends and remove ----


def test_a_house_variant_of_three_lines_changes_only_what_it_states() -> None:
    house, classic = load_rules(str(FOLDER / "good" / "house.toml")), load_rules("thousand-classic")
    assert house == RaceRules(**{**vars(untitled(classic)), "bolts": BoltRules(limit=3, fine=50)})


def test_a_file_extends_the_file_beside_it_and_removes_sections_and_single_keys() -> None:
    house = load_rules(str(FOLDER / "good" / "house.toml"))
    friends = load_rules(str(FOLDER / "good" / "house-of-friends.toml"))
    assert friends.overtaking is None
    assert friends.combinations.straight == (((2, 6), 250),)
    assert friends.match.target == 1500
    assert friends.bolts == house.bolts  # the limit is removed, which leaves its default
    assert (friends.pits, friends.dump_truck) == (house.pits, house.dump_truck)


def test_a_removed_section_may_be_stated_anew() -> None:
    rules = load_rules(str(FOLDER / "good" / "other-pits-and-barrel.toml"))
    assert rules.pits is not None
    assert rules.barrel is not None
    assert rules.pits.bounds == ((300, 400), (400, 450), (800, 900))
    assert (rules.barrel.start, rules.barrel.attempts) == (900, 3)


def test_title_and_remarks_are_not_inherited() -> None:
    assert load_rules("thousand-classic-barrel").about
    assert load_rules("thousand-classic-1005").about == ""
    assert load_rules(str(FOLDER / "good" / "house.toml")).title == ""


def problems_of(name: str, folder: Path) -> list[str]:
    """Everything that is wrong with a file, in alphabetical order."""
    with chdir(folder), pytest.raises(RulesetError) as caught:
        load_rules(name)
    problems: list[str] = caught.value.problems  # type: ignore[attr-defined]
    assert str(caught.value) == f"{problems[0]} (and {len(problems) - 1} more, listed by: kosti rules check)"
    return sorted(problems)


def test_every_problem_of_a_file_is_told() -> None:
    assert problems_of("readme.toml", FOLDER / "bad") == [
        "readme.toml: bolts.fine: -50; allowed: a whole number from 1 to 1000000",
        "readme.toml: bolts.limt: unknown key; allowed: did you mean limit?",
    ]


def test_an_error_names_the_file_of_the_chain_that_states_the_value(tmp_path: Path) -> None:
    written(tmp_path, CLASSIC + "[bolts]\nfine = 0\n", "oldest.toml")
    written(tmp_path, 'extends = "oldest.toml"\n[pits]\nbounds = [[2, 1]]\n', "middle.toml")
    written(tmp_path, 'extends = "middle.toml"\n[barrel]\nfine = 0\n', "youngest.toml")
    assert [problem.partition("; ")[0] for problem in problems_of("youngest.toml", tmp_path)] == [
        "middle.toml: pits.bounds[0]: [2, 1]",
        "oldest.toml: bolts.fine: 0",
        "youngest.toml: barrel.fine: 0",
        "youngest.toml: barrel.start: missing",
    ]


def test_a_problem_of_several_keys_is_told_of_the_youngest_file_that_states_or_removes_one(tmp_path: Path) -> None:
    written(tmp_path, CLASSIC + "[match]\nstep = 10\n", "oldest.toml")
    written(tmp_path, 'extends = "oldest.toml"\nremove = ["match.target"]\n', "middle.toml")
    written(tmp_path, 'extends = "middle.toml"\n[bolts]\nlimit = 2\n', "youngest.toml")
    assert "middle.toml: match.target: missing; " in error_of("youngest.toml", tmp_path)
    written(tmp_path, 'extends = "middle.toml"\n[match]\ntarget = 1500\n', "youngest.toml")
    assert [problem.partition("; ")[0] for problem in problems_of("youngest.toml", tmp_path)] == [
        "oldest.toml: combinations.single.5: 5",
        "oldest.toml: combinations.straight.1-5: 125",
        "oldest.toml: dump_truck.score: 555",
    ]


def test_sixteen_files_may_extend_one_another_and_seventeen_may_not(tmp_path: Path) -> None:
    for number in range(1, 17):
        written(tmp_path, f'extends = "{number - 1}.toml"\n', f"{number}.toml")
    written(tmp_path, CLASSIC, "0.toml")  # with the shipped file the chain from 14 has sixteen files
    assert load_rules(str(tmp_path / "14.toml")).match.target == 1000
    assert error_of("15.toml", tmp_path) == ("15.toml: extends: more than 16 files in a row")


@pytest.mark.parametrize("name", ["thousand-clasic", "Pig", "", "..", "pig.tom", "a\nb"])
def test_an_unknown_name_is_refused_with_near_names_or_where_they_are_listed(name: str) -> None:
    error = error_of(name)
    assert error.startswith(f"ruleset: {name!r} is not a ruleset; ")
    assert "kosti rules list" in error or any(shipped in error for shipped in shipped_names())


# ---- files that are no rulesets ----


def test_a_huge_file_is_refused_for_its_size_without_being_read(tmp_path: Path) -> None:
    with (tmp_path / "rules.toml").open("wb") as file:
        file.truncate(100_000_000)  # a hole, which takes no space on the disk
    tracemalloc.start()
    try:
        error = error_of("rules.toml", tmp_path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert error.startswith("rules.toml: 100000000 bytes; allowed: at most ")
    assert peak < 1_000_000


def test_a_directory_and_a_link_to_itself_are_no_rulesets(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    assert error_of("folder.toml", tmp_path).startswith("folder.toml: ")
    assert error_of("loop.toml", tmp_path).startswith("loop.toml: cannot be read: ")


def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rules.toml")
    assert error_of("rules.toml", tmp_path) == "rules.toml: not a regular file"


def test_a_path_with_a_zero_byte_is_not_called_badly_encoded() -> None:
    assert "UTF-8" not in error_of("no\0file.toml")


@pytest.mark.parametrize("text", [b'title = "\xff"', "a = 1".encode("utf-16")])
def test_a_file_that_is_not_utf_8_is_refused(text: bytes, tmp_path: Path) -> None:
    assert error_of_text(tmp_path, text) == "rules.toml: not valid UTF-8 text"


@pytest.mark.parametrize(
    "text",
    [
        "bolts = " + "[" * 40_000 + "]" * 40_000,
        "bolts = " + "{ a = " * 10_000 + "1" + "}" * 10_000,
        "bolts." + "a." * 3_000 + "a = 1",
        "bolts." + "a." * 45_000 + "a = 1",
        "[bolts." + "a." * 3_000 + "a]\nb = 1",
        "[bolts." + "a." * 20_000 + "a]\n" + "".join(f"b{number} = 1\n" for number in range(5_000)),
    ],
    ids=["arrays", "tables", "dotted key", "long dotted key", "heading", "long heading"],
)
def test_deep_nesting_is_refused_quickly(text: str, tmp_path: Path) -> None:
    error = error_of_text(tmp_path, CLASSIC + text)
    assert error.startswith("rules.toml: ")
    assert len(error) < 300


@pytest.mark.parametrize("number", ["9" * 5_000, "-" + "9" * 5_000, "0x" + "f" * 5_000], ids=["plus", "minus", "hex"])
@pytest.mark.parametrize("line", ["match.target = {}", "pits.bounds = [[1, {}]]", "bolts = {}", "remove = {}"])
def test_a_number_of_thousands_of_digits_is_refused(line: str, number: str, tmp_path: Path) -> None:
    error = error_of_text(tmp_path, CLASSIC + line.format(number))
    assert error.startswith(f"rules.toml: {line.partition(' ')[0]}")  # the key is named
    assert len(error) < 300


def test_a_long_path_is_named_in_full(tmp_path: Path) -> None:
    path = written(tmp_path, CLASSIC + "[bolts]\nfine = -1\n", "the-rules-that-we-use-at-home-on-long-evenings.toml")
    assert error_of(path).startswith(f"{path}: bolts.fine: -1; ")
    absent = str(tmp_path / "the-rules-that-we-would-use-at-home-if-we-were.toml")
    assert error_of(absent).startswith(f"{absent}: cannot be read: ")


@pytest.mark.parametrize("text", [CLASSIC + "[bolts]\nfine = -1\n", "", "extends = 1"])
def test_control_characters_of_a_file_name_are_not_printed(text: str, tmp_path: Path) -> None:
    assert "a" in error_of_text(tmp_path, text, "a\nb\x1b[31m.toml")


@pytest.mark.parametrize("key", ['"a\\nb"', '"\\u001b[31m"', '"' + "k" * 5_000 + '"'], ids=["lines", "colour", "long"])
@pytest.mark.parametrize("line", ["{} = 1", "[bolts]\n{} = 1", "[{}]\nc = 1"])
def test_unknown_keys_are_shown_short_and_on_one_line(line: str, key: str, tmp_path: Path) -> None:
    assert len(error_of_text(tmp_path, CLASSIC + line.format(key))) < 300


# ---- whatever a file says ----

names = st.sampled_from(["count", "single", "bounds", "target", "points", "1", "1-5"]) | st.text(max_size=9)
numbers = st.integers() | st.integers(1, 5_000).map(lambda digits: 10**digits) | st.floats()
scalars = st.booleans() | numbers | st.text(max_size=50) | st.dates()
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4))


@PROPERTY
@given(st.sampled_from(list(RaceRules.keys)), st.none() | names, values)
def test_any_value_anywhere_gives_rules_or_an_error_of_one_line(section: str, key: str | None, value: Any) -> None:
    ruleset = load_ruleset("thousand-classic")
    if key is not None and isinstance(ruleset.data.get(section), dict):
        ruleset.data[section][key] = value
    else:
        ruleset.data[section] = value
    message = "fine"
    try:
        read_ruleset(ruleset)
    except RulesetError as error:
        message = str(error)
    assert message.isprintable()
    assert len(message) < 500


# ---- identity ----


@pytest.mark.parametrize("name", shipped_names())
def test_a_shipped_ruleset_is_the_same_after_its_canonical_text(name: str) -> None:
    rules = load_rules(name)
    again = read_ruleset(from_canonical(canonical(rules), name))
    assert again == untitled(rules)
    assert (canonical(again), digest(again)) == (canonical(rules), digest(rules))


def test_the_digest_changes_with_a_rule_and_not_with_the_title(tmp_path: Path) -> None:
    classic = digest(load_rules("thousand-classic"))
    renamed = load_rules(written(tmp_path, CLASSIC + 'title = "Ours"\nabout = "The same."\n'))
    assert digest(renamed) == classic
    digests = {name: digest(load_rules(name)) for name in shipped_names()}
    # Sources tell of these games by different names.
    same = {
        "farkle-short-5000": "farkle-official-5000",
        "farkle-three-pairs-1500": "farkle-base",
        "ten-thousand-wikihow": "ten-thousand-doubling",
    }
    assert len(set(digests.values())) == len(digests) - len(same)
    assert all(digests[one] == digests[other] for one, other in same.items())
    for line in ("overtaking.fine = 55", "bolts.in_pits = true", 'match.finish = "more than"', 'remove = ["bolts"]'):
        assert digest(load_rules(written(tmp_path, CLASSIC + line))) not in digests


def test_a_default_stated_in_full_does_not_change_the_digest(tmp_path: Path) -> None:
    stated = load_rules(written(tmp_path, CLASSIC + "dice.faces = 6\nbolts.on_barrel = false\n"))
    assert digest(stated) == digest(load_rules("thousand-classic"))


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "9" * 5_000, '{"family": ' + "9" * 5_000 + "}", "7"])
def test_a_text_that_is_no_json_object_is_no_canonical_text(text: str) -> None:
    with pytest.raises(RulesetError, match=r"^the table: the ruleset is not a JSON object$"):
        from_canonical(text, "the table")


def test_inherited_rows_that_are_not_named_are_dropped(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'family = "sheet"\nsheet.rows = ["three-kind", "chance"]\nrows.chance.combination = "any"\n'
        'rows.three-kind = { combination = "three", adds = "all dice" }\n'
    )
    assert canonical(load_rules(str(FOLDER / "good" / "sheet-lower-part.toml"))) == canonical(load_rules(str(own)))
    again = tmp_path / "again.toml"
    again.write_text('extends = "yahtzee"\nremove = ["joker"]\nsheet.rows = ["chance"]\n')
    (tmp_path / "more.toml").write_text('extends = "again.toml"\nsheet.rows = ["ones", "chance"]\n')
    more = load_rules(str(tmp_path / "more.toml"))
    assert [name for name, _row in more.named_rows()] == ["ones", "chance"]  # type: ignore[attr-defined]
