"""What is kept of all runs: one SQLite file."""
import contextlib
import fcntl
import json
import os
import sqlite3
import time

from .plan import Job, Wrong

SCHEMA = """
CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY, plan TEXT NOT NULL, text TEXT NOT NULL, commit_id TEXT NOT NULL, changed INTEGER NOT NULL, seed INTEGER NOT NULL,
    started REAL NOT NULL, ended REAL);
CREATE TABLE IF NOT EXISTS job (run INTEGER NOT NULL REFERENCES run(id), number INTEGER NOT NULL, test TEXT NOT NULL, config TEXT NOT NULL, seed INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open', seconds REAL, host TEXT, bucket TEXT, replay TEXT, log TEXT, PRIMARY KEY (run, number), UNIQUE (run, test, config, seed));
CREATE TABLE IF NOT EXISTS number (run INTEGER NOT NULL, job INTEGER NOT NULL, name TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (run, job, name));
CREATE TABLE IF NOT EXISTS coverage (run INTEGER PRIMARY KEY, reached INTEGER NOT NULL, points INTEGER NOT NULL);
"""
VERSION = 1


class Store:
    def __init__(self, path, create=True):
        if not create and not os.path.exists(path):
            raise Wrong(f"{path}: no such file; `regress run` makes it")
        if os.path.dirname(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        self.path = path
        try:
            self.db = sqlite3.connect(path, isolation_level=None, timeout=30)
            self.db.row_factory = sqlite3.Row
            version = self.db.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, VERSION):
                raise Wrong(f"{path}: of another version ({version}, not {VERSION})")
            self.db.executescript(SCHEMA + f"PRAGMA user_version = {VERSION};")
        except sqlite3.DatabaseError as error:
            raise Wrong(f"{path}: {error}") from None

    @contextlib.contextmanager
    def transaction(self):
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def lock(self):
        """Keeps another process from running jobs of this file; to be kept open."""
        file = open(self.path + ".lock", "w", encoding="utf-8")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Wrong(f"{self.path}: another regress runs jobs of it now") from None
        return file

    # ---- runs ----

    def new_run(self, plan, jobs, commit, changed, seed):
        with self.transaction():
            run = self.db.execute("INSERT INTO run (plan, text, commit_id, changed, seed, started) VALUES (?, ?, ?, ?, ?, ?)",
                                  (plan.name, plan.text, commit, changed, seed, time.time())).lastrowid
            self.db.executemany("INSERT INTO job (run, number, test, config, seed) VALUES (?, ?, ?, ?, ?)", [(run, j.number, j.test, j.config, j.seed) for j in jobs])
        return run

    def run(self, number=None):
        """A run, or the last one."""
        row = self.db.execute("SELECT * FROM run WHERE id = ?" if number else "SELECT * FROM run ORDER BY id DESC LIMIT 1", (number,) if number else ()).fetchone()
        if row is None:
            raise Wrong(f"{self.path}: no run{f' {number}' if number else ''}")
        return row

    def runs(self):
        return self.db.execute("SELECT * FROM run ORDER BY id").fetchall()

    def end_run(self, run):
        if not self.open_jobs(run):
            self.db.execute("UPDATE run SET ended = ? WHERE id = ? AND ended IS NULL", (time.time(), run))

    def open_jobs(self, run):
        return [Job(r["number"], r["test"], r["config"], r["seed"]) for r in self.db.execute("SELECT * FROM job WHERE run = ? AND state = 'open' ORDER BY number", (run,))]

    def jobs(self, run, state=None):
        return self.db.execute("SELECT * FROM job WHERE run = ? AND (? IS NULL OR state = ?) ORDER BY number", (run, state, state)).fetchall()

    def finish(self, run, result):
        """Puts the result of a job in, once: a second one of the same job changes nothing. Whether it was the first."""
        with self.transaction():
            done = self.db.execute("UPDATE job SET state = ?, seconds = ?, host = ?, bucket = ?, replay = ?, log = ? WHERE run = ? AND number = ? AND state = 'open'",
                                   (result["state"], result["seconds"], result["host"], result["bucket"], result["replay"], result["log"], run, result["number"])).rowcount
            if done:
                self.db.executemany("INSERT INTO number VALUES (?, ?, ?, ?)", [(run, result["number"], name, value) for name, value in result["numbers"].items()])
        return bool(done)

    def counts(self, run):
        """{state: how many}"""
        return dict(self.db.execute("SELECT state, count(*) FROM job WHERE run = ? GROUP BY state", (run,)).fetchall())

    def buckets(self, run):
        """(bucket, how many, its first job), the most frequent first."""
        rows = self.db.execute("SELECT bucket, count(*) AS count, min(number) AS first FROM job WHERE run = ? AND state = 'failed' GROUP BY bucket ORDER BY 2 DESC, 1", (run,))
        return [(r["bucket"], r["count"], self.db.execute("SELECT * FROM job WHERE run = ? AND number = ?", (run, r["first"])).fetchone()) for r in rows.fetchall()]

    def numbers(self, run):
        """{(test, config, name): [values]}"""
        found = {}
        for r in self.db.execute("SELECT test, config, name, value FROM number JOIN job ON job.run = number.run AND job.number = number.job WHERE number.run = ? AND state = 'passed' "
                                 "ORDER BY job.number", (run,)):
            found.setdefault((r["test"], r["config"], r["name"]), []).append(r["value"])
        return found

    def set_coverage(self, run, reached, points):
        self.db.execute("INSERT OR REPLACE INTO coverage VALUES (?, ?, ?)", (run, reached, points))

    def coverage(self, run):
        return self.db.execute("SELECT * FROM coverage WHERE run = ?", (run,)).fetchone()


def write_result(path, result):
    """A result as a file, whole or not at all: for jobs that run where the database is not."""
    part = f"{path}.{os.getpid()}.part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(result, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def read_result(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise Wrong(f"{path}: {error}") from None
