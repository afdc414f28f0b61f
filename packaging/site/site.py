"""site.py SOURCE BUILD: the site of doc/*.md, of the reference of the headers, and of a gallery, in BUILD/site.

The pages lie in BUILD/site-pages as in the tree, so that their links hold. What they link besides becomes a page, too: a
source its text, a folder the list of its files, a public header its page of the reference. Each line of the gallery is
run. Afterwards every link and every anchor has to lead somewhere, and nothing may come from another host."""
import html.parser
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path

SOURCE, BUILD = (Path(path).resolve() for path in sys.argv[1:3])
HERE, PAGES, SITE = Path(__file__).parent, BUILD / "site-pages", BUILD / "site"
LANGUAGES = {".c": "c", ".h": "c", ".cpp": "cpp", ".py": "python", ".build": "meson"}

# Title, command line, time at which a page that moves opens. It writes one file: such a page, or a picture.
GALLERY = [
    ("Lane change of a car", "resida solve car --animate car.html", 1),
    ("Train carriage on a line change", "resida solve train --animate train.html", 6),
    ("Squeezing mechanism", "resida solve andrews --animate andrews.html", 0),
    ("Flyball governor", "resida solve flyball --animate flyball.html", 4),
    ("Front axle on a step of the road", "resida solve double-wishbone --animate double-wishbone.html", 0.4),
    ("Lateral buckling of a strip", "resida solve tip-crank --animate tip-crank.html", 0.09),
    ("Stiff kinetics", "resida solve akzo --plot 'y.*' --out akzo.svg", None),
    ("Eigenvalues of a car", "resida linearize car --out modes.svg", None),
    ("Response of wheel loads to the rack", "resida response car --to 'out.*.load' --out response.svg", None),
    ("Entries of a Jacobian by groups of columns", "resida pattern train --out pattern.svg", None),
]


def fail(text):
    sys.exit(f"site.py: {text}")


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# ---- pages ----

