#!/usr/bin/env python3
"""The command line as a user meets it: what works, and what wrong input gets: one clear line, the right exit code, no hang.

usage: test_cli.py BUILD        (in the project's top folder, after make)
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

BUILD = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
failures = 0

KERNEL = """__kernel void twice(__global const uint *in, __global uint *out, uint add) {
    size_t i = get_global_id(0);
    out[i] = 2 * in[i] + add;
}
"""
PRINTS = """__kernel void prints(int n) {
    printf("%#x; \\"%s\\" %v2hlf\\n", n + (int)get_global_id(0), n > 3 ? "many" : "few", (float2)(n, 0.5f));
}
"""
HALFS = """#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void add(__global half *x, half by, __global double *y) {
    x[get_global_id(0)] = (half)(x[get_global_id(0)] * by + (half)y[get_global_id(0)]);
}
"""
SEVERAL = """__kernel void scale(__global float *a, float f, float4 v, int n) {
    size_t i = get_global_id(0);
    a[i] = a[i] * f + v.x + v.w + n;
}
__kernel void add(__global float *a, __global const short *b, __local int *l) {
    size_t i = get_global_id(0);
    l[i] = STEP;
    a[i] += b[i] + l[i];
}
"""
HANG = ".kernel hang\n.registers 4\nagain:\n    BRA again\n    EXIT\n"
OUTSIDE = ".kernel outside\n.registers 4\n    MOV R0, 0x7FFFFFF0\n    STG.32 [R0], R0\n    EXIT\n"
COPY = """__kernel void copy(__global const uint *restrict a, __global uint *restrict b, uint n) {
    for (uint k = get_global_id(0); k < n; k += get_global_size(0)) b[k] = a[k];
}
"""
LOCAL = ".kernel own\n.registers 4\n.local_bytes 16\n    S2R R0, SR_TID_X\n    STL.32 [RZ + 4], R0\n    LDL.32 R1, [RZ + 4]\n    EXIT\n"
CONFLICTS = ".kernel conflicts\n.registers 4\n.shared_bytes 512\n    S2R R0, SR_TID_X\n    SHL R0, R0, 3\n    LDS.32 R1, [R0]\n    EXIT\n"


def check(what, words, code, says="", lines=None):
    """Runs words; expects the exit code, `says` in the output, and, when it fails, at most `lines` lines on stderr."""
    global failures
    try:
        done = subprocess.run(words, capture_output=True, timeout=120, check=False)
        text = (done.stdout + done.stderr).decode(errors="replace")
        errors = done.stderr.decode(errors="replace").strip().splitlines()
        good = done.returncode == code and says in text and (lines is None or len(errors) <= lines)
        result = f"exit status {done.returncode}, expected {code}; expected to read \"{says}\":\n{text}"
    except subprocess.TimeoutExpired:
        good, result = False, "no end after 120 s"
    print(f"{'ok  ' if good else 'FAIL'} {what}")
    if not good:
        failures += 1
        print("  " + " ".join(words) + "\n  " + result.replace("\n", "\n  "))


def timeline_faults(path):
    """What is wrong with a timeline of a run of one launch; "" when nothing is."""
    with open(path, encoding="utf-8") as text:
        events = json.load(text)["traceEvents"]
    open_slices, names, arrows = {}, [], {"s": set(), "f": set()}
    for event in events:
        track = (event["pid"], event["tid"])
        if event["ph"] == "B":
            open_slices[track] = open_slices.get(track, 0) + 1
            names.append(event["name"])
        elif event["ph"] == "E":
            open_slices[track] = open_slices.get(track, 0) - 1
            if open_slices[track] < 0:
                return f"a slice ends on track {track} that has not begun"
        elif event["ph"] in arrows:
            arrows[event["ph"]].add((event["name"], event["id"]))
    times = [event["ts"] for event in events]
    if times != sorted(times):
        return "times go back"
    if any(open_slices.values()):
        return "slices stay open"
    for start in ("entry ", "task ", "CTA ", "slot "):
        if not any(name.startswith(start) for name in names):
            return f"no slice \"{start}..\""
    if not any(name == "launch" for name, _ in arrows["f"]) or not arrows["f"] <= arrows["s"]:
        return "no arrow from the launch to its task, or one without a start"
    return ""


def main():
    tandem, equalize = os.path.join(BUILD, "tandem"), os.path.join(BUILD, "equalize")
    with tempfile.TemporaryDirectory() as folder:
        def file(name, content):
            path = os.path.join(folder, name)
            with open(path, "wb") as out:
                out.write(content if isinstance(content, bytes) else content.encode())
            return path

        kernel, source = file("twice.cl", KERNEL), file("in.raw", b"".join(i.to_bytes(4, "little") for i in range(64)))
        elf, out = os.path.join(folder, "twice.elf"), os.path.join(folder, "out.raw")
        arguments = ["--global", "64", "--arg", "in:" + source, "--arg", f"out:{out}:256", "--arg", "5"]
        check("help", [tandem, "--help"], 0, "commands:")
        for command in ("cc", "as", "dis", "run", "info"):
            check(f"{command} --help", [tandem, command, "--help"], 0, "usage: tandem " + command)
        check("cc", [tandem, "cc", kernel, "-o", elf], 0)
        check("info of a code object", [tandem, "info", elf], 0, "kernel twice")
        check("info of a device", [tandem, "info", "rtl:nano"], 0, "4 lanes")
        for device in ("model:nano", "rtl:nano", "tandem:small", "tandem:full"):
            check(f"run on {device}", [tandem, "run", elf, "--device", device, *arguments], 0, "PASS")
            with open(out, "rb") as result:
                got = [int.from_bytes(result.read(4), "little") for _ in range(64)]
            check(f"  its result on {device}", ["test", str(got), "=", str([2 * i + 5 for i in range(64)])], 0)
        dis = subprocess.run([tandem, "dis", elf], capture_output=True, check=False).stdout
        again = file("again.s", dis)
        check("what dis prints assembles", [tandem, "as", again, "-o", os.path.join(folder, "again.elf")], 0)
        same = subprocess.run([tandem, "dis", os.path.join(folder, "again.elf")], capture_output=True, check=False).stdout
        check("and is the same again", ["test", "1", "=", "1" if same == dis and dis else "0"], 0)
        wave = os.path.join(folder, "run.fst")
        check("run with waves", [tandem, "run", elf, "--device", "rtl:nano", "--wave", wave, *arguments], 0, "PASS")
        check("the waves are there", ["test", "-s", wave], 0)
        timeline = os.path.join(folder, "run.json")
        for device in ("model:nano", "tandem:full"):
            check(f"run with a timeline on {device}", [tandem, "run", elf, "--device", device, "--timeline", timeline, *arguments], 0, "PASS")
            check("the timeline is whole: " + timeline_faults(timeline), ["test", "", "=", timeline_faults(timeline)], 0)
        prints, printed = file("prints.cl", PRINTS), os.path.join(folder, "prints.elf")
        check("cc of a kernel that prints", [tandem, "cc", prints, "-o", printed], 0)
        check("info of its formats", [tandem, "info", printed], 0, 'printf 2 is2f "%#x; "%s" %v2hlf\\012"')
        written = subprocess.run([tandem, "dis", printed], capture_output=True, check=False).stdout
        check("and assembled again", [tandem, "as", file("prints.s", written), "-o", printed], 0)
        for device in ("model:nano", "tandem:nano"):
            run_printing = [tandem, "run", printed, "--device", device, "--global", "2", "--arg", "5"]
            check(f"what it prints on {device}", run_printing, 0, '0x5; "many" 5.000000,0.500000\n0x6; "many" 5.000000,0.500000\n')
            check(f"more than the buffer holds on {device}", [*run_printing, "--printf-bytes", "20"], 0, "1 records lost, the buffer of 20 bytes was full", 1)
        check("a buffer that cannot be", [*run_printing, "--printf-bytes", "18"], 1, "must be a multiple of 4 from 16", 1)
        check("a timeline that cannot be made", [tandem, "run", elf, "--timeline", folder, *arguments], 1, folder, 1)

        halfs = [tandem, "run", file("halfs.cl", HALFS), "--global", "4", "--arg", "x=list:1,2.0009765625,-0.1,7e4", "--show", "x"]
        check("numbers of 16 bits", [*halfs, "--arg", "1.5", "--arg", "list:0.1,1e-300,3,4"], 0, "1.5996 3 2.8496 inf\n", 0)
        check("a number of 16 bits that is none", [*halfs, "--arg", "half", "--arg", "list:1"], 1, "is not a number", 1)
        several = [tandem, "run", file("several.cl", SEVERAL), "-D", "STEP=1"]
        scale = [*several, "--global", "4", "--kernel", "scale", "--arg", "x=list:1,2,3.5,-4"]
        values, saved = ["--arg", "1.5", "--arg", "1,2,3,4", "--arg", "-1"], os.path.join(folder, "saved.raw")
        then = ["--then", "--kernel", "add", "--global", "4", "--arg", "x", "--arg", "list:1,2,3,-4", "--arg", "local:64"]
        for device in ("model:nano", "tandem:nano"):
            run_both = [*scale, *values, *then, "--device", device, "--show", "x", "--save", "x:" + saved]
            check(f"two kernels that share a buffer on {device}", run_both, 0, "7.5 10 13.25 -5\n" + device + ": PASS", 0)
        with open(saved, "rb") as result:
            floats = struct.unpack("<4f", result.read())
        check("the buffer is saved", ["test", str(floats), "=", str((7.5, 10.0, 13.25, -5.0))], 0)
        check("one number for all of a vector", [*scale, "--arg", "0x1", "--arg", "2", "--arg", "0", "--show", "x"], 0, "5 6 7.5 0\n", 0)
        ways = ["--level", "63", "--at-head", "--policy", "greedy", "--round-robin", "--slice", "100", "--l1", "off", "--sv-order", "subvector",
                "--sv-miss-share", "0", "--yield-seed", "7", "--priority", "3", "--ring", "2", "--registers", "16", "--trace", os.path.join(folder, "run.txt")]
        check("everything that can be chosen", [*scale, *values, *ways, "--device", "tandem:nano", "--show", "x"], 0, "5.5 7 9.25 -2\n", 0)
        queue = ["--work-entries", "7", "--work-pieces", "8", "--work-priority", "2"]
        check("sizes of a queue of work", [*scale, *values, *queue], 0, "PASS", 0)
        check("a queue of work that cannot be", [*scale, *values, "--work-pieces", "7"], 1, "power of two", 1)
        for what, words, code, says in (
                ("a fraction for an integer", ["--arg", "1", "--arg", "1", "--arg", "1.5"], 1, "(int n), 1.5: is not an integer"),
                ("too few numbers for a vector", ["--arg", "1", "--arg", "1,2,3", "--arg", "1"], 1, "(float4 v), 1,2,3: 3 numbers, the type has 4"),
                ("too many numbers for a vector", ["--arg", "1", "--arg", "1,2,3,4,5", "--arg", "1"], 1, "more numbers than fit"),
                ("a number that is none", ["--arg", "fast", "--arg", "1", "--arg", "1"], 1, "(float f), fast: is not a number"),
                ("a number with a leading zero", ["--arg", "1", "--arg", "1", "--arg", "010"], 1, "(int n), 010: is not a number"),
                ("a number that is too large", ["--arg", "1", "--arg", "1", "--arg", "4294967296"], 1, "is too large for its type"),
                ("a buffer that is not there", [*values, "--show", "y"], 1, "--show y: no buffer has this name"),
                ("a buffer saved nowhere", [*values, "--save", "x"], 1, "--save x: write NAME:FILE"),
                ("a level that there is not", ["--level", "64"], 2, "must be a number from 0 to 63"),
                ("a policy that there is not", ["--policy", "fast"], 2, "must be round-robin or greedy"),
                ("a global size of 0", ["--global", "0"], 2, "one to three numbers from 1"),
                ("four sizes", ["--local", "1,1,1,1"], 2, "one to three numbers"),
                ("a file name with a comma", ["--wave", "a,b.fst"], 2, "with a comma"),
                ("an option of the compiler without its value", ["-I"], 2, "-I needs a value"),
                ("nothing to launch then", [*values, "--then"], 1, "has several kernels")):
            check(what, [*scale, *words], code, says, 1 if "several" not in says else None)
        check("the name of a buffer that is used", [*scale, *values, "--then", "--kernel", "add", "--arg", "x=zero:16"], 1, "takes 3 arguments", 1)
        check("and twice", [*scale, *values, "--then", "--kernel", "scale", "--arg", "x=zero:16", *values], 1, "an earlier buffer has this name", 1)
        check("a wrong argument gives no table", [*scale, "--arg", "z", "--arg", "1", "--arg", "1", "--stats"], 1, "is not a number", 1)
        defined = file("defined.cl", "__kernel void d(__global int *p) { p[0] = NAME; }\n")
        check("an option with a space in it", [tandem, "run", defined, "-DNAME=3 + 4", "--arg", "p=zero:4", "--show", "p"], 0, "7\n", 0)

        check("no command", [tandem], 2, "usage")
        check("unknown command", [tandem, "fly"], 2, "fly", 1)
        check("unknown option", [tandem, "run", elf, "--fast", "1"], 2, "--fast", 1)
        check("no such file", [tandem, "run", os.path.join(folder, "none.elf")], 1, "No such file", 1)
        check("no such device", [tandem, "run", elf, "--device", "gpu:0", *arguments], 1, "gpu:0", 1)
        check("no such configuration", [tandem, "run", elf, "--device", "rtl:huge", *arguments], 1, "huge", 1)
        check("too few arguments", [tandem, "run", elf, "--global", "64"], 1, "takes 3 arguments", 1)
        check("a number for a pointer", [tandem, "run", elf, "--arg", "1", "--arg", "2", "--arg", "3"], 1, "pointer", 1)
        check("local size that does not divide", [tandem, "run", elf, "--local", "48", *arguments], 1, "divide", 1)
        check("no such kernel", [tandem, "run", elf, "--kernel", "thrice", *arguments], 1, "thrice")
        check("a kernel that does not compile", [tandem, "cc", file("bad.cl", "__kernel void k(__global int *p) { p[0] = q; }\n")], 1, "bad.cl:1:")
        twice = file("segments.cl", KERNEL)
        ways = ["--segments", "--sv-way", "instructions", "--sv-cut", "run", "--sv-threshold", "0", "--sv-cost", "none"]
        check("segments in sub-vector order", [tandem, "cc", twice, *ways], 0, "threshold 0: sub-vector order (instructions)")
        check("segments that stay in regular order", [tandem, "cc", twice, "-v", "--sv-way", "copies"], 0, ": regular order")
        check("no report unless asked for", [tandem, "cc", twice, "--sv-way", "loop"], 0, "", 0)
        check("no such way into sub-vector order", [tandem, "cc", twice, "--sv-way", "both"], 2, "--sv-way both: instructions, auto", 1)
        check("a threshold that is none", [tandem, "cc", twice, "--sv-threshold", "300"], 2, "0 to 255", 1)
        check("an option of segments without a value", [tandem, "cc", twice, "--sv-cut"], 2, "--sv-cut needs a value", 1)
        check("no such option of segments", [tandem, "cc", twice, "--sv-speed", "1"], 2, "way, cut, threshold", 1)
        recursion = "int down(int n) {\n    return n > 0 ? down(n - 1) + 1 : 0;\n}\n__kernel void k(__global int *p) {\n    p[0] = down(p[1]);\n}\n"
        check("what OpenCL C does not have", [tandem, "cc", file("recursion.cl", recursion)], 1, "recursion.cl:2:")
        check("assembly with a mistake", [tandem, "as", file("bad.s", ".kernel k\n.registers 4\n    FLY R1, R2\n")], 1, "bad.s:3:", 1)
        check("not a code object", [tandem, "info", file("text.elf", "hello")], 1, "text.elf", 1)
        with open(elf, "rb") as whole:
            half = file("half.elf", whole.read()[:300])
        check("half a code object", [tandem, "info", half], 1, "half.elf", 1)
        check("a program that never ends", [tandem, "run", file("hang.s", HANG), "--device", "rtl:nano", "--deadline", "20000"], 1, "waited", 1)
        for device in ("model:nano", "rtl:nano", "tandem:nano"):
            broken = [tandem, "run", elf, "--device", device + ",bus_error=0x100000+0x3000000", *arguments]
            check(f"memory that fails on {device}", broken, 1, "BUS_ERROR at pc", 1)
        check("an error range that is none", [tandem, "run", elf, "--device", "model:nano,bus_error=4096", *arguments], 1, "write ADDRESS+BYTES", 1)
        check("a thread outside its memory", [tandem, "run", file("outside.s", OUTSIDE), "--device", "tandem:nano"], 1, "MEMORY_BOUNDS", 1)

        picture = file("small.pgm", b"P5\n# a ramp\n40 30\n255\n" + bytes(i * 7 % 200 for i in range(1200)))
        result = os.path.join(folder, "out.pgm")
        for device in ("model:full", "rtl:small", "tandem:nano", "tandem:small", "tandem:full"):
            check(f"the demo on {device}", [equalize, "--device", device, picture, result], 0, "PASS")
        colour = file("small.ppm", b"P6 5 4 255\n" + bytes(range(60)))
        check("the demo on a colour picture", [equalize, "--device", "tandem:nano", colour, result], 0, "PASS")
        check("the demo on one pixel", [equalize, "--device", "tandem:nano", file("one.pgm", b"P5 1 1 255\nx"), result], 0, "PASS")
        check("a picture cut short", [equalize, file("cut.pgm", b"P5 40 30 255\n" + bytes(100)), result], 1, "cut short", 1)
        check("not a picture", [equalize, kernel, result], 1, "not a binary PGM", 1)
        check("a picture without a height", [equalize, file("flat.pgm", b"P5 40 0 255\n"), result], 1, "height", 1)
        check("16-bit samples", [equalize, file("deep.pgm", b"P5 2 2 65535\n12345678"), result], 1, "largest value", 1)
        check("no picture", [equalize, os.path.join(folder, "none.pgm"), result], 1, "No such file", 1)
        check("the demo without files", [equalize], 2, "two files", 1)
        bench = os.path.join(BUILD, "queue-bench")
        check("queue-bench --help", [bench, "--help"], 0, "usage: queue-bench")
        check("additions to a work queue", [bench, "--device", "model:nano"], 0, "retries/addition", 0)
        check("an option that queue-bench does not have", [bench, "--devices", "model:nano"], 2, "--devices: unknown", 1)
        check("queue-bench: an option without its value", [bench, "--device"], 2, "--device needs a value", 1)
        check("queue-bench: what it does not measure", [bench, "--only", "all"], 2, "say additions, full, launches or chains", 1)
        check("queue-bench on no device", [bench, "--device", "model:huge"], 1, "huge", 1)
        run = os.path.join(BUILD, "queue-long")
        check("queue-long --help", [run, "--help"], 0, "usage: queue-long")
        check("adders that are told", [run, "adders", "--device", "model:nano", "--mode", "fail", "--laps", "3"], 0, "PASS", 0)
        check("a chain of launches", [run, "chain", "--device", "model:small", "--length", "50"], 0, "PASS", 0)
        check("queue-long without what to do", [run], 2, "say adders or chain", 1)
        check("a mode that queue-long does not have", [run, "adders", "--mode", "never"], 2, "say wait, fail or park", 1)
        check("queue-long: a number that is none", [run, "adders", "--laps", "many"], 2, "--laps needs a number", 1)
        check("queue-long: no warps", [run, "adders", "--warps", "0"], 2, "--warps needs a number from 1 to 4096", 1)
        check("queue-long: a ring of 3", [run, "adders", "--device", "model:nano", "--entries", "3"], 1, "must be 4 to 65536", 1)
        check("queue-long: more pieces than there can be", [run, "adders", "--laps", "1000000"], 1, "there can be 1 to", 1)
        check("queue-bench without its kernels", [bench, "--kernels", folder], 1, "queue_bench.cl")
        sm_bench = os.path.join(BUILD, "sm-bench")
        check("sm-bench --help", [sm_bench, "--help"], 0, "usage: sm-bench")
        check("operations of the deque a cycle", [sm_bench, "--config", "nano", "tokens"], 0, "part_and_meet")
        check("resident warps with shared rows", [sm_bench, "--config", "nano", "rows"], 0, "2 of  2")
        check("a part that sm-bench does not have", [sm_bench, "deques"], 2, "deques is no part", 1)
        check("an option that sm-bench does not have", [sm_bench, "--fast"], 2, "--fast is no part and no option", 1)
        check("sm-bench on no configuration", [sm_bench, "--config", "huge", "tokens"], 2, "huge: no such configuration", 1)
        check("sm-bench: an option without its value", [sm_bench, "--config"], 2, "no such configuration", 1)
        compiler_bench = os.path.join(BUILD, "compiler-bench")
        check("compiler-bench --help", [compiler_bench, "--help"], 0, "usage: compiler-bench")
        check("figures of a kernel", [compiler_bench, "--times", "1", "tests/opinion/kernels/loops.cl"], 0, "instructions of IR")
        check("compiler-bench without a file", [compiler_bench], 2, "name a file of kernels", 1)
        check("compiler-bench on no configuration", [compiler_bench, "--config", "huge", "x.cl"], 2, "no such configuration", 1)
        check("compiler-bench: no times", [compiler_bench, "--times", "0", "x.cl"], 2, "1 to 100000", 1)
        check("compiler-bench on a file that is not there", [compiler_bench, "nofile.cl"], 1, "cannot open the source")
        conflicts = file("conflicts.s", CONFLICTS)
        check("bank conflicts in a table", [tandem, "run", conflicts, "--stats", "--device", "tandem:full", "--global", "64", "--local", "64"], 0,
              " 4              2\n")
        check("the same on the model", [tandem, "run", conflicts, "--stats", "--device", "model:nano"], 0, "no level 1 cache")
        local = file("local.s", LOCAL)
        for device in ("model:nano", "rtl:nano", "tandem:small"):
            check(f"local memory is counted on {device}", [tandem, "run", local, "--stats", "--device", device, "--global", "40", "--local", "40"], 0, "local accesses       80 by threads")
        copy = file("copy.cl", COPY)
        arguments = ["--arg", "zero:4096", "--arg", "zero:4096", "--arg", "1024", "--global", "128", "--local", "64"]
        run_copy = [tandem, "run", copy, "--device", "model:full", *arguments]
        done = subprocess.run([*run_copy, "--sv-target", "full"], capture_output=True, text=True, timeout=120, check=False).stdout
        check("a program is compiled for the device it runs on", run_copy, 0, done if "PASS" in done else "PASS")
        other = subprocess.run([*run_copy, "--sv-target", "small"], capture_output=True, text=True, timeout=120, check=False).stdout
        check("or for another one", ["test", done, "!=", other], 0)
        check("--stats takes no value", [tandem, "run", conflicts, "--stats", "3"], 2, "one file at a time", 1)
    print("shows: WQ-1 WQ-6 TU-1 TU-6 [model rtl tandem]")
    sys.exit(1 if failures else 0)


main()
