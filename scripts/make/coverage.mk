# What tests reach of the RTL and of the C model: make coverage COVERAGE_CONFIGS="nano small full"
# Lines and cover points: only the named configurations count; tests that use others as well do so without counters. Signals' bits: a
# build of nano of its own, in which each bit of each instance counts, so that it simulates 200 times slower: random programs only.
COVERAGE_RANDOM ?= 500
COVERAGE_BITS_RANDOM ?= 60
COVERAGE_OPS ?= 1000000
COVERAGE_PROGRAMS = $(DEVICE_TESTS:%=device/%) $(TANDEM_TESTS:%=tandem/%)
COVERAGE_BENCHES = $(foreach c,$(COVERAGE_CONFIGS),$(RTL_BENCHES:%=$(BUILD)/tests/rtl/%-$(c)))
# Of a test's variants the simulated RTL alone shows nothing that tandem does not, and those of other configurations nothing at all.
COVERAGE_LEFT_OUT = $(subst $(eval) ,|,$(patsubst %,*_%,rtl $(filter-out $(COVERAGE_CONFIGS),$(CONFIGS))))
COVERAGE_FILTER = --filter '*/!($(COVERAGE_LEFT_OUT))'
coverage_random = $(call program_suite,random/$(1),$(BUILD)/random-programs --device tandem:$(1) --count $(2) --jobs $(JOBS) --seed {seed} --out $(BUILD)/logs)

define COVERAGE_SUITES
$(foreach p,$(COVERAGE_PROGRAMS),$(call criterion_suite,$(p),$(COVERAGE_FILTER)))
$(foreach t,$(UNIT_TESTS),$(call criterion_suite,unit/$(t)))
$(foreach b,$(COVERAGE_BENCHES),$(call bench_suite,$(notdir $(b)),,$(COVERAGE_OPS)))
$(foreach c,$(COVERAGE_CONFIGS),$(call coverage_random,$(c),$(COVERAGE_RANDOM)))
endef

.PHONY: coverage coverage-lines coverage-bits coverage-report
coverage: ## which lines, bits and states of RTL and model the tests reach: BUILD/coverage/html/index.html
	+@failed=0; $(MAKE) --no-print-directory BUILD=$(BUILD)/coverage COVERAGE=lines coverage-lines || failed=1; \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage/bits COVERAGE=bits COVERAGE_CONFIGS=nano CONFIGS=nano coverage-bits || failed=1; \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage COVERAGE=lines coverage-report && exit $$failed

# Runs suites $(2) one after the other, and adds what the devices of each have covered to $(1).
define coverage_runs
	@mkdir -p $(BUILD)/data
	@$(file >$(BUILD)/coverage.suites,$(2))
	@set -o pipefail; failed=0; for suite in $$(sed 's/ *|.*//' $(BUILD)/coverage.suites); do \
	    TANDEM_COVERAGE=$(BUILD)/data scripts/run-tests $(BUILD)/coverage.suites --only "$$suite" --results $(BUILD)/results.txt --logs $(BUILD)/logs --jobs 1 $(if $(SEED),--seed $(SEED)) | grep '^  ' || failed=1; \
	    scripts/coverage.py add $(1) $(BUILD)/data > $(BUILD)/logs/coverage.log || exit 1; \
	done; exit $$failed
endef

# The RTL counts as a whole device, as users run it, and in the benches of its units, which come to more rare states.
coverage-lines coverage-bits: SHELL := /bin/bash
coverage-lines: $(COVERAGE_BENCHES) $(COVERAGE_PROGRAMS:%=$(BUILD)/tests/%) $(UNIT_TESTS:%=$(BUILD)/tests/unit/%) $(BUILD)/random-programs
	@rm -rf $(BUILD)/data $(BUILD)/rtl.points $(BUILD)/html
	@find $(BUILD) -name '*.gcda' -delete
	$(call coverage_runs,$(BUILD)/rtl.points,$(COVERAGE_SUITES))

coverage-bits: $(BUILD)/random-programs
	@rm -rf $(BUILD)/data
	$(call coverage_runs,$(BUILD)/../rtl.points,$(call coverage_random,nano,$(COVERAGE_BITS_RANDOM)))

coverage-report:
	lcov -q --capture --directory $(BUILD)/check --base-directory . --output-file $(BUILD)/model.info > $(BUILD)/logs/lcov.log 2>&1 || { tail -n 5 $(BUILD)/logs/lcov.log; exit 1; }
	lcov -q --extract $(BUILD)/model.info '*/cmodel/*' '*/tb/*' --output-file $(BUILD)/model-only.info > $(BUILD)/logs/lcov.log 2>&1
	scripts/coverage.py report $(BUILD)/rtl.points tests/coverage/unreachable.tbl $(BUILD)/rtl.info; status=$$?; \
	    genhtml -q --branch-coverage --title "Tandem" --prefix $(CURDIR) --output-directory $(BUILD)/html $(BUILD)/rtl.info $(BUILD)/model-only.info > $(BUILD)/logs/genhtml.log 2>&1 || { tail -n 5 $(BUILD)/logs/genhtml.log; exit 1; }; \
	    echo "report: $(BUILD)/html/index.html"; exit $$status
