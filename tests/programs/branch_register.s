// Indirect branches on which all threads agree only change the program counter; with RZ the label alone counts.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-7
// arg out global 384 zero
// expect out: 111 x 96
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    MOV R5, 1
    MOV R6, 0
    BRX R5, one
one:
    IADD R6, R6, 1000            // left out
    IADD R6, R6, 1
    JMX R5, two
two:
    IADD R6, R6, 2000            // left out
    IADD R6, R6, 10
    BRX RZ, three
    IADD R6, R6, 4000            // left out
three:
    JMX RZ, four
    IADD R6, R6, 8000            // left out
four:
    IADD R6, R6, 100
    STG.32 [R3], R6
    EXIT
