"""Builds the wheel of the package, as PEP 517 has it: no compiler, no network, and nothing is left in the tree.

    pip install ./python                                                     with the library that is installed
    pip wheel --config-settings=library=/.../libresida.so.0 ./python         with this library inside
    python3 python/backend/resida_wheel.py                                   print METADATA for another installer

What is linked into such a library is distributed with it: its licences are those of Debian's packages, or the files of
the folder that --config-settings=licenses=FOLDER names. The source archive is the whole tree, of which the library can
be built, too.
"""

import base64
import calendar
import gzip
import hashlib
import io
import shutil
import subprocess
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

_HERE = Path(__file__).resolve().parents[1]
_TREE = _HERE.parent
_PACKAGE, _HEADERS = _HERE / "resida", _TREE / "include" / "resida"
_DOC = Path("/usr/share/doc")
_PARTS = ("libsundials-dev", "libsuitesparse-dev", "liblapack-dev", "libblas-dev")  # that -Disolated=true links
_LIBRARY = "resida/lib/libresida.so.0"  # where resida/_library.py looks for it
_TIME = (2020, 1, 1, 0, 0, 0)  # of each file in the wheel: the same input gives the same bytes


def _project() -> dict:
    return tomllib.loads((_HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def _files(library: str | None) -> dict[str, bytes]:
    """What belongs into the wheel, by its path there."""
    if not _HEADERS.is_dir():
        raise FileNotFoundError(f"{_HEADERS} is missing: the package is built from the tree of resida")
    paths = {f"resida/{path.name}": path for path in (*_PACKAGE.glob("*.py"), _PACKAGE / "py.typed")}
    paths |= {f"resida/include/{path.name}": path for path in _HEADERS.glob("*.h")}
    if library:
        paths[_LIBRARY] = Path(library)
        if not paths[_LIBRARY].is_file():
            raise FileNotFoundError(f"library = {library}: there is no such file (its path has to be absolute)")
    return {name: path.read_bytes() for name, path in sorted(paths.items())}


def _licenses(library: str | None, folder: str | None) -> dict[str, bytes]:
    """Of all that the wheel has, by their names below dist-info."""
    texts = {"LICENSE": _TREE / "LICENSE"}
    if folder:
        texts |= {f"licenses/{path.name}": path for path in sorted(Path(folder).iterdir())}
    elif library and b"libsundials_ida.so" not in Path(library).read_bytes():  # it does not load that: it has it
        texts |= {f"licenses/{part}": _DOC / part / "copyright" for part in _PARTS}
    for path in texts.values():
        if not path.is_file():
            raise FileNotFoundError(f"{path} is missing: SUNDIALS and others are in the library, and "
                                    "--config-settings=licenses=FOLDER names a folder with their licences")
    return {name: path.read_bytes() for name, path in texts.items()}


def _metadata(project: dict) -> bytes:
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}",
             *(f"Requires-Dist: {package}" for package in project["dependencies"])]
    return "\n".join(lines + [""]).encode()


def _record(files: dict[str, bytes], own: str) -> bytes:
    def line(name: str, data: bytes) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(data)}"

    return "\n".join([*(line(name, data) for name, data in files.items()), f"{own},,", ""]).encode()


def build_wheel(wheel_directory: str, config_settings: dict | None = None,
                metadata_directory: str | None = None) -> str:
    """Write the wheel. @return its name"""
    project, settings = _project(), config_settings or {}
    library = settings.get("library")
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_") if library else "any"
    tag, name = f"py3-none-{platform}", f"{project['name']}-{project['version']}"
    files, info = _files(library), f"{name}.dist-info"
    is_pure = "false" if library else "true"
    files[f"{info}/METADATA"] = _metadata(project)
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: resida\nRoot-Is-Purelib: {is_pure}\n"
                              f"Tag: {tag}\n").encode()
    files |= {f"{info}/{text}": data for text, data in _licenses(library, settings.get("licenses")).items()}
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD")
    with zipfile.ZipFile(Path(wheel_directory) / f"{name}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _TIME)
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    shutil.rmtree(Path(__file__).parent / "__pycache__", ignore_errors=True)
    return f"{name}-{tag}.whl"


def _tree() -> list[Path]:
    """The files of the tree: those that git has, or all of an archive but for what was built in it."""
    if not (_TREE / ".git").exists():
        tops = (top for top in _TREE.iterdir() if not top.name.startswith(("build", "debian")))
        paths = (path for top in tops for path in ([top] if top.is_file() else top.rglob("*")))
        return sorted(path for path in paths if path.is_file() and "__pycache__" not in path.parts)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=_TREE, capture_output=True, text=True, check=True).stdout
    return sorted(path for name in listed.split("\0") if name and (path := _TREE / name).is_file())


def build_sdist(sdist_directory: str, config_settings: dict | None = None) -> str:
    """Write the source archive: the tree, and beside it what pip reads. @return its name"""
    project, own = _project(), (_HERE / "pyproject.toml").read_text(encoding="utf-8")
    name = f"{project['name']}-{project['version']}"
    files = {str(path.relative_to(_TREE)): (path.read_bytes(), path.stat().st_mode & 0o755) for path in _tree()}
    files["pyproject.toml"] = own.replace('["backend"]', '["python/backend"]').encode(), 0o644
    files["PKG-INFO"] = _metadata(project), 0o644
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, (data, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode, entry.mtime = len(data), mode | 0o644, calendar.timegm(_TIME)
            archive.addfile(entry, io.BytesIO(data))
    target = Path(sdist_directory) / f"{name}.tar.gz"
    target.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return target.name


if __name__ == "__main__":
    print(_metadata(_project()).decode(), end="")
