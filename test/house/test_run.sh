#!/usr/bin/env bash
# test_run.sh RUN - what `run` does with build/, by stand-ins for meson, ninja and dpkg-query that write down how they were
# called: it sets up once, anew where packages have changed or options are given, gives arguments to whom they are for, and
# names in one line what it installs, before it does.
set -uo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/tree"
cp "$1" "$folder/tree/run"
cat >"$folder/bin/meson" <<'SH'
#!/bin/sh
echo "meson $*" >>"$CALLS"
[ "$2" != --reconfigure ] || [ -s "$3/meson-private/coredata.dat" ] || echo looks again >>"$CALLS"
[ "$1 $2" != "setup $TREE/build" ] || mkdir -p "$2/meson-info" "$2/meson-private"
[ "$1" != setup ] || echo found >"$TREE/build/meson-private/coredata.dat"
[ "$1 $2" != "setup $TREE/build" ] || echo "{\"directories\": {\"source\": \"$TREE\"}}" >"$2/meson-info/meson-info.json"
[ "$1" != setup ] || touch "$TREE/build/build.ninja"
[ "$*" != "setup --reconfigure $TREE/build $TREE -Dbad=1" ]
SH
printf '#!/bin/sh\necho "ninja $*" >>"$CALLS"\n' >"$folder/bin/ninja"
cat >"$folder/bin/dpkg-query" <<'SH'
#!/bin/sh
case $* in *Status-Status*"${MISSING:-none}") printf not-installed ;; *Status-Status*) printf installed ;; *) cat "$PACKAGES" ;; esac
SH
cat >"$folder/bin/apt-get" <<'SH'
#!/bin/sh
[ "$(grep -c "^run: will now install by .*apt-get: $MISSING\$" "$OUT")" = 1 ] && echo announced >>"$CALLS"
echo "apt-get $1" >>"$CALLS"
SH
printf '#!/bin/sh\n[ "$1" != -n ] || shift\nexec "$@"\n' >"$folder/bin/sudo"
chmod +x "$folder/bin"/*
export PATH=$folder/bin:$PATH OUT=$folder/out CALLS=$folder/calls PACKAGES=$folder/packages TREE=$folder/tree

failed=0
expect() { # expect CALLS ARGUMENTS...: in the order of the calls, with ';' between them
    local wanted=$1 got
    shift
    : >"$CALLS"
    "$TREE/run" "$@" >"$folder/out" 2>&1
    got=$(sed "s|$TREE|TREE|g" "$CALLS" | paste -sd';')
    [ "$got" = "$wanted" ] && return
    echo "run $*: called $got, not $wanted"
    cat "$folder/out"
    failed=1
}

tests='ninja -C TREE/build;meson test -C TREE/build --no-rebuild --print-errorlogs --timeout-multiplier 20'
anew='meson setup --reconfigure TREE/build TREE'
echo 'ii gcc 12' >"$PACKAGES"
expect "meson setup TREE/build TREE --buildtype=release -Dauto_features=disabled;$tests" -Dauto_features=disabled test
expect "$tests" test
grep -q passed "$folder/out" && failed=1 && echo "a summary of no tests"
expect "$tests --list -Dtests" test --list -Dtests
echo 'ii libmatio-dev 1.5' >>"$PACKAGES"
expect "$anew;looks again;$tests" test
expect "$tests" test
echo 'ii gcc 12' >"$PACKAGES"
expect "$anew;looks again;$tests" test
expect "$anew -Dwerror=true -Dmpi=auto;looks again;$tests" -Dwerror=true -Dmpi=auto test
expect "$tests" test
expect "$anew -Dbad=1;looks again" -Dbad=1 test
rm "$TREE/build/build.ninja"
expect "meson setup TREE/build TREE --buildtype=release;$tests" test
mkdir "$TREE/build/command"
printf '#!/bin/sh\necho "resida $*" >>"$CALLS"\n' >"$TREE/build/command/resida"
chmod +x "$TREE/build/command/resida"
export MISSING=libjansson-dev
expect "announced;apt-get update;announced;apt-get install;ninja -C TREE/build;resida compare chain" compare chain
unset MISSING
mkdir "$TREE/build/benchmarks"
printf '#!/bin/sh\necho "resida-bench $*" >>"$CALLS"\n' >"$TREE/build/benchmarks/resida-bench"
chmod +x "$TREE/build/benchmarks/resida-bench"
expect "ninja -C TREE/build;resida-bench reproduce table1 -q" reproduce table1 -q
expect "ninja -C TREE/build;resida-bench help reproduce" reproduce
expect "ninja -C TREE/build;resida-bench report --repeat 1" report --repeat 1
printf '#!/bin/sh\n[ "$1" != - ] || exec %s "$@"\necho "python3 $*" >>"$CALLS"\n' "$(command -v python3)" >"$folder/bin/python3"
chmod +x "$folder/bin/python3"
expect "ninja -C TREE/build;python3 TREE/packaging/site/site.py TREE TREE/build" site
printf '[ "$1" != test ] || mkdir -p "$3/meson-logs" && echo {} >"$3/meson-logs/testlog.json"\n' >>"$folder/bin/meson"
expect "$tests;python3 TREE/test/summary.py TREE/build" test
exit "$failed"
