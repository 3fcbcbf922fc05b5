# What `make test` leaves out, so that it takes a quarter of an hour of two cores from a fresh clone. CI runs the first of the two as well.
# `make long LONG=more`: tests of more than about two seconds of which shorter ones show something alike; device tests and benches of small, which
# stands between nano and full (of it `make test` has the programs, channels, random programs, kernels); proofs of the token deque, the kit, the board's
# programs, files of kernels against another OpenCL implementation.
# `make long LONG=wide`: what takes long on a configuration, mostly full, and shows there what it, or its variants, show on another.

# Criterion tests by the names of their programs. Of device tests all variants *_small besides.
MORE_device/test_again := kept_full|beside_others_full
MORE_device/test_calls := as_on_the_host_tandem
MORE_device/test_device_enqueue := straight_changes_tandem|ready_tandem|profiling_tandem
MORE_device/test_large_groups := same_tandem_nano|same_small|many_registers|parts|never
MORE_device/test_nested := mandelbrot_full|quicksort_software_tandem
MORE_device/test_orders := bound_full|shares_nano
MORE_device/test_priorities := channels_tandem
MORE_device/test_programs := tandem_full
MORE_device/test_recursion := deep_tandem|no_memory_tandem|tree_tandem
MORE_device/test_segments := ways_full|ways_tandem|calls_full|resident_full
MORE_device/test_segments_ran := cuts_tandem
MORE_device/test_step_aside := deep_tandem|random_full
MORE_device/test_stop := slices_nano
MORE_device/test_teams := little_room_tandem|enqueue_full
MORE_device/test_token_memory := memory_fails_full|bad_base_full|recursion_full|sizes_full|leave_wide
MORE_device/test_traps := turns
MORE_device/test_work_queue := hostile_full|fail_tandem|wait_for_room_tandem
MORE_opencl/test_device_queues := many
MORE_opencl/test_groups := turns_small|tandem_small|model
MORE_opencl/test_platform := printf_buffer
MORE_opencl/test_wide_atomics := tandem_small
MORE_tandem/test_checkpoint := alone_goes_on|lies_are_found_after_it
MORE_tandem/test_random := full
MORE_tandem/test_shrink := defect_of_the_rtl
MORE_tandem/test_tandem_checker := dropped_and_repeated_events_are_found
MORE_unit/test_alias := random
MORE_unit/test_calls := few_registers|always
MORE_unit/test_compiler_errors := spilling_is_told
MORE_unit/test_compiler_generic := atomics
MORE_unit/test_compiler_limits := front_ends
MORE_unit/test_compiler_types := tandem_wide_comparisons|tandem_wide_division|tandem_vector_floats|tandem_vector_arithmetic
MORE_unit/test_double_halfs := every_half|any_double
MORE_unit/test_doubles := tandem|constant_rows|vectors
MORE_unit/test_generate := bad_rows
MORE_unit/test_generic_builtins := halfs
MORE_unit/test_halfs := conversions|chains|tandem
MORE_unit/test_load_store_fast := global
MORE_unit/test_recompile := tandem_picture
MORE_unit/test_segments := calls_between|calls|copies_flow|instructions_flow|half_loop_flow
MORE_unit/test_sm_follow := a_changed_event
MORE_unit/test_side_by_side := random|which|tandem_full|tandem_small
MORE_unit/test_wide_access := tandem_wide_structures|wide_spaces|wide_pressure|wide_blends|wide_copies|wide_structures|tandem_wide_blends|tandem_wide_narrow|tandem_wide_spaces|tandem_wide_pressure

# Programs of which nothing is left.
MORE_WHOLE := unit/test_double_math cli/test_files cli/test_netlist cli/test_bitstream cli/test_variables cli/test_mutate_twins cli/test_again cli/test_break_rows opencl/clients
more_programs = $(filter-out $(patsubst $(1)/%,%,$(filter $(1)/%,$(MORE_WHOLE))),$(2))

# Benches of units on nano and full; those that are too large on full on small in its place, or not. Parts that the benches of sm, host_interface and
# task_unit show as well on nano alone. Of netlists the smallest.
PART_BENCHES := atomic_unit barrier child_launch clock_gate control_gate cta_launcher decode eviction execute fetch gp_fetch host_port host_registers issue \
  issue_counters lane_special load_collect load_intake method_parser parents predicate_file queue_feeder register_file special stuck task_lists \
  task_management thread_ids tmd_check token_mover trap turns warp_faults warp_stop warp_table work_distributor yield_counts
TEST_BENCHES = $(filter-out %-small $(PART_BENCHES:%=%-full) sm-full shared_memory-full token_deque-full lane-full lane__float-full $(patsubst %,%-netlist,$(filter-out semaphore_unit-nano,$(NETLIST_BENCHES))),$(notdir $(BENCH_PROGRAMS))) shared_memory-small
MORE_BENCHES = $(filter-out $(TEST_BENCHES),$(notdir $(BENCH_PROGRAMS)))

