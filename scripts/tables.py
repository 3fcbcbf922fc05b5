"""Reads the tables of the project and checks every row.

A malformed row raises TableError with "file:line: message".
"""

import re

# Formats of isa.tbl and where the second operand may come from: "r" bits 39:32 (opcode bit 7 clear), "i" the immediate
# (bit 7 set), "ri" both (the row has "R+I"), "-" the format has no such operand (bit 7 clear).
FORMATS = {
    "NONE": "-", "B": "ri", "B2": "ri", "R3": "r", "CMP": "ri", "SELP": "ri", "PLOP": "r", "PR": "-", "RP": "i",
    "SR": "i", "LD": "i", "ST": "i", "LDC": "i", "ATOM": "r", "REL": "i", "RELR": "i", "ABS": "i", "ABSR": "i",
    "CALLR": "i", "CALLX": "i", "RETR": "i", "YIELD": "i", "SS": "ri-", "RA": "-", "CARRY": "ri", "R3S": "r",
    "FCMP": "ri", "CVT": "ri", "RND": "ri", "SV": "i", "BRA": "i", "KIND": "-",
}
# Side tables of isa.tbl: width of their numbers in bits.
ISA_TABLES = {"cmp": 4, "size": 4, "atom": 4, "yield": 4, "kind": 4, "window": 8, "scalar": 8, "special": 8, "fcmp": 4, "round": 4, "cvt": 4, "sv": 4, "bra": 4, "turns": 22}
UNITS = ("host", "task", "sm", "mem")
IDENTIFIER = re.compile(r"[A-Z][A-Z0-9_]*\Z")


class TableError(Exception):
    """A table cannot be used; the text says where and why."""


class Rows:
    """The lines of a table file without comments and blanks, with what is needed for messages."""

    def __init__(self, path):
        self.path = path
        self.line = 0
        try:
            with open(path, encoding="utf-8") as file:
                self.lines = file.read().split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise TableError(f"{path}: cannot be read: {error}") from None

    def __iter__(self):
        for self.line, text in enumerate(self.lines, 1):
            if text.strip() and not text.startswith("#"):
                yield text.strip()

    def fail(self, message):
        raise TableError(f"{self.path}:{self.line}: {message}")

    def columns(self, text, count):
        cells = [cell.strip() for cell in text.split("|", count - 1)]
        if len(cells) != count:
            self.fail(f"expected {count} columns separated by '|', found {len(cells)}")
        return cells

    def number(self, text, low, high, what):
        try:
            value = int(text, 0)
        except ValueError:
            self.fail(f"{what} '{text}' is not a number")
        if not low <= value <= high:
            self.fail(f"{what} {text} is outside {low}..{high}")
        return value

    def name(self, text, pattern=IDENTIFIER):
        if not pattern.match(text):
            self.fail(f"'{text}' is not a name (capital letters, digits and _)")
        return text


def field_row(rows, text, width, fields):
    """Reads 'name | bits | values | meaning' and appends dict(name, high, low, values: {NAME: number}, meaning) to fields."""
    name, bits, values, meaning = rows.columns(text, 4)
    rows.name(name)
    match = re.match(r"(\d+)(?::(\d+))?\Z", bits)
    if not match:
        rows.fail(f"bits '{bits}' are neither HIGH:LOW nor one number")
    high, low = int(match[1]), int(match[2] or match[1])
    if not low <= high < width:
        rows.fail(f"bits {bits} do not lie in {width - 1}:0")
    if any(name == other["name"] for other in fields):
        rows.fail(f"field {name} stands twice")
    numbers = {}
    for value in filter(None, (value.strip() for value in values.split(","))):
        match = re.match(r"([A-Z0-9_]+) (\d+)\Z", value)
        if not match:
            rows.fail(f"value '{value}' is not NAME number")
        number = rows.number(match[2], 0, (2 << (high - low)) - 1, "value")
        if match[1] in numbers or number in numbers.values():
            rows.fail(f"value {match[1]} or its number stands twice")
        numbers[match[1]] = number
    fields.append({"name": name, "high": high, "low": low, "values": numbers, "meaning": meaning})


