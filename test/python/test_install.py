"""The package is installed as the page says, without a network, and leaves nothing in the tree."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from resida import _headers

SOURCE = Path(os.environ["RESIDA_SOURCE"])
LIBRARY = os.environ["RESIDA_WHEEL_LIBRARY"]  # as -Disolated=true makes it, where that can be made here
RUN = ("import resida, resida._library as library, sys; "
       "r = resida.solve_dae(lambda t, y, yp: yp + y, (0, 1), [1.0]); "
       "print(resida.__file__, resida.__version__, library.text(library.lib.resida_version()), "
       "abs(r.y[0, -1] - 0.3679))")


def clean_environment(**more):
    """Without what leads to the tree, and with a proxy that is none: a download would fail."""
    hidden = ("PYTHONPATH", "RESIDA_LIBRARY", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return kept | {"https_proxy": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9", "PIP_NO_CACHE_DIR": "1",
                   "PIP_DISABLE_PIP_VERSION_CHECK": "1"} | more


def lines_of_the_page(first):
    """The lines of commands of the page, from the one that begins so."""
    page = (SOURCE / "doc/python.md").read_text(encoding="utf-8")
    [block] = [block for block in re.findall(r"(?:^    .*\n)+", page, re.MULTILINE) if block.strip().startswith(first)]
    return block


def tree():
    """All that is below python/, but what this run of Python keeps of the package."""
    package = SOURCE / "python/resida/__pycache__"
    return {path for path in (SOURCE / "python").rglob("*") if not path.is_relative_to(package)}


def run_lines(block, folder, **more):
    """As they are typed in the folder of the sources, with env and wheels beside it."""
    script = block.replace(" env", f" {folder}/env").replace("\n    env/", f"\n    {folder}/env/")
    script = script.replace("wheels", f"{folder}/wheels").replace("$PWD/build-wheel/libresida.so.0", LIBRARY)
    script = script.replace("--system-site-packages", "--system-site-packages --without-pip")
    script = re.sub(r"(/usr/bin/)?python3 ", f"{sys.executable} ", script)
    result = subprocess.run(["sh", "-exc", script], cwd=SOURCE, env=clean_environment(**more), capture_output=True,
                            text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def run_in(folder, **more):
    """What RUN prints in the new environment, somewhere else."""
    python = folder / "env/bin/python"
    result = subprocess.run([python, "-c", RUN], cwd="/", env=clean_environment(**more), capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    file, *versions, error = result.stdout.split()
    assert Path(file).is_relative_to(folder / "env") and versions == [_headers.version()] * 2 and float(error) < 1e-4


def test_it_is_installed_by_the_lines_of_the_page(tmp_path):
    before = tree()
    run_lines(lines_of_the_page("/usr/bin/python3 -m venv"), tmp_path)
    run_in(tmp_path, RESIDA_LIBRARY=os.environ["RESIDA_LIBRARY"])
    assert not tree() - before


def test_a_wheel_with_the_library_runs_in_another_environment(tmp_path):
    block = lines_of_the_page("meson setup build-wheel")
    wheel_lines = "".join(line + "\n" for line in block.splitlines() if "pip" in line)
    before = tree()
    environment = [sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", tmp_path / "env"]
    subprocess.run(environment, check=True)
    run_lines(wheel_lines, tmp_path)
    assert not tree() - before
    [wheel] = (tmp_path / "wheels").iterdir()
    assert re.fullmatch(rf"resida-{_headers.version()}-py3-none-linux_\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as file:
        assert file.testzip() is None and "resida/lib/libresida.so.0" in file.namelist()
        licenses = {name.partition(".dist-info/")[2]: file.read(name).decode(errors="replace")
                    for name in file.namelist()}
    if Path(LIBRARY).name.startswith("libresida_isolated"):  # SUNDIALS and KLU are inside
        assert "Lawrence Livermore" in licenses["licenses/libsundials-dev"]
        assert "LGPL" in licenses["licenses/libsuitesparse-dev"] and licenses["licenses/liblapack-dev"]
    run_in(tmp_path)
    maps = "import resida; print([line.split()[-1] for line in open('/proc/self/maps') if 'libresida' in line][0])"
    result = subprocess.run([tmp_path / "env/bin/python", "-c", maps], cwd="/", env=clean_environment(), text=True,
                            capture_output=True, check=True)
    assert Path(result.stdout.strip()).is_relative_to(tmp_path / "env")


def test_a_wheel_is_made_of_the_same_bytes_each_time(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(SOURCE / "python/backend")
    import resida_wheel

    one, two = tmp_path / "one", tmp_path / "two"
    for folder in one, two:
        folder.mkdir()
        assert resida_wheel.build_wheel(folder) == f"resida-{_headers.version()}-py3-none-any.whl"
    assert [path.read_bytes() for path in one.iterdir()] == [path.read_bytes() for path in two.iterdir()]
    with pytest.raises(FileNotFoundError, match="library = no/such.so: there is no such file"):
        resida_wheel.build_wheel(one, {"library": "no/such.so"})


def test_a_wheel_with_a_library_has_the_licences_of_what_is_inside(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(SOURCE / "python/backend")
    import resida_wheel

    def names(settings):
        wheel = resida_wheel.build_wheel(tmp_path, {"library": str(library)} | settings)
        with zipfile.ZipFile(tmp_path / wheel) as file:
            return {name.partition(".dist-info/")[2] for name in file.namelist() if "LICEN" in name.upper()}

    library, texts = tmp_path / "libresida.so.0", tmp_path / "texts"
    texts.mkdir()
    (texts / "SUNDIALS").write_text("BSD")
    monkeypatch.setattr(resida_wheel, "_DOC", Path("/nowhere"))
    library.write_bytes(b"has all inside")
    with pytest.raises(FileNotFoundError, match="/nowhere/libsundials-dev/copyright is missing: .* names a folder"):
        names({})
    assert names({"licenses": str(texts)}) == {"LICENSE", "licenses/SUNDIALS"}
    library.write_bytes(b"needs libsundials_ida.so.6")
    assert names({}) == {"LICENSE"}


def test_the_source_archive_makes_the_wheel_of_the_tree(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(SOURCE / "python/backend")
    import resida_wheel

    archive = tmp_path / resida_wheel.build_sdist(str(tmp_path))
    assert archive.name == f"resida-{_headers.version()}.tar.gz"
    first = archive.read_bytes()
    resida_wheel.build_sdist(str(tmp_path))
    assert archive.read_bytes() == first
    command = [sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "--wheel-dir", tmp_path / "wheels",
               archive]
    subprocess.run(command, env=clean_environment(), cwd="/", check=True, capture_output=True)
    [wheel] = (tmp_path / "wheels").iterdir()
    assert wheel.read_bytes() == (tmp_path / resida_wheel.build_wheel(str(tmp_path))).read_bytes()
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path], check=True)
    introspect = ["meson", "introspect", "--targets", tmp_path / archive.name.removesuffix(".tar.gz") / "meson.build"]
    targets = subprocess.run(introspect, capture_output=True, text=True, check=True).stdout
    for file in re.findall(r"'([\w/]+\.c(?:pp)?)'", (SOURCE / "src/meson.build").read_text(encoding="utf-8")):
        assert (tmp_path / archive.name.removesuffix(".tar.gz") / "src" / file).is_file(), file
    assert '"resida"' in targets
    again, unpacked = tmp_path / "again", tmp_path / archive.name.removesuffix(".tar.gz")
    again.mkdir()
    (unpacked / "build").mkdir()
    (unpacked / "build/built.o").touch()
    subprocess.run([sys.executable, "-c", "import resida_wheel, sys; resida_wheel.build_sdist(sys.argv[1])", again],
                   env=clean_environment() | {"PYTHONPATH": str(unpacked / "python/backend")}, check=True)
    assert (again / archive.name).read_bytes() == first
    with tarfile.open(archive) as files:
        assert all(member.mtime > 1e9 for member in files)


def test_types_are_right_everywhere():
    subprocess.run([sys.executable, "-m", "mypy", "--version"], check=True, capture_output=True)
    run = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir=/dev/null", "--config-file",
                          SOURCE / "python/pyproject.toml", SOURCE / "python/resida"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
