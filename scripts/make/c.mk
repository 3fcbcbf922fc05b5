# C: flavours of every object. fast: what users run, also as a library. check: with sanitizers, what tests run. fuzzed: what libFuzzer runs.
# threaded: with ThreadSanitizer, what the test of several threads runs.
WARNINGS := -Wall -Wextra -Wconversion -Werror
CSTD := -std=c17 -D_GNU_SOURCE
CFLAGS_fast := -O3 -g1 -fPIC -fno-semantic-interposition
CFLAGS_check := -O1 -g1 $(if $(COVERAGE),--coverage -fprofile-update=atomic,-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
FUZZ_CC ?= clang-19
CFLAGS_fuzzed := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
CFLAGS_threaded := -O1 -g1 -fsanitize=thread
# The tests themselves: with optimization they take three times as long to compile, and as long to run.
CFLAGS_of_tests_check := -O0
CC_fast = $(CC)
CC_check = $(CC)
CC_fuzzed = $(FUZZ_CC)
CC_threaded = $(CC)
LLVM_CONFIG ?= llvm-config-19
LLVM_CFLAGS := -isystem $(shell $(LLVM_CONFIG) --includedir 2>/dev/null)
LLVM_LIBS := $(shell $(LLVM_CONFIG) --ldflags --libs 2>/dev/null)
FLAVOURS := fast check fuzzed threaded

# $(1): flavour. EXTRA_<name> are flags of the one object <name>.o. Archives are thin: lists of objects, so that the linker can tell which it took.
define flavour
FLAGS_$(1) := $$(CSTD) $$(WARNINGS) $$(CFLAGS_$(1)) $$(INCLUDES)
CC_FLAGS_$(1) := $$(call remember,cc_$(1),$$(CC_$(1)) $$(FLAGS_$(1)) $$(LLVM_CFLAGS))
$(BUILD)/$(1)/gen/%.o: $(BUILD)/gen/%.c $$(CC_FLAGS_$(1)) | $(GEN)
	@mkdir -p $$(@D)
	$$(CC_$(1)) $$(FLAGS_$(1)) -MMD -MP -MT $$@ -c $$< -o $$@
$(BUILD)/$(1)/cmodel/compiler/%.o: cmodel/compiler/%.c $$(CC_FLAGS_$(1)) | $(GEN) $(LIBRARY_HEADERS)
	@mkdir -p $$(@D)
	$$(CC_$(1)) $$(FLAGS_$(1)) $$(LLVM_CFLAGS) -MMD -MP -MT $$@ -c $$< -o $$@
$(BUILD)/$(1)/%.o: %.c $$(CC_FLAGS_$(1)) | $(GEN)
	@mkdir -p $$(@D)
	$$(CC_$(1)) $$(FLAGS_$(1)) $$(EXTRA_$$(*F)) $$(if $$(filter test_%,$$(*F)),$$(CFLAGS_of_tests_$(1))) -MMD -MP -MT $$@ -c $$< -o $$@
$(call archive,model_$(1),$(GEN_C:%=$(BUILD)/$(1)/gen/%.o) $(MODEL_SRC:%.c=$(BUILD)/$(1)/%.o))
$(call archive,driver_$(1),$(DRIVER_SRC:%.c=$(BUILD)/$(1)/%.o))
$(call archive,tb_$(1),$(TB_SRC:%.c=$(BUILD)/$(1)/%.o))
$(call archive,debugger_$(1),$(DEBUGGER_SRC:%.c=$(BUILD)/$(1)/%.o))
$(call archive,compiler_$(1),$(COMPILER_SRC:%.c=$(BUILD)/$(1)/%.o))
endef
# $(1): name, $(2): objects. An object that is no longer in the list leaves the archive.
define archive
$(BUILD)/lib$(1).a: $(2) $(call remember,lib$(1),$(2))
	@rm -f $$@
	ar rcsT $$@ $$(filter %.o,$$^)
endef
$(foreach f,$(FLAVOURS),$(eval $(call flavour,$(f))))

# A program: its recipe is $(call link,FLAGS,LIBRARIES). Its prerequisites are what goes in as a whole, its order-only prerequisites are archives.
# BUILD/used/<program>.d lists the objects that the linker took: when one of these has changed, and no others, the program is linked again.
SYSTEM_LIBS := -lelf -lz -lm -lpthread
DEBUGGER_LIBS := -ldw
LINKER = $(if $(COUNTS),$(RTL_CXX) -fprofile-instr-generate,$(CXX))
# gold links the tests, a few hundred programs with the simulated RTL in them, in a third of the time of binutils' other linker. Of a shared
# library it exports what no version script names, so that one links these.
LINK_BY := $(if $(shell command -v ld.gold 2>/dev/null),-fuse-ld=gold)
used = $(@:$(BUILD)/%=$(BUILD)/used/%)
$(BUILD)/used/%.taken:
	@touch $@
LINK_FLAGS := $(call remember,link,$(CXX) $(LINK_BY) $(FUZZ_CC) $(LLVM_LIBS) $(SYSTEM_LIBS) $(COVERAGE))
define link
@mkdir -p $(@D) $(dir $(used)) && touch $(used).taken
$(LINKER) $(if $(findstring -shared,$(1)),,$(LINK_BY)) $(1) -o $@ -Wl,-t,-t -Wl,--start-group $(filter %.o %.a,$^ $|) -Wl,--end-group $(2) $(if $(filter $(SYSTEMC_OBJECTS),$^),$(SYSTEMC_LIBS)) > $(used).txt
@{ echo '$@: $(used).taken'; sed -n -E 's,^([^(]*\()?($(BUILD)/[^()]*\.o)\)?$$,$(used).taken: \2\n\2:,p' $(used).txt; } > $(used).d
endef

# What programs of tests and benches have in common.
COMMON := $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard tests/common/*.c))
# What every program with a device of its own needs around it: signals, standard streams.
AROUND := $(BUILD)/fast/cmodel/cli/interrupt.o $(BUILD)/fast/cmodel/cli/streams.o

# Everything a program needs that opens devices of every kind: as a whole, and from archives.
DEVICE_RTL = $(BUILD)/fast/tb/rtl_registry.o $(RTL_LIBS) $(SYSTEMC_OBJECTS)
DEVICE_LIBS = $(BUILD)/libdriver_fast.a $(BUILD)/libtb_fast.a $(BUILD)/libmodel_fast.a
COMPILER_LIBS = $(BUILD)/libcompiler_fast.a $(DEVICE_LIBS)

$(BUILD)/fast/cmodel/cli/main.o: EXTRA_main := -DTANDEM_VERSION='"$(VERSION)"'
$(BUILD)/fast/cmodel/cli/main.o: $(call remember,version,$(VERSION))
# The quick way of the model, for three kinds of machine; which one it runs on it finds out itself.
ifeq ($(shell uname -m),x86_64)
$(FLAVOURS:%=$(BUILD)/%/cmodel/sm/native_v3.o): EXTRA_native_v3 := -march=x86-64-v3 -ffp-contract=off
$(FLAVOURS:%=$(BUILD)/%/cmodel/sm/native_v4.o): EXTRA_native_v4 := -march=x86-64-v4 -mprefer-vector-width=512 -ffp-contract=off
endif
# A checkpoint holds the model's structs as they are: it is of the headers that say what these are.
CHECKPOINT_LAYOUT := $(shell cat cmodel/*.h cmodel/base/*.h cmodel/mem/*.h cmodel/sm/*.h cmodel/task/*.h cmodel/host/*.h $(GEN_TABLES) | cksum | cut -d ' ' -f 1)
$(FLAVOURS:%=$(BUILD)/%/cmodel/model/model_checkpoint.o): EXTRA_model_checkpoint := -DCHECKPOINT_LAYOUT=$(CHECKPOINT_LAYOUT)u
$(FLAVOURS:%=$(BUILD)/%/cmodel/model/model_checkpoint.o): $(call remember,checkpoint_layout,$(CHECKPOINT_LAYOUT))
# A recorded run holds besides what a device is made of: of these sources, and of the simulation that scripts/verilate makes.
RECORDING_LAYOUT := $(shell echo $(CHECKPOINT_LAYOUT) | cat - cmodel/backend/*.h cmodel/backend/backend_model.c tb/*.h tb/*.c tb/rtl_device.cpp | cksum | cut -d ' ' -f 1)
$(FLAVOURS:%=$(BUILD)/%/cmodel/backend/recording.o): EXTRA_recording := -DRECORDING_LAYOUT=$(RECORDING_LAYOUT)u
$(FLAVOURS:%=$(BUILD)/%/cmodel/backend/recording.o): $(call remember,recording_layout,$(RECORDING_LAYOUT))
# LLVM is built without run-time types and exceptions.
JSON_CXXFLAGS := -std=c++17 -O2 -fPIC $(WARNINGS) -fno-rtti -fno-exceptions $(LLVM_CFLAGS)
$(BUILD)/fast/cmodel/cli/json.o: cmodel/cli/json.cpp $(call remember,json,$(CXX) $(JSON_CXXFLAGS))
	@mkdir -p $(@D)
	$(CXX) $(JSON_CXXFLAGS) -MMD -MP -MT $@ -c $< -o $@
$(BUILD)/tandem: $(CLI_OBJECTS) $(DEVICE_RTL) $(LINK_FLAGS) | $(BUILD)/libdebugger_fast.a $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(DEBUGGER_LIBS) $(SYSTEM_LIBS))
$(BUILD)/equalize: $(DEMO_SRC:%.c=$(BUILD)/fast/%.o) $(AROUND) $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

# The device library: OpenCL C, as bitcode in an array of the compiler. Jump threading is off as in the compiler (prepare.c says why).
CLANG ?= clang-19
LLVM_LINK ?= llvm-link-19
LIBRARY_FLAGS := -I$(BUILD) -x cl -target spir -cl-std=CL1.2 -O2 -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -ffp-contract=off -mllvm -jump-threading-threshold=0 -Wdouble-promotion -Wall -Wextra -Werror
$(BUILD)/gen/library/%.bc: cmodel/compiler/library/%.cl $(call remember,library,$(CLANG) $(LIBRARY_FLAGS)) | $(GEN)
	@mkdir -p $(@D)
	$(CLANG) $(LIBRARY_FLAGS) -MMD -MP -MT $@ -MF $(@:.bc=.d) -emit-llvm -c $< -o $@
# What programs with images need, what those of OpenCL C 2.0 and later with pointers into any memory, and what those with doubles and with halfs do, are libraries of their own: the others do not pay for reading their names.
library_bc = $(patsubst cmodel/compiler/library/%.cl,$(BUILD)/gen/library/%.bc,$(1))
DEVICE_LIBRARY_SRC := $(filter-out $(IMAGE_LIBRARY_SRC) $(GENERIC_LIBRARY_SRC) $(HALF_LIBRARY_SRC) $(PRECISION_SRC),$(LIBRARY_SRC))
$(BUILD)/gen/device_library.bc: $(call library_bc,$(DEVICE_LIBRARY_SRC)) $(call remember,device_library_files,$(DEVICE_LIBRARY_SRC))
$(BUILD)/gen/image_library.bc: $(call library_bc,$(IMAGE_LIBRARY_SRC)) $(call remember,image_library_files,$(IMAGE_LIBRARY_SRC))
$(BUILD)/gen/generic_library.bc: $(call library_bc,$(GENERIC_LIBRARY_SRC)) $(call remember,generic_library_files,$(GENERIC_LIBRARY_SRC))
$(BUILD)/gen/half_library.bc: $(call library_bc,$(HALF_LIBRARY_SRC)) $(call remember,half_library_files,$(HALF_LIBRARY_SRC))
$(BUILD)/gen/precision_library.bc: $(call library_bc,$(PRECISION_SRC)) $(call remember,precision_library_files,$(PRECISION_SRC))
$(LIBRARY_HEADERS:.h=.bc):
	$(LLVM_LINK) $(filter %.bc,$^) -o $@
$(LIBRARY_HEADERS): $(BUILD)/gen/%_library.h: $(BUILD)/gen/%_library.bc scripts/embed.py
	$(PYTHON) scripts/embed.py $< $*_library > $@
