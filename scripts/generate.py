#!/usr/bin/env python3
"""Makes DIR/gen/ from the project's tables: C headers and sources, Verilog headers, make variables and manual pages.

Only files whose content changes are written, so that make rebuilds no more than it must.
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True  # the source tree stays clean

import gen_board
import gen_bundles
import gen_config
import gen_fpu_table
import gen_handler
import gen_isa
import gen_manual
import gen_methods
import gen_registers
import gen_tmd
import gen_trace
import tables

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def generate(root, replaced):
    """Returns {file name: content} for everything under gen/. replaced: CONFIGURATION.PARAMETER=VALUE in place of the table's values."""
    # Paths in messages are relative to the current folder when that is shorter to read.
    def table(*parts):
        path = os.path.join(root, *parts)
        relative = os.path.relpath(path)
        return relative if len(relative) < len(path) else path

    isa = tables.Isa(table("cmodel", "isa", "isa.tbl"))
    registers = tables.Registers(table("cmodel", "host", "registers.tbl"))
    methods = tables.Methods(table("cmodel", "host", "methods.tbl"))
    tmd = tables.Tmd(table("cmodel", "task", "tmd.tbl"))
    trace = tables.Trace(table("tb", "trace_events.tbl"))
    configs = tables.Configs(table("rtl", "configs.tbl"))
    for text in replaced:
        gen_config.replace(configs, text)
    gen_config.check(configs, table("rtl", "configs.tbl"))
    bundles = tables.Bundles(table("rtl", "bundles.tbl"))
    board = gen_board.BoardMap(table("fpga", "map.tbl"))
    return {
        **gen_isa.files(isa),
        **gen_registers.files(registers),
        **gen_methods.files(methods),
        **gen_tmd.files(tmd),
        **gen_trace.files(trace, registers),
        **gen_bundles.files(bundles),
        **gen_board.files(board),
        **gen_config.files(configs),
        **gen_fpu_table.files(),
        **gen_handler.files(table("cmodel", "isa", "save_handler.s"), isa, tmd),
        **gen_manual.files(isa, registers, trace, configs),
    }


def write_changed(path, content):
    """Writes a file unless it holds just that already; never leaves half a file. Returns whether it was written."""
    data = content.encode("utf-8")
    try:
        with open(path, "rb") as file:
            if file.read() == data:
                return False
    except FileNotFoundError:
        pass
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "wb") as file:
        file.write(data)
    os.replace(temporary, path)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", required=True, metavar="DIR", help="the files are written to DIR/gen")
    parser.add_argument("--root", default=ROOT, metavar="DIR", help="the project's top folder (default: where this script is)")
    parser.add_argument("--set", action="append", default=[], metavar="CONFIGURATION.PARAMETER=VALUE", dest="replaced",
                        help="a value in place of that of rtl/configs.tbl; any number of times")
    parser.add_argument("--verbose", action="store_true", help="name each file that is written")
    arguments = parser.parse_args()
    try:
        contents = generate(arguments.root, arguments.replaced)
        folder = os.path.join(arguments.out, "gen")
        os.makedirs(folder, exist_ok=True)
        for name, content in contents.items():
            if write_changed(os.path.join(folder, name), content) and arguments.verbose:
                print(os.path.join(folder, name))
    except tables.TableError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"generate.py: cannot write: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
