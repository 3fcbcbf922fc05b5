// A histogram in shared memory: many threads of several warps add to few words at once; lanes that a guard leaves out do not count.
// launch: grid 2 1 1 cta 64 1 1
// arg out global 64 zero
// expect out: 6 12 12 12 12 12 12 12 6 12 12 12 12 12 12 12
.kernel main
.shared_bytes 32
.arg global out
    S2R R0, SR_TID_X
    MOV R1, 0
    MOV R2, 1
    AND R3, R0, 7
    SHL R3, R3, 2
    ISETP.NE P0, R3, 0
    AND R4, R1, 1
again:
    AND R4, R1, 1
    ISETP.EQ P1, R4, 0
    @P0 ATOMS.ADD RZ, [R3], R2   // bins 1 to 7: each time
    PSETP.AND P2, P1, !P0
    @P2 ATOMS.ADD R5, [RZ], R2   // bin 0: every second time
    IADD R1, R1, 1
    ISETP.LT P3, R1, 12
    @P3 BRA again
    BAR
    ISETP.LT P0, R0, 8
    SHL R6, R0, 2
    @P0 LDS.32 R7, [R6]
    SHR R7, R7, 3
    S2R R1, SR_CTAID_X
    SHL R1, R1, 5
    LDC.32 R8, c[0][64]
    IADD R8, R8, R1
    IADD R8, R8, R6
    @P0 STG.32 [R8], R7
    EXIT
