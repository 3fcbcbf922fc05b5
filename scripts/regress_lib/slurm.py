"""The jobs of a run as an array of Slurm.

`submit` writes the plan and the open jobs beside the results, on a file system that all nodes see; a task of the array runs a slice of the jobs and
writes each result as a file of its own, whole or not at all. `collect` takes the files into the database, where a job has one result. A task that
a node took with it is begun again by Slurm (--requeue), and leaves out the jobs that have their result; what no task has done is open still, and the
next `submit` brings it again. So nothing is lost, and nothing counts twice."""
import json
import os
import re
import shlex
import subprocess

from . import job as jobs
from . import plan as plans
from .plan import Job, Wrong
from .store import read_result, write_result

MOST_TASKS = 1000  # Slurm's own bound for an array, as it comes


def command(*words):
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Wrong(f"{words[0]}: {error.strerror}; is slurm-client installed?") from None
    if done.returncode != 0:
        raise Wrong(f"{words[0]}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    return done.stdout.strip()


def folder_of(work, run):
    return os.path.abspath(os.path.join(work, f"run-{run}"))


def result_path(folder, number):
    return os.path.join(folder, "results", f"{number}.json")


def submit(plan, store, run, work, program, options, most=MOST_TASKS):
    """Hands the open jobs over; the number of Slurm's array job, and how many tasks it has."""
    folder, waiting = folder_of(work, run), store.open_jobs(run)
    if not waiting:
        raise Wrong(f"run {run} has no open jobs")
    os.makedirs(os.path.join(folder, "results"), exist_ok=True)
    tasks = min(len(waiting), most)
    path = os.path.join(folder, "array.json")
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump({"plan": plan.text, "tasks": [[vars(j) for j in waiting[i::tasks]] for i in range(tasks)]}, file)
    os.replace(path + ".part", path)
    said = command("sbatch", "--parsable", "--requeue", f"--array=0-{tasks - 1}", f"--job-name=regress-{run}", "--open-mode=append", f"--output={folder}/task-%a.log",
                   *options, f"--chdir={os.getcwd()}", "--wrap", "exec " + shlex.join([program, "task", folder]))  # a script itself would be copied, alone
    return said.split(";")[0], tasks


def task(folder, index):
    """What a task of the array does, on its node."""
    try:
        with open(os.path.join(folder, "array.json"), encoding="utf-8") as file:
            array = json.load(file)
    except (OSError, ValueError) as error:
        raise Wrong(f"{folder}/array.json: {error}") from None
    plan = plans.parse(array["plan"], folder)
    if not 0 <= index < len(array["tasks"]):
        raise Wrong(f"task {index}: the array has {len(array['tasks'])}")
    processes = jobs.Processes()
    try:
        for row in array["tasks"][index]:
            job = Job(**row)
            path = result_path(folder, job.number)
            if os.path.exists(path):
                continue  # by the task that was here before its node went down
            write_result(path, jobs.run(plan, job, os.path.join(folder, f"{job.number}-{job.test}" + (f"-{job.config}" if job.config else "")), processes))
    except KeyboardInterrupt:
        processes.kill()
        raise


def collect(store, run, work):
    """Takes results in; how many were new."""
    new = 0
    for job in store.open_jobs(run):
        result = read_result(result_path(folder_of(work, run), job.number))
        if result is not None and result["number"] == job.number:
            new += store.finish(run, result)
    store.end_run(run)
    return new


def waits(array):
    """Whether tasks of the array are still under way."""
    done = subprocess.run(["squeue", "--noheader", "--array", f"--jobs={array}", "--format=%T"], capture_output=True, text=True, check=False)
    if done.returncode != 0 and not re.search("Invalid job id", done.stderr):
        return True  # the controller does not answer now
    return bool(done.stdout.split())
