# Defects by rule in one block, all in one build: make mutate BLOCK=token_deque COUNT=500 SEED=7 HOUSE=model; SAVE=1 keeps the outcome in the table.
HOUSE ?= rtl
PYSLANG := pyslang==12.1.0
$(BUILD)/venv-mutate/ready: $(call remember,pyslang,$(PYSLANG))
	$(PYTHON) -m venv $(BUILD)/venv-mutate
	$(BUILD)/venv-mutate/bin/pip install -q $(PYSLANG)
	@touch $@

MUTATE_BENCHES = $(shell sed -n 's/^$(BLOCK) |.*| //p' tests/mutants/blocks.tbl)
.PHONY: mutate
mutate: $(BUILD)/venv-mutate/ready $(foreach b,$(MUTATE_BENCHES),$(CONFIGS:%=$(BUILD)/tests/rtl/$(b)-%)) ## COUNT defects by rule in BLOCK: which of them its bench does not find
	$(BUILD)/venv-mutate/bin/python3 scripts/mutate $(BUILD) $(if $(BLOCK),$(BLOCK),--blocks) --house $(HOUSE) --jobs $(JOBS) $(if $(filter-out file,$(origin COUNT)),--count $(COUNT)) $(if $(SEED),--seed $(SEED)) $(if $(SAVE),--save tests/mutants/rates.tbl)
