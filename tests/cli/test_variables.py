#!/usr/bin/env python3
"""Variables of the source in tandem debug: what print says of a variable is what the kernel then stores, for every thread; types, places, scopes, DWARF for other tools,
the same code with -g and without; an editor's view; what is refused.

usage: test_variables.py BUILD        (in the project's top folder, after make)
"""
import os
import re
import struct
import subprocess
import tempfile

from debug_session import TANDEM, WAIT, Client, check, debug, finish, ordered

THREADS = 64
# Each variable lives at the barrier and is stored behind it; STORED says where and as what.
KERNEL = """struct pair { int a; float b; };
struct nest { short s; struct pair inner; int list[3]; };
int triple(int given) { int result = given * 3; return result; }
__kernel void keep(__global const int *in, __global int *out, int bias, float4 v, struct pair p, __global struct pair *pairs) {
    const int id = get_global_id(0);
    __local int tile[32];
    int x = in[id];
    uint big = (uint)x * 2654435761u;
    char small = (char)(x * 7);
    ushort middle = (ushort)(x * 1001);
    bool odd = (x & 1) != 0;
    float real = x * 0.5f;
    long wide = (long)x * 1000000007;
    float4 w = v * (float)x;
    int2 both = (int2)(x + 1, x - 1) * 3;
    int t = triple(x) + bias;
    int many[6];
    for (int i = 0; i < 6; i++) many[(i + x) % 6] = x * i;
    struct nest nest = {(short)x, {x + 2, real}, {x, x + 5, x + 6}};
    int sum = 0;
    for (int i = 0; i <= id % 4; i++) sum += nest.list[(i + x) % 3] + many[(x + i) % 6];
    tile[get_local_id(0)] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    __global int *to = out + id * 24;
    to[0] = x; to[1] = big; to[2] = small; to[3] = middle; to[4] = odd; to[5] = as_int(real);
    *(__global long *)(to + 6) = wide;
    to[8] = as_int(w.x); to[9] = as_int(w.y); to[10] = as_int(w.z); to[11] = as_int(w.w);
    vstore2(both, 6, to); to[14] = t; to[15] = in[id] + tile[(id + 1) % 32];
    to[16] = many[x % 6]; to[17] = nest.s + nest.inner.a + nest.list[x % 3]; to[18] = sum; to[19] = p.a; to[20] = as_int(p.b);
    to[21] = pairs[0].a; to[22] = bias; to[23] = id;
}
"""
BEHIND = 24  # the line behind the barrier: nothing is on its way to memory any more, all variables are needed still
PAIR = hex(struct.unpack("<Q", struct.pack("<if", 77, 2.75))[0])  # by value
STORED = {"x": (0, "i"), "big": (1, "I"), "small": (2, "i"), "middle": (3, "i"), "odd": (4, "i"), "real": (5, "f"), "wide": (6, "q"), "w.x": (8, "f"), "w[1]": (9, "f"), "w.s2": (10, "f"),
          "w.w": (11, "f"), "both.x": (12, "i"), "both.y": (13, "i"), "t": (14, "i"), "sum": (18, "i"), "p.a": (19, "i"), "p.b": (20, "f"), "pairs->a": (21, "i"), "bias": (22, "i"), "id": (23, "i"),
          "in[id]": (0, "i"), "tile[3]": None}
# Values that do not fit the registers: all are stored behind the barrier, each for itself.
COUNT = 24
SPILLED = ("__kernel void spilled(__global const int *in, __global int *out) {\n    int id = get_global_id(0);\n    int x = in[id];\n"
           + "".join(f"    int v{k} = x * {2 * k + 3} + (x >> {k % 7 + 1});\n" for k in range(COUNT))
           + "    barrier(CLK_LOCAL_MEM_FENCE);\n" + "".join(f"    out[id * {COUNT} + {k}] = v{k};\n" for k in range(COUNT)) + "}\n")
