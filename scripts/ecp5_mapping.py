"""How Yosys maps to a Lattice ECP5, for the area of units (scripts/synth-ecp5) and for bitstreams (fpga/bitstream) alike."""

# abc9 reshapes the logic by two ways and keeps the smaller result; its own script takes 4 % more LUT4 for `nano`. What stands in braces is the
# mapper's: cells, widths, the period, recovery of area. What it assumes for a wire when it is not told, 0.3 ns, is a third of what placing gives:
# then 33 LUTs in a row are within the period, and chains stay chains.
WIRE = 950  # ps


def command(picoseconds, wire=WIRE):
    """Commands of Yosys that map the design; options of synth_ecp5 may follow. What is faster than the period is made small instead."""
    cover = f"&if {{C}} -W {wire} {{D}} {{R}}; &mfs; &save -a"
    half = f"&syn3; &syn3; &dch -f; {cover}"
    script = f"+&scorr; &sweep; &dc2; {half}; &st; {half}; &st; &syn4; &dch -x; {cover}; &load"
    return f'scratchpad -set abc9.D {picoseconds}; scratchpad -set abc9.script "{script}"; synth_ecp5 -abc9 -nowidelut'
