#!/usr/bin/env python3
"""BLAS and hash programs on Tandem's OpenCL, on PoCL and in Oclgrind: how fast each is on this machine.

usage: others.py [--build DIR] [--device DEVICE] [--repeat N]
  --build DIR      where opencl/tandem.icd is (default: build)
  --device DEVICE  as TANDEM_DEVICES has it (default: model:full)
  --repeat N       launches of each, of which the fastest counts (1 to 100, default 3)

Products are CLBlast's (libclblast.so.1), recoveries of passwords hashcat's; a program or an implementation that is not
installed has no figure. Every result is checked, by NumPy and hashlib. Exit status 1: one was wrong, or one program failed.
"""
import argparse
import ctypes
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

PRODUCTS = (64, 128)  # rows and columns
MESSAGES = 4096
LIMIT = 900  # seconds for all programs on one implementation
PYTHON = "/usr/bin/python3"  # which Debian's pyopencl is for

# A block of SHA-256 for each work-item; its message is its number in eight hexadecimal digits.
SHA256 = """
__constant uint K[64] = {%s};
__constant uint START[8] = {%s};
#define TURNED(x, a, b, c) (rotate(x, 32u - a) ^ rotate(x, 32u - b) ^ (c))
__kernel void sha256(__global uint *digests) {
    const uint number = get_global_id(0);
    uint w[16], s[8];
    for (uint k = 0; k < 16; k++) w[k] = 0;
    for (uint k = 0; k < 8; k++) {
        const uint digit = number >> (28 - 4 * k) & 15u;
        w[k / 4] = w[k / 4] << 8 | (digit + (digit < 10 ? '0' : 'a' - 10));
    }
    w[2] = 0x80000000u;
    w[15] = 64;
    for (uint k = 0; k < 8; k++) s[k] = START[k];
    for (uint k = 0; k < 64; k++) {
        if (k >= 16) {
            const uint x = w[(k + 1) & 15], y = w[(k + 14) & 15];
            w[k & 15] += TURNED(x, 7u, 18u, x >> 3) + w[(k + 9) & 15] + TURNED(y, 17u, 19u, y >> 10);
        }
        const uint t = s[7] + TURNED(s[4], 6u, 11u, rotate(s[4], 7u)) + bitselect(s[6], s[5], s[4]) + K[k] + w[k & 15];
        const uint u = TURNED(s[0], 2u, 13u, rotate(s[0], 10u)) + bitselect(s[0], s[2], s[0] ^ s[1]);
        for (uint i = 7; i > 0; i--) s[i] = s[i - 1];
        s[4] += t;
        s[0] = t + u;
    }
    for (uint k = 0; k < 8; k++) digests[8 * number + k] = START[k] + s[k];
}
"""


def primes(count):
    found = []
    candidate = 2
    while len(found) < count:
        if all(candidate % p for p in found):
            found.append(candidate)
        candidate += 1
    return found


def root_bits(number, power):
    """The first 32 bits behind the point of the power-th root."""
    wanted = number << (32 * power)
    low, high = 0, 1 << 40
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle ** power <= wanted else (low, middle)
    return low & 0xFFFFFFFF


def fastest(repeat, work):
    best = None
    for _ in range(repeat + 1):  # the first compiles
        start = time.perf_counter()
        work()
        took = time.perf_counter() - start
        best = took if best is None else min(best, took)
    return best


def product(cl, np, queue, size, repeat):
    blas = ctypes.CDLL("libclblast.so.1")
    numbers = np.random.default_rng(size)
    a, b = (numbers.random((size, size), dtype=np.float32) for _ in range(2))
    c = np.zeros((size, size), np.float32)
    flags = cl.mem_flags
    buffers = [cl.Buffer(queue.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=x) for x in (a, b, c)]
    handles = [ctypes.c_void_p(x.int_ptr) for x in buffers]
    n, zero = ctypes.c_size_t(size), ctypes.c_size_t(0)
    handle = ctypes.c_void_p(queue.int_ptr)

    def work():
        row_major, no = 101, 111  # of CBLAS
        status = blas.CLBlastSgemm(row_major, no, no, n, n, n, ctypes.c_float(1), handles[0], zero, n, handles[1], zero, n,
                                   ctypes.c_float(0), handles[2], zero, n, ctypes.byref(handle), None)
        if status != 0:
            raise RuntimeError(f"CLBlastSgemm gives {status}")
        queue.finish()

    took = fastest(repeat, work)
    cl.enqueue_copy(queue, c, buffers[2])
    if not np.allclose(c, a @ b, rtol=1e-4):
        raise RuntimeError("CLBlast's product is wrong")
    return 2 * size ** 3 / took / 1e6


def hashes(cl, np, queue, repeat):
    text = SHA256 % (", ".join(f"{root_bits(p, 3)}u" for p in primes(64)), ", ".join(f"{root_bits(p, 2)}u" for p in primes(8)))
    kernel = cl.Program(queue.context, text).build().sha256
    digests = np.zeros((MESSAGES, 8), np.uint32)
    buffer = cl.Buffer(queue.context, cl.mem_flags.WRITE_ONLY, digests.nbytes)

    def work():
        kernel(queue, (MESSAGES,), (64,), buffer)
        queue.finish()

    took = fastest(repeat, work)
    cl.enqueue_copy(queue, digests, buffer)
    for number in range(0, MESSAGES, 61):
        if digests[number].astype(">u4").tobytes() != hashlib.sha256(b"%08x" % number).digest():
            raise RuntimeError(f"SHA-256 of message {number} is wrong")
    return MESSAGES / took / 1e3


