# Speed: figures, never a test.
$(BUILD)/speed: $(BENCH_SRC:%.c=$(BUILD)/fast/%.o) $(filter-out %/equalize.o,$(DEMO_SRC:%.c=$(BUILD)/fast/%.o)) $(BUILD)/libcompiler_fast.a $(DEVICE_LIBS_fast)
	$(CXX) -o $@ -Wl,--start-group $^ -Wl,--end-group $(LLVM_LIBS) $(SYSTEM_LIBS)

$(BUILD)/nested: $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard tests/nested/*.c)) $(BUILD)/libcompiler_fast.a $(DEVICE_LIBS_fast)
	$(CXX) -o $@ -Wl,--start-group $^ -Wl,--end-group $(LLVM_LIBS) $(SYSTEM_LIBS)

bench: $(BUILD)/speed $(BUILD)/nested ## speeds of model and RTL, cost of the tandem check, cycles of the host interface
	$(BUILD)/speed $(PHOTO)
	for config in $(CONFIGS); do $(BUILD)/nested cost --device rtl:$$config || exit 1; done

# Errors of the math functions, measured on the C model.
SHARE ?= 4096
$(BUILD)/accuracy: $(BUILD)/fast/tests/accuracy/accuracy.o $(BUILD)/fast/tests/unit/math_accuracy.o $(BUILD)/libcompiler_fast.a $(DEVICE_LIBS_fast)
	$(CXX) -o $@ -Wl,--start-group $^ -Wl,--end-group $(LLVM_LIBS) $(SYSTEM_LIBS)

.PHONY: accuracy
accuracy: $(BUILD)/accuracy ## largest error of each math function over one of every SHARE floats (SHARE=1: all of them)
	$(BUILD)/accuracy --share $(SHARE) $(if $(SEED),--seed $(SEED))
