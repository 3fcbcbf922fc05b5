"""Colorlight i9: an LFE5U-45F with 8 MB of SDRAM; its serial line goes through the debugger chip of the extension board."""
from litedram.modules import M12L64322A
from litedram.phy import GENSDRPHY
from litex_boards.platforms import colorlight_i5
from litex_boards.targets.colorlight_i5 import _CRG

NAME = "colorlight_i9"
DEVICES = ["LFE5U-45F"]
CONFIG = "pico"
SERIAL = "/dev/ttyACM0"


class Board:
    name = NAME
    memory_bytes = 8 << 20
    byte_masks = False  # the chip's DM pins are tied to ground

    def __init__(self, device, clock_hz):
        del device  # there is one
        self.clock_hz = clock_hz
        self.platform = colorlight_i5.Platform(board="i9", revision="7.2", toolchain="trellis")
        self.crg = _CRG(self.platform, clock_hz)

    def sdram_phy(self):
        return GENSDRPHY(self.platform.request("sdram"), self.clock_hz)

    def sdram_module(self):
        return M12L64322A(self.clock_hz, "1:1")

    def leds(self, system, signals):
        """The one LED is lit once memory is ready, and goes out while bytes come."""
        system.comb += self.platform.request("user_led_n").eq(~(signals["ready"] & ~signals["receiving"]))
