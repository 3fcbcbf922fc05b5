# The manual: pictures, links, one HTML page of all chapters.
.PHONY: docs docs-check docs-runs lint-docs
lint: lint-docs
lint-docs: # pictures come from their texts, links lead somewhere
	scripts/pictures check
	scripts/check-links

docs: $(GEN) docs-runs ## draw the manual's pictures anew, make build/docs/manual.html (scripts/setup --docs installs what that needs)
	scripts/include-graph --dot cmodel/rooms.dot
	scripts/pictures draw
	scripts/manual.py $(BUILD) $(BUILD)/docs/manual.html

# Pictures of waves and tokens show runs on the RTL of nano, the same runs every time until the hardware changes.
PICTURE_RUNS := $(BUILD)/pictures/runs
$(PICTURE_RUNS): $(BUILD)/fast/tests/pictures/runs.o $(DEVICE_RTL) $(LINK_FLAGS) | $(DEVICE_LIBS)
	$(call link,,$(SYSTEM_LIBS))

WAVE_PICTURES := $(basename $(wildcard rtl/*/*.waves))
# What the runs show now. docs-runs puts it into the tree; docs-check fails when the tree has something else.
.PHONY: pictures-of-runs
pictures-of-runs: $(PICTURE_RUNS) $(BUILD)/tandem
	@mkdir -p $(BUILD)/pictures
	@for run in launch acquire eviction; do $(PICTURE_RUNS) $$run rtl:nano,seed=1,wave=$(BUILD)/pictures/$$run.fst || exit 1; done
	@for picture in $(WAVE_PICTURES); do \
	    run=$$(sed -n 's/^ *"run": "\([a-z]*\)".*/\1/p' $$picture.waves) && \
	    scripts/waves $$picture.waves $(BUILD)/pictures/$$run.fst > $(BUILD)/pictures/$$(basename $$picture).wave.json || exit 1; done
	@$(BUILD)/tandem run rtl/sm/divergent_loop.s --global 4 --local 4 --device rtl:nano,seed=1,trace=$(BUILD)/pictures/divergent_loop.trace > $(BUILD)/pictures/log
	@scripts/deque_picture.py rtl/sm/divergent_loop.s $(BUILD)/pictures/divergent_loop.trace 4 > $(BUILD)/pictures/divergent_loop.deque.json

docs-runs: pictures-of-runs
	@for picture in $(WAVE_PICTURES:=.wave.json) rtl/sm/divergent_loop.deque.json; do cp $(BUILD)/pictures/$$(basename $$picture) $$picture; done

docs-check: $(GEN) lint-docs pictures-of-runs ## whether pictures, also those of runs, and links of the manual are current
	@for picture in $(WAVE_PICTURES:=.wave.json) rtl/sm/divergent_loop.deque.json; do \
	    cmp -s $(BUILD)/pictures/$$(basename $$picture) $$picture || { echo "docs-check: $$picture is not what the run shows now: make docs"; exit 1; }; done
	scripts/manual.py $(BUILD) $(BUILD)/docs/manual.html
