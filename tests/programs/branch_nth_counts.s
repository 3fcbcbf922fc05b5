// BRA.NTH that all active threads take yields at the 256th time: even threads go round until an odd one, which waits in the
// deque, has set the flag. Where it parts threads it is a plain branch: every second round half of them go the other way, 300
// times, and nobody yields by that.
// launch: grid 1 1 1 cta 32 1 1
// shows: TD-13 TD-17
// arg out global 128 zero
// arg flag global 4 zero
// expect out: (256 300) x 16
.kernel main
.arg global out
.arg global flag
    S2R R0, SR_TID_X
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
    IADD R6, R6, 1
    BRA.NTH round
set:
    AND R9, R0, 2
parted:
    SSY meet
    AND R10, R6, 1
    SHL R10, R10, 1
    ISETP.EQ P2, R10, R9
    @P2 BRA.NTH half             // half of the odd threads
    IADD R6, R6, 1
    SYNC meet
half:
    IADD R6, R6, 1
    SYNC meet
meet:
    ISETP.LT P3, R6, 300
    @P3 BRA parted
    MOV R8, 1
    STG.32 [R5], R8
end:
    STG.32 [R3], R6
    EXIT