# Of full an operation takes ten times as long as of the others.
OPS_signature-full := 20000
bench_suite = $(call program_suite,$(2)rtl/$(1),$(BUILD)/tests/rtl/$(1) $(if $(3),--ops $(3) )--seed {seed})
bench_of = $(call bench_suite,$(1),$(2),$(or $(BENCH_OPS),$(OPS_$(1)),$(if $(filter %-netlist,$(1)),$(NETLIST_OPS))))

LONG_test_again := repeats_full|dropped_full
LONG_test_bus_errors := anywhere_full|accesses_full
LONG_test_calls := as_on_the_host_full|as_on_the_host_small
LONG_test_deques := bounds_full
LONG_test_device_enqueue := tree_full|tree_tandem|large_captures_full|errors_full|profiling_full|private_memory_full|events_full|flags_full|straight_full|straight_changes_full|ready_full|markers_full|bad_ranges_full|ranges_full|events_small|markers_small|straight_changes_small
LONG_test_linked := fans_full|many_full|errors_full|no_events_full
LONG_test_nested := search_full|quicksort_full|quicksort_software_full
LONG_test_orders := shares_full|window_full|constants_full
LONG_test_priorities := children_full|channels_full|children_small|channels_small
LONG_test_progress := cost_full|wide_locks_full|lock_in_function_stands_small|try_and_return_ends_small
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

# Of tests on every device, the variants _rtl show nothing that tandem does not: only the tests of the device API run on rtl: as well. The others
# do in `make long LONG=rtl`.
RTL_ALONE := test_channels
# Of these small stays in `make test`, or there is none of it.
SMALL_STAYS := test_channels test_programs test_latency test_sms test_systemc

# What a test program runs in `make test`, and in LONG=more. $(1): folder/name
wide_of = $(if $(filter device/%,$(1)),$(if $(LONG_$(notdir $(1))),|$(LONG_$(notdir $(1)))))
small_of = $(if $(filter device/%,$(1)),$(if $(filter $(SMALL_STAYS),$(notdir $(1))),,*_small))
more_of = $(subst $(eval) ,|,$(strip $(call small_of,$(1)) $(MORE_$(1))))
rest_of = $(if $(filter device/%,$(1)),$(if $(filter $(RTL_ALONE),$(notdir $(1))),,--filter '*/!(*_rtl$(call wide_of,$(1))$(if $(call more_of,$(1)),|$(call more_of,$(1))))'),$(if $(MORE_$(1)),--filter '*/!($(MORE_$(1)))'))
MORE_CRITERION = $(foreach t,$(UNIT_TESTS:%=unit/%) $(DEVICE_TESTS:%=device/%) $(TANDEM_TESTS:%=tandem/%) $(OPENCL_TESTS:%=opencl/%),$(if $(call more_of,$(t)),$(t)))

define MORE_SUITES
$(foreach t,$(MORE_CRITERION),$(call suite,more/$(t),criterion,$(BUILD)/tests/$(t) --filter '*/!(!($(call more_of,$(t)))$(call wide_of,$(t)))'))
$(foreach t,$(filter unit/%,$(MORE_WHOLE)),$(call suite,more/$(t),criterion,$(BUILD)/tests/$(t)))
$(foreach t,$(filter cli/%,$(MORE_WHOLE)),$(call program_suite,more/$(t),$(PYTHON) tests/$(t).py $(BUILD)))
$(call program_suite,more/opencl/clients,$(PYTHON) tests/opencl/clients.py $(BUILD))
$(call program_suite,more/threads,$(BUILD)/threads --seed {seed})
$(call program_suite,more/opencl/threads,$(BUILD)/opencl-threads $(BUILD)/kernels/threads.elf --seed {seed})
$(call program_suite,more/board,$(PYTHON) tests/board/test_board.py $(BUILD))
$(call program_suite,more/board_colorlight_i9,$(PYTHON) tests/board/test_board.py $(BUILD) --board colorlight_i9 --only tools --only programs --only signatures)
$(call program_suite,more/kit,$(PYTHON) tests/kit/test_kit.py $(BUILD))
$(call program_suite,more/opinion/files,$(BUILD)/second-opinion files --seed 99 --cache $(BUILD)/pocl-cache $(OPINION_FILES))
$(call program_suite,more/formal,scripts/prove $(BUILD) --quick $(MORE_PROOFS))
$(call program_suite,more/breaks,scripts/break-rows $(BUILD) TD-2 TD-4)
$(foreach b,$(MORE_BENCHES),$(call bench_of,$(b),more/))
endef
MORE_PROOFS := tests/formal/token_deque.sv
MORE_NEEDS = all $(TEST_PROGRAMS) $(MORE_BENCHES:%=$(BUILD)/tests/rtl/%) $(patsubst %,$(BUILD)/%,twin twin-colorlight_i9 libanneal.so nested threads opencl-threads second-opinion random-programs queue-bench queue-long overlaps sm-bench compiler-bench) install-built