class Isa:
    """opcodes: number -> dict(name, mnemonic, format, immediate, built, semantics); tables: name -> {entry: number}."""

    def __init__(self, path):
        rows = Rows(path)
        self.opcodes, self.tables, names, section = {}, {name: {} for name in ISA_TABLES}, set(), None
        for text in rows:
            if text.startswith("["):
                section = self._section(rows, text)
            elif section is None:
                self._instruction(rows, text, names)
            else:
                self._entry(rows, text, section)
        for name, table in self.tables.items():
            if not table:
                raise TableError(f"{path}: table [{name}] is missing or empty")
        if not self.opcodes:
            raise TableError(f"{path}: no instructions")

    @staticmethod
    def _section(rows, text):
        match = re.match(r"\[(\w+)\]", text)
        if not match or match[1] not in ISA_TABLES:
            rows.fail(f"unknown table '{text}'; known: {', '.join(ISA_TABLES)}")
        return match[1]

    def _instruction(self, rows, text, names):
        mnemonic, opcode, form, built, semantics = rows.columns(text, 5)
        rows.name(mnemonic)
        match = re.match(r"(0x[0-9A-Fa-f]{2})( R\+I)?\Z", opcode)
        if not match:
            rows.fail(f"opcode '{opcode}' is not 0xNN or 0xNN R+I")
        if form not in FORMATS:
            rows.fail(f"unknown format '{form}'; known: {', '.join(FORMATS)}")
        if built not in ("yes", "no"):
            rows.fail(f"built is '{built}', not yes or no")
        if mnemonic in names:
            rows.fail(f"{mnemonic} stands twice")
        names.add(mnemonic)
        number, both, source = int(match[1], 16), bool(match[2]), FORMATS[form]
        if both and number & 0x80:
            rows.fail("R+I gives the opcode of the register form: bit 7 must be clear")
        if both and "ri" not in source:
            rows.fail(f"format {form} has no immediate form beside a register form")
        if not both:
            if source == "ri":
                rows.fail(f"format {form} needs R+I")
            if source == "i" and not number & 0x80:
                rows.fail(f"format {form} has an immediate: bit 7 of the opcode must be set")
            if source in ("r", "-", "ri-") and number & 0x80:
                rows.fail(f"format {form} has no immediate: bit 7 of the opcode must be clear")
        for code in (number, number | 0x80) if both else (number,):
            if code in self.opcodes:
                rows.fail(f"opcode 0x{code:02X} is taken by {self.opcodes[code]['name']}")
            immediate = bool(code & 0x80)
            self.opcodes[code] = {
                "name": mnemonic + ("_I" if both and immediate else ""), "mnemonic": mnemonic, "format": form,
                "immediate": immediate, "built": built == "yes", "semantics": semantics,
            }

    def _entry(self, rows, text, section):
        name, number = rows.columns(text, 2)
        table = self.tables[section]
        rows.name(name, re.compile(r"[A-Z0-9][A-Z0-9_]*\Z"))
        value = rows.number(number, 0, (1 << ISA_TABLES[section]) - 1, "number")
        if name in table or value in table.values():
            rows.fail(f"{name} or its number stands twice in [{section}]")
        table[name] = value


class Registers:
    """blocks: name -> dict(base, stride, registers: [dict(name, offset, access, reset, check, meaning, fields)]);
    faults: list. fields: see field_row."""

    BLOCKS = {"global": "REG", "channel": "CHANNEL", "userd": "USERD"}

    def __init__(self, path):
        rows = Rows(path)
        self.blocks, self.faults, section = {}, [], None
        for text in rows:
            if text.startswith("["):
                section = self._section(rows, text)
            elif section is None:
                rows.fail("a row before the first [block]")
            elif text.startswith(".") and section != "fault" and self.blocks[section]["registers"]:
                field_row(rows, text[1:], 32, self.blocks[section]["registers"][-1]["fields"])
            elif section == "fault":
                self._fault(rows, text)
            else:
                self._register(rows, text, self.blocks[section])
        for name in self.BLOCKS:
            if not self.blocks.get(name, {}).get("registers"):
                raise TableError(f"{path}: block [{name}] is missing or empty")
        if not self.faults:
            raise TableError(f"{path}: table [fault] is missing or empty")

    def _section(self, rows, text):
        match = re.match(r"\[(\w+)\](?: base (0x[0-9A-Fa-f]+), stride (0x[0-9A-Fa-f]+))?", text)
        if not match or match[1] not in (*self.BLOCKS, "fault"):
            rows.fail(f"unknown block '{text}'; known: {', '.join(self.BLOCKS)}, fault")
        if match[1] in self.blocks:
            rows.fail(f"block [{match[1]}] stands twice")
        if match[1] != "fault":
            if (match[1] == "global") != (match[2] is None):
                rows.fail("blocks other than [global] need 'base 0x.., stride 0x..'")
            self.blocks[match[1]] = {"base": int(match[2] or "0", 16), "stride": int(match[3] or "0x1000", 16),
                                     "registers": []}
            if self.blocks[match[1]]["stride"].bit_count() != 1:
                rows.fail("the stride must be a power of two")
        return match[1]

    @staticmethod
    def _register(rows, text, block):
        name, offset, access, reset, check, meaning = rows.columns(text, 6)
        rows.name(name)
        number = rows.number(offset, 0, block["stride"] - 4, "offset")
        if number % 4:
            rows.fail(f"offset {offset} is not a multiple of 4")
        if access not in ("ro", "rw", "w1c"):
            rows.fail(f"access '{access}' is not ro, rw or w1c")
        if check not in ("same", "time", "idle"):
            rows.fail(f"check '{check}' is not same, time or idle")
        value = None if reset == "config" else rows.number(reset, 0, 0xFFFFFFFF, "reset")
        if any(name == other["name"] or number == other["offset"] for other in block["registers"]):
            rows.fail(f"{name} or its offset stands twice")
        block["registers"].append({"name": name, "offset": number, "access": access, "reset": value, "check": check,
                                   "meaning": meaning, "fields": []})

    def _fault(self, rows, text):
        name, code, meaning = rows.columns(text, 3)
        rows.name(name)
        number = rows.number(code, 0, 255, "code")
        if any(name == other["name"] or number == other["code"] for other in self.faults):
            rows.fail(f"{name} or its code stands twice")
        self.faults.append({"name": name, "code": number, "meaning": meaning})


