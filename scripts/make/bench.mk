# Speed: figures, never a test.
$(BUILD)/speed: $(BENCH_SRC:%.c=$(BUILD)/fast/%.o) $(filter-out %/equalize.o,$(DEMO_SRC:%.c=$(BUILD)/fast/%.o)) $(BUILD)/libcompiler_fast.a $(DEVICE_LIBS_fast)
	$(CXX) -o $@ -Wl,--start-group $^ -Wl,--end-group $(LLVM_LIBS) $(SYSTEM_LIBS)

bench: $(BUILD)/speed ## speeds of model and RTL, cost of the tandem check, cycles of the host interface
	$(BUILD)/speed $(PHOTO)
