// Below its local memory: the offset has 32 bits without a sign.
// launch: grid 1 1 1 cta 48 1 1
// arg out global 256 zero
// fault LOCAL_BOUNDS info 0xFFFFFFFF pc 1
.kernel main
.local_bytes 16
.arg global out
    MOV R0, 3
    LDL.U8 R1, [R0 - 4]
    EXIT
