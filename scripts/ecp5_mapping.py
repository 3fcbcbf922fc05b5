"""How Yosys maps to a Lattice ECP5, for the area of units (scripts/synth-ecp5) and for bitstreams (fpga/bitstream) alike."""
import os

# abc9 reshapes the logic by two ways and keeps the smaller result; its own script takes 4 % more LUT4 for `nano`. What stands in braces is the
# mapper's: cells, widths, the period, recovery of area. What it assumes for a wire when it is not told, 0.3 ns, is a third of what placing gives:
# then 33 LUTs in a row are within the period, and chains stay chains.
WIRE = 950  # ps

# Comparisons of two words go to carry chains: from this many bits on that takes fewer places than LUT4s.
EQUAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ecp5_equal.v")
EQUAL_WIDTH = 16
# Which of two words is less goes to a carry chain that does nothing else.
LESS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ecp5_less.v")


def command(picoseconds, top, end, wire=WIRE):
    """Commands of Yosys that map `top` up to the step `end` of synth_ecp5: map_cells (LUT4s are still $lut) or check. What is faster than the period
    is made small instead."""
    cover = f"&if {{C}} -W {wire} {{D}} {{R}} -A 10 -F 5; &mfs; &save -a"
    half = f"&syn3; &syn3; &dch -f; {cover}"
    script = f"+&scorr; &sweep; &dc2; &dc2; {half}; &st; &dc2; {half}; &st; &syn4; &dc2; &dch -x; {cover}; &load"
    synth, equal = f"synth_ecp5 -abc9 -nowidelut -top {top} -run", os.path.relpath(EQUAL)
    less = f"opt_expr; opt_clean; wreduce t:$lt t:$le t:$gt t:$ge; opt_clean; techmap -map {os.path.relpath(LESS)}; opt_expr; opt_clean; "
    return (f'{less}scratchpad -set abc9.D {picoseconds}; scratchpad -set abc9.script "{script}"; {synth} begin:map_gates; '
            f"techmap -D DIFFER -D WIDTH={EQUAL_WIDTH} -map {equal}; opt_merge; techmap -D FIND -D WIDTH={EQUAL_WIDTH} -map {equal}; "
            f"read_verilog -lib -specify -D BOX {equal}; {synth} map_gates:map_cells; "
            f"techmap -D CELLS -map {equal}; delete =*$__ECP5_EQUAL*; opt_clean" + (f"; {synth} map_cells:{end}" if end != "map_cells" else ""))


def text():
    """What the commands read beside the design: what is mapped depends on it too."""
    return "".join(open(path, encoding="utf-8").read() for path in (EQUAL, LESS))
