#!/usr/bin/env python3
"""tandem debug as a user meets it: stops, steps, what is shown, on model and tandem; that it changes nothing; wrong input; kernels that hang or fault.

usage: test_debug.py BUILD        (in the project's top folder, after make)
"""
import os
import re
import signal
import subprocess
import tempfile
import time

from debug_session import OUTSIDE, SPIN, STEPS_ARGUMENTS, TANDEM, check, debug, finish, ordered

STEPS = ["tests/examples/steps.cl", *STEPS_ARGUMENTS]
PLACES = (".kernel places\n.registers 4\n.shared_bytes 64\n.local_bytes 16\n    S2R R0, SR_TID_X\n    SHL R1, R0, 2\n    ISETP.LT P1, R0, 8\n"
          "    @P1 STS.32 [R1], R0\n    STL.32 [RZ + 4], R1\n    BAR\n    EXIT\n")


def check_stops(device):
    # Greedy: the first warp goes on until it has to wait, so that it is there first.
    on = [*STEPS, "--device", device, "--policy", "greedy"]
    debug(f"{device}: a line stops each warp, with threads, tokens, values and why it waits", on,
          ["break 6", "continue", "info warps", "info threads", "info tokens", "info arguments", "info channels", "info ctas", "print R0", "memory global in 4", "quit"],
          "breakpoint 1 at 0x90, steps+0x90, line 6", "breakpoint 1: warp 0.0 at 0x90, steps+0x90, tests/examples/steps.cl:6", "6\t        n = n % 2",
          "* 0.0 CTA (0,0,0) warp 0 of 1 at 0x90", "active 0xfffffffe", "waits for: ", "thread  0 local id (0,0,0) off for SYNC", "* thread  1 local id (1,0,0) active",
          "2 tokens, the front first\n  0: BRK     mask 0x00000000fffffffe", "uint* in = 0x00", "channel 0: entries 0 to 1, 1 tasks", "SM 0 CTA (0,0,0) of (2,1,1)",
          "R0 = 0x00000002 2", ": 00000001 00000002 00000003 00000004")
    debug(f"{device}: steps by line, instruction and thread; to the end", on,
          ["break tests/examples/steps.cl:6", "c", "delete 1", "step", "stepi", "thread 1", "stept", "list", "disassemble 3", "continue", "info warps", "step", "where"],
          "steps.cl:7\n7\t        count++;", "at 0xa0", "at 0xa8", "=> ", "=> 0x00a8", "the program has ended", "no warp runs", "the program has ended",
          code=1, errors=("warp 0.", ))
    debug(f"{device}: a breakpoint that is taken away", on, ["break 9", "delete", "continue"], "breakpoint 1 at", "the program has ended", "PASS warp-instructions=2270")
    debug(f"{device}: kernels by name; breakpoints are counted", on, ["b steps", "c", "c", "info breakpoints", "q"],
          "breakpoint 1: warp 0.", "breakpoint 1: warp 0.", "1: steps at 0x0, 1 addresses, hit 2 times")


def check_same(folder, device):
    """With breakpoints and steps the device does the same, to the last event and cycle."""
    traces = [os.path.join(folder, name) for name in ("alone.trace", "debugged.trace")]
    plain = subprocess.run([TANDEM, "run", *STEPS, "--again", "never", "--device", device, "--trace", traces[0]], capture_output=True, text=True, timeout=120, check=False)
    debugged = debug(f"{device}: a session with a trace", [*STEPS, "--device", device, "--trace", traces[1]], ["b 6", "c", "c", "c", "stepi 50", "step", "delete", "c"], "the program has ended")
    check(f"{device}: the same figures and trace as tandem run", plain.stdout and debugged.endswith(plain.stdout) and open(traces[0], "rb").read() == open(traces[1], "rb").read(),
          plain.stdout, debugged)


def check_places(folder):
    path = os.path.join(folder, "places.s")
    with open(path, "w", encoding="utf-8") as text:
        text.write(PLACES)
    debug("shared and local memory, predicates", [path, "--global", "32", "--local", "32", "--device", "model:nano"],
          ["b 10", "c", "thread 3", "memory shared 0 8", "memory local 4", "print P1", "registers", "memory shared 64", "quit"],
          "0x00000000: 00000000 00000001 00000002 00000003", "0x00000010: 00000004", "0x00000004: 0000000c", "P1 = 1", "R1   0x0000000c 12",
          code=1, errors=("nothing at 0x00000040 of shared memory of this warp", ))
    debug("a warp at a barrier says so", [path, "--global", "64", "--local", "64", "--device", "model:nano"], ["b 10", "c", "c", "info warps", "q"],
          "waits for: barrier: 1 of 2 warps")
    debug("several SMs", [*STEPS, "--device", "model:full"], ["b 6", "c", "c", "info warps", "warp 1.0", "quit"], "* ", "1.0 CTA", "warp 1.0 at 0x")