class Methods:
    """blocks: name -> dict(class, subchannel, first, meaning, fields, rows: [dict(name, offset, meaning, fields)]).

    Blocks that are classes have rows with offsets (byte addresses of methods), the others words without one; GP and DMA have
    class None. fields: see field_row; those of a block stand in no row of their own.
    """

    BLOCKS = ("GP", "DMA", "HOST", "COMPUTE")
    CLASSES = ("HOST", "COMPUTE")

    def __init__(self, path):
        rows = Rows(path)
        self.blocks, block = {}, None
        for text in rows:
            if text.startswith("["):
                block = self._section(rows, text)
            elif block is None:
                rows.fail("a row before the first [block]")
            elif text.startswith("."):
                field_row(rows, text[1:], 32, (block["rows"] or [block])[-1]["fields"])
            else:
                self._row(rows, text, block)
        for name in self.BLOCKS:
            block = self.blocks.get(name)
            if not block or not (block["rows"] or block["fields"]):
                raise TableError(f"{path}: block [{name}] is missing or empty")

    def _section(self, rows, text):
        match = re.match(r"\[(\w+)\] (?:class (0x[0-9A-F]{4}),(?: subchannel ([0-7]),)? from (0x[0-9A-F]+) \| )?(.+)\Z", text)
        if not match or match[1] not in self.BLOCKS:
            rows.fail(f"unknown block '{text}'; known: {', '.join(self.BLOCKS)}")
        name = match[1]
        if name in self.blocks:
            rows.fail(f"block [{name}] stands twice")
        if (name in self.CLASSES) != (match[2] is not None):
            rows.fail(f"{', '.join(self.CLASSES)} need 'class 0x...., from 0x.. | meaning', the others only a meaning")
        self.blocks[name] = {"class": match[2] and int(match[2], 16), "subchannel": match[3] and int(match[3]),
                             "first": match[4] and int(match[4], 16), "meaning": match[5], "fields": [], "rows": []}
        return self.blocks[name]

    @staticmethod
    def _row(rows, text, block):
        name, offset, meaning = rows.columns(text, 3)
        rows.name(name)
        number = None
        if (offset == "-") != (block["class"] is None):
            rows.fail("a method has a byte address, a word of no method '-'")
        if offset != "-":
            number = rows.number(offset, block["first"], 0x3FFC, "address")
            if number % 4:
                rows.fail(f"address {offset} is not a multiple of 4")
        if any(name == other["name"] or (number is not None and number == other["offset"]) for other in block["rows"]):
            rows.fail(f"{name} or its address stands twice")
        block["rows"].append({"name": name, "offset": number, "meaning": meaning, "fields": []})


