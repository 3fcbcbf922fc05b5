#!/usr/bin/env python3
"""Boards behind a wire, as their twins: tools, programs of the driver, signatures, and what goes wrong with wires. BU-4, BU-5, BU-6, BU-7.

Runs in the project's top folder, after make and make twin (build/twin-BOARD for a board other than the ulx3s). --long: a program of 300 KB as well, which takes a minute to go over the wire.
"""
import argparse
import os
import pty
import re
import subprocess
import sys
import tempfile
import time

BEGIN = time.monotonic()
PARTS = {"tools": "BU-5 BU-7", "programs": "BU-4", "signatures": "BU-6", "faults": "BU-7", "no_boards": "BU-7", "litex_server": "BU-4"}  # what each shows
BOARDS = {"ulx3s": ("twin", "nano", 32768), "colorlight_i9": ("twin-colorlight_i9", "pico", 8192)}  # twin, configuration, KiB of memory


def options():
    parser = argparse.ArgumentParser(prog="test_board.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--board", choices=BOARDS, default="ulx3s", help="(ulx3s)")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", choices=PARTS, action="append", help="this part alone; may stand several times")
    return parser.parse_args()


CHOSEN = options()
BUILD, LONG = CHOSEN.build, CHOSEN.long
PROGRAM, CONFIG, MEMORY_KIB = BOARDS[CHOSEN.board]
TWIN, TANDEM = os.path.join(BUILD, PROGRAM), os.path.join(BUILD, "tandem")
failures = 0

PARENT = """
__kernel void parent(__global uint *out) {
    uint i = get_global_id(0);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4, 4), ^{ out[4 * i + get_global_id(0)] = 100 * i + get_global_id(0); });
}
"""
MIXED = """
uint mix(uint x) __attribute__((noinline));
uint mix(uint x) { return x * 2654435761u ^ x >> 7; }
__kernel void mixed(__global uint *data, __global uint *count) {
    __local uint shared[32];
    uint i = get_global_id(0), l = get_local_id(0);
    shared[l] = mix(i);
    barrier(CLK_LOCAL_MEM_FENCE);
    data[i] = shared[31 - l];
    atomic_add(&count[i % 5], i);
    atomic_max(&count[8], mix(i));
    for (uint done = 0; !done;) {
        if (atomic_cmpxchg(&count[9], 0, 1) == 0) {
            count[10] = count[10] + 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(&count[9], 0);
            done = 1;
        }
    }
    float f = 1.0f / (i + 1);
    data[256 + i] = as_uint(native_sqrt(f) + f * 3.25f);
}
"""


def report(what, good, text):
    global failures
    print(f"{'ok  ' if good else 'FAIL'} {what} ({time.monotonic() - BEGIN:.0f} s)", flush=True)
    if not good:
        failures += 1
        print("  " + text.replace("\n", "\n  "), flush=True)


def check(what, words, code=0, says="", lines=None, seconds=240):
    """Runs words; expects the exit code, `says` in the output, and, when it fails, at most `lines` lines on stderr."""
    try:
        done = subprocess.run(words, capture_output=True, timeout=seconds, check=False)
        text = (done.stdout + done.stderr).decode(errors="replace")
        errors = [line for line in done.stderr.decode(errors="replace").strip().splitlines() if not line.startswith(("twin: ", "%Warning"))]
        good = done.returncode == code and re.search(says, text, re.S) is not None and (lines is None or len(errors) <= lines)
        result = f"exit status {done.returncode}, expected {code}; expected to read \"{says}\":\n{text}"
    except subprocess.TimeoutExpired:
        good, result, text = False, f"no end after {seconds} s", ""
    report(what, good, " ".join(words) + "\n" + result)
    return text


def twin(options, *words):
    return [TWIN, *options, "--", *words]


def tools(folder):
    check("BU-7 probe tells who is there", twin([], TANDEM, "probe", "uart:%"), 0,
          rf"clock +40\.000 MHz.*memory +{MEMORY_KIB} KiB.*PPU +{CONFIG}.*34 patterns came back right.*0 frames sent again")
    check("BU-5 the memory test", twin([], TANDEM, "memtest", "uart:%", "4"), 0, r"data lines +right.*address lines +right.*4 KiB right")
    check("info of a board", twin([], TANDEM, "info", "uart:%"), 0, f"uart:{CONFIG}")
    check("BU-7 where it stands, at rest", twin([], TANDEM, "where", "uart:%"), 0, r"channel 0 +not enabled, idle.*channel 1.*no warp is resident")
    hang = os.path.join(folder, "hang.s")
    with open(hang, "w", encoding="utf-8") as file:
        file.write(".kernel hang\n.registers 4\nagain:\n    BRA again\n    EXIT\n")
    # The program is killed while its kernel runs for ever; the board goes on, and is looked at.
    # In the foreground it waits until the killed one has let go of the terminal.
    check("BU-7 where it stands, in a loop", twin([], "sh", "-c", f"timeout --foreground -s KILL 4 {TANDEM} run {hang} --device uart:$TANDEM_TTY --global 32 --local 32; "
                                                  f"{TANDEM} where uart:$TANDEM_TTY --code {hang}"), 0,
          r"1 tasks outstanding.*SM 0 warp 0 .*pc 0, active 0x00000000ffffffff[^\n]*\n +BRA \S+  // \S+hang\.s:4: BRA again")


