#!/usr/bin/env python3
"""One HTML page of all pages of the manual: scripts/manual.py BUILD OUT.html

The chapters stand in CHAPTERS; a page of the tree that is in none of them is an error, so that none is forgotten. Links between pages
become links inside the page, pictures are embedded, and a link that leads nowhere ends the work. Needs pandoc.
"""
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Title of a part, its pages. gen/: made by scripts/generate.py.
CHAPTERS = [
    ("", ["README.md"]),
    ("The hardware", ["rtl/README.md", "gen/configs.md", "rtl/host/README.md", "rtl/task/README.md", "rtl/sm/README.md", "rtl/sm/instructions.md",
                      "rtl/sm/divergence.md", "rtl/sm/subvector.md", "rtl/mem/README.md", "rtl/", "fpga/README.md", "fpga/area.md", "fpga/"]),
    ("The instruction set and the tables", ["gen/isa.md", "cmodel/isa/README.md", "cmodel/isa/add_an_instruction.md", "gen/registers.md",
                                            "gen/methods.md", "gen/tmd.md", "gen/events.md", "gen/bundles.md"]),
    ("The model", ["cmodel/README.md", "cmodel/host/README.md", "cmodel/task/README.md", "cmodel/sm/README.md", "cmodel/mem/README.md", "cmodel/base/README.md", "cmodel/trace/README.md", "cmodel/model/README.md"]),
    ("Driver, compiler, tool", ["cmodel/driver/README.md", "cmodel/driver/work_queue.md", "cmodel/backend/README.md", "cmodel/wire/README.md", "cmodel/compiler/", "cmodel/opencl/README.md", "cmodel/debugger/README.md", "cmodel/cli/README.md"]),
    ("The check and the tests", ["tb/README.md", "tb/kit/README.md", "tb/systemc/README.md", "tests/README.md", "tests/"]),
    ("Working on it", ["scripts/README.md", ".github/CONTRIBUTING.md", ".github/CHANGELOG.md", ".github/"]),
]


class ManualError(Exception):
    pass


def load_links():
    loader = importlib.machinery.SourceFileLoader("check_links", os.path.join(ROOT, "scripts/check-links"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_links", loader))
    loader.exec_module(module)
    return module


links = load_links()


def page_name(name):
    return re.sub(r"[^a-z0-9]+", "-", name.lower().removesuffix(".md").removesuffix("/readme")).strip("-")


def chapters(build):
    """(part, page, path) of all pages in order."""
    everything = {os.path.relpath(path, ROOT) for path in links.pages()}
    named = {page for _, pages in CHAPTERS for page in pages}
    left = sorted(everything - named)
    found = []
    for part, pages in CHAPTERS:
        for page in pages:
            if page.startswith("gen/"):
                found.append((part, page, os.path.join(build, page)))
            elif not page.endswith("/"):
                if page not in everything:
                    raise ManualError(f"{page} is a chapter in scripts/manual.py and not in the tree")
                found.append((part, page, os.path.join(ROOT, page)))
            else:
                inside = [other for other in left if other.startswith(page)]
                # A folder's own page goes before those of the folders in it.
                inside.sort(key=lambda name: (os.path.dirname(name), not name.endswith("README.md"), name))
                found += [(part, other, os.path.join(ROOT, other)) for other in inside]
                left = [other for other in left if other not in inside]
    if left:
        raise ManualError(f"{', '.join(left)}: in no chapter of scripts/manual.py")
    return found


def target_of(page, target, anchors):
    """The link inside the manual for a link of a page; None: a file that is no page."""
    path, _, anchor = target.partition("#")
    name = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if os.path.isdir(os.path.join(ROOT, name)):
        name = os.path.join(name, "README.md")
    if name not in anchors:
        return None
    if anchor and anchor not in anchors[name]:
        raise ManualError(f"{page}: {target} leads nowhere")
    return f"#{page_name(name)}--{anchor}" if anchor else f"#{page_name(name)}"


def convert_line(page, line, anchors):
    def link(match):
        picture, text, target = match[1], match[2], match[3]
        if re.match(r"[a-z]+:", target):
            return match[0]
        if picture:
            return f"![{text}]({os.path.normpath(os.path.join(os.path.dirname(page), target))})"
        inside = target_of(page, target, anchors)
        return f"[{text}]({inside})" if inside else text

    def path(match):
        name = match[1].rstrip("/")
        full = name if name.startswith(links.TOP) or "/" not in name else os.path.normpath(os.path.join(os.path.dirname(page), name))
        for candidate in (full, os.path.join(full, "README.md")):
            if candidate in anchors and candidate != page:
                return f"[`{match[1]}`](#{page_name(candidate)})"
        return match[0]

    line = links.LINK.sub(link, line)
    # Paths of pages, unless they already are the text of a link.
    return line if "](#" in line else links.PATH.sub(path, line)


def convert(page, text, anchors, deeper):
    """The page with headings named (and one level deeper), links inside the manual, comments left out."""
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL)
    outside = {number for number, _ in links.lines_of(text)}
    out, names = [], iter(links.headings(text))
    first = True
    for number, line in enumerate(text.split("\n"), 1):
        if number not in outside:
            out.append(line)
            continue
        match = re.match(r"(#+)\s+(.*)", line)
        if match:
            name = next(names)
            label = page_name(page) if first else f"{page_name(page)}--{name}"
            out.append(f"{deeper}{match[1]} {match[2]} {{#{label}}}")
            first = False
        else:
            out.append(convert_line(page, line, anchors))
    return "\n".join(out) + "\n\n"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def whole(build):
    pages = chapters(build)
    texts = {page: re.sub(r"<!--.*?-->\n?", "", read(path), flags=re.DOTALL) for _, page, path in pages}
    anchors = {page: links.headings(text) for page, text in texts.items()}
    out, before = [], None
    for part, page, _ in pages:
        if part and part != before:
            out.append(f"# {part} {{.part}}\n\n")
            before = part
        out.append(convert(page, texts[page], anchors, "#" if part else ""))
    return "".join(out)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    build, out = sys.argv[1], os.path.abspath(sys.argv[2])
    os.makedirs(os.path.dirname(out), exist_ok=True)
    text = whole(build)
    command = ["pandoc", "--from=gfm+attributes-tex_math_dollars-emoji", "--to=html5", "--standalone", "--self-contained", "--toc", "--toc-depth=3",
               "--columns=100000", "--metadata=title:Tandem, the manual", "--metadata=lang:en", f"--css={ROOT}/scripts/manual.css", f"--output={out}.part"]
    try:
        done = subprocess.run(command, input=text, text=True, cwd=ROOT, capture_output=True)
    except FileNotFoundError:
        raise ManualError("pandoc is missing: scripts/setup --docs") from None
    if done.returncode != 0:
        raise ManualError(done.stderr.strip())
    html = read(out + ".part")
    ids = set(re.findall(r'\bid="([^"]+)"', html))
    nowhere = sorted({target for target in re.findall(r'href="#([^"]+)"', html)} - ids)
    if nowhere:
        raise ManualError(f"links that lead nowhere: {', '.join(nowhere)}")
    os.replace(out + ".part", out)
    print(f"manual: {os.path.relpath(out, ROOT)}: {len(ids)} headings and anchors, {len(html) // 1024} KiB")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ManualError, OSError) as error:
        print(f"manual: {error}", file=sys.stderr)
        sys.exit(1)