class Tmd:
    """fields of the first block; arrays: name -> dict(count, stride, fields). fields: see field_row, bits of entry 0."""

    BITS = 2048

    def __init__(self, path):
        rows = Rows(path)
        self.fields, self.arrays, block = [], {}, None
        for text in rows:
            if text == "[TMD]" and block is None:
                block = {"count": 1, "stride": 0, "fields": self.fields}
            elif text.startswith("["):
                block = self._array(rows, text, block)
            elif block is None:
                rows.fail("a row before [TMD]")
            else:
                room = self.BITS - block["stride"] * (block["count"] - 1)
                field_row(rows, text, room, block["fields"])
                if block["fields"][-1]["high"] - block["fields"][-1]["low"] > 31:
                    rows.fail("a field has at most 32 bits")
                self._check_apart(rows, block, block["fields"][-1])
        if not self.fields or not all(array["fields"] for array in self.arrays.values()):
            raise TableError(f"{path}: [TMD] or an array is missing or empty")

    def _array(self, rows, text, block):
        match = re.match(r"\[(\w+)\] (\d+), stride (\d+)\Z", text)
        if not match or block is None:
            rows.fail(f"unknown block '{text}'; [TMD] first, then '[NAME] count, stride bits'")
        if match[1] in self.arrays:
            rows.fail(f"block [{match[1]}] stands twice")
        self.arrays[rows.name(match[1])] = {"count": int(match[2]), "stride": int(match[3]), "fields": []}
        return self.arrays[match[1]]

    def positions(self):
        """Every field: (name, index, high, low), index None for fields that are no array's."""
        for field in self.fields:
            yield field["name"], None, field["high"], field["low"]
        for name, array in self.arrays.items():
            for field in array["fields"]:
                for index in range(array["count"]):
                    shift = index * array["stride"]
                    yield f"{name}_{field['name']}", index, field["high"] + shift, field["low"] + shift

    def _check_apart(self, rows, block, new):
        positions = list(self.positions())
        name = next((f"{key}_{new['name']}" for key, array in self.arrays.items() if array is block), new["name"])
        for mine in (position for position in positions if position[0] == name):
            for other in positions:
                if other is not mine and other[3] <= mine[2] and mine[3] <= other[2]:
                    rows.fail(f"{name} lies over {other[0]}")


class Trace:
    """events: list of dict(name, unit, times, meaning, fields: [dict(name, width, choice)]); width: int, "LANES" or "LANES*32"; times: so many at once."""

    FIELD = re.compile(r"([a-z][a-z0-9_]*):(\d+|LANES|LANES\*32)(:choice)?\Z")

    def __init__(self, path):
        rows = Rows(path)
        self.events, names = [], set()
        for text in rows:
            match = re.match(r"\[([A-Z][A-Z0-9_]*)\]\s*(\w+)(?:\s+([1-9]))?\s*\|\s*(.+)\Z", text)
            if match:
                if match[1] in names:
                    rows.fail(f"event {match[1]} stands twice")
                if match[2] not in UNITS:
                    rows.fail(f"unknown unit '{match[2]}'; known: {', '.join(UNITS)}")
                if match[3] and match[2] != "sm":
                    rows.fail(f"several at once are of sm, not of {match[2]}")
                names.add(match[1])
                self.events.append({"name": match[1], "unit": match[2], "times": int(match[3] or 1), "meaning": "",
                                    "fields": self._fields(rows, match[4])})
            elif text.startswith("["):
                rows.fail("expected '[EVENT] unit | field:width ...' or '[EVENT] sm N | ...'")
            elif not self.events or self.events[-1]["meaning"]:
                rows.fail("expected one line of meaning after each event")
            else:
                self.events[-1]["meaning"] = text
        for event in self.events:
            if not event["meaning"]:
                raise TableError(f"{path}: event {event['name']} has no line of meaning")
        if not self.events:
            raise TableError(f"{path}: no events")

    def _fields(self, rows, text):
        fields = []
        for word in text.split():
            match = self.FIELD.match(word)
            if not match:
                rows.fail(f"field '{word}' is not name:width or name:width:choice (width: a number, LANES or LANES*32)")
            if match[1] in ("valid", *(field["name"] for field in fields)):
                rows.fail(f"field name {match[1]} is taken")
            width = match[2]
            if width.isdigit():
                width = int(width)
                if not (1 <= width <= 64 or width == 256):
                    rows.fail(f"width {width} of {match[1]} is neither 1..64 nor 256")
            fields.append({"name": match[1], "width": width, "choice": bool(match[3])})
        if any(field["width"] == "LANES*32" for field in fields) and not any(
                field["name"] == "mask" and field["width"] == "LANES" for field in fields):
            rows.fail("an event with LANES*32 data needs a mask:LANES that says which lanes count")
        return fields


