# What tests reach of the RTL and of the C model: make coverage COVERAGE_CONFIGS="nano small full"
# Only the named configurations count, in $(BUILD)/coverage; tests that use others as well do so without counters. Signals' bits are
# counted on nano only: elsewhere they are the same, but many more.
COVERAGE_CONFIGS ?= nano
COVERAGE_PROGRAMS = $(DEVICE_TESTS:%=device/%) $(TANDEM_TESTS:%=tandem/%)
COVERAGE_RANDOM ?= 500
# Of a test's variants the simulated RTL alone shows nothing that tandem does not, and those of other configurations nothing at all.
COVERAGE_LEFT_OUT = $(subst $(eval) ,|,$(patsubst %,*_%,rtl $(filter-out $(COVERAGE_CONFIGS),$(CONFIGS))))
COVERAGE_BENCHES = $(foreach c,$(COVERAGE_CONFIGS),$(RTL_BENCHES:%=$(BUILD)/tests/rtl/%-$(c)))
COVERAGE_FILTER = --filter '*/!($(COVERAGE_LEFT_OUT))'
COVERAGE_COUNTS := --coverage-line --coverage-user -DCOVERAGE
ifneq ($(COVERAGE),)
$(foreach d,$(COVERAGE_CONFIGS),$(eval COVERAGE_FLAGS_$(d) := $(COVERAGE_COUNTS) $(if $(filter nano,$(d)),--coverage-toggle)))
endif

.PHONY: coverage coverage-run
coverage: ## which lines, bits and states of RTL and model the tests reach: BUILD/coverage/html/index.html
	+$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage COVERAGE=1 coverage-run

# The RTL counts as a whole device, as users run it, and in the benches of its units, which come to more rare states.
coverage-run: SHELL := /bin/bash
coverage-run: $(COVERAGE_BENCHES) $(COVERAGE_PROGRAMS:%=$(BUILD)/tests/%) $(UNIT_TESTS:%=$(BUILD)/tests/unit/%) $(BUILD)/random-programs
	@rm -rf $(BUILD)/data $(BUILD)/rtl.points $(BUILD)/html; mkdir -p $(BUILD)/data
	@find $(BUILD) -name '*.gcda' -delete
	@set -o pipefail; failed=0; for p in $(COVERAGE_PROGRAMS:%="$(BUILD)/tests/% $(COVERAGE_FILTER)") $(UNIT_TESTS:%=$(BUILD)/tests/unit/%) \
	    $(COVERAGE_BENCHES:%="% --ops $(BENCH_OPS)$(if $(SEED), --seed $(SEED))") \
	    $(COVERAGE_CONFIGS:%="$(BUILD)/random-programs --device tandem:% --count $(COVERAGE_RANDOM) --jobs 2 --out $(BUILD)/logs$(if $(SEED), --seed $(SEED))"); do \
	    TANDEM_COVERAGE=$(BUILD)/data scripts/run-tests $(BUILD)/results.txt $(BUILD)/logs "$$p" | sed '$$d' || failed=1; \
	    scripts/coverage.py add $(BUILD)/rtl.points $(BUILD)/data > $(BUILD)/logs/coverage.log || exit 1; \
	done; exit $$failed
	lcov -q --capture --directory $(BUILD)/check --base-directory . --output-file $(BUILD)/model.info > $(BUILD)/logs/lcov.log 2>&1 || { tail -n 5 $(BUILD)/logs/lcov.log; exit 1; }
	lcov -q --extract $(BUILD)/model.info '*/cmodel/*' '*/tb/*' --output-file $(BUILD)/model-only.info > $(BUILD)/logs/lcov.log 2>&1
	scripts/coverage.py report $(BUILD)/rtl.points tests/coverage/unreachable.tbl $(BUILD)/rtl.info; status=$$?; \
	    genhtml -q --branch-coverage --title "Tandem" --prefix $(CURDIR) --output-directory $(BUILD)/html $(BUILD)/rtl.info $(BUILD)/model-only.info > $(BUILD)/logs/genhtml.log 2>&1 || { tail -n 5 $(BUILD)/logs/genhtml.log; exit 1; }; \
	    echo "report: $(BUILD)/html/index.html"; exit $$status