def recovery():
    """hashcat's own figure for SHA-256, in thousand hashes a second."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(["hashcat", "--benchmark", "-m", "1400", "--force", "--runtime", "10", "-D", "1,2,3"], capture_output=True,
                              text=True, timeout=LIMIT, env={**os.environ, "HOME": home}, check=False)
    speeds = re.findall(r"Speed\.#\d+\.*:\s*([\d.]+) (|k|M|G)H/s", done.stdout)
    if not speeds:
        raise RuntimeError(f"hashcat tells no speed: {(done.stdout + done.stderr).strip()[-300:]}")
    return float(speeds[0][0]) * {"": 1e-3, "k": 1, "M": 1e3, "G": 1e6}[speeds[0][1]]


def one(repeat, recover):
    """All programs on the implementation that the loader finds; a line of JSON for each."""
    import numpy as np  # the parent needs neither
    import pyopencl as cl
    queue = cl.CommandQueue(cl.Context([cl.get_platforms()[0].get_devices()[0]]))
    programs = [(f"product {n}", lambda n=n: product(cl, np, queue, n, repeat)) for n in PRODUCTS]
    programs.append(("sha256", lambda: hashes(cl, np, queue, repeat)))
    if recover and shutil.which("hashcat"):
        programs.append(("hashcat", recovery))
    for name, work in programs:
        try:
            print(json.dumps([name, work()]), flush=True)
        except OSError:
            pass  # CLBlast is not installed
        except Exception as error:  # whatever the implementation does not like
            print(json.dumps([name, None, f"{type(error).__name__}: {error}"]), flush=True)


def implementations(build, device):
    """Names, what stands before the command, and the environment's additions."""
    yield "Tandem", [], {"OCL_ICD_VENDORS": os.path.abspath(os.path.join(build, "opencl")), "TANDEM_DEVICES": device}
    pocl = "/etc/OpenCL/vendors/pocl.icd"
    if os.path.exists(pocl):
        yield "PoCL", [], {"OCL_ICD_VENDORS": pocl}
    if shutil.which("oclgrind"):
        yield "Oclgrind", ["oclgrind"], {}


ROWS = [(f"product {n}", f"CLBlast's sgemm, {n} x {n}, MFLOP/s") for n in PRODUCTS] + [
    ("sha256", f"SHA-256 of {MESSAGES} messages, thousand a second"), ("hashcat", "hashcat -m 1400, thousand a second")]


def figure(value):
    return "-" if value is None else f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def main():
    usage = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    usage.add_argument("--build", default="build", help="where opencl/tandem.icd is (default: build)")
    usage.add_argument("--device", default="model:full", help="as TANDEM_DEVICES has it (default: model:full)")
    usage.add_argument("--repeat", type=int, default=3, help="launches of each, of which the fastest counts (1 to 100, default 3)")
    usage.add_argument("--one", choices=["all", "kernels"], help=argparse.SUPPRESS)
    given = usage.parse_args()
    if not 1 <= given.repeat <= 100:
        usage.error(f"--repeat {given.repeat}: 1 to 100")
    if given.one:
        one(given.repeat, given.one == "all")
        return 0
    if not os.path.exists(os.path.join(given.build, "opencl", "tandem.icd")):
        usage.error(f"--build {given.build}: no opencl/tandem.icd there; `make opencl` makes it")
    figures, failed = {}, False
    for name, before, more in implementations(given.build, given.device):
        print(f"... {name}", file=sys.stderr, flush=True)
        command = [*before, PYTHON, os.path.abspath(__file__), "--repeat", str(given.repeat), "--one", "kernels" if before else "all"]
        try:
            done = subprocess.run(command, env={**os.environ, **more}, capture_output=True, text=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            print(f"{name}: not done after {LIMIT} s", file=sys.stderr)
            failed = True
            continue
        for line in done.stdout.splitlines():
            if not line.startswith("["):
                continue
            program, value, *why = json.loads(line)
            figures[name, program] = value
            if why:
                print(f"{name}: {program}: {why[0]}", file=sys.stderr)
                failed = True
        if done.returncode != 0:
            print(f"{name}: exit status {done.returncode}: {done.stderr.strip()[-300:]}", file=sys.stderr)
            failed = True
    names = [name for name, _, _ in implementations(given.build, given.device)]
    print(f"{'':52}" + "".join(f"{name:>12}" for name in names) + "".join(f"{'x ' + name:>12}" for name in names[1:]))
    for program, title in ROWS:
        values = [figures.get((name, program)) for name in names]
        ratios = [values[0] / v if values[0] and v else None for v in values[1:]]
        print(f"{title:52}" + "".join(f"{figure(v):>12}" for v in values + ratios))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
