"""gen/board_map.h from fpga/map.tbl: where a board's wire finds what."""

import re

import tables


class BoardMap:
    """regions {name: (address, bytes, meaning)}; blocks {name: (number, {register: (offset, access, meaning)})}."""

    def __init__(self, path):
        self.path = path
        self.regions, self.blocks = {}, {}
        block = None
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                line = line.strip()
                if not line or line.startswith("#"):
                    continue
                heading = re.match(r"\[(\w+)\](?: block (\d+))?", line)
                if heading:
                    block = heading.group(1)
                    if heading.group(2):
                        self.blocks[block] = (int(heading.group(2)), {})
                    continue
                self._row(block, [cell.strip() for cell in line.split("|")], number)

    def _row(self, block, cells, number):
        try:
            if block == "regions":
                name, address, size, meaning = cells
                self.regions[name] = (int(address, 0), int(size, 0), meaning)
            else:
                name, offset, access, meaning = cells
                self.blocks[block][1][name] = (int(offset, 0), access, meaning)
        except (ValueError, KeyError) as error:
            raise tables.TableError(f"{self.path}:{number}: a row needs four cells with numbers, below a heading") from error

    def address(self, block, register):
        """Where a register stands; a block has 2048 bytes."""
        number, registers = self.blocks[block]
        return self.regions["CSR"][0] + 0x800 * number + registers[register][0]


def files(board):
    """{file name: content}"""
    lines = ["// Made from fpga/map.tbl by scripts/generate.py.", "#ifndef TANDEM_GEN_BOARD_MAP_H", "#define TANDEM_GEN_BOARD_MAP_H", ""]
    for name, (address, _, meaning) in board.regions.items():
        lines.append(f"#define BOARD_BASE_{name} 0x{address:08X}u  // {meaning}")
    for block, (_, registers) in board.blocks.items():
        lines.append("")
        for name, (_, access, meaning) in registers.items():
            prefix = "" if name.startswith("BOARD_") else "BOARD_"
            lines.append(f"#define {prefix}{name} 0x{board.address(block, name):08X}u  // {access}: {meaning}")
    lines += ["", "#endif", ""]
    return {"board_map.h": "\n".join(lines)}