SCOPES = """__kernel void scopes(__global int *out, int n) {
    int id = get_global_id(0);
    for (int i = 0; i < n; i++) {
        int i2 = i * id;
        {
            float i = i2 * 0.5f;
            out[id] += (int)i;
        }
        out[id] ^= i2 - i;
    }
    out[id] += 1;
}
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def inputs():
    return [(37 * k * k - 900 * k + 11) % 5003 for k in range(THREADS)]


def session(words, commands):
    given = [word for command in commands for word in ("--do", command)]
    done = subprocess.run([TANDEM, "debug", *words, *given], capture_output=True, text=True, timeout=4 * WAIT, check=False, stdin=subprocess.DEVNULL)
    return done.stdout, done.stderr, done.returncode


def rows_of(output):
    """Of each work-group that stopped: the values of each row command, in the order of commands."""
    stops, row = {}, None
    for line in output.splitlines():
        if line.startswith("  CTA ("):
            rows = stops[int(line[7:line.index(",")])] = []
            row = None
        elif re.match(r"  +\d+: ", line) and stops:
            first, values = line.split(":", 1)
            if int(first) == 0:
                row = []
                rows.append(row)
            row.extend(values.split())
    return stops


def same(shown, stored):
    if shown in ("true", "false"):
        return (shown == "true") == bool(stored)
    if isinstance(stored, float):
        return struct.pack("<f", float(shown)) == struct.pack("<f", stored)
    return shown.lstrip("-").isdigit() and int(shown) == stored


def check_rows(what, words, line, names, out, words_each, expected):
    """At each stop before `line` the rows of all names; afterwards the file `out` must hold the same. expected: None, or the least part of values that are shown."""
    if os.path.exists(out):
        os.remove(out)
    commands = [f"break {line}", "c"]
    for _ in range(THREADS // 32):
        commands += ["where"] + [f"row {name}" for name in names] + ["c"]
    said, errors, code = session(words, commands)
    stops = rows_of(said)
    data = open(out, "rb").read() if os.path.exists(out) else b""
    if code != 0 or len(stops) != THREADS // 32 or len(data) != 4 * words_each * THREADS:
        check(what, False, code, len(stops), len(data), said[-2000:], errors[-2000:])
        return
    wrong, shown, missing = [], 0, set()
    for name, place in names.items():
        if place is None:
            continue
        for stop, rows in stops.items():
            row = rows[list(names).index(name)] if len(rows) == len(names) else []
            for thread, value in enumerate(row):
                at = 4 * ((32 * stop + thread) * words_each + place[0])
                stored, = struct.unpack_from("<" + place[1], data, at)
                if value == "-" or value.startswith("<"):
                    missing.add(name)
                    continue
                shown += 1
                if not same(value, stored):
                    wrong.append((name, stop, thread, value, stored))
    total = THREADS * sum(place is not None for place in names.values())
    check(f"{what}: what is shown is what is stored", not wrong, wrong[:10], errors[-500:])
    check(f"{what}: {shown} of {total} values are shown", all(len(rows) == len(names) for rows in stops.values()) and shown >= expected * total, sorted(missing), errors[-800:])


def check_values(folder, device):
    path, out = write(folder, "keep.cl", KERNEL), os.path.join(folder, "keep.bin")
    numbers = write(folder, "in.bin", "")
    with open(numbers, "wb") as file:
        file.write(struct.pack(f"<{THREADS}i", *inputs()))
    pair = os.path.join(folder, "pair.bin")
    with open(pair, "wb") as file:
        file.write(struct.pack("<if", 77, 2.75))
    words = [path, "-g", "--global", str(THREADS), "--local", "32", "--arg", f"in:{numbers}", "--arg", f"out:{out}:{4 * 24 * THREADS}", "--arg", "5", "--arg", "1.5,2.25,-3.125,4", "--arg", PAIR,
             "--arg", f"in:{pair}", "--device", device]
    check_rows(f"{device}: variables of all types", words, BEHIND, STORED, out, 24, 0.99)
    said, errors, code = session(words, [f"break {BEHIND}", "c", "thread 5", "locals", "info args", "print nest", "print many", "print p", "print tile[5]", "print t", "print *pairs", "print v", "q"])
    check(f"{device}: types and structures as text", code == 0 and not errors and re.search(r"  int x = -?\d+\n", said) and "  struct pair p = {a = 77, b = 2.75}\n" in said
          and "*pairs = {a = 77, b = 2.75}" in said and re.search(r"nest = \{s = .*, inner = \{a = .*, b = .*\}, list = \{.*\}\}", said) and re.search(r"many = \{(-?\d+, ){5}-?\d+\}", said)
          and "v = (1.5, 2.25, -3.125, 4)" in said and "  global const int * in = 0x" in said, said, errors)


def check_spills(folder, device):
    path, out = write(folder, "spilled.cl", SPILLED), os.path.join(folder, "spilled.bin")
    with open(os.path.join(folder, "in.bin"), "wb") as file:
        file.write(struct.pack(f"<{THREADS}i", *inputs()))
    words = [path, "-g", "--registers", "12", "--global", str(THREADS), "--local", "32", "--arg", f"in:{folder}/in.bin", "--arg", f"out:{out}:{4 * COUNT * THREADS}", "--device", device]
    check_rows(f"{device}: values in memory for want of registers", words, 5 + COUNT, {f"v{k}": (k, "i") for k in range(COUNT)}, out, COUNT, 0.99)


def check_scopes(folder):
    path = write(folder, "scopes.cl", SCOPES)
    words = [path, "-g", "--global", "32", "--local", "32", "--arg", "zero:128", "--arg", "3", "--device", "model:nano"]
    said, errors, _ = session(words, ["break 9", "c", "thread 2", "print i", "print i2", "locals", "c", "print i", "print i2", "delete", "break 11", "c", "locals", "q"])
    inside, behind = said.split("breakpoint 1 at")[1], said.split("breakpoint 1 at")[-1]
    check("inner names hide outer ones, and are gone behind their block", ordered(inside, ("i = 0\n", "i2 = 0\n", "  int i2 = 0\n", "  int i = 0\n", "  int id = 2\n", "i = 1\n", "i2 = 2\n"))
          and "float i" not in inside and "  int id = 2\n" in behind and "i2" not in behind and not errors, said, errors)


def check_same_code(folder):
    sources = ["tests/examples/steps.cl"] + [f"tests/kernels/{name}.cl" for name in ("arithmetic", "vectors", "flow", "local", "private", "segments", "spills", "wide", "wide_access", "calls", "floats", "aliasing")]
    sources += [write(folder, "keep.cl", KERNEL), write(folder, "spilled.cl", SPILLED)]
    differ, readers = [], []
    for source in sources:
        texts = []
        for option in ([], ["-g"]):
            elf = os.path.join(folder, "code.elf")
            done = subprocess.run([TANDEM, "cc", source, "--once", *option, "-o", elf], capture_output=True, text=True, timeout=WAIT, check=False)
            texts.append(code_of(elf) if done.returncode == 0 else done.stderr)
        if texts[0] != texts[1] or not texts[0]:
            differ.append(source)
        readers += [f"{source}: {line}" for line in read_by_others(elf)]
    check(f"the same instructions with -g and without, of {len(sources)} programs", not differ, differ)
    check("readelf and llvm-dwarfdump read it, and find nothing wrong", not readers, readers[:10])


def code_of(elf):
    """The bytes of .text."""
    data = open(elf, "rb").read()
    start, = struct.unpack_from("<I", data, 32)
    count, names = struct.unpack_from("<HH", data, 48)
    sections = [struct.unpack_from("<10I", data, start + 40 * k) for k in range(count)]
    for section in sections:
        name = data[sections[names][4] + section[0]:]
        if name[:name.index(b"\0")] == b".text":
            return data[section[4]:section[4] + section[5]]
    return b""


def read_by_others(elf):
    done = subprocess.run(["llvm-dwarfdump-19", "--verify", elf], capture_output=True, text=True, timeout=WAIT, check=False)
    wrong = [line for line in done.stdout.splitlines() + done.stderr.splitlines() if "error" in line.lower() and "MCRegInfo" not in line and line != "No errors."]
    done = subprocess.run(["readelf", "--debug-dump=info,abbrev,loc,Ranges", elf], capture_output=True, text=True, timeout=WAIT, check=False)
    return wrong + [line for line in done.stderr.splitlines() if "MCRegInfo" not in line and "machine" not in line.lower()] + ([] if "DW_TAG_variable" in done.stdout or "DW_TAG_formal_parameter" in done.stdout else ["no variables"])


def check_editor(folder, device):
    path = write(folder, "keep.cl", KERNEL)
    pair = os.path.join(folder, "pair.bin")
    client = Client()
    client.start([BEHIND], source=path, program=path, args=["-g", "--global", "32", "--local", "32", "--arg", "list:" + ",".join(map(str, inputs()[:32])), "--arg", f"zero:{4 * 24 * 32}", "--arg", "5",
                                                            "--arg", "1.5,2.25,-3.125,4", "--arg", PAIR, "--arg", f"in:{pair}", "--device", device])
    stop = client.event("stopped")
    frame = client.ask("stackTrace", threadId=stop["body"]["threadId"])["body"]["stackFrames"][0]["id"]
    scopes = {scope["name"]: scope["variablesReference"] for scope in client.ask("scopes", frameId=frame)["body"]["scopes"]}
    variables = lambda reference: {one["name"]: one for one in client.ask("variables", variablesReference=reference)["body"]["variables"]}
    arguments, local = variables(scopes["Arguments"]), variables(scopes["Locals"])
    check(f"{device}: an editor sees arguments and variables, with types", arguments["bias"]["value"] == "5" and arguments["bias"]["type"] == "int" and local["x"]["value"] == str(inputs()[0]), arguments, local)
    parts = variables(arguments["p"]["variablesReference"])
    pairs = variables(arguments["pairs"]["variablesReference"])
    behind = variables(pairs["*"]["variablesReference"])
    many = variables(local["many"]["variablesReference"])
    inner = variables(variables(local["nest"]["variablesReference"])["inner"]["variablesReference"])
    check(f"{device}: structures, arrays, pointers and vectors expand", parts["a"]["value"] == "77" and behind["b"]["value"] == "2.75" and behind["b"]["evaluateName"] == "(*pairs).b" and len(many) == 6
          and set(inner) == {"a", "b"} and variables(arguments["v"]["variablesReference"])["[2]"]["value"] == "-3.125", parts, behind, many, inner)
    said = [client.ask("evaluate", expression=text, context="hover", frameId=frame) for text in ("pairs->b", "p", "many[9]", "ghost")]
    check(f"{device}: values under the pointer", said[0]["body"]["result"] == "2.75" and said[1]["body"]["variablesReference"] != 0 and not said[2]["success"] and "6 elements" in said[2]["message"]
          and not said[3]["success"], said)
    said = client.ask("evaluate", expression="row x", context="repl")
    check(f"{device}: rows in the debug console", said["success"] and f" {inputs()[7]}" in said["body"]["result"], said)
    old = arguments["p"]["variablesReference"]
    client.ask("next", threadId=stop["body"]["threadId"])
    client.event("stopped")
    check(f"{device}: references end when the program goes on", not client.ask("variables", variablesReference=old)["success"])
    check(f"{device}: the session ends", client.ask("disconnect")["success"] and client.end() == 0, client.process.returncode)


def check_wrong(folder):
    path = write(folder, "keep.cl", KERNEL)
    on = [path, "-g", "--global", "32", "--local", "32", "--arg", "list:" + ",".join(map(str, inputs()[:32])), "--arg", f"zero:{4 * 24 * 32}", "--arg", "5", "--arg", "1.5,2.25,-3.125,4",
          "--arg", PAIR, "--arg", f"in:{folder}/pair.bin", "--device", "model:nano"]
    for command, says in (("print ghost", "no variable in scope"), ("print many[6]", "there are 6 elements, numbered from 0"), ("print many[-1]", "there are 6 elements"), ("print p.c", "struct pair has no such member"),
                          ("print x.a", "has no such member"), ("print *x", "not a pointer"), ("print x[0]", "not a pointer"), ("print p.", "a name is expected"), ("print many[2", "] is expected"),
                          ("print (p", ") is expected"), ("print x +", "not understood"), ("print v.s7", "has no such member"), ("print in[99999999]", "nothing is at"), ("print result", "no variable in scope"),
                          ("print many[real]", "no integer"), ("row", "row: of what?"), ("row ghost", "no variable in scope"), ("print " + "(" * 40 + "x", "more than 32 parts"), ("locals x", "takes nothing")):
        debug(f"refused: {command[:40]}", on, [f"break {BEHIND}", "c", command], code=1, errors=(says, ))
    debug("before any warp runs", on, ["locals"], code=1, errors=("warp 0.0 does not run", ))
    plain = [word for word in on if word != "-g"]
    debug("without -g: print says what to do", plain, [f"break {BEHIND}", "c", "print x"], code=1, errors=("compile it with -g", ))
    debug("without -g: locals too", plain, [f"break {BEHIND}", "c", "locals"], code=1, errors=("compile it with -g", ))
    debug("without -g: arguments as the launch has them", plain, [f"break {BEHIND}", "c", "info args", "print bias", "q"], "bias = 5")
    late = write(folder, "late.cl", "__kernel void late(__global int *out) {\n    int id = get_global_id(0);\n    int early = out[id] + 1;\n    out[id] = early;\n    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                    "    int a = out[id ^ 1] * 3, b = out[id ^ 2] * 5, c = out[id ^ 4] * 7;\n    out[id] = a + b * c;\n}\n")
    debug("a value that is gone says from where to where it was there", [late, "-g", "--global", "32", "--local", "32", "--arg", "zero:128", "--device", "model:nano"], ["break 7", "c", "print early"],
          code=1, errors=("early has no value at 0x", ))


def main():
    with tempfile.TemporaryDirectory() as folder:
        for device in ("model:nano", "tandem:nano"):
            check_values(folder, device)
            check_spills(folder, device)
            check_editor(folder, device)
        check_scopes(folder)
        check_same_code(folder)
        check_wrong(folder)
    finish("shows: DB-5 [model tandem]")


main()
