// A misaligned access to shared memory; that it is also out of bounds comes second.
// launch: grid 2 1 1 cta 16 1 1
// arg out global 256 zero
// fault MEMORY_ALIGNMENT info 132 pc 1
.kernel main
.shared_bytes 128
.arg global out
    LDS.64 R2, [RZ + 120]
    LDS.64 R2, [RZ + 132]
    EXIT
