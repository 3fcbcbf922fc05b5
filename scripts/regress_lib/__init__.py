"""Regressions: plans, jobs, their results, buckets of failures, history."""
