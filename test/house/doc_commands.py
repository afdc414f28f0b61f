"""doc_commands.py SOURCE BUILD: every command line of README, doc and the heads of the examples is run, as it is
printed, in a folder of its page that has the files which the page speaks of. Lines that take minutes are run shortened, by
the table SHORTER; those that are not run at all are in NOT_RUN, with the reason. Where the build lacks a feature the line
has to say so."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

SOURCE, BUILD = (os.path.abspath(path) for path in sys.argv[1:3])
LIMIT_S = 120
HAS_FORTRAN = shutil.which("gfortran") and shutil.which("objcopy")
WORDS = r"resida|resida-bench|cc|meson|mpirun|sqlite3|valgrind|octave-cli|Rscript|python3|callgrind_annotate|\.|\./run" \
    r"|gfortran|objcopy|nm"
COMMANDS = f"(({WORDS}) |build/)"

NOT_RUN = [
    (r"^\./run ", "installs packages, builds, and runs this suite"),
    (r"^meson (setup|install) ", "builds and installs"),
    (r"^python3 -m (venv|pip) ", "test/python/test_install.py runs them"),
    (r"^resida-bench study ", "minutes, in which nothing else may run"),
    (r"^build/examples/simbody_linkage$", "a minute; the next line runs a part of it"),
    (r"^callgrind_annotate ", "a program of valgrind's on the file of the line before"),
]

# What takes minutes, and words that stand for others; the first word of a line is never changed.
SHORTER = [
    (r"\bMODEL\b", "pendulum"),
    (r"^((?:resida-bench work-precision|resida compare) .*?)( --repeat \d+)?$", r"\1 --repeat 1 --time-limit 20"),
    (r"^resida-bench work-precision all ", "resida-bench work-precision pendulum slider-crank "),
    (r"^(resida-bench work-precision .*)--to \S+", r"\1--to 1e-3"),
    (r"^(resida-bench work-precision (?!.*--to).*)$", r"\1 --from 1e-3 --to 1e-3"),
    (r"^(resida-bench reproduce table1.*)$", r"\1 --repeat 1"),
    (r"^(resida-bench report) --out report.html$", r"\1 --out report.html --sections table2 --repeat 1"),
    (r"^(resida-bench report \./.*)$", r"\1 --sections motion,equilibrium,models --peers none --repeat 1"),
    (r"^resida solve \w+ (.*--checkpoint \S+).*$",
     r"resida solve pendulum \1 --checkpoint-steps 20 --checkpoint-every 0 --max-steps 100"),
    (r"^(resida (?:solve .*--checkpoint |resume )(\S+).*)$", r"\1; test $? = 1 -a -s \2"),  # it is not over
    (r"-p n=1000 --t-end 1\b", "-p n=10 --t-end 0.1"),
    (r"^mpirun -n 64 ", "mpirun --oversubscribe -n 3 "),
    (r"^build/examples/simbody_linkage ball-loop 1e-6 1$", "build/examples/simbody_linkage ball-loop 1e-4 0.1"),
    (r"chain 14 200 auto", "chain 14 1 auto"),
    (r"^(gfortran .* -o program)$", r"\1 && RESIDA_DASSL_LOG=log ./program && grep -q DDASSL log && rm log"),
]


def programs():
    """What the build may lack and its lines need: the first word, and what must be there."""
    help_text = subprocess.run([f"{BUILD}/command/resida", "help"], check=True, capture_output=True).stdout
    has_peers = shutil.which("octave-cli") and shutil.which("Rscript")
    return {
        "valgrind": shutil.which("valgrind"), "sqlite3": b"sweep" in help_text,
        "octave-cli": has_peers, "Rscript": has_peers,
        "gfortran": HAS_FORTRAN, "objcopy": HAS_FORTRAN, "nm": HAS_FORTRAN,
        "mpirun": shutil.which("mpirun") and os.path.exists(f"{BUILD}/resida-mpi.so"),
        "build/examples/simbody_linkage": os.path.exists(f"{BUILD}/examples/simbody_linkage"),
        "python3": subprocess.run(["python3", "-c", "import cffi, numpy"], stderr=subprocess.DEVNULL).returncode == 0,
    }


# ---- files that pages speak of ----

FMU = """<fmiModelDescription fmiVersion='2.0' modelName='an oscillator' guid='{oscillator}'>
<ModelExchange modelIdentifier='oscillator' completedIntegratorStepNotNeeded='true'/>
<CoSimulation modelIdentifier='oscillator'/><DefaultExperiment stopTime='2'/>
<ModelVariables>
<ScalarVariable name='x' valueReference='1' initial='exact'><Real start='1'/></ScalarVariable>
<ScalarVariable name='v' valueReference='2' initial='exact'><Real start='0'/></ScalarVariable>
<ScalarVariable name='der(x)' valueReference='3'><Real derivative='1'/></ScalarVariable>
<ScalarVariable name='der(v)' valueReference='4'><Real derivative='2'/></ScalarVariable>
<ScalarVariable name='mass' valueReference='5' causality='parameter'><Real start='1'/></ScalarVariable>
<ScalarVariable name='force' valueReference='6' causality='input'><Real start='0'/></ScalarVariable>
<ScalarVariable name='torque' valueReference='8' causality='output'><Real/></ScalarVariable>
</ModelVariables>
<ModelStructure><Derivatives>
<Unknown index='3' dependencies='2'/><Unknown index='4' dependencies='1 2 5'/>
</Derivatives></ModelStructure></fmiModelDescription>"""


def link(name):
    return f"""<link name='{name}'><inertial><origin xyz='0 0 -0.5'/><mass value='1'/>
