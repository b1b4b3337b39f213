"""The samples of the README run when they are pasted, and have the types that they need."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Service

PACKAGE = Path(__file__).parents[3] / "sdk" / "python"
README = PACKAGE / "README.md"
SAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


def run(*command: str, at: Path) -> str:
    done = subprocess.run(command, cwd=at, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_a_sample_runs(service: Service, tmp_path: Path, number: int) -> None:
    (tmp_path / "sample.py").write_text(SAMPLES[number])
    # The settings are in the environment, as the README says.
    assert os.environ["ONWARD_BASE_URL"] == service.base_url
    said = run(sys.executable, "sample.py", at=tmp_path)
    if number == 0:
        assert re.search(r"Created [0-9a-f-]{36}\nWelcome is a draft\n", said)


def test_package_and_samples_pass_mypy_strict(tmp_path: Path) -> None:
    assert len(SAMPLES) >= 7
    for number, sample in enumerate(SAMPLES):
        (tmp_path / f"sample_{number}.py").write_text(sample)
    # mypy reports an ignored line that has no mistake.
    (tmp_path / "mistake.py").write_text(
        "from onward import Onward\n"
        'Onward().contacts.create({"emial": "a@example.com"})  # type: ignore[typeddict-unknown-key]\n'
        "Onward().contacts.get(4711)  # type: ignore[arg-type]\n"
    )
    files = sorted(str(path) for path in tmp_path.glob("*.py"))
    cache = f"--cache-dir={tmp_path / 'cache'}"
    run(sys.executable, "-m", "mypy", "--strict", cache, "src", *files, at=PACKAGE)
