# The OpenCL runtime: a vendor library behind Debian's loader, found in the build tree with OCL_ICD_VENDORS=build/opencl.
OPENCL_SRC := $(wildcard cmodel/opencl/*.c)
$(foreach f,$(FLAVOURS),$(eval $(call archive,opencl_$(f),$(OPENCL_SRC:%.c=$(BUILD)/$(f)/%.o))))
EXTRA_program_binary = -DTANDEM_VERSION='"$(VERSION)"'
EXTRA_device_info = $(EXTRA_program_binary)
EXTRA_cache = $(EXTRA_program_binary)
$(foreach f,$(FLAVOURS),$(BUILD)/$(f)/cmodel/opencl/program_binary.o $(BUILD)/$(f)/cmodel/opencl/device_info.o $(BUILD)/$(f)/cmodel/opencl/cache.o): $(call remember,version,$(VERSION))

# What the loader looks for is exported, all else stays inside: a program may have other libraries with the same names.
# Its own calls stay its own (-Bsymbolic): the loader has functions of the same names.
LIBOPENCL := $(BUILD)/libtandem-opencl.so
OPENCL_FLAGS := -shared -Wl,-Bsymbolic -Wl,-soname,libtandem-opencl.so -Wl,--version-script=cmodel/opencl/exports -Wl,-z,defs
# Without the SystemC platform: its library wants a program of its own kind around it.
$(LIBOPENCL): $(OPENCL_SRC:%.c=$(BUILD)/fast/%.o) $(filter-out $(SYSTEMC_OBJECTS),$(DEVICE_RTL)) cmodel/opencl/exports $(call remember,opencl,$(OPENCL_FLAGS)) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,$(OPENCL_FLAGS),$(LLVM_LIBS) $(SYSTEM_LIBS))
OPENCL_ICD := $(BUILD)/opencl/tandem.icd
$(OPENCL_ICD): $(call remember,opencl_icd,$(abspath $(LIBOPENCL)))
	@mkdir -p $(@D)
	echo '$(abspath $(LIBOPENCL))' > $@

.PHONY: opencl
opencl: $(LIBOPENCL) $(OPENCL_ICD) ## the OpenCL runtime: OCL_ICD_VENDORS=$(BUILD)/opencl PROGRAM
all: opencl

# A program that knows nothing of Tandem, in tandem: result and timeline.
PYTHON_SYSTEM ?= /usr/bin/python3
.PHONY: opencl-demo
opencl-demo: opencl ## edges of a picture by a program in Python on DEVICE, with a timeline for Perfetto
	OCL_ICD_VENDORS=$(BUILD)/opencl TANDEM_DEVICES=$(DEVICE) TANDEM_TIMELINE=$(BUILD)/opencl-demo.json TANDEM_STATS=1 $(PYTHON_SYSTEM) tests/opencl/picture.py $(or $(PHOTO),tests/unit/photograph.pgm) $(BUILD)/opencl-demo.pgm
	@echo 'result: $(BUILD)/opencl-demo.pgm; timeline, for https://ui.perfetto.dev: $(BUILD)/opencl-demo.json'

# What the runtime costs the host.
DEVICE_OPENCL ?= model:full
$(BUILD)/opencl-cost: tests/opencl/clients/cost.c
	@mkdir -p $(@D)
	$(CC) $(CSTD) -O2 $(WARNINGS) $< -o $@ -lOpenCL
.PHONY: bench-others
bench-others: opencl ## BLAS and hash programs on DEVICE_OPENCL, PoCL and Oclgrind
	$(PYTHON_SYSTEM) tests/bench/others.py --build $(BUILD) --device $(DEVICE_OPENCL)
.PHONY: bench-opencl
bench-opencl: opencl $(BUILD)/opencl-cost ## launches, copies, compiles through the OpenCL API, on DEVICE_OPENCL
	@rm -rf $(BUILD)/opencl-cache
	OCL_ICD_VENDORS=$(BUILD)/opencl TANDEM_DEVICES=$(DEVICE_OPENCL) TANDEM_CACHE=$(BUILD)/opencl-cache $(BUILD)/opencl-cost
