# The manual: pictures and links.
.PHONY: lint-docs
lint: lint-docs
lint-docs: # pictures come from their texts, links lead somewhere
	scripts/pictures check
	scripts/check-links
