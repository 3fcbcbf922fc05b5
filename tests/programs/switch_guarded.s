// A guarded indirect branch: threads whose guard does not hold go on behind it, the others split into three groups.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-7 TD-18
// arg out global 384 zero
// expect out: 5000 1101 1202 1303 5004 1105 1206 1307 5008 1109 1210 1311 5012 1113 1214 1315 5016 1117 1218 1319 5020 1121
// more: 1222 1323 5024 1125 1226 1327 5028 1129 1230 1331 5032 1133 1234 1335 5036 1137 1238 1339 5040 1141 1242 1343
// more: 5044 1145 1246 1347 5048 1149 1250 1351 5052 1153 1254 1355 5056 1157 1258 1359 5060 1161 1262 1363 5064 1165
// more: 1266 1367 5068 1169 1270 1371 5072 1173 1274 1375 5076 1177 1278 1379 5080 1181 1282 1383 5084 1185 1286 1387
// more: 5088 1189 1290 1391 5092 1193 1294 1395
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
    ISETP.NE P0, R5, 0
    SHL R5, R5, 1
    MOV R6, 0
    SSY end
    @P0 BRX R5, table
    IADD R6, R6, 5000
    SYNC
table:
    NOP
    NOP
    IADD R6, R6, 1100
    SYNC
    IADD R6, R6, 1200
    SYNC
    IADD R6, R6, 1300
    SYNC
end:
    BAR
    IADD R6, R6, R0
    STG.32 [R3], R6
    EXIT
