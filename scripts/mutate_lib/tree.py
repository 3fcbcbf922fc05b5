"""What is built with mutants in it, beside the build of the tree, and the runs of it."""
import hashlib
import os
import re
import shutil
import signal
import subprocess

from .mutant import Wrong

VERILATED = ("-std=gnu++17", "-O2", "-fPIC", "-fno-strict-aliasing", "-DVERILATOR=1", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0", "-w")
INCLUDES = ("-Icmodel", "-Itb", "-Itests", "-Itests/rtl")


class Tree:
    """A folder with the mutated file and what is built of it. From the build of the tree come generated headers, the model and the benches' objects,
    which are never written. What is verilated of the very same texts stays from one run to the next."""

    def __init__(self, folder, build, house):
        self.folder, self.build, self.house = os.path.abspath(folder), os.path.abspath(build), house
        os.makedirs(os.path.join(self.folder, "build"), exist_ok=True)
        for name in os.listdir(self.folder):
            if name != "build":
                remove(os.path.join(self.folder, name))
        for name in os.listdir(os.path.join(self.folder, "build")):
            if not os.path.exists(os.path.join(self.folder, "build", name, "texts")):
                remove(os.path.join(self.folder, "build", name))
        os.symlink(os.path.join(self.build, "gen"), os.path.join(self.folder, "build/gen"))
        os.symlink(os.path.abspath("scripts"), os.path.join(self.folder, "scripts"))
        shutil.copytree("rtl", os.path.join(self.folder, "rtl"))
        self.path, self.programs = None, {}

    def write(self, path, text):
        self.path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "w", encoding="latin-1") as file:
            file.write(text)

    def step(self, name, command, folder=None, **environment):
        log = os.path.join(self.folder, "build", name + ".log")
        with open(log, "wb") as out:
            environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")} | environment
            status = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
        if status != 0:
            with open(log, encoding="utf-8", errors="replace") as file:
                said = [line for line in file.read().splitlines() if "rror" in line] or ["?"]
            raise Wrong(f"{name} does not build with the mutants: {said[0][:200]}; all of it: {log}")

    def texts(self, unit, config):
        """What the verilated unit comes of, in a few letters."""
        digest = hashlib.sha256(" ".join([unit, config] + self.flags(config)).encode())
        for folder in (os.path.join(self.folder, "rtl"), os.path.join(self.build, "gen"), "scripts"):
            for path in sorted(os.path.join(one, name) for one, _, names in os.walk(folder) for name in names if name.endswith((".sv", ".svh", ".v")) or name.startswith(("verilate", "unit-parameters"))):
                with open(path, "rb") as file:
                    digest.update(file.read())
        return digest.hexdigest()

    def verilate(self, unit, config, name, jobs):
        verilated = os.path.join(self.folder, "build", name)
        texts, stamp = self.texts(unit, config), os.path.join(verilated, "texts")
        if os.path.exists(stamp):
            with open(stamp, encoding="ascii") as file:
                if file.read() == texts:
                    return verilated
        remove(verilated)
        # The mutated text is nobody's style.
        self.step(name + "-verilate", ["scripts/verilate-unit", unit, config, "build", f"build/{name}"], folder=self.folder, VERILATE_FLAGS="-Wno-lint -Wno-style -Wno-fatal")
        self.step(name + "-compile", ["make", "-s", f"-j{jobs}", "-f", f"V{unit}.mk", "CXX=clang++-19", "CFG_CXXFLAGS_NO_UNUSED=-w", "OPT_FAST=-Os -fPIC -fno-strict-aliasing",
                                      "OPT_SLOW=-O0 -fPIC", f"V{unit}__ALL.a"], folder=verilated)
        with open(stamp, "w", encoding="ascii") as file:
            file.write(texts)
        return verilated

    def flags(self, config):
        with open(os.path.join(self.build, "gen/config.mk"), encoding="utf-8") as file:
            match = re.search(rf"^CONFIG_{config}_FLAGS *:?= *(.*)$", file.read(), re.M)
        if match is None:
            raise Wrong(f"{config} is no configuration")
        return ["-D" + flag[2:] for flag in match[1].split()]

    def bench(self, bench, config, jobs):
        """Builds a bench with the mutants in it; its path."""
        unit, name = bench.split("__")[0], f"{bench}-{config}"
        if name in self.programs:
            return self.programs[name]
        include = subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], capture_output=True, text=True, check=True).stdout.strip() + "/include"
        verilated = os.path.join(self.build, "rtl-unit", name) if self.house == "model" else self.verilate(unit, config, name, jobs)
        objects = [os.path.join(verilated, f"V{unit}__ALL.a")] + [os.path.join(self.build, "rtl", o) for o in ("verilated.o", "verilated_threads.o")]
        own = os.path.join(self.folder, "build", name + ".o")
        self.step(name + "-bench", ["g++", *VERILATED, "-isystem", include, "-isystem", include + "/vltstd", f"-I{self.build}", *INCLUDES, f"-I{verilated}", *self.flags(config),
                                    f'-DBENCH_CONFIG="{config}"', "-c", f"tests/rtl/{bench}_bench.cpp", "-o", own])
        program = os.path.join(self.folder, "build", name + "-bench")
        if self.house == "model":
            objects.insert(0, self.model())
        self.link(name, [own, *objects], program)
        self.programs[name] = program
        return program

    def model(self):
        """The mutated object, which stands before the archive that has the file as it is."""
        own = os.path.join(self.folder, "build/mutated.o")
        if not os.path.exists(own):
            self.step("model", ["gcc", "-std=gnu17", "-O2", "-w", f"-I{os.path.dirname(os.path.relpath(self.path, self.folder))}", f"-I{self.build}", *INCLUDES, "-c", self.path, "-o", own])
        return own

    def unit_test(self, name):
        """Links a test of the model alone with the mutants in it; its path."""
        program = os.path.join(self.folder, "build", name.replace("/", "-"))
        self.link(name.replace("/", "-"), [self.model()] + [os.path.join(self.build, "fast/tests", o) for o in (name + ".o", "unit/results.o")], program, "-lcriterion", "-lelf")
        return program

    def link(self, name, objects, program, *libraries):
        archives = [os.path.join(self.build, f"lib{a}_fast.a") for a in ("model", "tb", "model")]
        for needed in objects + archives:
            if not os.path.exists(needed):
                raise Wrong(f"{needed} is missing: `make mutate` builds it")
        self.step(name + "-link", ["g++", *objects, *archives, *libraries, "-lm", "-lpthread", "-lz", "-o", program])


