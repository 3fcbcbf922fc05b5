"""Draws a timing picture of its text: the part of WaveDrom's JSON that scripts/waves writes, so that any WaveDrom editor opens it too.

    signal  lanes and groups [title, lane ..]: {"name", "wave", "data"}; {} is an empty line
    wave    a character a cycle: 0 1 a level; = 3 4 5 a text (the next of data) on white, yellow, orange, blue; z nothing; . as before;
            | a gap
    foot    tick: a text for each cycle; text: a line below
"""
from html import escape

CYCLE, ROW, HIGH = 50, 28, 18  # sizes in pixels: a cycle's width, a lane's height, a level's height
FILLS = {"=": "#ffffff", "3": "#fdf3b0", "4": "#fbdcb4", "5": "#cfe3f7"}
TOP = 10


def place(signal, rows, groups, depth=0):
    """Gives each lane its row; groups get (title, first row, one past the last)."""
    for item in signal:
        if isinstance(item, list):
            first = len(rows)
            place(item[1:], rows, groups, depth + 1)
            groups.append((item[0], first, len(rows)))
        else:
            rows.append(item)


def pieces(wave):
    """(state, first cycle, one past the last) of a wave; gaps belong to the state around them."""
    found = []
    for number, state in enumerate(wave):
        if state in ".|" and found:
            found[-1][2] = number + 1
        else:
            found.append([state, number, number + 1])
    return found


def lane_svg(lane, left, y):
    """The lines of a lane whose top is y, and its texts, which go over the gaps."""
    low, high, text, over, labels = y + HIGH + 4, y + 4, "", "", list(lane.get("data", []))
    parts = pieces(lane["wave"])
    levels = {"0": low, "1": high}
    before = None
    for number, (state, first, end) in enumerate(parts):
        x, to = left + first * CYCLE, left + end * CYCLE
        if state in levels:
            level = levels[state]
            start = f"M{x} {before} V{level}" if before not in (None, level) else f"M{x} {level}"
            text += f'<path d="{start} H{to}"/>\n'
            before = level
        elif state == "z":
            text += f'<path d="M{x} {(low + high) / 2:g} H{to}" stroke="#bbbbbb"/>\n'
            before = None
        else:
            text += (f'<path d="M{x} {(low + high) / 2:g} l4 {-HIGH / 2:g} H{to - 4} l4 {HIGH / 2:g} l-4 {HIGH / 2:g} H{x + 4} Z" '
                     f'fill="{FILLS[state]}"/>\n')
            label = labels.pop(0) if labels else ""
            # A text that is wider than its box runs on over the nothing behind it.
            free = to + CYCLE * (parts[number + 1][2] - parts[number + 1][1]) if number + 1 < len(parts) and parts[number + 1][0] == "z" else to
            wide = len(label) * 6 > to - x - 8 and free > to
            anchor, at = ("start", x + 6) if wide else ("middle", (x + to) / 2)
            halo = f' paint-order="stroke" stroke="{"white" if wide else FILLS[state]}" stroke-width="3"'
            over += f'<text x="{at:g}" y="{low - 5}" font-size="11" text-anchor="{anchor}" fill="black"{halo}>{escape(label)}</text>\n'
            before = None
    return text, over


def svg(picture):
    rows, groups = [], []
    place(picture["signal"], rows, groups)
    names = max(len(row.get("name", "")) for row in rows)
    left = names * 7 + 24 + (22 if groups else 0)
    cycles = max(len(row["wave"]) for row in rows if row)
    width, bottom = left + cycles * CYCLE + 10, TOP + len(rows) * ROW
    height = bottom + 44
    text = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'font-family="Helvetica,Arial,sans-serif" font-size="12">\n<rect width="{width}" height="{height}" fill="white"/>\n')
    gaps = [number for number in range(cycles) if any(row and row["wave"][number:number + 1] == "|" for row in rows)]
    text += '<g stroke="#e4e4e4">\n'
    text += "".join(f'<path d="M{left + number * CYCLE} {TOP - 4} V{bottom}"/>\n' for number in range(cycles + 1))
    text += '</g>\n<g stroke="black" stroke-width="1.3" fill="none">\n'
    over = ""
    for number, row in enumerate(rows):
        if row:
            lines, texts = lane_svg(row, left, TOP + number * ROW)
            text, over = text + lines, over + texts
    text += "</g>\n"
    for gap in gaps:
        x = left + gap * CYCLE + CYCLE / 2
        text += f'<path d="M{x - 5:g} {TOP - 4} h10 V{bottom} h-10 Z" fill="white"/>\n'
        text += f'<path d="M{x - 5:g} {TOP - 4} V{bottom} M{x + 5:g} {TOP - 4} V{bottom}" stroke="#999999" stroke-dasharray="2 3"/>\n'
    for number, row in enumerate(rows):
        if row:
            text += f'<text x="{left - 8}" y="{TOP + number * ROW + 18}" text-anchor="end">{escape(row["name"])}</text>\n'
    text += over
    for title, first, end in groups:
        top, low = TOP + first * ROW + 2, TOP + end * ROW - 2
        text += f'<path d="M26 {top} H22 V{low} H26" fill="none" stroke="#888888"/>\n'
        text += (f'<text x="14" y="{(top + low) / 2:g}" font-size="11" text-anchor="middle" '
                 f'transform="rotate(-90 14 {(top + low) / 2:g})" fill="#555555">{escape(title)}</text>\n')
    for number, tick in enumerate(picture.get("foot", {}).get("tick", [])):
        text += f'<text x="{left + number * CYCLE + CYCLE / 2:g}" y="{bottom + 12}" font-size="10" text-anchor="middle" fill="#666666">{escape(tick)}</text>\n'
    text += f'<text x="{left}" y="{bottom + 32}" font-size="11" fill="#666666">{escape(picture.get("foot", {}).get("text", ""))}</text>\n'
    return text + "</svg>"
