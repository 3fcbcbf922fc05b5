# Tests. Criterion programs: tests/unit (no RTL), tests/device (the device API on every kind of device), tests/tandem (the check itself).
# Benches: tests/rtl/<unit>_bench.cpp, a verilated unit against its C twin, in the parameters of each configuration.
UNIT_TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
DEVICE_TESTS := $(patsubst tests/device/%.c,%,$(wildcard tests/device/test_*.c))
TANDEM_TESTS := $(patsubst tests/tandem/%.c,%,$(wildcard tests/tandem/test_*.c))
CLI_TESTS := $(patsubst tests/cli/%.py,%,$(wildcard tests/cli/test_*.py))
HOOK := $(BUILD)/check/tests/unit/results.o
SANITIZE := $(if $(COVERAGE),--coverage,-fsanitize=address,undefined)
helpers = $(patsubst %.c,$(BUILD)/check/%.o,$(filter-out tests/$(1)/test_%,$(wildcard tests/$(1)/*.c)))
TEST_LIBS := $(BUILD)/libcompiler_check.a $(BUILD)/libdriver_check.a $(call rtl_objects,$(TEST_DEVICES)) $(BUILD)/libmodel_check.a
$(BUILD)/check/tb/rtl_registry.o: EXTRA_rtl_registry := '-DRTL_DEVICES=$(foreach d,$(TEST_DEVICES),X($(d)))'

define test_program
$(BUILD)/tests/$(1)/%: $(BUILD)/check/tests/$(1)/%.o $(call helpers,$(1)) $(2) $(HOOK) $(TEST_LIBS)
	@mkdir -p $$(@D)
	$(CXX) $(SANITIZE) -o $$@ -Wl,--start-group $$(sort $$^) -Wl,--end-group -lcriterion $(LLVM_LIBS) $(SYSTEM_LIBS)
endef
$(eval $(call test_program,unit,))
$(eval $(call test_program,device,$(call helpers,programs) $(BUILD)/check/tests/nested/nested.o))
$(eval $(call test_program,tandem,$(filter-out %/random_programs.o,$(call helpers,random)) $(BUILD)/check/tests/device/random_program.o))
# Large programs through the compiler take ten times as long with the sanitizers.
$(BUILD)/tests/unit/test_compiler_sizes: $(patsubst %,$(BUILD)/fast/tests/unit/%.o,test_compiler_sizes kernel_runner results) $(BUILD)/libcompiler_fast.a $(DEVICE_LIBS_fast)
	@mkdir -p $(@D)
	$(CXX) -o $@ -Wl,--start-group $^ -Wl,--end-group -lcriterion $(LLVM_LIBS) $(SYSTEM_LIBS)
.SECONDARY:
# Kernels of tests that run on every device, compiled once.
$(BUILD)/kernels/%.elf: tests/kernels/%.cl $(wildcard cmodel/compiler/library/*.h) $(BUILD)/tandem
	@mkdir -p $(@D)
	$(BUILD)/tandem cc $< -o $@ -cl-std=CL2.0
$(BUILD)/check/tests/device/work_bench.o: EXTRA_work_bench := '-DKERNELS_BUILT="$(BUILD)/kernels"'
$(BUILD)/check/tests/device/test_nested.o: EXTRA_test_nested := '-DKERNELS_BUILT="$(BUILD)/kernels"'
$(BUILD)/tests/device/test_work_queue: | $(BUILD)/kernels/work_queue.elf
$(BUILD)/tests/device/test_nested: | $(BUILD)/kernels/nested.elf

# Random programs, as many as wanted: make random COUNT=100000 DEVICE=tandem:full SEED=7
COUNT ?= 10000
JOBS ?= $(shell nproc)
$(BUILD)/random-programs: $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard tests/random/*.c) tests/common/jobs.c tests/device/random_program.c) $(DEVICE_LIBS_fast)
	$(CXX) -o $@ -Wl,--start-group $^ -Wl,--end-group $(SYSTEM_LIBS)

.PHONY: random
random: $(BUILD)/random-programs ## COUNT random programs on DEVICE; a failing one is made small
	$(BUILD)/random-programs --device $(DEVICE) --count $(COUNT) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) --out $(BUILD)

# Kernels compared with another OpenCL implementation: make opinion COUNT=10000 DEVICE=model:small SEED=7
$(BUILD)/second-opinion: $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard tests/opinion/*.c) tests/common/jobs.c) $(BUILD)/libcompiler_fast.a $(DEVICE_LIBS_fast)
	$(CXX) -o $@ -Wl,--start-group $^ -Wl,--end-group $(LLVM_LIBS) $(SYSTEM_LIBS) -lOpenCL

.PHONY: opinion
opinion: $(BUILD)/second-opinion ## COUNT random OpenCL C kernels on DEVICE and another OpenCL implementation, compared
	$(BUILD)/second-opinion random --device $(if $(filter file,$(origin DEVICE)),model:small,$(DEVICE)) --count $(COUNT) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) --out $(BUILD)
# Of tests/kernels, those whose arguments or dialect (OpenCL C 2.0) are others are left out. PoCL keeps what it builds of files.
OPINION_FILES := $(wildcard tests/opinion/kernels/*.cl) $(patsubst %,tests/kernels/%.cl,arithmetic floats flow leaving local memory private spills vectors wide)
OPINION_COUNT ?= 500
WAYS_COUNT ?= 80
define OPINION_SUITES
$(call program_suite,opinion/files,$(BUILD)/second-opinion files --seed 99 --cache $(BUILD)/pocl-cache $(OPINION_FILES))
$(call program_suite,opinion/random,$(BUILD)/second-opinion random --count $(OPINION_COUNT) --seed {seed} --out $(BUILD)/logs)
$(call program_suite,opinion/ways,$(BUILD)/second-opinion ways --count $(WAYS_COUNT) --batch 5 --seed {seed} --out $(BUILD)/logs)
endef

# ---- benches of RTL units ----
# build/tests/rtl/<unit>-<configuration>; <unit>-<configuration>-netlist: the same bench on what Yosys made of the unit.
RTL_BENCHES := $(patsubst tests/rtl/%_bench.cpp,%,$(wildcard tests/rtl/*_bench.cpp))
NETLIST_BENCHES := token_deque-nano semaphore_unit-nano
BENCH_OPS ?= 1000000

# $(1) unit, $(2) configuration, $(3) "" or "-netlist"
# A unit may have several benches: <unit>__<what>_bench.cpp.
unit_of = $(word 1,$(subst __, ,$(1)))
define bench
$(BUILD)/rtl-unit/$(1)-$(2)$(3)/V$(call unit_of,$(1)).mk: $(if $(3),$(BUILD)/synth/$(1)-$(2).v,$(RTL_SRC) $(RTL_HEADERS) $(GEN)) scripts/verilate-unit
	@mkdir -p $$(@D)
	$$(if $$(COVERAGE),VERILATE_FLAGS="$$(COVERAGE_COUNTS)") scripts/verilate-unit $(call unit_of,$(1)) $(2) $(BUILD) $$(@D) $(if $(3),$(BUILD)/synth/$(1)-$(2).v)
$(BUILD)/rtl-unit/$(1)-$(2)$(3)/V$(call unit_of,$(1))__ALL.a: $(BUILD)/rtl-unit/$(1)-$(2)$(3)/V$(call unit_of,$(1)).mk
	+$$(call verilated_make,$$(@D),V$(call unit_of,$(1)),$(if $(3),-O1,$(RTL_OPT)))
$(BUILD)/rtl-unit/$(1)-$(2)$(3)/bench.o: tests/rtl/$(1)_bench.cpp $(wildcard tests/rtl/*.h) $(BUILD)/rtl-unit/$(1)-$(2)$(3)/V$(call unit_of,$(1)).mk
	$(CXX) $(VERILATED_CXXFLAGS) -Wall -Wextra $(INCLUDES) -Itests/rtl -I$$(@D) $$(patsubst -G%,-D%,$$(CONFIG_$(2)_FLAGS)) -DBENCH_CONFIG='"$(2)$(3)"' -c $$< -o $$@
$(BUILD)/tests/rtl/$(1)-$(2)$(3): $(BUILD)/rtl-unit/$(1)-$(2)$(3)/bench.o $(BUILD)/rtl-unit/$(1)-$(2)$(3)/V$(call unit_of,$(1))__ALL.a $(BUILD)/libmodel_fast.a $(BUILD)/fast/tb/axi_memory.o $(BUILD)/rtl/verilated.o $(BUILD)/rtl/verilated_threads.o $(if $(COVERAGE),$(BUILD)/rtl/verilated_cov.o)
	@mkdir -p $$(@D)
	$(CXX) -o $$@ $$^ -lm -lpthread
endef
$(foreach u,$(RTL_BENCHES),$(foreach c,$(CONFIGS),$(eval $(call bench,$(u),$(c),))))
$(foreach b,$(NETLIST_BENCHES),$(eval $(call bench,$(word 1,$(subst -, ,$(b))),$(word 2,$(subst -, ,$(b))),-netlist)))
$(NETLIST_BENCHES:%=$(BUILD)/synth/%.v): $(BUILD)/synth/%.v: $(RTL_SRC) $(RTL_HEADERS) $(GEN) scripts/yosys-unit
	@mkdir -p $(@D)
	scripts/yosys-unit $(word 1,$(subst -, ,$*)) $(word 2,$(subst -, ,$*)) $(BUILD) $@ > $@.log 2>&1 || { tail -n 5 $@.log; exit 1; }

BENCH_PROGRAMS = $(foreach u,$(RTL_BENCHES),$(CONFIGS:%=$(BUILD)/tests/rtl/$(u)-%)) $(NETLIST_BENCHES:%=$(BUILD)/tests/rtl/%-netlist)

# ---- what runs: for scripts/run-tests a list of suites, NAME | criterion or program | COMMAND a line ----
# make test TESTS="device/test_channels rtl/*-nano" JOBS=1 SEED=7
TESTS ?=
define suite
$(1) | $(2) | $(3)

endef
criterion_suite = $(call suite,$(1),criterion,$(BUILD)/tests/$(1)$(if $(2), $(2)))
program_suite = $(call suite,$(1),program,$(2))
run_tests = scripts/run-tests $(1) --results $(2)results.txt --logs $(2)logs --jobs $(JOBS) $(if $(TESTS),--only '$(TESTS)') $(if $(SEED),--seed $(SEED))

random_suite = $(call program_suite,random/$(1),$(BUILD)/random-programs --device tandem:$(1) --count $(2) --seed {seed} --out $(BUILD)/logs)
bench_suite = $(call program_suite,rtl/$(1),$(BUILD)/tests/rtl/$(1) $(if $(2),--ops $(2) )--seed {seed})

define TEST_SUITES
$(foreach t,$(UNIT_TESTS),$(call criterion_suite,unit/$(t)))
$(foreach t,$(DEVICE_TESTS),$(call criterion_suite,device/$(t)))
$(foreach t,$(TANDEM_TESTS),$(call criterion_suite,tandem/$(t)))
$(foreach t,$(CLI_TESTS),$(call program_suite,cli/$(t),tests/cli/$(t).py $(BUILD)))
$(call random_suite,nano,250)
$(call random_suite,small,250)
$(call random_suite,full,60)
$(OPINION_SUITES)
$(FUZZ_SUITES)
$(call program_suite,formal,scripts/prove $(BUILD) --quick)
$(foreach b,$(BENCH_PROGRAMS),$(call bench_suite,$(notdir $(b)),$(BENCH_OPS)))
endef

test: all $(BUILD)/queue-bench $(BUILD)/queue-long $(BUILD)/sm-bench $(BUILD)/compiler-bench $(BUILD)/random-programs $(BUILD)/second-opinion $(FUZZ_PROGRAMS_BUILT) $(TEST_PROGRAMS) $(BENCH_PROGRAMS) ## everything that can fail: unit tests, RTL benches, programs in tandem, the demo
	@rm -rf $(FUZZERS:%=$(BUILD)/fuzz/new-%) && mkdir -p $(FUZZERS:%=$(BUILD)/fuzz/new-%) $(BUILD)/pocl-cache
	@$(file >$(BUILD)/test.suites,$(TEST_SUITES))
	$(call run_tests,$(BUILD)/test.suites,$(BUILD)/)

trace: ## which requirements the last test run has shown, on which side
	@$(PYTHON) scripts/trace.py tests/requirements/requirements.tbl $(BUILD)/results.txt
