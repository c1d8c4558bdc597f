"""The README shows what the commands really print."""

import re
import shlex
from pathlib import Path

import pytest

from solver import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
EXAMPLES = re.findall(r"```console\n\$ (.+)\n([\s\S]+?)\n```", README)


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _shown in EXAMPLES])
def test_every_command_prints_what_the_readme_shows(
    command: str, shown: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command)
    monkeypatch.setattr("sys.argv", [program, *arguments])
    with pytest.raises(SystemExit):
        {"advise": cli.advise_command, "kosti": cli.kosti_command}[program]()
    printed = capsys.readouterr()
    assert (printed.out + printed.err).rstrip() == shown


def test_the_readme_shows_the_main_job() -> None:
    assert "advise --score 225 --dice 1,5,3,3,4" in [command for command, _shown in EXAMPLES]


def test_the_ruleset_of_the_readme_is_in_order(tmp_path: Path) -> None:
    shown = re.search(r"```toml\n([\s\S]+?)```", README)
    assert shown
    (tmp_path / "yard.toml").write_text(shown[1])
    from solver import load_rules  # the public name, as the README has it

    rules = load_rules(str(tmp_path / "yard.toml"))
    assert rules.dump_truck is None
    assert rules.bolts is not None
    assert rules.bolts.fine == 50


def test_the_library_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.search(r"```python\n([\s\S]+?)```", README)
    assert shown
    exec(compile(shown[1], "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("(1, 5) 3 28.8")
