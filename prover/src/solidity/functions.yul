// The verdict "false".
function refuse() {
    mstore(0, 0)
    return(0, 0x20)
}

// No verdict.
function fail() {
    revert(0, 0)
}

// Whether all words of a part of the calldata are below r.
function inField(from, end) -> ok {
    let r := R
    ok := 1
    for { let four := sub(end, 0x60) } lt(from, four) { from := add(from, 0x80) } {
        let low := and(lt(calldataload(from), r), lt(calldataload(add(from, 0x20)), r))
        let high := and(lt(calldataload(add(from, 0x40)), r), lt(calldataload(add(from, 0x60)), r))
        ok := and(ok, and(low, high))
    }
    for {} lt(from, end) { from := add(from, 0x20) } { ok := and(ok, lt(calldataload(from), r)) }
}

// Whether all pairs of words of a part of the calldata are points of y² = x³ + 3 with both coordinates below p. Infinity is none.
function onCurve(from, end) -> ok {
    let p := P
    ok := 1
    for {} lt(from, end) { from := add(from, 0x40) } {
        let x := calldataload(from)
        let y := calldataload(add(from, 0x20))
        let equal := eq(mulmod(y, y, p), addmod(mulmod(mulmod(x, x, p), x, p), 3, p))
        ok := and(ok, and(equal, and(lt(x, p), lt(y, p))))
    }
}

// The next challenge's hash where nothing was absorbed since the last one.
function hashAgain(hash) -> next {
    mstore(0, hash)
    mstore8(0x20, 1)
    next := keccak256(0, 0x21)
}

// 1/x modulo r, as x to the power r − 2.
function inverse(x) -> y {
    mstore(0, 0x20)
    mstore(0x20, 0x20)
    mstore(0x40, 0x20)
    mstore(0x60, x)
    mstore(0x80, sub(R, 2))
    mstore(0xa0, R)
    if iszero(staticcall(gas(), 5, 0, 0xc0, 0, 0x20)) { fail() }
    y := mload(0)
}

// Adds a multiple of a point to the sum at 0.
function accumulate(point, scalar) {
    mcopy(0x40, point, 0x40)
    mstore(0x80, scalar)
    // The second operand is evaluated first: the multiplication, then the addition.
    if iszero(and(staticcall(gas(), 6, 0, 0x80, 0, 0x40), staticcall(gas(), 7, 0x40, 0x60, 0x40, 0x40))) { fail() }
}

// Folds a lookup's constraints into `all`. Its running product, its value in the next row, its permuted input, that one in the row
// before, and its permuted table stand at `at`.
function lookup(all, input, table, at) -> folded {
    let r := R
    let product := mload(at)
    let permutedInput := mload(add(at, 0x40))
    let permutedTable := mload(add(at, 0x80))
    // The product starts at 1 and ends at 0 or 1.
    folded := addmod(mulmod(all, mload(ALPHA), r), mulmod(mload(L_FIRST), addmod(1, sub(r, product), r), r), r)
    folded := addmod(
        mulmod(folded, mload(ALPHA), r),
        mulmod(mload(L_LAST), mulmod(product, addmod(product, sub(r, 1), r), r), r),
        r
    )
    // Each step multiplies by (input + β)(table + γ) and divides by the same of the permuted columns.
    input := mulmod(addmod(input, mload(BETA), r), addmod(table, mload(GAMMA), r), r)
    table := mulmod(addmod(permutedInput, mload(BETA), r), addmod(permutedTable, mload(GAMMA), r), r)
    table := addmod(mulmod(mload(add(at, 0x20)), table, r), sub(r, mulmod(product, input, r)), r)
    folded := addmod(mulmod(folded, mload(ALPHA), r), mulmod(mload(L_ACTIVE), table, r), r)
    // The permuted input is the permuted table's value or the one before.
    table := addmod(permutedInput, sub(r, permutedTable), r)
    folded := addmod(mulmod(folded, mload(ALPHA), r), mulmod(mload(L_FIRST), table, r), r)
    input := addmod(permutedInput, sub(r, mload(add(at, 0x60))), r)
    folded := addmod(mulmod(folded, mload(ALPHA), r), mulmod(mload(L_ACTIVE), mulmod(table, input, r), r), r)
}
