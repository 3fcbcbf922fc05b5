#!/usr/bin/env python3
"""`make install` as a user meets it: what is there, and programs outside the tree that are built against it and run.

usage: test_install.py BUILD        (in the project's top folder, after `make install-built`)
"""
import os
import re
import subprocess
import sys
import tempfile

BUILD = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
DEVICES = ["model:small", "tandem:nano"]
HOST = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR", "LANG")}
with open("Makefile", encoding="utf-8") as makefile:
    VERSION = re.search(r"(?m)^VERSION := (.*)$", makefile.read()).group(1)
# What may break a program that was built before.
ABI = re.match(r"0\.\d+|[1-9]\d*", VERSION).group()
# The model's library has versions of its own.
with open("cmodel/model/tandem_model.h", encoding="utf-8") as header_file:
    MODEL = ".".join(re.findall(r"(?m)^#define TANDEM_MODEL_M(?:AJ|IN)OR (\d+)$", header_file.read()))
MODEL_ABI = MODEL.partition(".")[0]
failures = 0


def check(what, good, detail=""):
    global failures
    print(f"{'ok  ' if good else 'FAIL'} {what}", flush=True)
    if not good:
        failures += 1
        print("  " + str(detail).replace("\n", "\n  "))


def run(*words, folder=None, **environment):
    """(exit status, output, lines of standard error)"""
    done = subprocess.run(words, cwd=folder, env={**HOST, **environment}, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout + done.stderr, done.stderr.strip().splitlines()


def make(goal, PREFIX, DESTDIR=""):
    """What `make install` and `make uninstall` run. Not make itself, which could build with other settings than those of the tests."""
    return run("scripts/install-files", *(["--remove"] if goal == "uninstall" else []), BUILD, DESTDIR, PREFIX, VERSION, f"libtandem.so.{ABI}", MODEL,
               f"libtandem-model.so.{MODEL_ABI}")


def files(top):
    return sorted(os.path.relpath(os.path.join(folder, name), top) for folder, _, names in os.walk(top) for name in names)


def names(*words):
    """The symbols that nm lists, without versions."""
    status, text, _ = run("nm", *words)
    return {line.split()[-1].partition("@")[0] for line in text.splitlines() if len(line.split()) > 1} if status == 0 else set()


def installs(folder):
    """With DESTDIR, as one who makes a package does it."""
    destination = os.path.join(folder, "package")
    status, text, _ = make("install", DESTDIR=destination, PREFIX="/opt/tandem")
    check("install with DESTDIR", status == 0, text)
    there = files(destination)
    public = run("scripts/public-api", "headers")[1].split()
    wanted = ["include/tandem_model.h", "include/tandem_model_registers.h", "lib/libtandem-model.a", "lib/libtandem-model.so", f"lib/libtandem-model.so.{MODEL_ABI}",
              f"lib/libtandem-model.so.{MODEL}", "lib/pkgconfig/tandem-model.pc", *(f"share/tandem/kit/{name}" for name in ("tandem_kit.c", "tandem_kit_pkg.sv", "tandem_trace_pkg.sv")), "bin/tandem", "etc/OpenCL/vendors/tandem.icd", "lib/libtandem-opencl.so", "lib/libtandem.a", "lib/libtandem.so", f"lib/libtandem.so.{ABI}", f"lib/libtandem.so.{VERSION}", "lib/pkgconfig/tandem.pc",
              "share/man/man1/tandem.1", "share/man/man7/tandem-isa.7", *(f"include/tandem/{header}" for header in public)]
    check("everything is there, below DESTDIR PREFIX and nowhere else", there == sorted("opt/tandem/" + path for path in wanted), there)
    pages = os.path.join(destination, "opt/tandem/share/man/man1/tandem.1")
    with open(pages, encoding="utf-8") as file:
        page = file.read()
    check("tandem(1) has all commands", all(f".SS tandem {name}:" in page for name in ("cc", "as", "dis", "run", "info")), page[:400])
    with open(os.path.join(destination, "opt/tandem/lib/pkgconfig/tandem.pc"), encoding="utf-8") as file:
        check("the pkg-config file does not name the tree or DESTDIR", not re.search(re.escape(os.getcwd()) + "|" + re.escape(folder), file.read()))
    with open(os.path.join(destination, "opt/tandem/etc/OpenCL/vendors/tandem.icd"), encoding="utf-8") as file:
        check("the loader is told where the OpenCL runtime will be", file.read() == "/opt/tandem/lib/libtandem-opencl.so\n")
    status, text, _ = make("uninstall", DESTDIR=destination, PREFIX="/opt/tandem")
    check("uninstall removes all files", status == 0 and files(destination) == [], text + str(files(destination)))


def refusals(folder):
    blocked = os.path.join(folder, "a-file")
    with open(blocked, "w", encoding="utf-8"):
        pass
    for goal in ("install", "uninstall"):
        status, text, errors = make(goal, PREFIX=blocked + "/below")
        check(f"{goal} where nothing can be written: one line", status != 0 and len(errors) == 1 and "choose PREFIX or DESTDIR" in errors[0], text)
    status, text, _ = make("install", PREFIX="here")
    check("a PREFIX that is no absolute path is refused", status != 0 and "no absolute path" in text and not os.path.exists("here"), text)


def symbols(prefix):
    public = set(run("scripts/public-api", "symbols")[1].split())
    check("there is a public API", len(public) > 40 and {"tandem_open", "compiler_compile", "assemble"} <= public, public)
    shared = os.path.join(prefix, "lib/libtandem.so")
    exported = names("-D", "--defined-only", shared) - {"TANDEM_" + ABI}
    check("the shared library exports the public API and nothing else", exported == public, exported ^ public)
    visible = {name for name in names("-g", "--defined-only", os.path.join(prefix, "lib/libtandem.a")) if not name.startswith("_Z")}
    check("so does the static one, names of C++ aside", visible == public, sorted(visible ^ public)[:20])
    status, text, _ = run("readelf", "-d", shared)
    check("the shared library has a soname with its version", status == 0 and f"[libtandem.so.{ABI}]" in text, text)


def model(folder, prefix):
    """The model alone: what it exports and needs, and a program of two devices in lockstep."""
    public = set(run("scripts/public-api", "tandem-model", "symbols")[1].split())
    shared = os.path.join(prefix, "lib/libtandem-model.so")
    exported = names("-D", "--defined-only", shared) - {"TANDEM_MODEL_" + MODEL_ABI}
    check("the model's library exports tandem_model.h and nothing else", len(public) > 30 and exported == public, exported ^ public)
    visible = names("-g", "--defined-only", os.path.join(prefix, "lib/libtandem-model.a"))
    check("so does the static one", visible == public, sorted(visible ^ public)[:20])
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", shared)[1])
    check("it needs the C library alone", set(needed) <= {"libc.so.6", "libm.so.6"}, needed)
    environment = {"PKG_CONFIG_PATH": os.path.join(prefix, "lib/pkgconfig")}
    flags = run("pkg-config", "--cflags", "tandem-model", **environment)[1].split()
    link = {"shared": run("pkg-config", "--libs", "tandem-model", **environment)[1].split(),
            "static": run("pkg-config", "--static", "--libs", "tandem-model", **environment)[1].replace("-ltandem-model", "-l:libtandem-model.a").split()}
    example = os.path.abspath("tests/examples/model/lockstep.c")
    for kind, libraries in link.items():
        program = os.path.join(folder, f"lockstep-{kind}")
        status, text, _ = run("gcc", "-std=c17", "-Wall", "-Wextra", "-Werror", *flags, example, "-o", program, *libraries, folder=folder)
        check(f"lockstep builds against the {kind} model", status == 0, text)
        status, text, _ = run(program, folder=folder, LD_LIBRARY_PATH=os.path.join(prefix, "lib"))
        check(f"lockstep finds the lie and nothing else ({kind})", status == 0 and text.endswith("PASS\n") and "SEMAPHORE.payload differs" in text, text)
    language = os.path.join(folder, "model.cpp")
    with open(language, "w", encoding="utf-8") as file:
        file.write("#include <tandem_model.h>\n#include <tandem_model_registers.h>\nint main() { return tandem_model_version() >> 16 != TANDEM_MODEL_MAJOR; }\n")
    program = os.path.join(folder, "model-cpp")
    status, text, _ = run("g++", "-Wall", "-Wextra", "-Werror", *flags, language, "-o", program, *link["static"], folder=folder)
    check("the model's headers serve C++", status == 0 and run(program)[0] == 0, text)
    version = run("pkg-config", "--modversion", "tandem-model", **environment)[1].strip()
    check("header and pkg-config file tell one version of the model", version == MODEL, version)


def opencl(folder, prefix):
    """An OpenCL program finds the installed runtime, also from a prefix of its own."""
    program = os.path.join(folder, "opencl-client")
    status, text, _ = run("gcc", "-std=c17", os.path.abspath("tests/opencl/clients/client.c"), "-o", program, "-lOpenCL")
    check("an OpenCL program builds", status == 0, text)
    status, text, _ = run(program, folder=folder, OCL_ICD_VENDORS=os.path.join(prefix, "etc/OpenCL/vendors"), TANDEM_DEVICES="model:small")
    check("it runs on the installed runtime", status == 0 and "ok" in text, text)
    names_there = names("-D", "--defined-only", os.path.join(prefix, "lib/libtandem-opencl.so"))
    check("the runtime exports what the loader looks for, and nothing else",
          names_there == {"clGetExtensionFunctionAddress", "clIcdGetPlatformIDsKHR", "clGetPlatformInfo"}, names_there)


def programs(folder, prefix):
    """Builds the examples in a folder outside the tree, and runs them there."""
    environment = {"PKG_CONFIG_PATH": os.path.join(prefix, "lib/pkgconfig")}
    flags = run("pkg-config", "--cflags", "tandem", **environment)[1].split()
    link = {"shared": run("pkg-config", "--libs", "tandem", **environment)[1].split(),
            "static": run("pkg-config", "--static", "--libs", "tandem", **environment)[1].replace("-ltandem", "-l:libtandem.a").split()}
    examples = os.path.abspath("tests/examples")
    work = os.path.join(folder, "elsewhere")
    os.makedirs(work)
    status, text, _ = run(os.path.join(prefix, "bin/tandem"), "cc", os.path.join(examples, "steps.cl"), "-o", "steps.elf", folder=work)
    check("the installed tool compiles", status == 0, text)
    arguments = {"vector_add": [], "locked_record": [os.path.join(examples, "locked_record.s")], "steps": ["steps.elf"]}
    for kind, libraries in link.items():
        for name, first in arguments.items():
            program = os.path.join(work, f"{name}-{kind}")
            status, text, _ = run("gcc", "-std=c17", "-Wall", "-Wextra", "-Werror", *flags, os.path.join(examples, name + ".c"), "-o", program, *libraries, folder=work)
            check(f"{name} builds against the {kind} library", status == 0, text)
            needs = run("readelf", "-d", program)[1]
            check(f"{name} {'needs' if kind == 'shared' else 'does not need'} the shared library", ("libtandem.so" in needs) == (kind == "shared"), needs)
            for device in DEVICES:
                status, text, _ = run(program, *first, device, folder=work, **({"LD_LIBRARY_PATH": os.path.join(prefix, "lib")} if kind == "shared" else {}))
                check(f"{name} runs on {device} ({kind})", status == 0, text)
    inside = os.path.join(work, "inside.c")
    with open(inside, "w", encoding="utf-8") as file:
        file.write("int rtl_ops_find(void);\nint main(void) { return rtl_ops_find(); }\n")
    for kind, libraries in link.items():
        status, text, _ = run("gcc", inside, "-o", os.path.join(work, "inside"), *libraries, folder=work)
        check(f"a function from inside does not link with the {kind} library", status != 0 and "undefined reference to `rtl_ops_find'" in text, text)
    every = os.path.join(work, "headers.cpp")
    with open(every, "w", encoding="utf-8") as file:
        for header in run("scripts/public-api", "headers")[1].split():
            file.write(f'#include "{header}"\n')
        file.write('int main() { return tandem_status_name(TANDEM_OK)[0] == 0; }\n')
    program = os.path.join(work, "headers")
    status, text, _ = run("g++", "-Wall", "-Wextra", "-Werror", *flags, every, "-o", program, *link["shared"], folder=work)
    check("the headers serve C++ as well", status == 0, text)
    check("a program in C++ runs", status == 0 and run(program, LD_LIBRARY_PATH=os.path.join(prefix, "lib"))[0] == 0)


def main():
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "usr")
        status, text, _ = make("install", PREFIX=prefix)
        check("install", status == 0, text)
        tool = os.path.join(prefix, "bin/tandem")
        version = run("pkg-config", "--modversion", "tandem", PKG_CONFIG_PATH=os.path.join(prefix, "lib/pkgconfig"))[1].strip()
        check("tool and pkg-config file tell one version", re.fullmatch(r"\d+\.\d+\.\d+", version) is not None and version == VERSION and run(tool, "--version", folder=folder)[1] == f"tandem {version}\n", version)
        symbols(prefix)
        programs(folder, prefix)
        model(folder, prefix)
        opencl(folder, prefix)
        installs(folder)
        refusals(folder)
    print(f"{failures} failed")
    sys.exit(1 if failures else 0)


main()
