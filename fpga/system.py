"""The system around the PPU, the same for every board: a wire (UARTBone), SDRAM (LiteDRAM), the PPU, who it is and what the wire has carried.

There is no processor. The wire is the bus's only master; memory is behind the PPU's own memory unit, so that what the wire does to memory has
its place in the order of memory (rtl/mem/host_port.sv). README.md tells the map; map.tbl says it.
"""
import os
import sys

from litedram.frontend.axi import LiteDRAMAXI2Native
from litex.gen import LiteXModule
from litex.soc.cores.led import LedChaser
from litex.soc.cores.uart import RS232PHY, UARTBone
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import stream
from litex.soc.interconnect.csr import CSRStatus, CSRStorage
from migen import If, Signal

from checked_wire import CheckedWire
from ppu import ROOT, Ppu, parameters, sources
from sdram_start import SdramStart

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import gen_board  # noqa: E402

MAGIC = 0x42444E54  # "TNDB"
VERSION = 0x00010000


class Identity(LiteXModule):
    """Who the board is."""

    def __init__(self, clock_hz, memory_bytes, git_hash, build_time):
        self.board_magic = CSRStatus(32, reset=MAGIC)
        self.board_version = CSRStatus(32, reset=VERSION)
        self.git_hash = CSRStatus(32, reset=git_hash)
        self.build_time = CSRStatus(32, reset=build_time)
        self.clock_hz = CSRStatus(32, reset=int(clock_hz))
        self.memory_bytes = CSRStatus(32, reset=memory_bytes)
        self.reset = CSRStorage(1)
        self.scratch = CSRStorage(32)
        self.memory_errors = CSRStatus(32)
        self.ready = CSRStatus(1)
        self.bytes_lost = CSRStatus(32)


class Streams:
    """What UARTBone takes for a PHY."""

    def __init__(self, source, sink):
        self.source, self.sink = source, sink


class System(SoCMini):
    """board: a module of this folder's board folders; its Board has platform, crg, sdram (PHY, module, bytes, byte_masks)."""

    def __init__(self, board, config, baud, git_hash=0, build_time=0, build="build", inject=0, silence=0.1):
        self.map = gen_board.BoardMap(os.path.join(ROOT, "fpga", "map.tbl"))
        regions = self.map.regions
        self.csr_map = {name: number for name, (number, _) in self.map.blocks.items()}
        self.mem_map = dict(SoCMini.mem_map, csr=regions["CSR"][0])
        clock_hz, memory_bytes = board.clock_hz, board.memory_bytes
        SoCMini.__init__(self, board.platform, clock_hz, ident=f"Tandem {config} on {board.name}", ident_version=False)
        self.crg = board.crg

        # memory
        self.sdrphy = board.sdram_phy()
        self.add_sdram("sdram", phy=self.sdrphy, module=board.sdram_module(), size=memory_bytes, l2_cache_size=0,
                       with_soc_interconnect=False)
        controller = self.sdram.controller.settings
        self.start = SdramStart(self.sdram.dfii, controller.phy, controller.timing)

        # the PPU
        values = parameters(build, config)
        self.ppu = Ppu(values, clock_hz, memory_bytes, board.byte_masks, inject)
        native = self.sdram.crossbar.get_port(data_width=values["AXI_DATA_W"])
        self.ppu_port = LiteDRAMAXI2Native(self.ppu.port, native, base_address=0)
        self.bus.add_slave("ppu", self.ppu.registers, SoCRegion(origin=regions["PPU"][0], size=regions["PPU"][1], cached=False))
        self.bus.add_slave("main_ram", self.ppu.memory, SoCRegion(origin=regions["MEMORY"][0], size=memory_bytes, cached=False))
        for path in sources():
            board.platform.add_source(path)
        for folder in [build, "rtl", "rtl/host", "rtl/task", "rtl/mem", "rtl/sm"]:
            board.platform.add_verilog_include_path(os.path.join(ROOT, folder))

        # the wire
        self.phy = RS232PHY(board.platform.request("serial"), clock_hz, baudrate=baud)
        self.room = stream.SyncFIFO([("data", 8)], 1024, buffered=True)
        allowed = stream.Endpoint([("data", 8)])
        self.comb += [self.phy.source.connect(self.room.sink),
                      allowed.valid.eq(self.room.source.valid & self.start.done), allowed.data.eq(self.room.source.data),
                      self.room.source.ready.eq(allowed.ready & self.start.done)]
        self.wire = CheckedWire(allowed, self.phy.sink, int(silence * clock_hz))
        # The bone gives a command up a tenth of a second of "its clock" after it began: no less than its longest answer takes.
        longest = max(silence, 2 * (6 + 4 * 255) * 10 / baud)
        self.bone = UARTBone(Streams(self.wire.source, self.wire.sink), int(10 * longest * clock_hz))
        self.comb += self.wire.idle.eq(self.bone.fsm.ongoing("RECEIVE-CMD"))
        self.bus.add_master("bone", self.bone.wishbone)

        # who
        self.board = Identity(clock_hz, memory_bytes, git_hash, build_time)
        self.comb += [self.ppu.reset.eq(self.board.reset.storage | ~self.start.done), self.board.ready.status.eq(self.start.done)]
        self.sync += [
            If(self.ppu.refused, self.board.memory_errors.status.eq(self.board.memory_errors.status + 1)),
            If(self.phy.source.valid & ~self.room.sink.ready, self.board.bytes_lost.status.eq(self.board.bytes_lost.status + 1)),
        ]
        board.leds(self, dict(ready=self.start.done, irq=self.ppu.irq, receiving=allowed.valid & allowed.ready,
                              sending=self.phy.sink.valid & self.phy.sink.ready))

    def check_map(self):
        """After the build: every register stands where map.tbl says."""
        for name, (_, registers) in self.map.blocks.items():
            at = self.csr.regions[name].origin
            for csr in self.csr.regions[name].obj:
                if csr.name.upper() not in registers or self.map.address(name, csr.name.upper()) != at:
                    raise SystemExit(f"fpga: register {csr.name} of {name} is at 0x{at:x}, map.tbl says otherwise")
                at += 4
