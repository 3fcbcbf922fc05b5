#!/usr/bin/env python3
"""Compiling where memory, time, disk or descriptors are scarce: the right code object or one clear line, never a crash, a hang or half a file.

usage: test_scarce.py BUILD        (in the project's top folder, after make)
"""
import os
import resource
import subprocess
import sys
import tempfile

BUILD = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
TANDEM = os.path.join(BUILD, "tandem")
MEBIBYTE = 1 << 20
failures = 0


def tell(good, what, result=""):
    global failures
    print(f"{'ok  ' if good else 'FAIL'} {what}")
    if not good:
        failures += 1
        print("  " + result.replace("\n", "\n  "))


def limited(words, limits, environment=None):
    """Exit status and what stderr says, under these limits {resource: value}."""
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for which, most in limits.items():
            resource.setrlimit(which, (most, most))
    try:
        done = subprocess.run(words, capture_output=True, timeout=120, check=False, preexec_fn=set_limits, restore_signals=False, env=environment)
        return done.returncode, done.stderr.decode(errors="replace").strip()
    except subprocess.TimeoutExpired:
        return None, "no end after 120 s"


def program(branches):
    lines = ["__kernel void f(__global uint *a) {", "uint x = a[get_global_id(0)];"]
    for k in range(branches):
        lines.append(f"if (x & {1 << k % 31}u) {{ x = x * {2 * k + 3}u + a[{k}]; }} else if (x > {k * 77}u) x ^= {k}u;")
    return "\n".join(lines + ["a[get_global_id(0)] = x;", "}", ""])


def out_of_memory(folder, source, what, step):
    """From too little memory to load the tool to enough: on the way there is a line for every lack."""
    output = os.path.join(folder, "out.elf")
    if limited([TANDEM, "cc", source, "-o", output], {})[0] != 0:
        tell(False, what, "does not compile with all the memory there is")
        return
    with open(output, "rb") as file:
        right = file.read()
    os.remove(output)
    # What the libraries alone need, by halves.
    least, most = 1, 4096
    while most - least > 1:
        middle = (least + most) // 2
        loads = limited([TANDEM, "cc", "--help"], {resource.RLIMIT_AS: middle * MEBIBYTE})[0] == 0
        least, most = (least, middle) if loads else (middle, most)
    refused, said, good = 0, set(), True
    for mebibytes in range(most, most + 60 * step, step):
        status, text = limited([TANDEM, "cc", source, "-o", output], {resource.RLIMIT_AS: mebibytes * MEBIBYTE})
        if status == 0:
            with open(output, "rb") as file:
                good = file.read() == right
            os.remove(output)
            tell(good and refused > 0, f"{what}: {refused} limits refused from {most} MiB on, right from {mebibytes} MiB on: {', '.join(sorted(said))}", "another code object, or no limit was too low")
            return
        if status != 1 or len(text.splitlines()) != 1 or os.path.exists(output):
            tell(False, f"{what}: {mebibytes} MiB", f"exit status {status}, expected 1 and one line:\n{text}")
            return
        refused += 1
        said.add(text.split(": ", 1)[-1][:60])
    tell(False, what, "never enough memory")


def main():
    with tempfile.TemporaryDirectory() as folder:
        source, bitcode, output = (os.path.join(folder, name) for name in ("many.cl", "many.bc", "out.elf"))
        with open(source, "w", encoding="ascii") as file:
            file.write(program(600))
        subprocess.run(["clang-19", "-x", "cl", "-target", "spir", "-cl-std=CL1.2", "-O2", "-Xclang", "-disable-llvm-passes", "-cl-kernel-arg-info", "-emit-llvm", "-c", "-o", bitcode, source], check=True)
        out_of_memory(folder, source, "little memory, the front end's", 6)
        out_of_memory(folder, bitcode, "little memory, LLVM's and ours", 5)

        words = [TANDEM, "cc", source, "-o", output]
        status, text = limited(words, {resource.RLIMIT_FSIZE: 1000})
        good = status == 1 and len(text.splitlines()) == 1 and "no error" not in text and not os.path.exists(output)
        tell(good, f"small files only: {text.split(': ', 1)[-1]}", f"exit status {status}:\n{text}")
        status, text = limited(words, {}, {**os.environ, "PATH": folder})
        tell(status == 1 and len(text.splitlines()) == 1 and "cannot run the front end 'clang-19'" in text, "no front end on PATH", f"exit status {status}:\n{text}")
        status, text = limited(words, {resource.RLIMIT_NOFILE: 5})
        tell(status == 1 and len(text.splitlines()) == 1, "no descriptors", f"exit status {status}:\n{text}")
        status, text = limited(words, {resource.RLIMIT_STACK: 256 * 1024})
        tell(status in (0, 1) and len(text.splitlines()) <= 1, "a small stack", f"exit status {status}:\n{text}")
        status, text = limited([*words[:-1], "/dev/full"], {})
        tell(status == 1 and len(text.splitlines()) == 1 and "/dev/full" in text, "a device that takes nothing", f"exit status {status}:\n{text}")
    sys.exit(1 if failures > 0 else 0)


main()
