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
# Of full an operation takes ten times as long as of the others.
OPS_signature-full := 20000
bench_suite = $(call program_suite,rtl/$(1),$(BUILD)/tests/rtl/$(1) $(if $(2),--ops $(2) )--seed {seed})

# Of tests on every device, the variants _rtl show nothing that tandem does not: only the tests of the device API run on rtl: as well. The others
# do in `make long LONG=rtl`.
RTL_ALONE := test_channels

# Tests that take long on a configuration and show there what they, or their variants, show on another: `make long LONG=wide` runs them.
LONG_test_again := repeats_full|dropped_full
LONG_test_bus_errors := anywhere_full|accesses_full
LONG_test_calls := as_on_the_host_full|as_on_the_host_small
LONG_test_deques := bounds_full
LONG_test_device_enqueue := tree_full|tree_tandem|large_captures_full|errors_full|profiling_full|private_memory_full|events_full|flags_full|straight_full|straight_changes_full|ready_full|markers_full|bad_ranges_full|ranges_full|events_small|markers_small|straight_changes_small
LONG_test_linked := fans_full|many_full|errors_full|no_events_full
LONG_test_nested := search_full|quicksort_full|quicksort_software_full
LONG_test_orders := shares_full|window_full|constants_full
LONG_test_priorities := children_full|channels_full|children_small|channels_small
LONG_test_progress := cost_full|lock_in_function_stands_small|try_and_return_ends_small
LONG_test_recursion := large_model|large_tandem|deep_full|tree_full|deep_small|tree_small
LONG_test_segments_ran := many_registers_full|cuts_full|thrashing_full|many_registers_small
LONG_test_spaces := sweeps_full|wild_some_full
LONG_test_step_aside := deep_full|no_memory_full|endless_full|no_deadlock_full|deep_small
LONG_test_stop := stop_and_go_full|slices_small
LONG_test_subvector := both_full|more_warps_full
LONG_test_task_lists := levels_full
LONG_test_tasks := thousands_pending_full
LONG_test_tasks_in_c := appenders_full
LONG_test_teams := little_room_full|lists_full|one_addition_full|two_places_full|enqueue_small
LONG_test_work_queue := *_software_full|park_full|taken_back_full|park_software_tandem|wait_for_room_software_tandem|order_full|many_launches_full|fail_full|wait_for_room_full|begun_anew_full|few_full|deep_full|park_software_small|park_small|fail_software_tandem
left_out = *_rtl$(if $(LONG_$(1)),|$(LONG_$(1)))

# In the SystemC platform: nano, and what needs one device.
OVER_LEFT_OUT := *_rtl|*_small|*_full|several_devices

define TEST_SUITES
$(foreach t,$(UNIT_TESTS),$(call criterion_suite,unit/$(t)))
$(foreach t,$(DEVICE_TESTS),$(call criterion_suite,device/$(t),$(if $(filter $(RTL_ALONE),$(t)),,--filter '*/!($(call left_out,$(t)))')))
$(call suite,device/over_systemc,criterion,env TANDEM_TESTS_OVER=systemc $(BUILD)/tests/device/test_channels --filter '*/!($(OVER_LEFT_OUT))')
$(foreach t,$(TANDEM_TESTS),$(call criterion_suite,tandem/$(t)))
$(foreach t,$(OPENCL_TESTS),$(call criterion_suite,opencl/$(t)))
$(call program_suite,opencl/clients,$(PYTHON) tests/opencl/clients.py $(BUILD))
$(foreach t,$(CLI_TESTS),$(call program_suite,cli/$(t),$(PYTHON) tests/cli/$(t).py $(BUILD)))
$(EXAMPLE_SUITES)
$(call program_suite,threads,$(BUILD)/threads --seed {seed})
$(call program_suite,opencl/threads,$(BUILD)/opencl-threads $(BUILD)/kernels/threads.elf --seed {seed})
$(call program_suite,board,$(PYTHON) tests/board/test_board.py $(BUILD))
$(call program_suite,install,tests/install/test_install.py $(BUILD))
$(call program_suite,kit,$(PYTHON) tests/kit/test_kit.py $(BUILD))
$(call program_suite,contract,tests/install/test_contract.py)
$(call random_suite,nano,150)
$(call random_suite,small,150)
$(call random_suite,full,40)
$(call program_suite,overlaps/model,$(BUILD)/overlaps --device model:small --count 84 --items 256 --seed {seed})
$(call program_suite,overlaps/lies,$(BUILD)/overlaps --lie --device model:small --count 28 --seed {seed})
$(foreach c,$(CONFIGS),$(call program_suite,overlaps/tandem-$(c),$(BUILD)/overlaps --device tandem:$(c) --count 14 --items 32 --seed {seed}))
$(OPINION_SUITES)
$(FUZZ_SUITES)
$(call program_suite,formal,scripts/prove $(BUILD) --quick)
$(call program_suite,breaks,scripts/break-rows $(BUILD) TD-2 TD-4)
$(foreach b,$(notdir $(BENCH_PROGRAMS)),$(call bench_suite,$(b),$(or $(BENCH_OPS),$(OPS_$(b)),$(if $(filter %-netlist,$(b)),$(NETLIST_OPS)))))
endef

