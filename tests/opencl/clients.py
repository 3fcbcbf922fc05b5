#!/usr/bin/env python3
"""Programs of others, unmodified, through Debian's loader, as their users run them.

usage: clients.py BUILD          in the project's top folder, with the runtime built (make opencl)
"""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

BUILD = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
HOST = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR", "LANG")}
failures = 0


def check(what, good, detail=""):
    global failures
    print(f"{'ok  ' if good else 'FAIL'} {what}", flush=True)
    if not good:
        failures += 1
        print("  " + str(detail)[-3000:].replace("\n", "\n  "))


def run(*words, **environment):
    """(exit status, output) with the runtime of the build tree; what hangs fails."""
    settings = {**HOST, "OCL_ICD_VENDORS": os.path.abspath(os.path.join(BUILD, "opencl")), **environment}
    try:
        done = subprocess.run(words, env=settings, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired as expired:
        return -1, f"{words[0]} did not end: {expired.stdout}"
    return done.returncode, done.stdout + done.stderr


def clinfo():
    status, text = run("clinfo", TANDEM_DEVICES="model:full;tandem:nano,mem=64")
    wanted = ["Tandem model:full", "Tandem tandem:nano", "OpenCL 3.0 Tandem", "cl_khr_icd", "EMBEDDED_PROFILE"]
    missing = [word for word in wanted if word not in text]
    check("clinfo tells both devices", status == 0 and not missing, f"missing: {missing}\n{text}")
    status, text = run("clinfo", TANDEM_DEVICES="model:nothing")
    check("a device that is not there is told by name", "no configuration \"nothing\"" in text, text)


def native(folder):
    """A C and a C++ program, built with Debian's headers and loader."""
    for name, words in (("client.c", ["gcc", "-std=c17"]), ("client.cpp", ["g++", "-std=c++17"])):
        program = os.path.join(folder, name.replace(".", "_"))
        status, text = run(*words, "-Wall", "-Wextra", "-Werror", "tests/opencl/clients/" + name, "-o", program, "-lOpenCL")
        check(f"{name} builds", status == 0, text)
        if status != 0:
            continue
        for device in ("model:full", "tandem:nano,mem=64", "tandem:small,mem=64,seed=3"):
            status, text = run(program, TANDEM_DEVICES=device)
            check(f"{name} runs on {device}", status == 0 and "ok" in text, text)


def picture(folder):
    result, timeline = os.path.join(folder, "edges.pgm"), os.path.join(folder, "run.json")
    status, text = run("/usr/bin/python3", "tests/opencl/picture.py", "tests/unit/photograph.pgm", result,
                       TANDEM_DEVICES="model:full;tandem:small,mem=64", TANDEM_TIMELINE=timeline, TANDEM_STATS="1")
    check("pyopencl finds edges on model and in tandem", status == 0 and text.count("ok  ") == 2, text)
    check("a timeline of each device", os.path.exists(timeline) and os.path.exists(os.path.join(folder, "run.1.json")), os.listdir(folder))
    check("a table of each device's kernels", text.count("histogram  ") == 2, text)


def turned():
    status, text = run("/usr/bin/python3", "tests/opencl/turned.py", "tests/unit/photograph.pgm",
                       TANDEM_DEVICES="model:full;tandem:nano,mem=64;tandem:small,mem=64")
    check("pyopencl turns a picture by images and samplers, on model and in tandem", status == 0 and text.count("ok  ") == 3, text)


def hashes(folder):
    """A recovery of a password by its MD5, as hashcat does it: it asks for 256 MiB in one piece, tests itself, tunes itself."""
    if shutil.which("hashcat") is None:
        print("skip hashcat: it is not installed", flush=True)
        return
    digest, found = hashlib.md5(b"4711").hexdigest(), os.path.join(folder, "found")
    status, text = run("hashcat", "-m", "0", "-a", "3", "--force", digest, "?d?d?d?d", "--potfile-disable", "-n", "1", "-u", "1",
                       "--outfile-format", "2", "-o", found, HOME=folder, TANDEM_DEVICES="model:full")
    word = open(found, encoding="ascii").read().strip() if os.path.exists(found) else "nothing"
    check("hashcat finds a word of four digits", status == 0 and word == "4711", f"found {word}\n{text}")


def killed(folder):
    """A program that is killed in the middle leaves no process behind."""
    program = os.path.join(folder, "client_c")
    child = subprocess.Popen([program, "forever"], env={**HOST, "OCL_ICD_VENDORS": os.path.abspath(os.path.join(BUILD, "opencl"))},
                             stdout=subprocess.PIPE, text=True, start_new_session=True)
    child.stdout.readline()
    child.kill()
    child.wait(timeout=30)
    left = subprocess.run(["ps", "-o", "pid=", "-g", str(child.pid)], capture_output=True, text=True, check=False).stdout.strip()
    check("killed in the middle: nothing is left", left == "", left)


def ends_by_itself(folder):
    status, text = run(os.path.join(folder, "client_c"), "leave")
    check("a program may end with a kernel that never does", status == 0, text)


def main():
    with tempfile.TemporaryDirectory() as folder:
        clinfo()
        native(folder)
        picture(folder)
        turned()
        hashes(folder)
        killed(folder)
        ends_by_itself(folder)
    print("shows: CL-1 CL-3 [model tandem]")
    print(f"{failures} failed")
    sys.exit(1 if failures else 0)


main()
