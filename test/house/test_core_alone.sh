#!/usr/bin/env bash
# test_core_alone.sh TREE - the library without any kit: it builds, runs the examples, installs, and has no function of a kit; a
# kit is refused by name where what it stands on, or the command, is left out.
set -uo pipefail

tree=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

fail() {
    echo "$1"
    cat "$folder/log"
    failed=1
}

set_up() { # set_up NAME OPTIONS...
    local name=$1
    shift
    meson setup "$folder/$name" "$tree" --buildtype=debug -Dauto_features=disabled -Ddefault_library=shared "$@" >"$folder/log" 2>&1
}

set_up command -Dkits=check && fail "the command without the kit run is not refused"
grep -q 'the commands need the kit' "$folder/log" || fail "no line says which kit the command needs"
set_up run -Dcommand=disabled -Dkits=run && fail "the kit run without the others is not refused"
grep -q 'the kit run needs the kit checkpoint' "$folder/log" || fail "no line says which kit is needed"

set_up core -Dcommand=disabled -Dkits= --prefix="$folder/installed" || fail "setup fails"
meson compile -C "$folder/core" >"$folder/log" 2>&1 || fail "the core alone does not build"
meson test -C "$folder/core" --no-rebuild --timeout-multiplier 20 >"$folder/log" 2>&1 || fail "a test of the core alone fails"
n=$(grep -L 'resida/checkpoint.h' "$tree"/examples/*.c | grep -vc /plugin_)
grep -Eq "^Ok: +$n *$" "$folder/log" || fail "not all $n examples have run"
meson install -C "$folder/core" >"$folder/log" 2>&1 || fail "the core alone is not installed"
library=$(find "$folder/installed" -name libresida.so)
nm -D --defined-only "$library" >"$folder/log" || fail "no library is installed"
grep -q resida_solver_advance "$folder/log" || fail "the solver is missing"
grep -qE 'resida_(linearize|run|problem_impact|model_create|checkpoint)' "$folder/log" && fail "a function of a kit is there"
exit $failed
