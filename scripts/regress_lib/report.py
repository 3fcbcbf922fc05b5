"""JUnit XML of a run, and one HTML page of all runs that needs nothing but itself."""
import html
import os
import re
import statistics
import time
import xml.etree.ElementTree

from .plan import Job

STYLE = """body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #222 } h1, h2 { font-weight: 600 } table { border-collapse: collapse; width: 100% }
td, th { border-bottom: 1px solid #ddd; padding: .3em .6em; text-align: left; vertical-align: top } code { font-size: 13px; overflow-wrap: anywhere }
.failed { color: #b00 } .plots { display: flex; flex-wrap: wrap; gap: 1.5em } figure { margin: 0 } figcaption { font-size: 13px }"""
WIDTH, HEIGHT, EDGE = 320, 130, 24


def printable(text):
    return re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)  # what XML 1.0 allows


def write(path, text):
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".part", path)


def junit(store, run, path):
    root, suites = xml.etree.ElementTree.Element("testsuites"), {}
    for row in store.jobs(run["id"]):
        suites.setdefault((row["test"], row["config"]), []).append(row)
    for (test, config), rows in suites.items():
        failed, open_ = sum(r["state"] == "failed" for r in rows), sum(r["state"] == "open" for r in rows)
        suite = xml.etree.ElementTree.SubElement(root, "testsuite", name=test + (f"/{config}" if config else ""), tests=str(len(rows)), failures=str(failed), errors="0", skipped=str(open_),
                                                 time=f"{sum(r['seconds'] or 0 for r in rows):.2f}")
        for row in rows:
            case = xml.etree.ElementTree.SubElement(suite, "testcase", classname=suite.get("name"), name=f"seed {row['seed']}", time=f"{row['seconds'] or 0:.2f}")
            if row["state"] == "failed":
                failure = xml.etree.ElementTree.SubElement(case, "failure", message=printable(row["bucket"]))
                failure.text = printable(f"replay: {row['replay']}\nlog: {row['log']}")
            elif row["state"] == "open":
                xml.etree.ElementTree.SubElement(case, "skipped", message="has not run")
    write(path, '<?xml version="1.0" encoding="utf-8"?>\n' + xml.etree.ElementTree.tostring(root, encoding="unicode") + "\n")


def plot(title, values):
    """(label, value) from left to right as an inline picture."""
    numbers = [v for _, v in values]
    low, high = min(numbers + [0]), max(numbers)
    high = high if high > low else low + 1

    def place(i, value):
        x = EDGE + (WIDTH - 2 * EDGE) * (i / (len(values) - 1) if len(values) > 1 else 0.5)
        return x, HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (value - low) / (high - low)

    points = [place(i, v) for i, (_, v) in enumerate(values)]
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#06c"><title>{html.escape(label)}: {value:g}</title></circle>' for (x, y), (label, value) in zip(points, values))
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (f'<figure><svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><path d="M{EDGE} {EDGE}V{HEIGHT - EDGE}H{WIDTH - EDGE}" fill="none" stroke="#999"/>'
            f'<polyline points="{line}" fill="none" stroke="#06c"/>{dots}<text x="2" y="{EDGE - 8}" font-size="11">{high:g}</text><text x="2" y="{HEIGHT - 6}" font-size="11">{low:g}</text></svg>'
            f"<figcaption>{html.escape(title)}: {values[-1][1]:g}</figcaption></figure>")


def label_of(run):
    return f"run {run['id']}, {run['commit_id'][:10]}{' changed' if run['changed'] else ''}"


def series_of(store, runs):
    """{title: [(label, value)]}"""
    series, seeds = {}, set()
    for run in runs:
        label, counts = label_of(run), store.counts(run["id"])
        passed, failed = counts.get("passed", 0), counts.get("failed", 0)
        series.setdefault("jobs that passed", []).append((label, passed))
        series.setdefault("jobs that failed", []).append((label, failed))
        seeds |= {(r["test"], r["config"], r["seed"]) for r in store.jobs(run["id"]) if r["state"] != "open"}
        series.setdefault("different seeds so far", []).append((label, len(seeds)))
        covered = store.coverage(run["id"])
        if covered and covered["points"]:
            series.setdefault("coverage, % of points", []).append((label, 100 * covered["reached"] / covered["points"]))
        for (test, config, name), values in sorted(store.numbers(run["id"]).items()):
            series.setdefault(f"{name}, {test}{'/' + config if config else ''} (median)", []).append((label, statistics.median(values)))
    return series


def bucket_rows(store, run):
    rows = []
    for bucket, count, first in store.buckets(run["id"]):
        name = Job(first["number"], first["test"], first["config"], first["seed"]).name
        rows.append(f'<tr class="failed"><td>{html.escape(bucket)}</td><td>{count}</td><td>{html.escape(name)}</td><td><code>{html.escape(first["replay"])}</code></td></tr>')
    return "".join(rows)


def page(store, path):
    runs = store.runs()
    out = [f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Regressions</title><style>{STYLE}</style><h1>Regressions</h1><h2>History</h2><div class="plots">']
    # Runs of one plan make one history.
    plans = list(dict.fromkeys(r["plan"] for r in runs))
    for plan in plans:
        for title, values in series_of(store, [r for r in runs if r["plan"] == plan]).items():
            out.append(plot(f"{plan}: {title}" if len(plans) > 1 else title, values))
    out.append("</div><h2>Runs</h2><table><tr><th>run</th><th>plan</th><th>commit</th><th>begun</th><th>passed</th><th>failed</th><th>open</th><th>seed</th></tr>")
    for run in reversed(runs):
        counts = store.counts(run["id"])
        out.append(f"<tr><td>{run['id']}</td><td>{html.escape(run['plan'])}</td><td>{run['commit_id'][:12]}{' changed' if run['changed'] else ''}</td>"
                   f"<td>{time.strftime('%Y-%m-%d %H:%M', time.gmtime(run['started']))}</td><td>{counts.get('passed', 0)}</td>"
                   f"<td{' class=failed' if counts.get('failed') else ''}>{counts.get('failed', 0)}</td><td>{counts.get('open', 0)}</td><td>{run['seed']}</td></tr>")
    out.append("</table>")
    for run in reversed(runs):
        rows = bucket_rows(store, run)
        if rows:
            out.append(f"<h2>Failures of {html.escape(label_of(run))}</h2><table><tr><th>first difference</th><th>jobs</th><th>the first</th><th>replay</th></tr>{rows}</table>")
    write(path, "".join(out) + "</html>\n")
