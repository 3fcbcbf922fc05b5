"""A lookup table as a short Verilog expression, for simulating netlists (scripts/netlist-verilog)."""
import functools


@functools.lru_cache(maxsize=None)
def _shortest(table, inputs):
    """(operators, text) of a table of `inputs` inputs, whose bit i is the value where input k is bit k of i. The text names inputs {0}, {1}, .."""
    full = (1 << (1 << inputs)) - 1
    if table in (0, full):
        return 0, "1'b1" if table else "1'b0"
    best = None
    for split in range(inputs):
        low, high = 0, 0  # the table where that input is 0, and where it is 1; it stays an input that neither looks at
        for i in range(1 << inputs):
            low |= (table >> (i & ~(1 << split)) & 1) << i
            high |= (table >> (i | 1 << split) & 1) << i
        if low == high:  # nothing depends on it
            continue
        if (low, high) == (0, full):
            found = 0, f"{{{split}}}"
        elif (low, high) == (full, 0):
            found = 1, f"~{{{split}}}"
        else:
            costs, texts = zip(*(_shortest(part, inputs) for part in (low, high)))
            if low == 0:
                found = costs[1] + 1, f"({{{split}}} & {texts[1]})"
            elif high == 0:
                found = costs[0] + 2, f"(~{{{split}}} & {texts[0]})"
            elif high == full:
                found = costs[0] + 1, f"({{{split}}} | {texts[0]})"
            elif low == full:
                found = costs[1] + 2, f"(~{{{split}}} | {texts[1]})"
            elif low == full ^ high:
                found = costs[0] + 1, f"({{{split}}} ^ {texts[0]})"
            else:
                found = sum(costs) + 3, f"({{{split}}} ? {texts[1]} : {texts[0]})"
        if best is None or found < best:
            best = found
    return best


def expression(table, inputs):
    """`table` over the texts `inputs` (the first is bit 0 of a place); constants among these are "1'b0" and "1'b1"."""
    wanted = [k for k, text in enumerate(inputs) if text not in ("1'b0", "1'b1")]
    fixed = sum(1 << k for k, text in enumerate(inputs) if text == "1'b1")
    small = 0
    for i in range(1 << len(wanted)):
        place = fixed + sum(1 << k for bit, k in enumerate(wanted) if i >> bit & 1)
        small |= (table >> place & 1) << i
    return _shortest(small, len(wanted))[1].format(*(inputs[k] for k in wanted))
