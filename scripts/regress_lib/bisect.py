"""The commit with which a failure came."""
import os
import shlex
import subprocess

from . import job as jobs
from .plan import Wrong


def git(*arguments):
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Wrong(f"git {arguments[0]}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    return done.stdout.strip()


def commit_now():
    """(commit, whether files differ from it)"""
    return git("rev-parse", "HEAD"), bool(git("status", "--porcelain", "--untracked-files=no"))


class Tree:
    """A work tree of its own, so that nothing of the user's is touched. It stays between the steps: what is built is built on."""

    def __init__(self, folder):
        self.folder = folder
        if not os.path.exists(os.path.join(folder, ".git")):
            os.makedirs(os.path.dirname(folder) or ".", exist_ok=True)
            git("worktree", "prune")
            git("worktree", "add", "--quiet", "--detach", "--force", folder, "HEAD")
        self.processes = jobs.Processes()

    def at(self, commit, build, test, limit):
        """'good', 'bad' or 'skip' (it does not build)."""
        git("-C", self.folder, "checkout", "--quiet", "--force", "--detach", commit)
        for command in ([build] if build else []) + [test]:
            status, _ = self.processes.run(["sh", "-c", f"cd {shlex.quote(self.folder)} && {command}"], os.path.join(os.path.dirname(self.folder) or ".", f"bisect-{commit[:12]}.log"), limit)
            if command is build and status != 0:
                return "skip"
        return "good" if status == 0 else "bad"

    def remove(self):
        git("worktree", "remove", "--force", self.folder)


def search(commits, verdict, tell):
    """commits: from one that is good to one that is bad, the oldest first. (the first bad one, those before it that cannot be told apart from it);
    those that do not build are gone around."""
    low, high, known = 0, len(commits) - 1, {}
    while high - low > 1:
        middle = (low + high) // 2
        # The nearest to the middle that builds.
        for at in sorted(range(low + 1, high), key=lambda i: abs(i - middle)):
            if at not in known:
                known[at] = verdict(commits[at])
                tell(commits[at], known[at], high - low)
            if known[at] != "skip":
                break
        else:
            break  # none between builds
        if known[at] == "bad":
            high = at
        else:
            low = at
    return commits[high], commits[low + 1:high]


def run(good, bad, build, test, limit, folder, tell):
    first, last = git("rev-parse", "--verify", f"{good}^{{commit}}"), git("rev-parse", "--verify", f"{bad}^{{commit}}")
    between = git("rev-list", "--reverse", "--first-parent", f"{first}..{last}").split()
    if not between:
        raise Wrong(f"{bad} does not come after {good}")
    tree = Tree(folder)
    try:
        for commit, wanted in ((last, "bad"), (first, "good")):
            verdict = tree.at(commit, build, test, limit)
            tell(commit, verdict, len(between))
            if verdict != wanted:
                raise Wrong(f"{commit[:12]} should be {wanted}, and {'does not build' if verdict == 'skip' else 'is ' + verdict}")
        return search([first, *between], lambda c: tree.at(c, build, test, limit), tell)
    except KeyboardInterrupt:
        tree.processes.kill()
        raise
    finally:
        tree.remove()
