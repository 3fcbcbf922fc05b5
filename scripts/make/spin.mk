# The protocols of PPU-owned work queues, adding to the ring and waiting for events, for the model checker spin.
.PHONY: spin
spin: ## check the protocols of PPU-owned work queues (spin)
	scripts/run-spin --work $(BUILD)/spin
