# What `make test` and `make quick` run: for scripts/run-tests a list of suites, NAME | criterion or program | COMMAND a line.
# make test TESTS="device/test_channels rtl/*-nano" JOBS=1 SEED=7
TESTS ?=
define suite
$(1) | $(2) | $(3)

endef
criterion_suite = $(call suite,$(1),criterion,$(BUILD)/$(or $(3),tests)/$(1) $(2))
program_suite = $(call suite,$(1),program,$(2))
run_tests = scripts/run-tests $(1) --results $(2)results.txt --logs $(2)logs --jobs $(JOBS) $(if $(TESTS),--only '$(TESTS)') $(if $(SEED),--seed $(SEED))

random_suite = $(call program_suite,random/$(1),$(BUILD)/random-programs --device tandem:$(1) --count $(2) --seed {seed} --out $(BUILD)/logs)
# In the SystemC platform: nano, and what needs one device.
OVER_LEFT_OUT := *_rtl|*_small|*_full|several_devices

define TEST_SUITES
$(foreach t,$(call more_programs,unit,$(UNIT_TESTS)),$(call criterion_suite,unit/$(t),$(call rest_of,unit/$(t))))
$(foreach t,$(DEVICE_TESTS),$(call criterion_suite,device/$(t),$(call rest_of,device/$(t))))
$(call suite,device/over_systemc,criterion,env TANDEM_TESTS_OVER=systemc $(BUILD)/tests/device/test_channels --filter '*/!($(OVER_LEFT_OUT))')
$(foreach t,$(TANDEM_TESTS),$(call criterion_suite,tandem/$(t),$(call rest_of,tandem/$(t))))
$(foreach t,$(OPENCL_TESTS),$(call criterion_suite,opencl/$(t),$(call rest_of,opencl/$(t))))
$(foreach t,$(call more_programs,cli,$(CLI_TESTS)),$(call program_suite,cli/$(t),$(PYTHON) tests/cli/$(t).py $(if $(filter $(t),$(CLI_SEEDED)),--seed {seed} )$(BUILD)))
$(EXAMPLE_SUITES)
$(call program_suite,board,$(PYTHON) tests/board/test_board.py $(BUILD) --only tools --only signatures)
$(call program_suite,whole_beats,$(FPGA_PYTHON) tests/board/test_whole_beats.py --seed {seed})
$(call program_suite,install,tests/install/test_install.py $(BUILD))
$(call program_suite,contract,tests/install/test_contract.py)
$(call random_suite,nano,100)
$(call random_suite,small,80)
$(call random_suite,full,25)
$(call program_suite,overlaps/model,$(BUILD)/overlaps --device model:small --count 42 --items 256 --seed {seed})
$(call program_suite,overlaps/lies,$(BUILD)/overlaps --lie --device model:small --count 14 --seed {seed})
$(foreach c,$(CONFIGS),$(call program_suite,overlaps/tandem-$(c),$(BUILD)/overlaps --device tandem:$(c) --count 14 --items 32 --seed {seed}))
$(OPINION_SUITES)
$(FUZZ_SUITES)
$(call program_suite,formal,scripts/prove $(BUILD) --quick $(filter-out $(MORE_PROOFS),$(wildcard tests/formal/*.sv)))
$(foreach b,$(TEST_BENCHES),$(call bench_of,$(b)))
endef

test: all $(BUILD)/twin $(BUILD)/libanneal.so $(BUILD)/nested $(BUILD)/queue-bench $(BUILD)/queue-long $(BUILD)/overlaps $(BUILD)/sm-bench $(BUILD)/compiler-bench $(BUILD)/random-programs $(BUILD)/second-opinion $(FUZZ_PROGRAMS_BUILT) $(TEST_PROGRAMS) $(TEST_BENCHES:%=$(BUILD)/tests/rtl/%) $(EXAMPLE_PROGRAMS) $(SYSTEMC_EXAMPLES) $(EXAMPLE_FILES) install-built ## unit tests, RTL benches, programs in tandem, the demo; a quarter of an hour, what takes longer is in `make long LONG=more`
	@rm -rf $(FUZZERS:%=$(BUILD)/fuzz/new-%) && mkdir -p $(FUZZERS:%=$(BUILD)/fuzz/new-%) $(BUILD)/pocl-cache
	@$(file >$(BUILD)/test.suites,$(TEST_SUITES))
	$(call run_tests,$(BUILD)/test.suites,$(BUILD)/)

# While one works: model and tandem:nano. The programs have the RTL of nano alone; unit tests without RTL are those of `make test`.
QUICK_OPS ?= 20000
QUICK_UNIT := $(UNIT_TESTS_RTL:tests/unit/%.c=%)
QUICK_DEVICE := $(filter-out test_sms,$(DEVICE_TESTS))
QUICK_BENCHES := $(RTL_BENCHES:%=%-nano)
# Other configurations, and tests that open them.
QUICK_LEFT_OUT := *_rtl|*_small|*_full|small|full|several_devices|cost_tandem|turns

define QUICK_SUITES
$(foreach t,$(filter-out $(QUICK_UNIT),$(UNIT_TESTS)),$(call criterion_suite,unit/$(t)))
$(foreach t,$(QUICK_UNIT),$(call criterion_suite,unit/$(t),,quick))
$(foreach t,$(QUICK_DEVICE),$(call criterion_suite,device/$(t),--filter '*/!($(QUICK_LEFT_OUT))',quick))
$(foreach b,$(QUICK_BENCHES),$(call bench_suite,$(b),,$(QUICK_OPS)))
endef

.PHONY: quick
quick: $(filter-out $(QUICK_UNIT:%=$(BUILD)/tests/unit/%),$(UNIT_TESTS:%=$(BUILD)/tests/unit/%)) $(QUICK_UNIT:%=$(BUILD)/quick/unit/%) $(QUICK_DEVICE:%=$(BUILD)/quick/device/%) $(QUICK_BENCHES:%=$(BUILD)/tests/rtl/%) ## while one works: unit tests, programs and kernels on model: and tandem:nano, short benches of units
	@$(file >$(BUILD)/quick.suites,$(QUICK_SUITES))
	$(call run_tests,$(BUILD)/quick.suites,$(BUILD)/quick/)
