// A load past the end of constant buffer 0.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault CONSTANT_BOUNDS info 68 pc 0
.kernel main
.arg global out
    LDC.32 R0, c[0][68]
    EXIT
