# C: two flavours of every object. fast: what users run. check: with sanitizers, what tests run.
WARNINGS := -Wall -Wextra -Wconversion -Werror
CSTD := -std=c17 -D_GNU_SOURCE
CFLAGS_fast := -O3 -g1
CFLAGS_check := -O1 -g $(if $(COVERAGE),--coverage -fprofile-update=atomic,-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
LLVM_CONFIG ?= llvm-config-19
LLVM_CFLAGS := -isystem $(shell $(LLVM_CONFIG) --includedir 2>/dev/null)
LLVM_LIBS := $(shell $(LLVM_CONFIG) --ldflags --libs 2>/dev/null)
FLAVOURS := fast check

define flavour
$(BUILD)/$(1)/gen/%.o: $(BUILD)/gen/%.c $(GEN)
	@mkdir -p $$(@D)
	$$(CC) $$(CSTD) $$(WARNINGS) $$(CFLAGS_$(1)) $$(INCLUDES) -MMD -MP -MT $$@ -c $$< -o $$@
$(BUILD)/$(1)/cmodel/compiler/%.o: cmodel/compiler/%.c $(GEN)
	@mkdir -p $$(@D)
	$$(CC) $$(CSTD) $$(WARNINGS) $$(CFLAGS_$(1)) $$(INCLUDES) $$(LLVM_CFLAGS) -MMD -MP -MT $$@ -c $$< -o $$@
$(BUILD)/$(1)/%.o: %.c $(GEN)
	@mkdir -p $$(@D)
	$$(CC) $$(CSTD) $$(WARNINGS) $$(CFLAGS_$(1)) $$(INCLUDES) $$(EXTRA_$$(*F)) -MMD -MP -MT $$@ -c $$< -o $$@
MODEL_$(1) := $(GEN_C:%=$(BUILD)/$(1)/gen/%.o) $(MODEL_SRC:%.c=$(BUILD)/$(1)/%.o)
DRIVER_$(1) := $(DRIVER_SRC:%.c=$(BUILD)/$(1)/%.o) $(TB_SRC:%.c=$(BUILD)/$(1)/%.o) $(BUILD)/$(1)/tb/rtl_registry.o
COMPILER_$(1) := $(COMPILER_SRC:%.c=$(BUILD)/$(1)/%.o)
$(BUILD)/libmodel_$(1).a: $$(MODEL_$(1))
$(BUILD)/libdriver_$(1).a: $$(DRIVER_$(1))
$(BUILD)/libcompiler_$(1).a: $$(COMPILER_$(1))
endef
$(foreach f,$(FLAVOURS),$(eval $(call flavour,$(f))))

$(BUILD)/lib%.a:
	@rm -f $@
	ar rcs $@ $^

# Everything a program needs that opens devices of every kind.
DEVICE_LIBS_fast = $(BUILD)/libdriver_fast.a $(RTL_LIBS) $(BUILD)/libmodel_fast.a
DEVICE_LIBS_check = $(BUILD)/libdriver_check.a $(RTL_LIBS) $(BUILD)/libmodel_check.a
SYSTEM_LIBS := -lelf -lz -lm -lpthread

$(BUILD)/tandem: $(CLI_SRC:%.c=$(BUILD)/fast/%.o) $(BUILD)/libcompiler_fast.a $(DEVICE_LIBS_fast)
	$(CXX) -o $@ -Wl,--start-group $^ -Wl,--end-group $(LLVM_LIBS) $(SYSTEM_LIBS)
$(BUILD)/equalize: $(DEMO_SRC:%.c=$(BUILD)/fast/%.o) $(BUILD)/libcompiler_fast.a $(DEVICE_LIBS_fast)
	$(CXX) -o $@ -Wl,--start-group $^ -Wl,--end-group $(LLVM_LIBS) $(SYSTEM_LIBS)

-include $(shell find $(BUILD)/fast $(BUILD)/check -name '*.d' 2>/dev/null)

# The device library: OpenCL C, as bitcode in an array of the compiler.
CLANG ?= clang-19
LLVM_LINK ?= llvm-link-19
LIBRARY_FLAGS := -I$(BUILD) -x cl -target spir -cl-std=CL1.2 -O2 -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -ffp-contract=off -Xclang -cl-ext=-cl_khr_fp64,-cl_khr_fp16 -Wall -Wextra -Werror
$(BUILD)/gen/library/%.bc: cmodel/compiler/library/%.cl $(wildcard cmodel/compiler/library/*.h) $(GEN)
	@mkdir -p $(@D)
	$(CLANG) $(LIBRARY_FLAGS) -emit-llvm -c $< -o $@
$(BUILD)/gen/device_library.bc: $(LIBRARY_SRC:cmodel/compiler/library/%.cl=$(BUILD)/gen/library/%.bc)
	$(LLVM_LINK) $^ -o $@
$(BUILD)/gen/device_library.h: $(BUILD)/gen/device_library.bc scripts/embed.py
	$(PYTHON) scripts/embed.py $< device_library > $@
$(FLAVOURS:%=$(BUILD)/%/cmodel/compiler/builtins/link_library.o) $(BUILD)/lint/cmodel/compiler/builtins/link_library.tidy $(BUILD)/lint/cppcheck: $(BUILD)/gen/device_library.h
