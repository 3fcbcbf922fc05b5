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
