"""How Yosys maps to a Lattice ECP5, for the area of units (scripts/synth-ecp5) and for bitstreams (fpga/bitstream) alike."""

# abc9 reshapes the logic by two ways and keeps the smaller result; its own script takes 4 % more LUT4 for `nano`. What stands in braces is the
# mapper's: cells, the period, recovery of area. A wire takes WIRE picoseconds, about what placing gives; abc9's own 300 let chains of 30 cells pass
# for fast.
WIRE = 1000
_HALF = f"&syn3; &syn3; &dch -f; &if {{C}} -W {WIRE} {{D}} {{R}}; &mfs; &save -a"
SCRIPT = f"+&scorr; &sweep; &dc2; {_HALF}; &st; {_HALF}; &st; &syn4; &dch -x; &if {{C}} -W {WIRE} {{D}} {{R}}; &mfs; &save -a; &load"


def command(picoseconds):
    """Commands of Yosys that map the design; options of synth_ecp5 may follow. What is faster than the period is made small instead."""
    return f'scratchpad -set abc9.D {picoseconds}; scratchpad -set abc9.script "{SCRIPT}"; synth_ecp5 -abc9 -nowidelut'