<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"""


def joint(name, parent, child, xyz):
    return f"""<joint name='{name}' type='revolute'><parent link='{parent}'/><child link='{child}'/><axis xyz='0 1 0'/>
<origin xyz='{xyz}'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint>"""


ARM = "<robot name='arm'>" + link("wall") + link("upper") + link("lower") + \
    joint("shoulder", "wall", "upper", "0 0 0") + joint("elbow", "upper", "lower", "0 0 -1") + "</robot>"
BARS = "<robot name='bars'><link name='wall'/>" + link("rod") + link("other") + link("bar") + \
    joint("hinge", "wall", "rod", "0 0 0") + joint("second", "wall", "other", "1 0 0") + \
    joint("knee", "rod", "bar", "0 0 -1") + "</robot>"
PLAN = {"model": "pendulum", "cases": 6, "design": "latin-hypercube", "seed": 7, "fixed": {"--t-end": 0.2},
        "vary": {"L": {"distribution": "normal", "mean": 1, "sd": 0.05}}, "outputs": ["end.x"]}
TEXTS = {
    "study.json": json.dumps(PLAN), "rows.csv": "L\n1\n1.1\n", "arm.urdf": ARM, "linkage.urdf": BARS,
    "motion.csv": "t,shoulder,elbow\n0,0,0\n1,0.5,0.2\n2,0,0\n",
    "torques.csv": "t,shoulder,elbow\n0,0,0\n1,5,2\n1,0,0\n",
    "drive.csv": "time,force\n0,0\n1,1\n",
    "load.csv": "time,load\n0,0\n1,1\n",
    "loops.csv": "link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\nbar,1,0,0,other,0,0,-1,xz\n",
    "feet.csv": "link,x,y,z,radius\nlower,0,0,-1,0.1\n",
    "program.m": "[x, xd, i] = dassl(@(x, xd, t) xd + x, 1, -1, [0 1]); assert(abs(x(2) - exp(-1)) < 1e-4);\n",
    "program.R": "library(deSolve)\nf <- function(t, y, dy, p) list(dy + y)\n"
                 "x <- daspk(y = 1, dy = -1, times = c(0, 1), res = f, parms = 0)\n"
                 "stopifnot(abs(x[2, 2] - exp(-1)) < 1e-4)\n",
    "bin/sqlite3": "#!/usr/bin/env python3\nimport sqlite3, sys\nwith sqlite3.connect(sys.argv[1]) as base:\n"
                   "    print(base.execute(sys.argv[2]).fetchall())\n",
}

# A program for DASSL, with a stand-in for the original that it must not call: an external routine, and one of a module.
DDASSL = """subroutine ddassl(res, neq, t, y, yp, tout, info, rtol, atol, idid, rwork, lrw, iwork, liw, rpar, ipar, jac)
  external :: res, jac
  integer :: neq, info(*), idid, lrw, iwork(*), liw, ipar(*)
  double precision :: t, y(*), yp(*), tout, rtol(*), atol(*), rwork(*), rpar(*)
  error stop 'the original DDASSL'
