# Fuzzing of what reads files: libFuzzer, with sanitizers.
FUZZERS := fuzz_assembler fuzz_code_object
FUZZ_SECONDS ?= 300
FUZZ_RUNS ?= 20000
FUZZ_PROGRAMS := $(wildcard tests/programs/*.s)

FUZZ_LINK := -fsanitize=fuzzer,address,undefined
$(eval $(call archive,isa_fuzzed,$(BUILD)/fuzzed/gen/isa_table.o $(patsubst %.c,$(BUILD)/fuzzed/%.o,$(wildcard cmodel/isa/*.c))))
$(FUZZERS:%=$(BUILD)/fuzz/%): LINKER = $(FUZZ_CC)
$(FUZZERS:%=$(BUILD)/fuzz/%): $(BUILD)/fuzz/%: $(BUILD)/fuzzed/tests/fuzz/%.o $(LINK_FLAGS) | $(BUILD)/libisa_fuzzed.a
	$(call link,$(FUZZ_LINK),-lelf)

# Seeds: the assembly programs for the one, what they assemble to for the other.
$(BUILD)/fuzz/seeds/stamp: $(FUZZ_PROGRAMS) $(BUILD)/tandem
	@rm -rf $(@D) && mkdir -p $(@D)/fuzz_assembler $(@D)/fuzz_code_object
	cp $(FUZZ_PROGRAMS) $(@D)/fuzz_assembler
	for program in $(FUZZ_PROGRAMS); do $(BUILD)/tandem as $$program -o $(@D)/fuzz_code_object/$$(basename $$program .s).elf || exit 1; done
	@touch $@

# $(1) fuzzer, $(2) options, $(3) folder that collects new inputs. In `make test` it is empty at first, so that a seed repeats a run.
fuzz_run = $(BUILD)/fuzz/$(1) $(2) -timeout=20 -rss_limit_mb=2000 -print_final_stats=1 -artifact_prefix=$(BUILD)/fuzz/ $(3) $(BUILD)/fuzz/seeds/$(1)
define FUZZ_SUITES
$(foreach f,$(FUZZERS),$(call program_suite,fuzz/$(f:fuzz_%=%),$(call fuzz_run,$(f),-runs=$(FUZZ_RUNS) -verbosity=0 -seed={seed},$(BUILD)/fuzz/new-$(f))))
$(call program_suite,fuzz/bitcode,$(BUILD)/bitcode-mutations --count $(BITCODE_COUNT) --out $(BUILD)/logs --seed {seed} $(BITCODE_SEEDS))
endef
FUZZ_PROGRAMS_BUILT := $(FUZZERS:%=$(BUILD)/fuzz/%) $(BUILD)/fuzz/seeds/stamp

# Damaged bitcode for the compiler, in a program of its own: LLVM works in a child process, which libFuzzer would not see.
BITCODE_SEEDS := $(patsubst %,$(BUILD)/fuzz/bitcode/%.bc,atomics control_flow records reinterpreted)
BITCODE_COUNT ?= 100
BITCODE_SECONDS ?= 600
$(BUILD)/fuzz/bitcode/%.bc: tests/opinion/kernels/%.cl
	@mkdir -p $(@D)
	$(CLANG) -x cl -target spir -cl-std=CL1.2 -O2 -Xclang -disable-llvm-passes -cl-kernel-arg-info -gline-tables-only -Xclang -cl-ext=-cl_khr_fp64,-cl_khr_fp16 -w -emit-llvm -c $< -o $@
$(BUILD)/bitcode-mutations: $(BUILD)/fast/tests/fuzz/bitcode_mutations.o $(COMMON) $(LINK_FLAGS) | $(BUILD)/libcompiler_fast.a $(BUILD)/libmodel_fast.a
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))
FUZZ_PROGRAMS_BUILT += $(BUILD)/bitcode-mutations $(BITCODE_SEEDS)

.PHONY: fuzz
fuzz: $(FUZZ_PROGRAMS_BUILT) ## fuzz the assembler and the reader of code objects, FUZZ_SECONDS each, and the compiler with damaged bitcode
	@mkdir -p $(FUZZERS:%=$(BUILD)/fuzz/found-%)
	for f in $(FUZZERS); do \
	    $(call fuzz_run,$$f,-max_total_time=$(FUZZ_SECONDS),$(BUILD)/fuzz/found-$$f) || exit 1; done
	$(BUILD)/bitcode-mutations --seconds $(BITCODE_SECONDS) --out $(BUILD)/fuzz $(if $(SEED),--seed $(SEED)) $(BITCODE_SEEDS)