class Configs:
    """names: the configurations; parameters: list of (NAME, {configuration: value}, meaning)."""

    def __init__(self, path):
        rows = Rows(path)
        self.names, self.parameters = None, []
        for line, text in enumerate(rows.lines, 1):
            if re.match(r"#\s*parameter\s*\|", text):
                rows.line = line
                self.names = [cell.strip() for cell in text.split("|")[1:-1]]
        if not self.names:
            raise TableError(f"{path}: no line '# parameter | name | .. | meaning' that names the configurations")
        for name in self.names:
            rows.name(name, re.compile(r"[a-z][a-z0-9_]*\Z"))
        for text in rows:
            name, *values, meaning = rows.columns(text, len(self.names) + 2)
            rows.name(name)
            if any(name == other[0] for other in self.parameters):
                rows.fail(f"{name} stands twice")
            numbers = [rows.number(value, 1, 0x7FFFFFFF, name) for value in values]
            self.parameters.append((name, dict(zip(self.names, numbers)), meaning))
        if not self.parameters:
            raise TableError(f"{path}: no parameters")


class Bundles:
    """bundles: name -> dict(name, line, meaning, whole: name of the bundle it is a part of or None, fields: [dict(name, back, width, meaning)]);
    lists: name -> dict(name, line, meaning, bits, values: [(name, number, meaning)]). A width is an int or the text of an expression."""

    FIELD = re.compile(r"[a-z][a-z0-9_]*\Z")
    WIDTH = re.compile(r"[A-Z0-9_()+*/ -]+\Z")

    def __init__(self, path):
        rows = Rows(path)
        self.bundles, self.lists, section = {}, {}, None
        for text in rows:
            if text.startswith("["):
                self._filled(rows, section)
                section = self._section(rows, text)
            elif section is None:
                rows.fail("a row before the first [BUNDLE]")
            elif "values" in section:
                self._value(rows, text, section)
            elif section["whole"]:
                self._part(rows, text, section)
            else:
                self._field(rows, text, section)
        self._filled(rows, section)
        if not self.bundles:
            raise TableError(f"{path}: no bundles")

    @staticmethod
    def _filled(rows, section):
        if section is not None and not section.get("fields") and not section.get("values"):
            rows.line = section["line"]
            rows.fail(f"[{section['name']}] is empty")

    def _section(self, rows, text):
        match = re.match(r"\[(\w+)\] (?:bundle|part of (\w+)|values of (\d+) bits?) *\| *(.+)\Z", text)
        if not match:
            rows.fail("expected '[NAME] bundle | meaning', '[NAME] part of BUNDLE | meaning' or '[NAME] values of N bits | meaning'")
        name, whole, bits, meaning = match.groups()
        rows.name(name)
        known = self.lists if bits else self.bundles
        if name in known:
            rows.fail(f"[{name}] stands twice")
        if whole and (whole not in known or known[whole]["whole"]):
            rows.fail(f"there is no bundle {whole} above of which {name} could be a part")
        if bits:
            known[name] = {"name": name, "line": rows.line, "meaning": meaning, "bits": rows.number(bits, 1, 32, "width"), "values": []}
        else:
            known[name] = {"name": name, "line": rows.line, "meaning": meaning, "whole": whole, "fields": []}
        return known[name]

    def _field(self, rows, text, bundle):
        name, direction, width, meaning = rows.columns(text, 4)
        if not self.FIELD.match(name):
            rows.fail(f"'{name}' is not a field (small letters, digits and _)")
        if any(name == other["name"] for other in bundle["fields"]):
            rows.fail(f"{name} stands twice")
        if direction not in (">", "<"):
            rows.fail(f"direction '{direction}' of {name} is neither > (with the bundle) nor < (back)")
        if width.isdigit():
            width = rows.number(width, 1, 65536, f"width of {name}")
        elif not self.WIDTH.match(width) or width.count("(") != width.count(")"):
            rows.fail(f"width '{width}' of {name} is not a number or an expression over parameters")
        bundle["fields"].append({"name": name, "back": direction == "<", "width": width, "meaning": meaning})

    def _part(self, rows, text, bundle):
        whole = {field["name"]: field for field in self.bundles[bundle["whole"]]["fields"]}
        for name in text.split():
            if name not in whole:
                rows.fail(f"{bundle['whole']} has no field {name}; it has {', '.join(whole)}")
            if whole[name] in bundle["fields"]:
                rows.fail(f"{name} stands twice")
            bundle["fields"].append(whole[name])

    @staticmethod
    def _value(rows, text, section):
        name, number, meaning = rows.columns(text, 3)
        rows.name(name)
        value = rows.number(number, 0, (1 << section["bits"]) - 1, "number")
        if any(name == other[0] or value == other[1] for other in section["values"]):
            rows.fail(f"{name} or its number stands twice")
        section["values"].append((name, value, meaning))
