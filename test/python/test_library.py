"""The library that is loaded is the one of the headers."""

import os
import subprocess
import sys

from resida import _headers
from resida._library import ffi, lib


def import_with(library):
    environment = os.environ | {"RESIDA_LIBRARY": str(library)}
    return subprocess.run([sys.executable, "-c", "import resida"], env=environment, capture_output=True, text=True)


def last_line(run):
    assert run.returncode == 1
    return run.stderr.splitlines()[-1]


def test_another_version_is_refused(modules):
    line = last_line(import_with(modules / "other_version.so"))
    assert line.endswith(f"is resida 0.0.7, but this package requires {_headers.version()}")


def test_structs_of_other_sizes_are_refused(modules):
    line = last_line(import_with(modules / "other_sizes.so"))
    assert f"the size of resida_dae is 8 bytes, but {ffi.sizeof('resida_dae')} bytes in the headers" in line


def test_what_is_no_library_of_resida_is_named():
    assert "/no/such.so is not a library of resida" in last_line(import_with("/no/such.so"))
    assert "libc.so.6 is not a library of resida" in last_line(import_with("libc.so.6"))


def test_every_function_of_the_headers_is_in_the_library():
    names = [name for name in dir(lib) if name.startswith("resida_")]
    assert len(names) > 50
    for name in names:
        getattr(lib, name)


def test_structs_without_a_size_of_their_own_are_those_of_the_plugins(tmp_path):
    """The sizes that a C compiler gives to the headers."""
    structs = ["resida_state", "resida_layout", "resida_start_report", "resida_model", "resida_stats",
               "resida_model_class", "resida_mechanism", "resida_dae", "resida_solver_options"]
    source = tmp_path / "sizes.c"
    numbers = ", ".join(f"sizeof({name})" for name in structs)
    source.write_text("#include <resida/all.h>\n#include <stdio.h>\nint main(void)\n{\n"
                      f"    size_t all[] = {{{numbers}}};\n"
                      f"    for (int i = 0; i < {len(structs)}; i++) printf(\"%zu\\n\", all[i]);\n    return 0;\n}}\n")
    include = os.path.join(os.environ["RESIDA_SOURCE"], "include")
    subprocess.run(["cc", "-I", include, source, "-o", tmp_path / "sizes"], check=True)
    sizes = subprocess.run([tmp_path / "sizes"], capture_output=True, text=True, check=True).stdout.split()
    assert [int(size) for size in sizes] == [ffi.sizeof(name) for name in structs]


def test_of_conditions_in_headers_that_for_c_is_read():
    text = ("#ifdef __cplusplus\nint a;\n#else\nint b;\n#endif\n#define WORD int\n#define N 3\n#if defined(__GNUC__)\n"
            "int c;\n#else\nint d;\n#endif")
    assert _headers._of_c(text) == ["int b;", "#define N 3", "int c;"]
