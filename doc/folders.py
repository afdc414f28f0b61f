#!/usr/bin/env python3
"""folders.py [--check] - draws doc/folders.svg: the folders of the library and which of them includes which.

An arrow points to a folder that is included. An arrow that follows from others is left out, and so are those to base,
which every folder includes. What a folder does is said in CONTRIBUTING.md. --check fails when the picture is out of date.
"""
import collections
import functools
import pathlib
import re
import sys
import textwrap
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "doc/folders.svg"
COLOURS = {"base": "#eeeeee", "jacobian": "#dce9f7", "src/core": "#e3f2df", "src/kits": "#fbeedb"}
WIDTH, HEIGHT, ROW, MARGIN = 1080, 76, 104, 20
CHARACTER = 6.6  # width in the font of the descriptions


def folder(path):
    """The box of a file: jacobian is one box, as its own header describes its parts."""
    parent = str(path.parent)
    return "jacobian" if parent.startswith("jacobian") else parent


def includes():
    """Pairs (folder, included folder)."""
    pairs = set()
    for top in ("base", "jacobian", "src"):
        for file in (ROOT / top).rglob("*.[ch]*"):
            here = folder(file.relative_to(ROOT))
            for header in re.findall(r'^#include "([^"]+/[^"]+)"', file.read_text(encoding="utf-8"), re.M):
                there = folder(pathlib.Path(header))
                if there != here:
                    pairs.add((here, there))
    tables = {"src/core", "src/kits"}  # the table of functions of kits
    return {(a, b) for a, b in pairs if a not in tables and b not in tables}


def reduced(pairs):
    """Arrows without those that follow from others, and the level of each folder above those it includes."""
    below = collections.defaultdict(set)
    for a, b in pairs:
        below[a].add(b)

    @functools.lru_cache(None)
    def reached(a):
        return below[a] | {c for b in below[a] for c in reached(b)}

    @functools.lru_cache(None)
    def level(a):
        return 1 + max((level(b) for b in below[a]), default=-1)

    names = {x for pair in pairs for x in pair}
    top = max(level(x) for x in names if x.startswith("src/core"))
    levels = {x: max(level(x), top + 1) if x.startswith("src/kits") else level(x) for x in sorted(names)}
    arrows = {(a, b) for a, b in pairs if b != "base" and not any(b in reached(c) for c in below[a])}
    return sorted(arrows), levels


def descriptions():
    rows = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| ([\w/]+) \| (.+) \|$", rows, re.M))


def draw():
    arrows, levels = reduced(includes())
    about = descriptions()
    highest = max(levels.values())
    at, boxes = {}, []
    for level in range(highest + 1):
        row = [x for x in levels if levels[x] == level]
        width = min((WIDTH - MARGIN * (len(row) + 1)) / len(row), 560)
        left = (WIDTH - width * len(row) - MARGIN * (len(row) - 1)) / 2
        y = MARGIN + (highest - level) * ROW
        for i, name in enumerate(row):
            x = left + i * (width + MARGIN)
            at[name] = (x + width / 2, y)
            colour = next(COLOURS[key] for key in COLOURS if name.startswith(key))
            boxes.append(f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{HEIGHT}" rx="4" fill="{colour}" '
                         'stroke="#555555"/>')
            boxes.append(f'<text x="{at[name][0]:.0f}" y="{y + 19}" font-size="14" font-weight="bold">{name}</text>')
            lines = textwrap.wrap(about[name], int(width / CHARACTER), max_lines=2 if width > 250 else 3, placeholder=" ...")
            for j, line in enumerate(lines):
                boxes.append(f'<text x="{at[name][0]:.0f}" y="{y + 37 + 15 * j}" font-size="12">{escape(line)}</text>')
    lines = []
    for a, b in arrows:
        (x0, y0), (x1, y1) = at[a], at[b]
        y0 += HEIGHT
        bend = (y1 - y0) / 2
        lines.append(f'<path d="M{x0:.0f},{y0} C{x0:.0f},{y0 + bend:.0f} {x1:.0f},{y1 - bend:.0f} {x1:.0f},{y1 - 3}" '
                     'fill="none" stroke="#555555" marker-end="url(#end)"/>')
    height = 2 * MARGIN + highest * ROW + HEIGHT
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
            'font-family="sans-serif" text-anchor="middle" fill="#222222">',
            "<title>Folders of the library</title>",
            "<desc>Arrows point from a folder to those it includes, except base, which all include.</desc>",
            '<defs><marker id="end" markerWidth="9" markerHeight="9" refX="7" refY="4" orient="auto">'
            '<path d="M0,0 L8,4 L0,8 z" fill="#555555"/></marker></defs>',
            f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']
    return "\n".join(head + lines + boxes + ["</svg>"]) + "\n"


def main():
    picture = draw()
    if "--check" not in sys.argv:
        PICTURE.write_text(picture, encoding="utf-8")
    elif not PICTURE.is_file() or PICTURE.read_text(encoding="utf-8") != picture:
        sys.exit("doc/folders.svg is not the picture of these folders: run doc/folders.py")


if __name__ == "__main__":
    main()
