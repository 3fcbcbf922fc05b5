// Threads leave the program in the arms of ifs and in a loop; the others go on.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-8 TD-10 TD-18
// arg out global 384 zero
// expect out: 100 101 11 0 104 105 11 0 108 109 11 0 112 113 11 0 116 117 11 0 120 121 11 0 124 125 11 0 128 129 11 0 132 133
// more: 11 0 136 137 11 0 222 x 2 11 0 222 x 2 11 0 222 x 2 11 0 222 x 2 11 0 222 x 2 11 0 222 x 2 11 0 222 x 2 11 0 222 x 2
// more: 11 0 222 x 2 11 0 222 x 2 11 0 222 x 2 11 0 222 x 2 11 0 222 x 2 11 0 222 x 2 11 0
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    AND R5, R0, 3
    ISETP.EQ P0, R5, 3
    @P0 EXIT
    SSY join
    ISETP.EQ P1, R5, 2
    @!P1 SYNC
    MOV R6, 11
    STG.32 [R3], R6
    EXIT
join:
    MOV R7, 0
    PBRK done
loop:
    ISETP.GE P2, R0, 40
    SSY go
    @!P2 SYNC
    MOV R6, 222
    STG.32 [R3], R6
    EXIT
go:
    IADD R7, R7, 1
    ISETP.GT P3, R7, R5
    @P3 BRK
    BRA loop
done:
    IADD R6, R0, 100
    STG.32 [R3], R6
    EXIT
