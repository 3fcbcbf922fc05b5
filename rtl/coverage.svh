// `COVER(name, expression): a state that tests must reach, counted by `make coverage` at each clock in which it holds. Stands in an
// always_ff block of a unit, like an assertion; nothing outside of coverage builds.
`ifndef COVERAGE_SVH
`define COVERAGE_SVH
`ifdef COVERAGE
`define COVER(name, expression) cover_``name: cover (expression);
`else
`define COVER(name, expression)
`endif
`endif
