# Synthesis: cells and Fmax of each unit on iCE40 HX8K; the benches on synthesized netlists are in tests.mk.
SYNTH_UNITS ?= $(UNITS)
.PHONY: synth
synth: $(SYNTH_UNITS:%=$(BUILD)/synth/%.txt) ## cells and Fmax of each unit on iCE40 HX8K (nano); benches on synthesized netlists
	@cat $^

$(BUILD)/synth/%.txt: $(RTL_SRC) $(RTL_HEADERS) $(GEN) scripts/synth-unit
	@mkdir -p $(@D)
	@echo "synth: $*" >&2
	@scripts/synth-unit $* nano $(BUILD) > $@.part && mv $@.part $@
