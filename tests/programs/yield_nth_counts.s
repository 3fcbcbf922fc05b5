// YIELD.NTH 3 switches off at every third execution: even threads count how often they went round until an odd one, which
// waits in the deque, has set the flag.
// launch: grid 1 1 1 cta 32 1 1
// shows: TD-13
// arg out global 128 zero
// arg flag global 4 zero
// expect out: (2 0) x 16
.kernel main
.arg global out
.arg global flag
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    LDC.32 R5, c[0][68]
    MOV R6, 0
    AND R7, R0, 1
    ISETP.NE P0, R7, 0
    @P0 BRA set
round:
    LDG.32 R8, [R5]
    ISETP.NE P1, R8, 0
    @P1 BRA end
    YIELD.NTH 3
    IADD R6, R6, 1
    BRA round
set:
    MOV R8, 1
    STG.32 [R5], R8
    EXIT
end:
    ISUB R6, R6, 1               // rounds before the one that yielded
    STG.32 [R3], R6
    EXIT
