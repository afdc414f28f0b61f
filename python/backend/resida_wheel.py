"""Builds the wheel of the package, as PEP 517 has it: no compiler, no network, and nothing is left in the tree.

    pip install ./python                                                     with the library that is installed
    pip wheel --config-settings=library=/.../libresida.so.0 ./python         with this library inside
    python3 python/backend/resida_wheel.py                                   print METADATA for another installer
"""

import base64
import hashlib
import shutil
import sysconfig
import tomllib
import zipfile
from pathlib import Path

_HERE = Path(__file__).resolve().parents[1]
_PACKAGE, _HEADERS = _HERE / "resida", _HERE.parent / "include" / "resida"
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
    project, library = _project(), (config_settings or {}).get("library")
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_") if library else "any"
    tag, name = f"py3-none-{platform}", f"{project['name']}-{project['version']}"
    files, info = _files(library), f"{name}.dist-info"
    is_pure = "false" if library else "true"
    files[f"{info}/METADATA"] = _metadata(project)
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: resida\nRoot-Is-Purelib: {is_pure}\n"
                              f"Tag: {tag}\n").encode()
    files[f"{info}/LICENSE"] = (_HERE.parent / "LICENSE").read_bytes()
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD")
    with zipfile.ZipFile(Path(wheel_directory) / f"{name}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _TIME)
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    shutil.rmtree(Path(__file__).parent / "__pycache__", ignore_errors=True)
    return f"{name}-{tag}.whl"


def build_sdist(sdist_directory: str, config_settings: dict | None = None) -> str:
    """There is none: the headers are elsewhere in the tree."""
    raise NotImplementedError("the package is built from the tree of resida, not from an archive of its own")


if __name__ == "__main__":
    print(_metadata(_project()).decode(), end="")
