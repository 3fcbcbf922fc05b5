// Below the beginning: addresses do not wrap into the memory.
// launch: grid 2 1 1 cta 16 1 1
// arg out global 256 zero
// fault SHARED_BOUNDS info -4 pc 0
.kernel main
.shared_bytes 128
.arg global out
    LDS.32 R4, [RZ - 4]
    EXIT
