"""ULX3S: an ECP5 with 32 MB of SDRAM and a serial line over USB."""
from litedram.modules import MT48LC16M16
from litedram.phy import GENSDRPHY
from litex_boards.platforms import radiona_ulx3s
from litex_boards.targets.radiona_ulx3s import _CRG

NAME = "ulx3s"
DEVICES = ["LFE5U-85F", "LFE5U-45F", "LFE5U-25F"]
CONFIG = "nano"
SERIAL = "/dev/ttyUSB0"


class Board:
    name = NAME
    memory_bytes = 32 << 20
    byte_masks = True

    def __init__(self, device, clock_hz):
        self.clock_hz = clock_hz
        self.platform = radiona_ulx3s.Platform(device=device, revision="2.0", toolchain="trellis")
        self.crg = _CRG(self.platform, clock_hz)

    def sdram_phy(self):
        return GENSDRPHY(self.platform.request("sdram"), self.clock_hz)

    def sdram_module(self):
        return MT48LC16M16(self.clock_hz, "1:1")

    def leds(self, system, signals):
        """LED 0: memory is ready, 1: interrupt, 2: bytes come, 3: bytes go."""
        for number, name in enumerate(["ready", "irq", "receiving", "sending"]):
            system.comb += self.platform.request("user_led", number).eq(signals[name])