def tracked():
    """Files of the tree; all of them where there is no git."""
    git = subprocess.run(["git", "-C", SOURCE, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if git.returncode == 0:
        return [Path(line) for line in git.stdout.splitlines() if (SOURCE / line).is_file()]
    return [path.relative_to(SOURCE) for path in SOURCE.rglob("*") if path.is_file() and BUILD not in path.parents]


def reference_of(header):
    return Path("reference") / (header.name.replace("_", "__").replace(".", "_8") + ".html")


def is_page(path):
    """NAME.in.md is what another page is written from."""
    return path.suffix == ".md" and not path.name.endswith(".in.md")


def title_of(path):
    """The first heading of a page; of others their name."""
    heading = re.match(r"# (.*)", (SOURCE / path).read_text(encoding="utf-8", errors="replace"))
    return heading[1] if heading and is_page(path) else path.name


def list_of(folder, files):
    """Return the page of a folder: pages by their titles, other files by their names."""
    lines = []
    for path in sorted(path for path in files if path.parent == folder):
        lines.append(f"- [{title_of(path)}]({path.name})" if is_page(path) else f"- `{path.name}`")
    lines += [f"- `{name}/`" for name in sorted({str(path.relative_to(folder).parts[0]) for path in files
                                                if folder in path.parents and path.parent != folder})]
    return f"# {folder.name}\n\n`{folder}`:\n\n" + "\n".join(lines) + "\n"


def text_of(path):
    """A page of a source."""
    text = (SOURCE / path).read_text(encoding="utf-8")
    return f"# {path.name}\n\n`{path}`:\n\n`````{LANGUAGES.get(path.suffix, 'text')}\n{text}`````\n"


def target_of(link, files):
    """Where a link to something of the tree leads in the site; what has no page yet gets one."""
    path = Path(os.path.normpath(link))
    if is_page(path) or path.suffix == ".svg":
        return path
    if path == Path("include/resida"):
        return Path("headers.md")
    if path.parent == Path("include/resida"):
        return reference_of(path)
    if (SOURCE / path).is_dir():
        page = path / ("README.md" if path / "README.md" in files else "index.md")
        if page not in files:
            write(PAGES / page, list_of(path, files))
        return page
    page = path.with_name(path.name + ".md")
    write(PAGES / page, text_of(path))
    return page


def with_links(page, text, files):
    """The text of a page with the links that the site has, by the titles of its pages in place of their paths. Lists
    begin with an empty line, which mkdocs wants."""
    def lead(found):
        words, (link, _, anchor) = found[1], found[2].partition("#")
        if not link or "://" in link:
            return found[0]
        target = target_of(page.parent / link, files)
        if words.endswith(".md") and target in files:
            words = title_of(target)
        return f"[{words}]({os.path.relpath(target, page.parent)}{'#' + anchor if anchor else ''})"

    text = re.sub(r"\[([^]\[]*)\]\(([^)\s]+)\)", lead, text)
    return re.sub(r"^([^\s|#-][^\n]*)\n(- )", r"\1\n\n\2", text, flags=re.M)


def lay_out():
    files = tracked()
    pages = [path for path in files if is_page(path) and path.parts[0] in ("doc", "benchmarks") or
             str(path) in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    for page in pages:
        write(PAGES / page, with_links(page, (SOURCE / page).read_text(encoding="utf-8"), files))
    for picture in (path for path in files if path.suffix == ".svg" and path.parts[0] == "doc"):
        shutil.copy(SOURCE / picture, PAGES / picture)
    target_of("doc/experiments", files)
    shutil.copy(HERE / "site.css", PAGES)


def headers():
    """The list of the headers in the order of all.h, and the reference by Doxygen."""
    folder = SOURCE / "include" / "resida"
    names = ["resida.h", *re.findall(r"#include <resida/(.*)>", (folder / "all.h").read_text(encoding="utf-8"))]
    lines = []
    for name in names + sorted(path.name for path in folder.glob("*.h") if path.name not in names):
        words = re.match(r"/\* \S+ - ((?:.|\n)*?)(?<!eq)\.\s", (folder / name).read_text(encoding="utf-8"))
        words = re.sub(r"\s*\n \*\s*", " ", words[1]) if words else ""
        lines.append(f"| [resida/{name}]({reference_of(Path(name))}) | {words} |")
    write(PAGES / "headers.md", "# Headers\n\nThe public headers are the manual: shapes, units, owners, statuses, "
          "costs. In the order of `all.h`:\n\n| header | content |\n|---|---|\n" + "\n".join(lines) +
          "\n\nAll functions and types: [the index](reference/globals.html).\n")
    settings = f"@INCLUDE = doc/Doxyfile\nOUTPUT_DIRECTORY = {PAGES}\nHTML_OUTPUT = reference\n"
    subprocess.run(["doxygen", "-"], input=settings, text=True, cwd=SOURCE, check=True)
    for page in (PAGES / "reference").glob("*.html"):  # the way back
        name, back = '<div id="projectname">', '<a href="../index.html">resida</a>'
        write(page, page.read_text(encoding="utf-8").replace(name + "resida", name + back))


def resida(arguments, folder):
    run = subprocess.run([BUILD / "command" / "resida", *arguments], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        fail(f"resida {shlex.join(arguments)} failed: {run.stderr}")
    return run.stdout


def gallery():
    """Run each line; show what it has written below it, with the model's own words."""
    folder = PAGES / "gallery"
    folder.mkdir()
    text = "# Gallery\n\nEach picture or animation was written by the command above it.\n"
    for title, line, time in GALLERY:
        arguments = shlex.split(line)[1:]
        name = arguments[-1]
        resida(arguments, folder)
        if not (folder / name).is_file():
            fail(f"{line}: the file {name} is missing")
        words = resida(["models", arguments[1]], folder).partition("\n")[0]
        shown = f"![{title}](gallery/{name})" if time is None else \
            f'<iframe src="gallery/{name}#t={time}" loading="lazy" title="{title}"></iframe>\n\n' \
            f"[Open as a separate page](gallery/{name})"
        text += f"\n## {title}\n\n{words}.\n\n    {line}\n\n{shown}\n"
    write(PAGES / "gallery.md", text)


# ---- checks ----

class Links(html.parser.HTMLParser):
    """What a page links, what it loads, and its anchors."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors |= {values[key] for key in ("id", "name") if values.get(key)}
        for key in ("href", "src"):
            if values.get(key):
                (self.links if tag == "a" else self.loads).append(values[key])


def check():
    """Every link of the site leads to a file and an anchor that are there; what a page loads is of the site."""
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in SITE.rglob("*.html")}
    broken, n = [], 0
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme in ("http", "https", ""):
                    broken.append(f"{path.relative_to(SITE)} loads {link}")
                continue
            n += 1
            base = SITE if parts.path.startswith("/") else path.parent
            target = (base / urllib.parse.unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            is_part = anchor and target in pages and "reference" not in target.parts and "=" not in anchor
            if not target.exists() or is_part and anchor not in pages[target].anchors | {"__top"}:
                broken.append(f"{path.relative_to(SITE)} links {link}")
    for path in [*SITE.rglob("*.css"), *SITE.rglob("*.js")]:
        if re.search(r"(url\(|@import )['\"]?https?:|unpkg|googleapis", path.read_text(encoding="utf-8")):
            broken.append(f"{path.relative_to(SITE)} loads from another host")
    if broken or n < 1000:
        fail("\n".join(broken) or f"only {n} links")
    print(f"site.py: {len(pages)} pages, {n} links, in {SITE}")


def main():
    for folder in (PAGES, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    PAGES.mkdir(parents=True)
    lay_out()
    headers()
    gallery()
    subprocess.run(["mkdocs", "build", "--quiet", "--strict", "-f", HERE / "mkdocs.yml"], check=True)
    for script in SITE.glob("assets/javascripts/bundle.*.js"):  # of the theme, which has diagrams from another host
        text = script.read_text(encoding="utf-8")
        script.write_text(re.sub(r"https://unpkg[^\"]*", "", text), encoding="utf-8")
    check()


main()
