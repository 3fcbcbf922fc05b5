// Two loops with a YIELD each: the deque is never empty, so its tokens walk to the back bound again and again and are moved to the
// middle each time. Threads of odd number wait for a flag that the even ones set after 300 rounds.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-11 TD-15
// arg out global 384 zero
// arg flags global 8 zero
// expect out: (300 1) x 48
.kernel main
.arg global out
.arg global flags
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    LDC.32 R5, c[0][68]
    SHL R4, R1, 2
    IADD R5, R5, R4              // the CTA's flag
    MOV R6, 0
    AND R7, R0, 1
    ISETP.NE P0, R7, 0
    @P0 BRA wait
work:
    YIELD
    IADD R6, R6, 1
    ISETP.LT P1, R6, 300
    @P1 BRA work
    MOV R8, 1
    STG.32 [R5], R8
    BRA end
wait:
    YIELD
    LDG.32 R6, [R5]
    ISETP.EQ P1, R6, 0
    @P1 BRA wait
end:
    STG.32 [R3], R6
    EXIT