test: all $(BUILD)/twin $(BUILD)/nested $(BUILD)/threads $(BUILD)/opencl-threads $(BUILD)/queue-bench $(BUILD)/queue-long $(BUILD)/overlaps $(BUILD)/sm-bench $(BUILD)/compiler-bench $(BUILD)/random-programs $(BUILD)/second-opinion $(FUZZ_PROGRAMS_BUILT) $(TEST_PROGRAMS) $(BENCH_PROGRAMS) $(EXAMPLE_PROGRAMS) $(SYSTEMC_EXAMPLES) $(EXAMPLE_FILES) install-built ## everything that can fail: unit tests, RTL benches, programs in tandem, the demo
	@rm -rf $(FUZZERS:%=$(BUILD)/fuzz/new-%) && mkdir -p $(FUZZERS:%=$(BUILD)/fuzz/new-%) $(BUILD)/pocl-cache
	@$(file >$(BUILD)/test.suites,$(TEST_SUITES))
	$(call run_tests,$(BUILD)/test.suites,$(BUILD)/)

# While one works: model and tandem:nano. The programs have the RTL of nano alone; unit tests without RTL are those of `make test`.
QUICK_OPS ?= 20000
QUICK_UNIT := $(UNIT_TESTS_RTL:tests/unit/%.c=%)
QUICK_DEVICE := $(filter-out test_sms,$(DEVICE_TESTS))
QUICK_BENCHES := $(RTL_BENCHES:%=%-nano)
# Other configurations, and tests that open them.
QUICK_LEFT_OUT := *_rtl|*_small|*_full|small|full|several_devices|cost_tandem

define QUICK_SUITES
$(foreach t,$(filter-out $(QUICK_UNIT),$(UNIT_TESTS)),$(call criterion_suite,unit/$(t)))
$(foreach t,$(QUICK_UNIT),$(call criterion_suite,unit/$(t),,quick))
$(foreach t,$(QUICK_DEVICE),$(call criterion_suite,device/$(t),--filter '*/!($(QUICK_LEFT_OUT))',quick))
$(foreach b,$(QUICK_BENCHES),$(call bench_suite,$(b),$(QUICK_OPS)))
endef

.PHONY: quick
quick: $(filter-out $(QUICK_UNIT:%=$(BUILD)/tests/unit/%),$(UNIT_TESTS:%=$(BUILD)/tests/unit/%)) $(QUICK_UNIT:%=$(BUILD)/quick/unit/%) $(QUICK_DEVICE:%=$(BUILD)/quick/device/%) $(QUICK_BENCHES:%=$(BUILD)/tests/rtl/%) ## while one works: unit tests, programs and kernels on model: and tandem:nano, short benches of units
	@$(file >$(BUILD)/quick.suites,$(QUICK_SUITES))
	$(call run_tests,$(BUILD)/quick.suites,$(BUILD)/quick/)
