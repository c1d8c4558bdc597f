"""Two-player Pig by other engines and by ours, side by side in one run, each in an environment of its own.

    python benchmarks/peers/run.py [--goals 10,20,30] [--limit SECONDS] [--write]

Environments are made with venv and pip in the user's cache, and kept. A goal that takes more processor time than the
limit, or seems to need much more, is given up, and so are larger ones; what 100 would take is extrapolated from the
last two goals, as a power, and marked so. Linux only, which can limit the processor time of another process.
"""

import json
import resource
import signal
import subprocess
import sys
import venv
from math import log
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from measure import arguments, machine, seconds, table, write  # noqa: E402

PEERS = {"Kosti": ("kosti_pig.py", []), "Storm": ("storm_pig.py", ["stormpy==2.0.0"]),
         "OpenSpiel": ("open_spiel_pig.py", ["open-spiel==2.0.2", "cvxpy"])}  # fmt: skip
FULL = 100
HOPELESS = 4
"""A goal that seems to take so many times the limit is not tried."""
AGREE = 1e-6
"""Values of two engines may differ by this much: Storm's default precision."""

Found = dict[str, Any]


def interpreter(script: str, packages: list[str]) -> Path:
    """The Python of a peer's environment, made if there is none yet; ours is the one that runs this."""
    if not packages:
        return Path(sys.executable)
    folder = user_cache_path("kosti") / "peers" / Path(script).stem
    python, done = folder / "bin" / "python", folder / "complete"
    if not done.exists():
        print(f"making an environment for {', '.join(packages)} in {folder}", flush=True)
        venv.create(folder, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        done.touch()
    return python


def run(python: Path, script: str, goal: int, limit: int) -> Found | None:
    """What a script prints for a goal; None if it takes too much processor time."""
    process = subprocess.Popen([python, str(HERE / script), str(goal)], stdout=subprocess.PIPE, text=True)
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit, limit + 1))
    output, _errors = process.communicate()
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None
    if process.returncode:
        raise SystemExit(f"{script} {goal} ended with status {process.returncode}")
    return dict(json.loads(output.splitlines()[-1]))


def expected(times: dict[int, float], goal: int) -> tuple[float, float]:
    """What a goal would take, from the last two that were solved, and the power of the goal by which time grew."""
    before, last = sorted(times)[-2:]
    power = log(times[last] / times[before]) / log(last / before)
    return times[last] * (goal / last) ** power, power


def told(found: Found | None) -> str:
    if found is None:
        return "not finished"
    return seconds(found["seconds"]) + (f", {found['rounds']} rounds" if "rounds" in found else "")


def extrapolated(times: dict[int, float]) -> str:
    """What the full game takes: measured, or extrapolated, which is then said."""
    if FULL in times:
        return seconds(times[FULL])
    if len(times) < 2:
        return "unknown"
    taken, power = expected(times, FULL)
    return f"*extrapolated*: {seconds(taken)} (goal to the power {power:.1f})"


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--goals", default="10,20,30,60,100")
    parser.add_argument("--limit", type=int, default=90, help="processor seconds for one goal")
    options = parser.parse_args()
    goals = [int(goal) for goal in options.goals.split(",")]
    results: dict[str, dict[int, Found | None]] = {name: {} for name in PEERS}
    pythons = {name: interpreter(*peer) for name, peer in PEERS.items()}
    for goal in goals:
        for name, (script, _packages) in PEERS.items():
            whole = {goal: one["seconds"] + one.get("apart", 0.0) for goal, one in results[name].items() if one}
            hopeless = None in results[name].values() or (
                len(whole) > 1 and expected(whole, goal)[0] > HOPELESS * options.limit
            )
            found = None if hopeless else run(pythons[name], script, goal, options.limit)
            results[name][goal] = found
            print(goal, name, found or "not finished", flush=True)
            ours = results["Kosti"][goal]
            if found and ours and abs(found["value"] - ours["value"]) > AGREE:
                raise SystemExit(f"goal {goal}: {name} finds {found['value']}, Kosti {ours['value']}")
    rows = []
    for goal in goals:
        ours = results["Kosti"][goal]
        value = f"{ours['value']:.10f}" if ours else ""
        rows.append([goal, value, *(told(results[name][goal]) for name in PEERS)])
    times = {name: {goal: one["seconds"] for goal, one in found.items() if one} for name, found in results.items()}
    rows.append([f"**{FULL}**", "", *(extrapolated(times[name]) for name in PEERS)])
    apart = [abs(found["value"] - ours["value"]) for name in PEERS for goal, found in results[name].items()
             if found and (ours := results["Kosti"][goal])]  # fmt: skip
    text = (
        f"{machine()}. A limit of {options.limit} s for each goal. Largest difference of values: {max(apart):.1e}.\n\n"
        + table(["goal", "first mover wins", *PEERS], rows)
    )
    print(text)
    if options.write:
        write("peers", text)


if __name__ == "__main__":
    main()
