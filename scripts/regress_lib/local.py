"""Jobs on the cores of this machine."""
import concurrent.futures
import os
import sys
import time

from . import job as jobs

TELL_AFTER = 60


def folder_of(work, run, job):
    return os.path.join(work, f"run-{run}", f"{job.number}-{job.test}" + (f"-{job.config}" if job.config else ""))


def tell(store, run, result, done, count, job):
    if result["state"] == "passed":
        if sys.stderr.isatty():
            print(f"\r  {done} of {count}", end="\r", file=sys.stderr, flush=True)
        return
    known = [b for b, number, _ in store.buckets(run) if b == result["bucket"] and number > 1]
    print(f"  [{done}/{count}] FAIL {job.name}: {'again ' if known else ''}{result['bucket']}" + ("" if known else f"\n    replay: {result['replay']}"), flush=True)


def run(plan, store, number, work, at_a_time, tell_result=tell):
    """Runs the open jobs of a run. Interrupted at any place, what has ended is in the store, and the rest is open still.
    How many are left because the plan's time is over."""
    waiting = store.open_jobs(number)
    count, done, late = len(waiting), 0, False
    end = time.monotonic() + plan.time if plan.time else None
    processes = jobs.Processes()
    pool = concurrent.futures.ThreadPoolExecutor(at_a_time)
    running = {}
    spoken = time.monotonic()
    waiting.reverse()
    try:
        while waiting or running:
            while waiting and len(running) < at_a_time and not late:
                late = end is not None and time.monotonic() >= end
                if not late:
                    job = waiting.pop()
                    running[pool.submit(jobs.run, plan, job, folder_of(work, number, job), processes)] = job
            if not running:
                break
            finished, _ = concurrent.futures.wait(running, 1, concurrent.futures.FIRST_COMPLETED)
            for future in finished:
                job = running.pop(future)
                result = future.result()
                done += 1
                store.finish(number, result)
                tell_result(store, number, result, done, count, job)
            if finished:
                spoken = time.monotonic()
            elif time.monotonic() - spoken > TELL_AFTER:
                spoken = time.monotonic()
                print("  ... " + ", ".join(j.name for j in running.values()), flush=True)
    except BaseException:
        processes.kill()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
    return len(waiting)
