#!/usr/bin/env python3
"""The tools of the manual: what is wrong in a page, a picture or a wave is found and said in one line; what is right is taken.

usage: test_manual.py BUILD        (in the project's top folder; needs nothing that is built)
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

if len(sys.argv) != 2:
    sys.exit(__doc__)
failures = 0


def tell(good, what, result=""):
    global failures
    print(f"{'ok  ' if good else 'FAIL'} {what}")
    if not good:
        failures += 1
        print("  " + result.replace("\n", "\n  "))


class Tree:
    """A small project with the tools of this one."""

    def __init__(self, folder):
        self.folder = folder
        shutil.copytree("scripts", os.path.join(folder, "scripts"))
        os.makedirs(os.path.join(folder, "rtl"))
        self.write("README.md", "# Project\nSee [the RTL](rtl/README.md#two-words).\n")
        self.write("rtl/README.md", "# rtl\n## Two words\nIn `rtl/`.\n")
        for page in os.listdir(os.path.join(folder, "scripts")):
            if page.endswith(".md"):
                os.remove(os.path.join(folder, "scripts", page))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def run(self, *words):
        done = subprocess.run([os.path.join(self.folder, words[0]), *words[1:]], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout + done.stderr


def expect(tree, words, status, parts, what):
    """The tool ends so, and its text (one line, when it refuses) holds these parts."""
    got, text = tree.run(*words)
    good = got == status and all(part in text for part in parts) and (status == 0 or len(text.strip().splitlines()) == 1)
    tell(good, what, f"exit status {got}:\n{text}")


WAVE = {"signal": [{"name": "valid", "wave": "01.0|."}, ["bus", {"name": "data", "wave": "z=.z|.", "data": ["A < B"]}]], "foot": {"tick": ["0", "1"], "text": "cycles"}}
DEQUE = {"program": "p.s", "threads": 2, "rows": [{"text": "SSY join", "off": ["", "SYNC"], "deque": ["SYNC 0,1 join"]}]}


def pictures(tree):
    tree.write("rtl/a.wave.json", json.dumps(WAVE))
    tree.write("rtl/b.deque.json", json.dumps(DEQUE))
    check = ["scripts/pictures", "check"]
    expect(tree, [*check, "rtl/a.wave.json"], 1, ["rtl/a.svg is missing"], "a picture that is not there")
    expect(tree, ["scripts/pictures", "draw"], 0, ["drew rtl/a.svg", "drew rtl/b.svg"], "two pictures are drawn")
    expect(tree, check, 0, [], "pictures that are current")
    tell("A &lt; B" in tree.read("rtl/a.svg") and "SYNC {0,1} to join" in tree.read("rtl/b.svg"), "their texts are in them")
    expect(tree, ["scripts/pictures", "draw"], 0, [], "current pictures stay")
    svg = tree.read("rtl/a.svg")
    tree.write("rtl/a.svg", svg.replace("cycles", "turns"))
    expect(tree, check, 1, ["rtl/a.svg was changed by hand"], "a drawing changed by hand")
    tree.write("rtl/a.svg", svg)
    tree.write("rtl/a.wave.json", json.dumps(WAVE).replace("valid", "ready"))
    expect(tree, check, 1, ["rtl/a.svg is older than rtl/a.wave.json"], "a drawing that is old")
    tree.write("rtl/a.svg", "<svg/>")
    expect(tree, check, 1, ["was not drawn by scripts/pictures"], "a drawing of somebody else")
    tree.write("rtl/a.wave.json", "{")
    expect(tree, ["scripts/pictures", "draw", "rtl/a.wave.json"], 1, ["pictures: "], "a text that is no JSON")
    expect(tree, ["scripts/waves", "rtl/none.waves", "none.fst"], 1, ["waves: ", "none.waves"], "a description of waves that is not there")
    for name in ("a.wave.json", "a.svg", "b.deque.json", "b.svg"):
        os.remove(os.path.join(tree.folder, "rtl", name))


VCD = """$scope module top $end
$var wire 1 ! clk_i $end
$var wire 1 " valid $end
$var wire 8 # data [7:0] $end
$scope module unit $end
$var wire 1 " valid $end
$var wire 1 % other $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0!
0"
b0 #
0%
#1
1!
#2
0!
1"
b101010 #
#3
1!
#4
0!
0"
#5
1!
#6
0!
#7
1!
#8
0!
#9
1!
#10
0!
1%
#11
1!
#12
"""
SPEC = {"from": {"signal": "top.valid", "before": 1}, "until": {"signal": "other", "after": 0}, "rows": [
    {"name": "valid", "signal": "top.valid"}, {"name": "data", "signal": "data", "when": "top.valid", "as": "hex"},
    {"name": "event", "events": {"OTHER": "other"}}, {"name": "state", "states": [{"on": "top.valid", "text": "seen"}]}]}


def waves(tree):
    tree.write("a.vcd", VCD)
    tree.write("a.waves", json.dumps(SPEC))
    status, text = tree.run("scripts/waves", "a.waves", "a.vcd")
    made = {lane["name"]: (lane["wave"], lane.get("data")) for lane in json.loads(text)["signal"]} if status == 0 else {}
    right = {"valid": ("010|..", None), "data": ("z=z|..", ["0x2A"]), "event": ("z..|.=", ["OTHER"]), "state": ("z=.|..", ["seen"])}
    tell(made == right, "signals of a run as a picture's text", f"{text}\n{made}\nnot\n{right}")
    for change, part in (({"from": {"signal": "none"}}, "none: 0 signals have this name"),
                         ({"until": {"signal": "other", "nth": 2}}, "other has the value only 1 times")):
        tree.write("a.waves", json.dumps({**SPEC, **change}))
        expect(tree, ["scripts/waves", "a.waves", "a.vcd"], 1, [part], f"refused: {part}")


def links(tree):
    words = ["scripts/check-links"]
    page = tree.read("README.md")
    expect(tree, words, 0, [], "links that lead somewhere")
    for text, part in (("[a](rtl/NONE.md)", "rtl/NONE.md: there is no such file"), ("[a](rtl/README.md#three)", "there is no such heading"),
                       ("[a](#project-2)", "there is no such heading"), ("![a](a.svg)", "a.svg: there is no such file"), ("`rtl/none/`", "`rtl/none/`")):
        tree.write("README.md", page + text + "\n")
        expect(tree, words, 1, ["README.md:3: ", part], f"refused: {text}")
    for text in ("    [a](none)\n", "\n```\n[a](none)\n```\n", "[a](https://nowhere.example/)\n", "# Project\n[a](#project-1)\n"):
        tree.write("README.md", page + "\n" + text)
        expect(tree, words, 0, [], f"taken: {text.strip().splitlines()[0]}")
    tree.write("rtl/a.sv", "wire a;\nwire b;\n")
    for code, status, part in (("wire a;\n", 0, ""), ("wire c;\n", 1, "does not stand there")):
        tree.write("README.md", page + f"\n<!-- from rtl/a.sv -->\n```\n{code}```\n")
        expect(tree, words, status, [part], f"code of a page: {code.strip()}")
    for diff, status, part in ((" wire a;\n+wire x;\n wire b;\n", 0, ""), (" wire c;\n+wire x;\n", 1, "0 times, not once"), (" wire\n", 1, "0 times")):
        tree.write("README.md", page + f"\nIn `rtl/a.sv`:\n\n```diff\n{diff}```\n")
        expect(tree, words, status, [part], f"a difference of a page: {diff.splitlines()[0]}")
    tree.write("README.md", page + "\n" * 90)
    expect(tree, words, 1, ["README.md has 92 lines, at most 90 may be"], "a README that is too long")
    tree.write("README.md", page)


def tried(tree):
    subprocess.run(["git", "init", "-q"], cwd=tree.folder, check=True)
    page = "In `rtl/a.sv`:\n\n```diff\n wire a;\n+wire x;\n```\n<!-- new file rtl/b.sv -->\n```\nwire y;\n```\n<!-- run -->\n```\ncat rtl/a.sv rtl/b.sv\nCOMMAND\n```\n"
    tree.write("rtl/a.sv", "wire a;\n")
    subprocess.run(["git", "add", "rtl"], cwd=tree.folder, check=True)
    tree.write("page.txt", page.replace("COMMAND", "true"))
    expect(tree, ["scripts/try-page", "page.txt", "copy"], 0, ["wire a;\nwire x;\nwire y;\n", "all that the page says works"], "a page that works")
    tell(tree.read("rtl/a.sv") == "wire a;\n", "the tree itself stays as it is")
    tree.write("page.txt", page.replace("COMMAND", "false"))
    status, text = tree.run("scripts/try-page", "page.txt", "copy")
    tell(status == 1 and "try-page: failed: false" in text, "a command that fails", text)
    tree.write("page.txt", page.replace(" wire a;", " wire z;"))
    status, text = tree.run("scripts/try-page", "page.txt", "copy")
    tell(status == 1 and "stand there 0 times, not once" in text, "a difference that does not fit", text)


with tempfile.TemporaryDirectory() as temporary:
    project = Tree(temporary)
    pictures(project)
    waves(project)
    links(project)
    tried(project)
sys.exit(1 if failures > 0 else 0)
