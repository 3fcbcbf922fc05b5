// One thread of many reaches past its local memory; what the others have begun to store stays.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault LOCAL_BOUNDS info 64 pc 5
.kernel main
.local_bytes 64
.arg global out
    S2R R0, SR_TID_X
    ISETP.EQ P0, R0, 5
    AND R1, R0, 15
    @P0 MOV R1, 16
    SHL R1, R1, 2
    STL.32 [R1], R0
    EXIT