end subroutine
"""
PROGRAM = """program main
DECLARATIONS
  external :: res
  integer :: info(20) = 0, idid, iwork(21), ipar(1)
  double precision :: t = 0, y(1) = 1, yp(1) = -1, rtol(1) = 1d-6, atol(1) = 1d-6, rwork(100), rpar(1)
  call ddassl(res, 1, t, y, yp, 1d0, info, rtol, atol, idid, rwork, 100, iwork, 21, rpar, ipar, res)
  if (idid /= 3 .or. abs(y(1) - exp(-1d0)) > 1d-4) error stop 'wrong'
end program
subroutine res(t, y, yp, delta, ires, rpar, ipar)
  integer :: ires, ipar(*)
  double precision :: t, y(*), yp(*), delta(*), rpar(*)
  delta(1) = yp(1) + y(1)
end subroutine
"""


def compile_fortran(folder):
    """The files of "Programs that contain DASSL": program, main.o, dassl.o, libdassl.a, user.o, solver.o, both.f90."""
    with open(f"{SOURCE}/doc/tools.md", encoding="utf-8") as page:
        both = re.search(r"```fortran\n(.*?)```", page.read(), re.S).group(1)
    texts = {"dassl": DDASSL, "solver": f"module solver\ncontains\n{DDASSL}end module\n", "main": "external :: ddassl",
             "user": "use solver", "both": both}
    for name, text in texts.items():
        with open(f"{folder}/{name}.f90", "w", encoding="utf-8") as file:
            file.write(text if "subroutine" in text else PROGRAM.replace("DECLARATIONS", text))
    for line in ["gfortran -c dassl.f90 main.f90 solver.f90 user.f90", "ar rc libdassl.a dassl.o",
                 "gfortran main.o dassl.o -o program"]:
        subprocess.run(line.split(), cwd=folder, check=True)


def furnish(folder):
    os.mkdir(f"{folder}/bin")
    for name in ["examples", "include", "python"]:
        os.symlink(f"{SOURCE}/{name}", f"{folder}/{name}")
    os.symlink(BUILD, f"{folder}/build")
    os.symlink(f"{BUILD}/command/resida", f"{folder}/bin/resida")
    os.symlink(f"{BUILD}/benchmarks/resida-bench", f"{folder}/bin/resida-bench")
    for name, text in TEXTS.items():
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    os.chmod(f"{folder}/bin/sqlite3", 0o755)
    for source, name in [("examples/plugin_bead.so", "bead.so"), ("test/plugin_ball.so", "ball.so")]:
        shutil.copy(f"{BUILD}/{source}", f"{folder}/{name}")
    shutil.copy(f"{SOURCE}/test/casadi/pendulum.c", folder)
    binary = f"{BUILD}/test/fmu/fmu_oscillator2.so"
    with zipfile.ZipFile(f"{folder}/model.fmu", "w") as fmu:
        fmu.writestr("modelDescription.xml", FMU)
        if os.path.exists(binary):
            fmu.write(binary, "binaries/linux64/oscillator.so")
    with open(f"{SOURCE}/doc/tools.md", encoding="utf-8") as page, zipfile.ZipFile(f"{folder}/system.ssp", "w") as ssp:
        ssp.writestr("SystemStructure.ssd", re.search(r"```xml\n(.*?)```", page.read(), re.S).group(1))
        for name in ["drive", "body"]:
            ssp.write(f"{folder}/model.fmu", f"resources/{name}.fmu")


# ---- lines ----

def lines_of_page(text):
    """Lines of code, those that end with a backslash with what follows, without comments."""
    code = re.findall(r"^    ([^ \n](?:.*\\\n)*.*)$", text, re.M)
    return [re.sub(r"\s+#.*$", "", re.sub(r"\\\n\s*", "", line)).strip() for line in code]


def lines_of_source(text):
    head = re.sub(r"^ \* ?", "", text[:text.index("*/")], flags=re.M)
    return lines_of_page(head)


def is_command(line):
    return re.match(r"([A-Z_]+=\S+ )*" + COMMANDS, line) is not None


def named_tests(line):
    """`meson test -C build [--benchmark] NAME`: is there such a test?"""
    kind = "--benchmarks" if "--benchmark" in line else "--tests"
    listed = json.loads(subprocess.run(["meson", "introspect", BUILD, kind], check=True, capture_output=True).stdout)
    names = re.findall(r'"[^"]+"|\S+', line)[4:]
    asked = [name.strip('"') for name in names if not name.startswith("-") and name != "NAME"]
    there = {test["name"] for test in listed}
    optional = {"overhead", "instructions"} if not shutil.which("valgrind") else set()
    return [f"no test {name}" for name in asked if name not in there | optional]


def run(line, folder):
    """What is wrong with it, "" for nothing."""
    for pattern, words in SHORTER:
        line = re.sub(pattern, words, line)
    environment = dict(os.environ, PATH=f"{folder}/bin:" + os.environ["PATH"], CPATH=f"{SOURCE}/include",
                       LIBRARY_PATH=f"{BUILD}:{BUILD}/adapters/dassl", LD_LIBRARY_PATH=f"{BUILD}:{BUILD}/adapters/dassl",
                       PKG_CONFIG_PATH=f"{BUILD}/meson-uninstalled",
                       XDG_CACHE_HOME=folder, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    environment.pop("MALLOC_PERTURB_", None)
    try:
        done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True,
                              errors="replace", timeout=LIMIT_S, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"more than {LIMIT_S} s: {line}"
    says_what_lacks = re.search(r"built without .*; install ", done.stderr)
    if done.returncode == 0 or says_what_lacks:
        return ""
    return f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"


def pages():
    for pattern in ["*.md", "doc/*.md", "benchmarks/README.md", "python/*.md"]:
        for path in sorted(glob.glob(f"{SOURCE}/{pattern}")):
            yield path, lines_of_page
    for path in sorted(glob.glob(f"{SOURCE}/examples/*.c")):
        yield path, lines_of_source


def main():
    there, used, failed, n, n_run = programs(), set(), 0, 0, 0
    for path, read in pages():
        with open(path, encoding="utf-8") as file:
            lines = [line for line in read(file.read()) if is_command(line)]
        folder = tempfile.mkdtemp()
        furnish(folder)
        if path.startswith(f"{SOURCE}/examples/"):
            shutil.copy(path, folder)
        if HAS_FORTRAN and path.endswith("tools.md"):
            compile_fortran(folder)
        for line in lines:
            n += 1
            reason = next((pattern for pattern, _ in NOT_RUN if re.search(pattern, line)), None)
            used.add(reason)
            program = re.sub(r"^([A-Z_]+=\S+ )*", "", line).split()[0]
            if reason or not there.get(program, True):
                continue
            wrong = ", ".join(named_tests(line)) if program == "meson" else run(line, folder)
            n_run += 1
            failed += wrong != ""
            if wrong:
                print(f"{os.path.relpath(path, SOURCE)}: {line}\n    {wrong}")
        shutil.rmtree(folder)
    for pattern, reason in NOT_RUN:
        if pattern not in used:
            failed += 1
            print(f"no line is left out because {pattern} ({reason})")
    print(f"{n} command lines, {n_run} of them run, {failed} failed")
    return failed > 0 or n_run < n / 2


sys.exit(main())
