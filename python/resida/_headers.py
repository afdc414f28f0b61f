"""The C declarations of resida, read from the public headers that the package contains.

cffi has no preprocessor. Comments, C++ parts and inline functions are therefore removed here; numeric constants are
kept.
"""

import re
from pathlib import Path

_HERE = Path(__file__).parent
_FOLDERS = (_HERE / "include", _HERE.parents[1] / "include" / "resida")  # installed; in the tree of the sources
_FOLDER = next((folder for folder in _FOLDERS if folder.is_dir()), _FOLDERS[0])
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_FUNCTION = re.compile(r"^static inline [^;{]*\{.*?^\}$", re.DOTALL | re.MULTILINE)
_INCLUDE = re.compile(r"^#include <resida/(\w+\.h)>$", re.MULTILINE)
_NUMBER = re.compile(r"#define \w+\s+\d+$")


def _read(name: str) -> str:
    text = (_FOLDER / name).read_text(encoding="utf-8").replace("\\\n", " ")
    return _FUNCTION.sub("", _COMMENT.sub("", text))


def _of_c(text: str) -> list[str]:
    """Return the lines that a C compiler reads, without directives. Of other conditions the first branch is taken."""
    lines, left_out = [], []
    for line in map(str.rstrip, text.splitlines()):
        if line.startswith("#if"):
            left_out.append("__cplusplus" in line)
        elif line.startswith("#else"):
            left_out[-1] = not left_out[-1]
        elif line.startswith("#endif"):
            left_out.pop()
        elif line and not any(left_out) and (not line.startswith("#") or _NUMBER.match(line)):
            lines.append(line.replace("RESIDA_API ", ""))
    return lines


def declarations() -> str:
    """Return all types and functions in the order of all.h, for cffi."""
    return "\n".join(line for name in _INCLUDE.findall(_read("all.h")) for line in _of_c(_read(name)))


def version() -> str:
    """Return the version of these headers, for example "0.2.0"."""
    [found] = re.findall(r'RESIDA_VERSION\s+"(.*)"', _read("status.h"))
    return str(found)
