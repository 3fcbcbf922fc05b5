"""Fields of words, and the names of their values, as C and Verilog macros and as rows of the manual."""


def c_fields(prefix, fields):
    """F(value): a value that fits, put at its bits; F_OF(word): taken out of a word; F_NAME: a value. Constant expressions."""
    text = ""
    for field in fields:
        name, low, mask = f"{prefix}_{field['name']}", field["low"], (2 << (field["high"] - field["low"])) - 1
        shifted = f" >> {low}" if low else ""
        masked = f" & 0x{mask:X}u" if field["high"] < 31 else ""
        text += f"#define {name}(value) {f'((value) << {low})' if low else '(value)'}\n"
        text += f"#define {name}_OF(word) {f'((word){shifted}{masked})' if shifted or masked else '(word)'}\n"
        text += "".join(f"#define {name}_{value} {number}u\n" for value, number in field["values"].items())
    return text


def verilog_fields(prefix, fields):
    """`F: the bits, as in word[`F]; `F_NAME: a value, as wide as the field."""
    text = ""
    for field in fields:
        name, high, low = f"{prefix}_{field['name']}", field["high"], field["low"]
        text += f"`define {name} {high if high == low else f'{high}:{low}'}\n"
        text += "".join(f"`define {name}_{value} {high - low + 1}'d{number}\n" for value, number in field["values"].items())
    return text


def markdown_fields(fields):
    """The text of a cell: each field with its bits, values and meaning."""
    parts = []
    for field in fields:
        high, low = field["high"], field["low"]
        part = f"`{field['name']}` {high if high == low else f'{high}:{low}'}"
        about = ", ".join(f"{number} {name}" for name, number in field["values"].items())
        about = "; ".join(filter(None, (about, field["meaning"].replace("|", "\\|"))))
        parts.append(part + (f": {about}" if about else ""))
    return "<br>".join(parts)
