// A misaligned access to local memory; that it is also out of bounds comes second.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault MEMORY_ALIGNMENT info 34 pc 1
.kernel main
.local_bytes 32
.arg global out
    LDL.U16 R2, [RZ + 30]
    LDL.32 R2, [RZ + 34]
    EXIT
