// Sixteen places at which threads of a warp yield, each place by an even thread first: far more yield tokens than a multiprocessor keeps at
// the back. The odd threads come later and join them, those that stand in memory too.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-11 TD-21
// arg out global 384 zero
// expect out: 3 1103 2003 3103 4003 5103 6003 7103 8003 9103 10003 11103 12003 13103 14003 15103 16003 17103 18003
// more: 19103 20003 21103 22003 23103 24003 25103 26003 27103 28003 29103 30003 31103 32003 33103 34003 35103 36003
// more: 37103 38003 39103 40003 41103 42003 43103 44003 45103 46003 47103 3 1103 2003 3103 4003 5103 6003 7103 8003
// more: 9103 10003 11103 12003 13103 14003 15103 16003 17103 18003 19103 20003 21103 22003 23103 24003 25103 26003
// more: 27103 28003 29103 30003 31103 32003 33103 34003 35103 36003 37103 38003 39103 40003 41103 42003 43103 44003
// more: 45103 46003 47103
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R4, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R4, 2
    IADD R3, R3, R4              // &out[thread]
    AND R5, R0, 30               // a place has two instructions, and two threads
    MOV R7, 1000
    IMAD R6, R0, R7, RZ
    MOV R9, 0
    AND R8, R0, 1
    ISETP.NE P0, R8, 0
    @P0 BRA odd
    JMX R5, places
odd:
    IADD R6, R6, 100
    JMX R5, places
places:
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
    YIELD
    BRA out
out:
    IADD R6, R6, 1
    IADD R9, R9, 1
    ISETP.LT P1, R9, 3
    @P1 JMX R5, places
    STG.32 [R3], R6
    EXIT
