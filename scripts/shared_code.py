"""Makes the C++ of modules that Verilator leaves whole once for all their instances: functions that do the same are one function.

Verilator writes functions for each instance and merges those that are alike to the letter. What they declare for themselves is numbered through, and messages
name the instance, so most are not; here they are when they differ in nothing else. All that a function knows of its instance it reaches through vlSelf.
"""
import collections
import re

FUNCTION = re.compile(r"^(?:VL_INLINE_OPT |VL_ATTR_COLD )?void (\w+)\((\w+)\* vlSelf\) \{$")
PHASE = re.compile(r"___(stl|ico|act|nba)_")  # of an evaluation: what is evaluated in two of them is in the C++ twice, whole each time
LOCAL = re.compile(r"^ +[A-Za-z]\w*(?:<[\w, <>/*:]+>)?(?:/\*[\d:]+\*/)? (\w+);$", re.M)
CALL = re.compile(r"\b__V(?:func|task)_\w+")  # what a function of the Verilog declares, where it was called; some of it are members
WORD = re.compile(r"\w+")
NAMED = re.compile(r'"((?:[^"\\]|\\.)*?%N)[\w.\[\]]+((?:[^"\\]|\\.)*)"')  # "[%0t] .. in %Nname of the instance: .."
LEAST = 12  # lines: what is shorter costs little


def functions(lines):
    """(first line, last line, name, class) of each function that knows its instance by vlSelf"""
    at = 0
    while at < len(lines):
        found = FUNCTION.match(lines[at])
        if found:
            end = lines.index("}", at)
            yield at, end, found[1], found[2]
            at = end
        at += 1


def in_several(texts):
    """Members of calls that two functions of one phase have: what one leaves there the other may read"""
    users = collections.Counter()
    for lines in texts.values():
        for first, last, name, _ in functions(lines):
            phase = PHASE.search(name)
            if phase:
                users.update((phase[1], member) for member in set(CALL.findall("\n".join(lines[first:last + 1]))))
    return {member for (_, member), count in users.items() if count > 1}


def meaning(text, name, fixed):
    """What functions that do the same have in common: the text without what is only a name"""
    own = dict.fromkeys(LOCAL.findall(text) + [member for member in CALL.findall(text) if member not in fixed])
    names = {word: f"own {n}" for n, word in enumerate(own)}
    names[name] = "itself"
    return " ".join(WORD.sub(lambda word: names.get(word[0], word[0]), NAMED.sub(r'"\1\2"', text)).split())


def of_any_instance(text):
    """The function's text, where messages name the instance that it is called for"""
    return NAMED.sub(r'("\1" + std::string(vlSelf->name()) + "\2").c_str()', text)


def share(paths):
    """Rewrites Verilator's files: of functions that do the same the first stays, and the others call it. Returns how many do."""
    texts = {}
    for path in sorted(paths):
        with open(path, encoding="utf-8") as file:
            texts[path] = file.read().split("\n")
    fixed = in_several(texts)
    alike = collections.defaultdict(list)
    for path, lines in texts.items():
        for first, last, name, kind in functions(lines):
            if last - first >= LEAST:
                alike[kind, meaning("\n".join(lines[first:last + 1]), name, fixed)].append((path, first, last, name))
    edits = collections.defaultdict(dict)  # path: {first line: (last line, text)}
    callers = 0
    for (kind, _), found in alike.items():
        if len(found) == 1:
            continue
        path, first, last, one = found[0]
        edits[path][first] = last, of_any_instance("\n".join(texts[path][first:last + 1]))
        for path, first, last, _ in found[1:]:
            edits[path][first] = last, f"void {one}({kind}* vlSelf);\n{texts[path][first]}\n    {one}(vlSelf);\n}}"
            callers += 1
    for path, changed in edits.items():
        lines = texts[path]
        for first in sorted(changed, reverse=True):
            last, text = changed[first]
            lines[first:last + 1] = [text]
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
    return callers