def corner(folder):
    """The left upper corner of the demo's picture: the twin calculates a clock at a time."""
    name = os.path.join(folder, "corner.pgm")
    with open("tests/unit/photograph.pgm", "rb") as file:
        _, size, _, pixels = file.read().split(b"\n", 3)
    width = int(size.split()[0])
    with open(name, "wb") as file:
        file.write(b"P5\n16 12\n255\n" + b"".join(pixels[width * y:width * y + 16] for y in range(12)))
    return name


def programs(folder):
    check("BU-4 the demo", twin([], os.path.join(BUILD, "equalize"), "--device", "uart:%", "tests/unit/photograph.pgm", os.path.join(folder, "out.pgm")), 0, "uart: PASS")
    check("BU-4 the demo twice, the second in the memory of the first",
          twin([], "sh", "-c", f"for i in 1 2; do {BUILD}/equalize --device uart:$TANDEM_TTY {corner(folder)} {folder}/again.pgm || exit 1; done"), 0, "PASS.*PASS")
    parent = os.path.join(folder, "parent.cl")
    with open(parent, "w", encoding="utf-8") as file:
        file.write(PARENT)
    check("BU-4 kernels that threads launch",
          twin([], TANDEM, "run", parent, "-cl-std=CL2.0", "--kernel", "parent", "--global", "4", "--local", "4", "--arg", "out=zero:64", "--show", "out", "--work-pieces", "16", "--work-entries", "16", "--device", "uart:%"), 0,
          "0 1 2 3 100 101 102 103 200 201 202 203 300 301 302 303")
    if LONG:
        check("BU-4 kernels that launch their own halves", twin([], os.path.join(BUILD, "nested"), "quicksort", "--size", "65", "--entries", "16", "--device", "uart:%"), 0, "PASS")
    source = os.path.join(folder, "mixed.cl")
    with open(source, "w", encoding="utf-8") as file:
        file.write(MIXED)
    words = [TANDEM, "run", source, "--global", "96", "--local", "32", "--arg", "data=zero:4096", "--arg", "count=zero:64", "--show", "data", "--show", "count", "--device"]
    expected = subprocess.run([*words, f"model:{CONFIG}"], capture_output=True, check=False).stdout.decode()
    expected = expected[:expected.rindex(f"model:{CONFIG}")]
    report("the model prints", len(expected.split()) > 1000, expected)
    check("BU-4 barriers, local memory, atomics, calls, a lock: as on the model", twin([], *words, "uart:%"), 0, re.escape(expected))
    model = os.path.join(folder, "model.pgm")
    subprocess.run([os.path.join(BUILD, "equalize"), "--device", f"model:{CONFIG}", "tests/unit/photograph.pgm", model], capture_output=True, check=False)
    with open(model, "rb") as left, open(os.path.join(folder, "out.pgm"), "rb") as right:
        report("BU-4 the picture is that of the model, byte by byte", left.read() == right.read(), "they differ")


def signatures(folder):
    check("BU-7 the self-test", twin([], TANDEM, "selftest", "uart:%"), 0, "arithmetic +right.*many launches +right")
    check("BU-6 a good board gives no alarm", twin([], os.path.join(BUILD, "equalize"), "--device", "tandem-board:uart:%", corner(folder),
                                                   os.path.join(folder, "signed.pgm")), 0, "(?=.*tandem-board: PASS).*places of rest alike, 0 not judged")


