// A constant bank that the task does not have.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault CONSTANT_BOUNDS info 12 pc 0
.kernel main
.arg global out
    LDC.32 R0, c[1][12]
    EXIT
