# Defects by rule in one block, all in one build: make mutate BLOCK=token_deque COUNT=500 SEED=7 HOUSE=model; OPS: as many operations of the benches as
# that; FIRST: a brief round of so many before; SAVE=1 keeps the outcome in the table.
HOUSE ?= rtl
PYSLANG := pyslang==12.1.0
$(BUILD)/venv-mutate/ready: $(call remember,pyslang,$(PYSLANG))
	$(PYTHON) -m venv $(BUILD)/venv-mutate
	$(BUILD)/venv-mutate/bin/pip install -q $(PYSLANG)
	@touch $@

MUTATE_TESTS = $(shell sed -n 's/^$(BLOCK) |.*| //p' tests/mutants/blocks.tbl)
MUTATE_BENCHES = $(filter-out unit/% model/% rtl/%,$(MUTATE_TESTS)) $(patsubst $(HOUSE)/%,%,$(filter $(HOUSE)/%,$(MUTATE_TESTS)))
MUTATE_UNIT = $(if $(filter model,$(HOUSE)),$(filter unit/%,$(MUTATE_TESTS)))
.PHONY: mutate
mutate: $(BUILD)/venv-mutate/ready $(patsubst %,$(BUILD)/fast/tests/%.o,$(MUTATE_UNIT) $(if $(MUTATE_UNIT),unit/results)) $(foreach b,$(MUTATE_BENCHES),$(CONFIGS:%=$(BUILD)/tests/rtl/$(b)-%)) ## COUNT defects by rule in BLOCK: which of them its bench does not find
	$(BUILD)/venv-mutate/bin/python3 scripts/mutate $(BUILD) $(if $(BLOCK),$(BLOCK),--blocks) --house $(HOUSE) --jobs $(JOBS) $(if $(filter-out file,$(origin COUNT)),--count $(COUNT)) $(if $(FIRST),--first $(FIRST)) $(if $(OPS),--ops $(OPS)) $(if $(SEED),--seed $(SEED)) $(if $(SAVE),--save tests/mutants/rates.tbl)

# Defects that RTL and model share, found by what has its results from elsewhere: make mutate-twins COUNT=50 SEED=1; SAVE=1 keeps the outcome in a table.
# The tool plants them, calls for twin-programs (the opinions, with mutated.o before the archives: what it defines is not taken from them) and asks.
TWINS := $(BUILD)/mutate/twins
TWIN_PROGRAMS = $(addprefix $(TWINS)/,$(shell sed -n 's/.*{programs}\/\([a-z0-9_/-]*\).*/\1/p' tests/mutants/opinions.tbl | sort -u))
fast_helpers = $(patsubst %.c,$(BUILD)/fast/%.o,$(filter-out tests/$(1)/test_%,$(wildcard tests/$(1)/*.c)))
$(eval $(call archive,twin_helpers,$(foreach d,device programs unit,$(call fast_helpers,$(d))) $(BUILD)/fast/tests/nested/nested.o $(BUILD)/fast/tests/common/atomics.o))
TWIN_OBJECTS := $(TWINS)/mutated.o $(BUILD)/fast/tests/mutants/no_quick_ways.o $(BUILD)/fast/tb/no_rtl.o
TWIN_LIBS := $(BUILD)/libtwin_helpers.a $(COMPILER_LIBS)
$(BUILD)/fast/tests/device/work_bench.o: EXTRA_work_bench := '-DKERNELS_BUILT="$(BUILD)/kernels"'
$(BUILD)/fast/tests/device/test_nested.o: EXTRA_test_nested := '-DKERNELS_BUILT="$(BUILD)/kernels"'
$(filter $(TWINS)/device/% $(TWINS)/unit/%,$(TWIN_PROGRAMS)): $(TWINS)/%: $(BUILD)/fast/tests/%.o $(TWIN_OBJECTS) $(LINK_FLAGS) | $(TWIN_LIBS)
	$(call link,,-lcriterion $(LLVM_LIBS) $(SYSTEM_LIBS))
$(foreach k,work_queue teams linked recursion nested priorities,$(eval $(TWINS)/device/test_$(k): | $(BUILD)/kernels/$(k).elf))
$(TWINS)/device/test_tasks_in_c: | $(BUILD)/kernels/tasks.elf
$(TWINS)/second-opinion: $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard tests/opinion/*.c)) $(COMMON) $(TWIN_OBJECTS) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS) -lOpenCL)

.PHONY: mutate-twins twin-programs
twin-programs: $(TWIN_PROGRAMS)
mutate-twins: $(GEN) ## COUNT (50) defects that RTL and model share: which of them opinions from elsewhere find
	@mkdir -p $(BUILD)/pocl-cache
	scripts/mutate-twins $(BUILD) --jobs $(JOBS) $(if $(filter-out file,$(origin COUNT)),--count $(COUNT)) $(if $(SEED),--seed $(SEED)) $(if $(SAVE),--save tests/mutants/twin_rates.tbl)
