// A bank that the task does not have, at an offset that is not aligned: the bank comes first.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault CONSTANT_BOUNDS info 2 pc 0
.kernel main
.arg global out
    LDC.32 R0, c[9][2]
    EXIT
