// The old values that atomics bring back: tickets, each number once; a guarded part of the threads takes part.
// launch: grid 2 1 1 cta 48 1 1
// arg next global 4 zero
// arg seen global 384 zero
// arg cas global 8 zero
// expect next: 72
// expect seen: 1 x 72 0 x 24
// expect cas: 1 1
.kernel main
.arg global next
.arg global seen
.arg global cas
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    LDC.32 R4, c[0][68]
    MOV R5, 1
    AND R6, R0, 3
    ISETP.NE P0, R6, 0           // three of four
    @P0 ATOMG.ADD R7, [R3], R5
    SHL R7, R7, 2
    IADD R7, R7, R4
    @P0 ATOMG.ADD RZ, [R7], R5
    LDC.32 R3, c[0][72]
    IADD R3, R3, 400
    ATOMG.CAS R8, [R3 - 400], RZ, R5
    ISETP.EQ P1, R8, 0           // one thread finds 0
    @P1 ATOMG.ADD RZ, [R3 - 396], R5
    EXIT
