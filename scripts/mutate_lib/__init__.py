"""Defects by rule: where a source can be changed, the changes in one text behind a selector, and the runs that must find them."""