def remove(path):
    """A folder with all that is in it, a file or a link; nothing, when it is not there."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)


def run(command, mutant, limit):
    """'' when it passed, else what went wrong, in a few words."""
    return execute(command, mutant, limit, {})[0]


def ask(command, mutant, limit, environment):
    """What went wrong as run() tells it, or `crash` when the program of a test says so; and the first line that tells what was wrong."""
    try:
        how, text = execute(command, mutant, limit, environment)
    except OSError as error:
        raise Wrong(f"{command[0]}: {error.strerror}") from None
    if re.search(r"Tested: (\x1b\[[0-9;]*m)*0\b", text):
        raise Wrong(f"{' '.join(command)}: runs no test")
    if how == "difference" and re.search(r"CRASH!|Unexpected signal", text):
        how = "crash"
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in text.splitlines()]
    telling = [line for line in lines if re.search(r"\[(FAIL|----)\]|: .*(expected|instead|differ)|FAIL", line)] or [line for line in lines if line] or [""]
    return how, telling[0][:200]


def execute(command, mutant, limit, environment):
    environment = dict(os.environ, TANDEM_MUTANT=str(mutant), **environment)
    environment.pop("TANDEM_RESULTS", None)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, start_new_session=True)
    try:
        text = process.communicate(timeout=limit)[0].decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "no end", ""
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    if process.returncode == 0:
        return "", text
    if "Assertion failed" in text:
        return "assertion", text
    return f"signal {-process.returncode}" if process.returncode < 0 else "difference", text
