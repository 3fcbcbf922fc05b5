# Speed: figures, never a test.
$(BUILD)/speed: $(BUILD)/fast/tests/bench/speed.o $(DEVICE_RTL) $(LINK_FLAGS) | $(DEVICE_LIBS)
	$(call link,,$(SYSTEM_LIBS))

$(BUILD)/sm-bench: $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard tests/bench/sm_bench*.c)) $(filter-out %/equalize.o,$(DEMO_SRC:%.c=$(BUILD)/fast/%.o)) $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

$(BUILD)/nested: $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard tests/nested/*.c)) $(COMMON) $(AROUND) $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

$(BUILD)/queue-bench: $(BUILD)/fast/tests/bench/queue.o $(BUILD)/fast/tests/common/atomics.o $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

$(BUILD)/aside-bench: $(BUILD)/fast/tests/bench/step_aside.o $(DEVICE_RTL) $(LINK_FLAGS) | $(DEVICE_LIBS)
	$(call link,,$(SYSTEM_LIBS))

bench: $(BUILD)/aside-bench $(BUILD)/sm-bench $(BUILD)/speed $(BUILD)/nested $(BUILD)/queue-bench ## instructions a cycle, locks, sub-vector orders, speeds of model and RTL, cycles of the host interface, of work queues
	$(BUILD)/sm-bench
	$(BUILD)/speed
	$(BUILD)/queue-bench
	$(BUILD)/aside-bench
	for config in $(CONFIGS); do for put in hardware software; do $(BUILD)/nested cost --entries 16 --device rtl:$$config,put=$$put || exit 1; done; done

# The second compile of kernels whose arguments are known: DEVICE_RECOMPILE=rtl:small, ..
DEVICE_RECOMPILE ?= rtl:nano
$(BUILD)/recompile: $(BUILD)/fast/tests/bench/recompile.o $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

.PHONY: bench-recompile
bench-recompile: $(BUILD)/recompile ## cycles per element of kernels compiled again for their arguments, and what that costs
	$(BUILD)/recompile $(DEVICE_RECOMPILE)

# Segments in sub-vector order.
DEVICES_SEGMENTS ?= rtl:nano rtl:small rtl:full
$(BUILD)/segments: $(BUILD)/fast/tests/bench/segments.o $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

.PHONY: bench-turns
bench-turns: $(BUILD)/tandem ## cycles of work-groups larger than what is resident, beside the same work in resident ones
	@for on in nano,64,256 small,128,1024; do for kernel in alone exchange tree eight; do \
	    for local in $$(echo $$on | cut -d, -f2- --output-delimiter=' '); do \
	        echo "$$kernel, $${on%%,*}, groups of $$local:"; \
	        $(BUILD)/tandem run tests/bench/large_groups.cl --device rtl:$${on%%,*} --kernel $$kernel --global 8192 --local $$local \
	            --arg zero:32768 --arg zero:32768 --again never --again-log 2>&1 | grep -E "registers|cycles=|turns:" || exit 1; \
	    done; done; done

.PHONY: bench-segments
bench-segments: $(BUILD)/segments ## warps resident, cycles, cache misses of segments in sub-vector order, each way
	$(BUILD)/segments $(DEVICES_SEGMENTS)

# The order by miss rate beside the fixed ones.
$(BUILD)/order-bench: $(BUILD)/fast/tests/bench/orders.o $(BUILD)/fast/tests/bench/sm_bench_device.o $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

.PHONY: bench-orders
bench-orders: $(BUILD)/order-bench ## cycles of kernels in the order by miss rate, beside the better of the two fixed orders
	$(BUILD)/order-bench $(CONFIGS)

# What the compiler makes of kernels, how long it takes, and the model's speed beside other OpenCL implementations.
BENCH_KERNELS ?= $(patsubst %,tests/opinion/kernels/%.cl,loops switches control_flow local_sort local_scan group_copies bit_fields records private_tables structures pointers wide_division vector_operators float_divide)
$(BUILD)/compiler-bench: $(BUILD)/fast/tests/bench/compiler.o $(BUILD)/fast/tests/bench/sm_bench_device.o $(BUILD)/fast/tests/opinion/other_opinion.o $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS) -lOpenCL)

.PHONY: bench-compiler
bench-compiler: $(BUILD)/compiler-bench ## instructions, registers, spills, cycles of kernels; time of compiling; the model's speed beside other OpenCL implementations
	$(BUILD)/compiler-bench $(BENCH_KERNELS)

# The kernels that compiler and multiprocessor are measured by, compiled and by hand: KERNEL_BENCH="--latency 60 --config nano sgemm", ..
$(BUILD)/kernel-bench: $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard tests/bench/kernel_bench*.c)) $(BUILD)/fast/tests/bench/sm_bench_device.o $(filter-out %/equalize.o,$(DEMO_SRC:%.c=$(BUILD)/fast/%.o)) $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

.PHONY: bench-kernels
bench-kernels: $(BUILD)/kernel-bench ## cycles of a set of kernels and the part of them that is useful, compiled and by hand
	for latency in 12 60 200; do $(BUILD)/kernel-bench --markdown --latency $$latency $(KERNEL_BENCH) || exit 1; done

# Errors of the math functions, measured on the C model.
SHARE ?= 4096
$(BUILD)/accuracy: $(BUILD)/fast/tests/accuracy/accuracy.o $(BUILD)/fast/tests/unit/math_accuracy.o $(COMMON) $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

.PHONY: accuracy
accuracy: $(BUILD)/accuracy ## largest error of each math function over one of every SHARE floats (SHARE=1: all of them)
	$(BUILD)/accuracy --share $(SHARE) $(if $(SEED),--seed $(SEED))

# The SystemC platform beside the plain path: CONFIG_SYSTEMC=small, ..
CONFIG_SYSTEMC ?= nano
$(BUILD)/systemc-bench: $(BUILD)/fast/tests/bench/systemc.o $(BUILD)/fast/tests/bench/sm_bench_device.o $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

.PHONY: bench-systemc
bench-systemc: $(BUILD)/systemc-bench ## speed of model, RTL and both in the SystemC platform beside the plain path, and of its link
	$(BUILD)/systemc-bench $(CONFIG_SYSTEMC)
