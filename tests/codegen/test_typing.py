"""What the types of a generated module promise, and refuse: both checkers are asked.

None of these files is run. Each line of them that a checker must refuse says so, and
what the message must name; of the others there must be none.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from goldens import ACCEPTED
from hypothesis import HealthCheck, Phase, given, settings
from modules import ROOT, text_of
from tables import tables

from toolroute_codegen.cli._starter import TABLE as FIRST_TABLE
from toolroute_codegen.compile import compile_table

TYPING = Path(__file__).with_name("typing")
TABLE = (TYPING / "tools.yaml").read_text(encoding="utf-8")
JOURNAL = "  - {kind: journal, names: [journal]}\notherwise:"

IMPORTED = {
    "somewhere/else_.py": "Gate Host_ Registry Primary Target",
    "another/place.py": "Target",
    "house/cellar.py": "Bottle",
    "house/desk.py": "Desk",
    "house/servers.py": "Server",
}
"""The modules of the types that tables name, and the classes in them."""

Found = Mapping[tuple[str, int], str]
"""What a checker says, by file and line."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hosts with their modules, what accepted tables become, and random ones."""
    root = tmp_path_factory.mktemp("typing")
    (root / "tools.py").write_text(compile_table(TABLE, "tools.yaml"))
    more = TABLE.replace("otherwise:", JOURNAL)
    (root / "more_tools.py").write_text(compile_table(more, "tools.yaml"))
    (root / "armless.py").write_text(without_an_arm())
    (root / "dispatch.py").write_text(compile_table(FIRST_TABLE, "routes.yaml"))
    for name, text in readme_hosts().items():
        (root / name).write_text(text, encoding="utf-8")
    for each in (*TYPING.glob("*.py"), *ACCEPTED.glob("*.py")):
        shutil.copy(each, root)
    for at, text in enumerate(random_modules()):
        (root / f"random_{at}.py").write_text(text, encoding="utf-8")
    for file, classes in IMPORTED.items():
        (root / file).parent.mkdir(exist_ok=True)
        lines = (f"class {each}: ...\n" for each in classes.split())
        (root / file).write_text("".join(lines))
    (root / "pyrightconfig.json").write_text(
        json.dumps(
            {
                "typeCheckingMode": "strict",
                "pythonVersion": "3.11",
                "extraPaths": [str(ROOT / "runtime")],
            }
        )
    )
    return root


def without_an_arm() -> str:
    """A module whose dispatch has lost an arm."""
    module = compile_table(TABLE, "tools.yaml")
    arm = "        case File():\n            return handlers.file(route, context)\n"
    last = "            assert_never(route)"
    assert module.count(arm) == module.count(last) == 1
    return module.replace(arm, "").replace(last, f"{last}  # both: File")


def readme_hosts() -> dict[str, str]:
    """The hosts that README shows, and the same without the handler of a kind."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(
        r"^```python\n# (\w+\.py)\n(.*?)^```", readme, re.MULTILINE | re.DOTALL
    )
    hosts = dict(shown)
    for name, text in shown:
        without, removed = re.subn(r"    def note\(.*?\n\n", "", text, flags=re.DOTALL)
        given = r"(^HANDLERS.*|^.* = dispatch\.bind\(Handlers\(\)\))$"
        marked, told = re.subn(given, r"\1  # both: note", without, flags=re.MULTILINE)
        assert (removed, told) == (1, 1)
        hosts[f"noteless_{name}"] = marked
    assert sorted(hosts) == [
        "agent.py",
        "host.py",
        "noteless_agent.py",
        "noteless_host.py",
    ]
    return hosts


def random_modules() -> list[str]:
    """What some random tables become."""
    texts: list[str] = []

    @settings(
        max_examples=40,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(tables())
    def draw(written: dict[str, Any]) -> None:
        texts.append(text_of(written))

    draw()
    return texts


@pytest.fixture(scope="module")
def mypy(project: Path) -> Found:
    """What mypy says, strictly."""
    options = [
        "--strict",
        "--enable-error-code=exhaustive-match",
        "--no-error-summary",
        "--explicit-package-bases",
    ]
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--cache-dir=.cache", "."],
        cwd=project,
        env={**os.environ, "MYPYPATH": str(ROOT / "runtime")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not ran.stderr, ran.stderr
    found: defaultdict[tuple[str, int], str] = defaultdict(str)
    for line in ran.stdout.splitlines():
        file, number, said = line.split(":", 2)
        found[file, int(number)] += said
    return found


@pytest.fixture(scope="module")
def pyright(project: Path) -> Found:
    """What pyright says, strictly."""
    ran = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "-p", "."],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    found: defaultdict[tuple[str, int], str] = defaultdict(str)
    for each in json.loads(ran.stdout)["generalDiagnostics"]:
        name = Path(each["file"]).name
        found[name, each["range"]["start"]["line"] + 1] += each["message"]
    return found


def wanted(checker: str, project: Path) -> dict[tuple[str, int], str]:
    """What the files say that this checker must name, by file and line."""
    return {
        (file.name, number): names[2]
        for file in project.glob("*.py")
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if (names := re.search(rf"# ({checker}|both): (\S+)$", line))
    }


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_checkers_refuse_what_doesnt_fit_and_name_it(
    checker: str, project: Path, request: pytest.FixtureRequest
) -> None:
    found: Found = request.getfixturevalue(checker)
    expected = wanted(checker, project)
    assert sorted(found) == sorted(expected), dict(found)
    for at, names in expected.items():
        assert re.search(names, found[at]), (at, names, found[at])
