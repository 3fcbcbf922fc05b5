// A wide access to local memory, which is word by word.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault ILLEGAL_INSTRUCTION info 0x5FF007E5 pc 1
.kernel main
.local_bytes 64
.arg global out
    NOP
    .word 0x5FF007E5             // LDL.64 R0, [RZ]
    EXIT
