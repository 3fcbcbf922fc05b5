"""Coverage files of a run's jobs, merged by verilator_coverage."""
import glob
import os
import re
import subprocess

from .plan import Wrong


def merge(store, run, work):
    """Merges what the jobs of a run have left; (reached, points), or None when they left nothing."""
    folder = os.path.join(work, f"run-{run}")
    files = [f for f in sorted(glob.glob(os.path.join(folder, "*", "*.dat"))) if os.path.getsize(f)]
    if not files:
        return None
    merged = os.path.join(folder, "coverage.dat")
    try:
        done = subprocess.run(["verilator_coverage", "--write", merged, *files], capture_output=True, text=True, check=False)
    except OSError as error:
        raise Wrong(f"verilator_coverage: {error.strerror}") from None
    if done.returncode != 0:
        raise Wrong(f"verilator_coverage: {(done.stderr.splitlines() or ['failed'])[0]}")
    with open(merged, encoding="latin-1") as file:
        counts = [int(m) for m in re.findall(r"^C '.*' (\d+)$", file.read(), re.M)]
    reached = sum(1 for c in counts if c)
    store.set_coverage(run, reached, len(counts))
    return reached, len(counts)