def check_wrong(folder):
    on = [*STEPS, "--device", "model:nano"]
    for command, says in (("dance", "dance: no such command; help lists them"), ("break", "where? write LINE, FILE:LINE, NAME or *ADDRESS"), ("break 1", "no code on this line"),
                          ("break 1000", "no code on this line of tests/examples/steps.cl or behind it"), ("break other.cl:3", "no such file, but tests/examples/steps.cl"),
                          ("break nobody", "no kernel or function of this name"), ("break *0x3", "multiples of 8"), ("break *0x99998", "the program has only"),
                          ("delete 7", "no such breakpoint"), ("memory global", "write memory global, shared or local"), ("memory moon 0", "write memory global, shared or local"),
                          ("memory global 0xFFFFFFFC", "nothing at 0xfffffffc of global memory"), ("memory global 3", "a multiple of 4"), ("memory global 0 0", "no number of words"),
                          ("warp 9.9", "the device has 1 SMs with 2 warps each"), ("warp x", "write SM.WARP"), ("thread 32", "threads 0 to 31"), ("print R300", "or register (R0.., P0.., S0..)"),
                          ("print nobody", "compile it with -g"), ("info", "no such thing"), ("info moons", "no such thing"), ("info warps 3", "takes nothing"), ("stepi 0", "not a number from 1"),
                          ("continue x", "not a number from 1"), ("list 0", "not the number of a line"), ("list 99", "no line 99"), ("where", "warp 0.0 does not run"), ("help me", "takes nothing")):
        debug(f"refused: {command}", on, [command, "continue"], code=1, errors=(says, ))
    debug("an unknown device", [*STEPS, "--device", "moon:nano"], ["c"], code=1, errors=("moon", ))
    debug("a device without a model", [*STEPS, "--device", "rtl:nano"], ["c"], code=1, errors=("use model: or tandem:", ))
    debug("no such program", [os.path.join(folder, "none.s"), "--device", "model:nano"], ["c"], code=1, errors=("none.s", ))
    debug("no such script", [*on, "-x", os.path.join(folder, "none.txt")], ["c"], code=1, errors=("none.txt: No such file", ))
    debug("programs that are compiled again", [*on, "--again", "always"], ["c"], code=2, errors=("leave again away", ))
    done = subprocess.run([TANDEM, "debug", *on, "-x"], capture_output=True, text=True, timeout=60, check=False)
    check("-x without a file", done.returncode == 2 and "-x needs a value" in done.stderr, done)
    script = os.path.join(folder, "script.txt")
    with open(script, "w", encoding="utf-8") as text:
        text.write("# a comment\n\nbreak 6\ncontinue\nwhere\nquit\n")
    done = subprocess.run([TANDEM, "debug", *on, "--command", script], capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)
    check("commands from a file", done.returncode == 0 and ordered(done.stdout, ("breakpoint 1: warp", "CTA (0,0,0)")), done)
    done = subprocess.run([TANDEM, "debug", *on], input="nonsense\nbreak 6\nc\ninfo warp\n", capture_output=True, text=True, timeout=60, check=False)
    check("commands from standard input; a wrong one ends nothing, its end ends the session", done.returncode == 0 and "no such command" in done.stderr and "breakpoint 1: warp" in done.stdout, done)


def check_hangs(folder):
    spin, outside = os.path.join(folder, "spin.s"), os.path.join(folder, "outside.s")
    for path, text in ((spin, SPIN), (outside, OUTSIDE)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    for device in ("model:nano", "tandem:nano"):
        debug(f"{device}: a kernel that hangs is looked at and left", [spin, "--device", device], ["continue 1000", "info warps", "quit"], " cycles have passed: warp 0.0 at 0x0, spin+0x0", "0.0 CTA")
        debug(f"{device}: a fault stops, and the program has failed", [outside, "--device", device], ["c", "where", "c", "info channels"],
              "fault MEMORY_BOUNDS, info 0x7fffffe0: warp 0.0 at 0x8, outside+0x8", "waits for: nothing: it has faulted", "the program has failed", "channel 0: ", "fault ", code=1, errors=("channel fault", ))
        debug(f"{device}: a deadline ends a hung program; it can still be looked at", [spin, "--device", device, "--deadline", "2000"], ["c", "info warps"], "the program has failed", "0.0 CTA (0,0,0)",
              code=1, errors=("timeout", ))
        for number, code in ((signal.SIGINT, 0), (signal.SIGTERM, 128 + signal.SIGTERM)):
            session = subprocess.Popen([TANDEM, "debug", spin, "--device", device, "--do", "info breakpoints", "--do", "c"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            first = session.stdout.readline()
            time.sleep(0.3)
            session.send_signal(number)
            try:
                output, errors = session.communicate("where\nquit\n", timeout=60)
            except subprocess.TimeoutExpired:
                session.kill()
                output, errors = "", "no end after 60 s"
            check(f"{device}: {number.name} stops a kernel that hangs", session.returncode == code and "interrupted: warp 0.0" in output and not errors, session.returncode, first, output, errors)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for device in ("model:nano", "tandem:nano"):
            check_stops(device)
            check_same(folder, device)
        check_places(folder)
        check_wrong(folder)
        check_hangs(folder)
    said = subprocess.run([TANDEM, "debug", "--help"], capture_output=True, text=True, timeout=60, check=False).stdout
    check("--help lists the commands", all(re.search(rf"(?m)^  {name}\b", said) for name in ("break", "continue", "stept", "info, i tokens", "quit")), said)
    finish("shows: DB-1 DB-2 DB-3 [model tandem]")


main()
