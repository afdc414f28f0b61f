"""What a user is shown does what it says: the page, the examples, the installed package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from resida import _headers

SOURCE = Path(os.environ["RESIDA_SOURCE"])
EXAMPLES = sorted((SOURCE / "python/examples").glob("*.py"))


def test_every_block_of_the_page_runs(tmp_path, monkeypatch):
    shutil.copy(os.environ["RESIDA_PLUGIN"], tmp_path / "bead.so")
    monkeypatch.chdir(tmp_path)
    page = (SOURCE / "doc/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(blocks) > 4
    names = {}
    for block in blocks:
        exec(compile(block, "doc/python.md", "exec"), names)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path, tmp_path):
    run = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout and not run.stderr
    for picture in re.findall(r"\S+\.png", run.stdout):
        assert (tmp_path / picture.strip(";")).stat().st_size > 10_000


def test_there_are_three_examples_with_a_picture():
    assert len(EXAMPLES) >= 3
    assert any("matplotlib" in path.read_text(encoding="utf-8") for path in EXAMPLES)


def test_the_installed_package_is_whole(tmp_path):
    install = ["meson", "install", "-C", os.environ["RESIDA_BUILD"], "--no-rebuild", "--tags", "python", "--quiet"]
    subprocess.run(install, env=os.environ | {"DESTDIR": str(tmp_path)}, check=True, capture_output=True)
    [package] = tmp_path.glob("**/resida/__init__.py")
    tell = "import resida; print(resida.__file__, resida.__version__)"
    environment = os.environ | {"PYTHONPATH": str(package.parent.parent)}
    run = subprocess.run([sys.executable, "-c", tell], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == [str(package), _headers.version()]
    assert (package.parent / "py.typed").exists()


def test_the_package_has_the_version_of_the_headers():
    project = (SOURCE / "python/pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{_headers.version()}"\n' in project
