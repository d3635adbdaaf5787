// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameTest} from "./GameTest.sol";
import {Verdict} from "./ScriptedVerifier.sol";

/// @dev What is shared where the base fee isn't the price: it is 0, or data is dear.
contract BondsTest is GameTest {
    uint256 private constant ANSWER_BYTES = 29_348;
    uint256 private constant DEMAND_BYTES = 6_724;
    uint256 private constant RESPONSE_BYTES = 2_628;
    uint256 private constant ANSWER_GAS = 1_480_000;
    uint256 private constant DEMAND_GAS = 620_000;

    function deployed(uint96 leastPrice, uint96 dataPrice) private {
        IFogmate.Prices memory measured = IFogmate.Prices(430_000, leastPrice, dataPrice);
        fogmate = IFogmate(create("Fogmate", abi.encode(verifiersOf(address(_narrow), address(_wide)), measured)));
        assertEq(keccak256(abi.encode(fogmate.prices())), keccak256(abi.encode(measured)), "what it was made with");
    }

    /// @dev What an answer of the sight before White's third move earns Black, and that the rest of the bond goes back.
    function earned(uint256 bond) private returns (uint256 share) {
        bytes32 id = played(4);
        demand(id, IFogmate.Phase.Pre, creator, bond);
        answer(id, preExchange(id));
        share = fogmate.withdrawable(joiner);
        assertEq(fogmate.withdrawable(creator), bond - share, "the rest");
    }

    /// @dev Without a base fee a bond was nothing, and an answer earned nothing.
    function test_without_a_base_fee_the_least_price_counts() public {
        deployed(2 gwei, 0);
        vm.fee(0);
        assertEq(fogmate.leastBond(false), 4 * 430_000 * 2 gwei, "the least bond");
        assertEq(fogmate.leastBond(true), 4 * 460_000 * 2 gwei, "of a claim");
        assertEq(earned(4 * 430_000 * 2 gwei), 430_000 * 2 gwei, "a share");
    }

    function testFuzz_the_dearer_of_base_fee_and_least_price_counts(uint64 least, uint64 fee) public {
        deployed(least, 0);
        vm.fee(fee);
        uint256 price = least > fee ? least : fee;
        assertEq(fogmate.leastBond(false), 4 * 430_000 * price, "the least bond");
    }

    /// @dev On a rollup an answer's data cost more than its gas, and 4.4 times what a demand's cost.
    function testFuzz_each_pays_half_of_the_data_too(uint64 fee, uint64 dataPrice) public {
        fee = uint64(bound(fee, 1, 100 gwei));
        dataPrice = uint64(bound(dataPrice, 0, 1000 gwei));
        deployed(0, dataPrice);
        vm.fee(fee);
        vm.deal(creator, 1e6 ether);
        uint256 share = earned(fogmate.leastBond(false));
        uint256 answering = ANSWER_GAS * fee + ANSWER_BYTES * dataPrice - share;
        uint256 demanding = DEMAND_GAS * fee + DEMAND_BYTES * dataPrice + share;
        assertEq(answering, demanding, "each pays half");
    }

    /// @dev The lengths by which data are reckoned, with the lengths of the generated verifiers' proofs.
    function test_calldata_have_the_lengths_that_are_paid_for() public view {
        IFogmate.Exchange memory e;
        bytes memory answered = abi.encodeCall(IFogmate.answerSight, (0, e, 1, elements(1), new bytes(5472)));
        bytes memory demanded =
            abi.encodeCall(IFogmate.demandSight, (0, IFogmate.Phase.Pre, points(1), new bytes(2496)));
        bytes memory responded = abi.encodeCall(IFogmate.respondFifty, (0, true, new bytes(2496)));
        assertEq(answered.length, ANSWER_BYTES, "answerSight");
        assertEq(demanded.length, DEMAND_BYTES, "demandSight");
        assertEq(responded.length, RESPONSE_BYTES, "respondFifty");
        uint256 fifty = fogmate.leastBond(true);
        assertEq(fifty, 4 * 460_000 * BASE_FEE, "no price of data");
    }

    function test_a_response_is_paid_for_its_data() public {
        deployed(0, 1 gwei);
        assertEq(fogmate.leastBond(true), 4 * (460_000 * BASE_FEE + RESPONSE_BYTES * 1 gwei), "the least bond");
    }

    /// @dev Who sends too little is told so for little gas.
    function test_the_bond_is_looked_at_before_the_proof() public {
        bytes32 id = played(4);
        uint256 least = fogmate.leastBond(false);
        _narrow.say(REQUEST_DATA_KEY, Verdict.Refuse);
        vm.prank(creator);
        refused(IFogmate.SmallBond.selector, least);
        fogmate.demandSight{value: least - 1}(id, IFogmate.Phase.Pre, points(1), proofOf(1));
        skipHundred(id);
        least = fogmate.leastBond(true);
        _narrow.say(FIFTY_KEY, Verdict.Refuse);
        vm.prank(creator);
        refused(IFogmate.SmallBond.selector, least);
        fogmate.claimFifty{value: least - 1}(id, proofOf(1));
    }
}
