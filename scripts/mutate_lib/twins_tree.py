"""The model with mutants in several of its files, as one object, and the programs that are linked with it in place of what the archive has."""
import concurrent.futures
import os
import shutil
import subprocess

from . import c_source, mutant, twins
from .mutant import Wrong

FLAGS = ("-std=c17", "-D_GNU_SOURCE", "-O2", "-fPIC", "-w")


def clean_environment():
    return {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "TANDEM_RESULTS", "TANDEM_MUTANT")}


class TwinsTree:
    """BUILD/mutate/twins: `source/` is the folder of the model with the mutants in it, `mutated.o` all objects that have some."""

    def __init__(self, build):
        self.folder, self.build = os.path.join(build, "mutate/twins"), build
        os.makedirs(self.folder, exist_ok=True)

    def write(self, table, mutants, texts, jobs):
        top = next(iter(table.twins)).split("/")[0]
        if any(path.split("/")[0] != top for path in table.twins):
            raise Wrong(f"files to mutate stand in {top} and elsewhere; one folder is taken")
        source = os.path.join(self.folder, "source")
        shutil.rmtree(source, ignore_errors=True)
        shutil.copytree(top, os.path.join(source, top))
        mutated = sorted({m.path for m in mutants})
        for path in mutated:
            text = mutant.render(texts[path], [m for m in mutants if m.path == path], c_source.select)
            with open(os.path.join(source, path), "w", encoding="latin-1") as file:
                file.write(c_source.SHARED + text)
        with open(os.path.join(source, "mutant_selected.c"), "w", encoding="utf-8") as file:
            file.write(c_source.SHARED_SELECTOR)
        files = [os.path.join(source, path) for path in twins.includers(top, mutated, table.quick)]
        includes = [f"-I{source}/{top}", f"-I{self.build}", "-Itb", "-Itests"]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            objects = list(pool.map(lambda path: self.compile(path, includes), files + [os.path.join(source, "mutant_selected.c")]))
        self.step(["ld", "-r", *objects, "-o", os.path.join(self.folder, "mutated.o")], "mutants")
        return files

    def compile(self, path, includes):
        self.step(["gcc", *FLAGS, *includes, "-c", path, "-o", path + ".o"], path)
        return path + ".o"

    def step(self, command, what):
        done = subprocess.run(command, env=clean_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            said = [line for line in done.stdout.splitlines() if "rror" in line] or done.stdout.splitlines() or ["?"]
            raise Wrong(f"{what} does not build with the mutants: {said[0][:300]}")