def faults(folder):
    outside = os.path.join(folder, "outside.s")
    with open(outside, "w", encoding="utf-8") as file:
        file.write(".kernel outside\n.registers 4\n    MOV R0, 0x7FFFFFF0\n    STG.32 [R0], R0\n    EXIT\n")
    check("a kernel that stores outside of memory faults, by name", twin([], TANDEM, "run", outside, "--device", "uart:%"), 1, "MEMORY_BOUNDS")
    equalize = [os.path.join(BUILD, "equalize"), "--device", "uart:%", corner(folder), os.path.join(folder, "noisy.pgm")]
    for what, option in (("lost", ["--lose", "4001"]), ("turned over", ["--flip", "3001"]), ("turned over on the way back", ["--flip-back", "5003"])):
        check(f"bytes that are {what} are sent again", twin(option, *equalize), 0, "uart: PASS")
    check("the cable is pulled in the middle: one sentence", twin(["--unplug", "3000"], *equalize), 1, "board lost: .*gave no good answer", lines=3)
    check("the cable was never in", twin(["--unplug", "1"], TANDEM, "probe", "uart:%"), 1, "gave no good answer", lines=1)
    check("a second program at the port", twin([], "sh", "-c", f"(flock -x 9; sleep 5) 9< $TANDEM_TTY & sleep 1; {TANDEM} probe uart:$TANDEM_TTY; status=$?; wait; exit $status"),
          1, "another program has it open", lines=1)


def no_boards(folder):
    two = os.path.join(folder, "two.s")
    with open(two, "w", encoding="utf-8") as file:
        file.write(".kernel one\n.registers 4\n    EXIT\n.kernel other\n.registers 4\n    EXIT\n")
    check("no such port", [TANDEM, "probe", "uart:/dev/none"], 1, "cannot be opened.*is the cable in", lines=1)
    check("no port at all", [TANDEM, "probe", "uart:"], 1, "write uart:PORT", lines=1)
    check("a file is no serial port", [TANDEM, "probe", "uart:" + two], 1, "is no serial port", lines=1)
    check("a rate that there is not", [TANDEM, "probe", "uart:/dev/ttyUSB0,baud=123456"], 1, "no serial port has 123456 baud", lines=1)
    check("an option that boards have not", [TANDEM, "info", "uart:/dev/ttyUSB0,seed=3"], 1, "has no option seed", lines=1)
    check("a rate for what has none", [TANDEM, "info", "model:nano,baud=9600"], 1, "only uart: has an option baud", lines=1)
    check("random programs want a seed, which boards have not", [os.path.join(BUILD, "random-programs"), "--device", "uart:/dev/ttyUSB0", "--out", folder], 2,
          "a board has no seed=", lines=1)
    report("they leave nothing behind", not any(name.startswith("random-") for name in os.listdir(folder)), str(os.listdir(folder)))
    check("probe wants a board", [TANDEM, "probe", "model:nano"], 1, "is no board", lines=1)
    check("memtest wants a size", [TANDEM, "memtest", "uart:/dev/ttyUSB0", "-3"], 2, "a number from 1 on, or `all`")
    check("where: which of two kernels", [TANDEM, "where", "uart:/dev/ttyUSB0", "--code", two], 1, "has 2 kernels; say with --kernel", lines=1)
    check("where: no such kernel", [TANDEM, "where", "uart:/dev/ttyUSB0", "--code", two, "--kernel", "three"], 1, "has no kernel three", lines=1)
    check("where: a kernel of nothing", [TANDEM, "where", "uart:/dev/ttyUSB0", "--kernel", "one"], 2, "a kernel of --code FILE")
    check("where: no such file", [TANDEM, "where", "uart:/dev/ttyUSB0", "--code", os.path.join(folder, "none.s")], 1, "none.s: No such file", lines=1)
    check("nobody listens there", [TANDEM, "probe", "etherbone:localhost:1"], 1, "does litex_server run there", lines=1)
    check("the twin's options", [TWIN, "--lose", "0"], 2, "a number from 1 on", lines=None)
    master, slave = pty.openpty()
    begin = time.monotonic()
    check("a terminal where nobody answers", [TANDEM, "probe", "uart:" + os.ttyname(slave)], 1, "gave no good answer to 6 tries", lines=1)
    report("it took less than a minute", time.monotonic() - begin < 60, "it took longer")
    os.close(master)
    os.close(slave)


def litex_server(folder):
    server = os.path.join(BUILD, "venv-fpga", "bin", "litex_server")
    script = (f"{server} --uart --uart-port $TANDEM_TTY --uart-baudrate 1000000 --bind-port 21234 > {folder}/server.log 2>&1 & pid=$!\n"
              f"sleep 4; {TANDEM} probe etherbone:localhost:21234; status=$?; kill $pid; exit $status")
    check("BU-4 a board behind litex_server", twin([], "sh", "-c", script), 0, f"PPU +{CONFIG}.*34 patterns came back right")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for part in CHOSEN.only or PARTS:
            globals()[part](folder)
    print("shows: " + " ".join(sorted({row for part in CHOSEN.only or PARTS for row in PARTS[part].split()})) + " [rtl]")
    sys.exit(1 if failures else 0)


main()
