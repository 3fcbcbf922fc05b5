#!/usr/bin/env python3
"""Public headers that promise to stay: each is what its contract says, under the version that the contract names.

usage: test_contract.py            fails when a header has changed and its version has not
       test_contract.py --save     writes the contracts anew; refused when what was there before is broken under one MAJOR
       test_contract.py --self     that this program finds what it is for
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# header, where its contract is, the prefix of its constants MAJOR and MINOR
HEADERS = [("cmodel/model/tandem_model.h", "tests/install/contract/tandem_model.txt", "TANDEM_MODEL")]


def declarations(text):
    """What a header says, comments and layout aside: {name or text of a declaration: the declaration}."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S).replace("\\\n", " ")
    found = {}
    for line in re.findall(r"(?m)^[ \t]*#[ \t]*define[ \t]+(.*)$", text):
        line = " ".join(line.split())
        if " " in line:
            found["#" + line.split()[0]] = "#define " + line
    text = re.sub(r'(?m)^[ \t]*#.*$|extern "C" \{', "", text)
    depth, start = 0, 0
    for at, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == ";" and depth == 0:
            declaration = " ".join(text[start:at].split())
            function = re.search(r"(\w+)\s*\(", declaration) if "{" not in declaration and not declaration.startswith("typedef") else None
            name = function[1] if function else declaration.split("{")[0] + declaration.rsplit("}", 1)[-1] if "{" in declaration else declaration
            found[name] = declaration
            start = at + 1
    return found


def version(found, prefix):
    return tuple(int(found[f"#{prefix}_{part}"].split()[-1]) for part in ("MAJOR", "MINOR"))


def lasting(found, prefix):
    return {name: text for name, text in found.items() if name not in (f"#{prefix}_MAJOR", f"#{prefix}_MINOR")}


def grows(old, new):
    """A struct or enumeration of which the new one is a continuation."""
    if "{" not in old or "{" not in new:
        return False
    head, tail = old.rsplit("}", 1)
    head = head.rstrip().rstrip(",")
    return new.startswith(head) and new.rsplit("}", 1)[1] == tail and new[len(head):].lstrip()[:1] in (",", "}", *"abcdefghijklmnopqrstuvwxyz")


def broken(old, new):
    """Names of what a program that was built before would miss."""
    return [name for name, text in old.items() if new.get(name) != text and not grows(text, new.get(name, ""))]


def judge(old, new, prefix):
    """None, or what is wrong with a header `new` whose contract is `old`."""
    before, now = version(old, prefix), version(new, prefix)
    was, is_now = lasting(old, prefix), lasting(new, prefix)
    if now == before:
        changed = sorted(name for name in {**was, **is_now} if was.get(name) != is_now.get(name))
        return f"changed, but still version {now[0]}.{now[1]}: {', '.join(changed[:5])}" if changed else None
    if now < before:
        return f"version {now} is behind {before}"
    gone = broken(was, is_now) if now[0] == before[0] else []
    return f"broken under the same MAJOR: {', '.join(gone[:5])}" if gone else "the contract is of another version: --save"


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def self_test():
    old = declarations("#define P_MAJOR 1\n#define P_MINOR 0\nint f(int a); // x\ntypedef struct s { int a; } s;\nenum e { A = 1, B = 2 };\n#define N 4\n")
    cases = [("int f(int a);", "int f(int  a); /* why */", None), ("int f(int a);", "int f(long a);", "f"), ("int f(int a);", "", "f"),
             ("int a; }", "int a; int b; }", None), ("int a; }", "int b; int a; }", "struct s"), ("B = 2", "B = 2, C = 3", None), ("B = 2", "B = 3", "enum e"),
             ("#define N 4", "#define N 5", "#N"), ("int f(int a);", "int f(int a); int g(void);", None)]
    text = "#define P_MAJOR 1\n#define P_MINOR 0\nint f(int a); // x\ntypedef struct s { int a; } s;\nenum e { A = 1, B = 2 };\n#define N 4\n"
    good = judge(old, old, "P") is None
    for before, after, wrong in cases:
        changed = text.replace(before, after)
        same, minor, major = (judge(old, declarations(changed.replace("MAJOR 1\n#define P_MINOR 0", versions)), "P") for versions in
                              ("MAJOR 1\n#define P_MINOR 0", "MAJOR 1\n#define P_MINOR 1", "MAJOR 2\n#define P_MINOR 0"))
        only_layout = "why" in after
        fine = (same is None if only_layout else same is not None and "still version 1.0" in same) and "--save" in major
        fine = fine and ("--save" in minor if wrong is None else "broken" in minor and wrong in minor)
        if not fine:
            print(f"FAIL {before!r} -> {after!r}: {same} / {minor} / {major}")
            good = False
    return good


def main():
    words = sys.argv[1:]
    if words not in ([], ["--save"], ["--self"]):
        sys.exit(__doc__)
    good = self_test()
    print("ok   changes are told apart" if good else "FAIL changes are not told apart")
    for header, contract, prefix in HEADERS if words != ["--self"] else []:
        new = declarations(read(header))
        there = os.path.exists(os.path.join(ROOT, contract))
        old = dict(line.split("\t", 1) for line in read(contract).splitlines()) if there else {}
        wrong = judge(old, new, prefix) if there else "has no contract: --save"
        if words == ["--save"] and wrong is not None and ("--save" in wrong):
            os.makedirs(os.path.dirname(os.path.join(ROOT, contract)), exist_ok=True)
            with open(os.path.join(ROOT, contract), "w", encoding="utf-8") as file:
                file.write("".join(f"{name}\t{text}\n" for name, text in new.items()))
            wrong = None
        print(f"{'ok  ' if wrong is None else 'FAIL'} {header}{': ' + wrong if wrong else ''}")
        good = good and wrong is None
    sys.exit(0 if good else 1)


main()
