#!/usr/bin/env python3
"""test/summary.py BUILD - what a finished run of "meson test" in BUILD says, in lines:

    3412 passed, 1 failed, 2 skipped
    FAILED: command_files: a_full_disk_gives_74_and_one_line
    skipped: command_help: man_has_no_warning_about_the_page: lacks man

A test program of cmocka counts by its claims, any other one as one; a program that died counts as one failure at least.
A claim that is skipped prints "lacks: WHAT" before (test_lacks() in test/fixtures/file_util.h)."""
import json
import re
import sys

GOOD = ("OK", "EXPECTEDFAIL")


def claims_of(text):
    """(name, verdict, what it lacks) of each claim in the output of a program."""
    lacks = ""
    for line in text.splitlines():
        lack = re.match(r"lacks: (.+)", line)
        claim = re.match(r"\[\s*(OK|FAILED|SKIPPED|ERROR)\s*\] (\S+)", line)
        if lack:
            lacks = lack[1]
        if claim:
            yield claim[2], claim[1], lacks
            lacks = ""
    if lacks:  # a whole program
        yield "", "SKIPPED", lacks


def summary(log):
    """Number of claims that passed, lines of those that failed, lines of those that were skipped."""
    passed, failed, skipped = 0, [], []
    for line in log:
        test = json.loads(line)
        name, result = test["name"].rsplit(" / ")[-1], test["result"]
        claims = list(claims_of(test.get("stdout", "")))
        lost = [claim for claim, verdict, _ in claims if verdict in ("FAILED", "ERROR")]
        passed += sum(verdict == "OK" for _, verdict, _ in claims) if claims else result in GOOD
        failed += [f"FAILED: {name}: {claim}" for claim in lost]
        skipped += [f"skipped: {name}:{' ' + claim + ':' if claim else ''} lacks {lacks or 'what it does not say'}"
                    for claim, verdict, lacks in claims if verdict == "SKIPPED"]
        if result == "SKIP" and not claims:
            skipped.append(f"skipped: {name}: lacks what it does not say")
        elif result not in GOOD + ("SKIP",) and not lost:
            failed.append(f"FAILED: {name}: {result}")
    return passed, failed, skipped


def main():
    with open(sys.argv[1] + "/meson-logs/testlog.json", encoding="utf-8") as log:
        passed, failed, skipped = summary(log)
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped", *failed, *skipped, sep="\n")


if __name__ == "__main__":
    main()
