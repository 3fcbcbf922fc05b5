#!/usr/bin/env python3
"""The picture of a warp's token deque: which threads are active, and which tokens stand, after each control instruction of a run.

    scripts/deque_picture.py PROGRAM.s TRACE THREADS > NAME.deque.json

PROGRAM.s is what ran, TRACE the events of the run (`trace=FILE` in a device's name) on a configuration of 32 threads a warp, THREADS how
many threads the warp had. scripts/pictures draws the JSON with svg().
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tables  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CONTROL = ("SSY", "PBRK", "PCONT", "PEXIT", "PLONGJMP", "CAL", "BRA", "SYNC", "BRK", "CONT", "EXIT", "RET", "YIELD")


def program_lines(path):
    """Text of each instruction, and the label in front of each index."""
    texts, labels = [], {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.split("//")[0].strip()
            if line.endswith(":"):
                labels[len(texts)] = line[:-1]
            elif line and not line.startswith("."):
                texts.append(re.sub(r"\s+", " ", line))
    return texts, labels


def token_of(low, kinds, labels):
    """A token of a warp of 32 threads."""
    address = low >> 36 & 0x3FFFFF
    return {"kind": kinds[low & 0xF], "mask": low >> 4 & 0xFFFFFFFF, "to": labels.get(address, str(address))}


def rows_of(program, trace, threads):
    texts, labels = program_lines(program)
    kinds = {value: name for name, value in tables.Isa(os.path.join(ROOT, "cmodel/isa/isa.tbl")).tables["kind"].items()}
    rows, deque, row = [], [], None
    with open(trace, encoding="utf-8") as file:
        for line in file:
            fields = {name: int(value, 16) for name, value in re.findall(r"(\w+)=0x([0-9a-f]+)", line)}
            if " INSTR " in line:
                if row:
                    row["after"] = fields["active"]
                text = texts[fields["pc"]]
                row = {"text": text, "active": fields["active"], "exec": fields["exec"], "deque": [dict(token) for token in deque]}
                name = next((part for part in text.split() if not part.startswith("@")), "").split(".")[0]
                if name in CONTROL:
                    rows.append(row)
                if fields["pc"] in labels:
                    row["label"] = labels[fields["pc"]]
            elif " TOKEN " in line:
                token = token_of(fields["token_lo"], kinds, labels)
                operation = fields["op"]
                if operation == 0:
                    deque.insert(0, token)
                elif operation == 1:
                    deque.append(token)
                elif operation in (2, 3):
                    deque.pop(0)
                else:
                    deque = [token if (old["kind"], old["to"]) == (token["kind"], token["to"]) else old for old in deque]
                row["deque"] = [dict(token) for token in deque]
            elif " WARP_END " in line and row:
                row["after"] = 0
    return rows, threads


def why_off(rows, threads):
    """Adds to each row, for each thread, "" when it is active after the instruction, else the kind of token it waits for."""
    reasons = [""] * threads
    for row in rows:
        name = next(part for part in row["text"].split() if not part.startswith("@")).split(".")[0]
        for thread in range(threads):
            if row["after"] >> thread & 1:
                reasons[thread] = ""
            elif row["active"] >> thread & 1:
                reasons[thread] = "DIV" if name == "BRA" else name
        row["off"] = list(reasons)


def main():
    program, trace, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rows, threads = rows_of(program, trace, threads)
    why_off(rows, threads)
    out = []
    for row in rows:
        tokens = [f"{token['kind']} {','.join(str(t) for t in range(threads) if token['mask'] >> t & 1)} {token['to']}" for token in row["deque"]]
        out.append({"text": row["text"], "off": row["off"], "deque": tokens})
    lines = ",\n".join("  " + json.dumps(row) for row in out)
    print(f'{{"program": "{os.path.basename(program)}", "threads": {threads}, "rows": [\n{lines}\n]}}')


# ---- drawing ----
COLOURS = {"SYNC": "#cfe0f5", "DIV": "#fbe3bf", "BRK": "#e5d3ea", "YIELD": "#d6ecc8"}
ROW, LEFT, THREAD, TOKEN = 26, 150, 46, 144


def box(x, y, width, text, fill, size=11):
    return (f'<rect x="{x}" y="{y}" width="{width}" height="20" rx="4" fill="{fill}" stroke="#444444" stroke-width="0.8"/>'
            f'<text x="{x + width / 2:g}" y="{y + 14}" font-size="{size}" text-anchor="middle">{text}</text>\n')


def svg(picture):
    rows, threads = picture["rows"], picture["threads"]
    deque_left = LEFT + threads * THREAD + 24
    width = deque_left + TOKEN * max(len(row["deque"]) for row in rows) + 10
    height = 34 + ROW * len(rows) + 8
    text = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'font-family="Helvetica,Arial,sans-serif">\n<rect width="{width}" height="{height}" fill="white"/>\n'
            f'<g font-size="12" font-weight="bold"><text x="10" y="20">instruction</text>')
    for thread in range(threads):
        text += f'<text x="{LEFT + thread * THREAD + THREAD / 2:g}" y="20" text-anchor="middle">{thread}</text>'
    text += f'<text x="{deque_left}" y="20">token deque afterwards, front first</text></g>\n'
    for number, row in enumerate(rows):
        y = 30 + number * ROW
        if number % 2 == 0:
            text += f'<rect x="0" y="{y}" width="{width}" height="{ROW}" fill="#f6f6f6"/>\n'
        text += f'<text x="10" y="{y + 17}" font-size="12" font-family="DejaVu Sans Mono,Menlo,Consolas,monospace">{row["text"]}</text>\n'
        for thread, reason in enumerate(row["off"]):
            x = LEFT + thread * THREAD + 2
            if reason == "":
                text += f'<circle cx="{x + THREAD / 2 - 2:g}" cy="{y + 13}" r="7" fill="#3a7d2c"/>\n'
            else:
                text += box(x, y + 3, THREAD - 4, reason, COLOURS.get(reason, "#eeeeee"), 10)
        for place, token in enumerate(row["deque"]):
            kind, mask, to = token.split(" ")
            text += box(deque_left + place * TOKEN, y + 3, TOKEN - 8, f"{kind} {{{mask}}} to {to}", COLOURS.get(kind, "#eeeeee"))
    return text + "</svg>"


if __name__ == "__main__":
    main()
