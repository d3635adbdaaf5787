// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IDiceGame} from "../src/interfaces/Contests.sol";
import {CommitReveal} from "../src/libraries/CommitReveal.sol";
import {HmacDrbg} from "../src/libraries/HmacDrbg.sol";
import {Toss} from "../src/libraries/Toss.sol";
import {Test} from "./Vm.sol";

/// @dev The dice against what others have computed: RFC 6979's outputs of the generator, and test/data/dice.json, which
/// contest/tests/reference.py makes and the Rust twin is tested with too.
contract DiceVectorsTest is Test {
    using HmacDrbg for HmacDrbg.State;

    string private constant DATA = "../test/data/dice.json";

    /// @dev The formula of the toss is the one of the dice, written out in both libraries.
    function testFuzz_the_coin_toss_commits_alike(address player, uint256 share) public pure {
        bytes32 found = CommitReveal.commitmentOf(keccak256("fogmate/toss/1"), player, share);
        assertEq(found, Toss.commitmentOf(player, share), "toss");
    }

    /// @dev RFC 6979, A.2.5: curve P-256 with SHA-256, whose first outputs are accepted.
    function test_outputs_are_those_of_rfc_6979_for_p_256() public pure {
        bytes32 key = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721;
        bytes32 first = HmacDrbg.instantiate(abi.encodePacked(key, sha256("sample"))).output();
        bytes32 second = HmacDrbg.instantiate(abi.encodePacked(key, sha256("test"))).output();
        assertEq(first, 0xA6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60, "sample");
        assertEq(second, 0xD16B6AE827F17175E040871A1C7EC3500192C4C92677336EC2537ACAEE0008E0, "test");
    }

    /// @dev RFC 6979, A.1.2: curve K-163 with SHA-256, whose third output is the first one below the order. Outputs have 168 bits,
    /// of which the last five are cut off.
    function test_the_third_request_is_that_of_rfc_6979_for_k_163() public pure {
        bytes memory key = hex"009A4D6792295A7F730FC3F2B49CBC0F62E862272F";
        bytes memory hash = hex"01795EDF0D54DB760F156D0DAC04C0322B3A204224";
        HmacDrbg.State memory drbg = HmacDrbg.instantiate(abi.encodePacked(key, hash));
        uint256 order = 0x0004000000000000000000020108A2E0CC0D99F8A5EF;
        for (uint256 i = 0; i < 2; ++i) {
            assertTrue(uint256(drbg.output()) >> 93 >= order, "refused");
            drbg.conclude();
        }
        assertEq(uint256(drbg.output()) >> 93, 0x00023AF4074C90A02B3FE61D286D5C87F425E6BDD81B, "third");
    }

    function test_rolls_are_the_references() public {
        IDiceGame dice = IDiceGame(create("DiceGame", ""));
        string memory data = vm.readFile(DATA);
        uint256[] memory seeds = vm.parseJsonUintArray(data, ".rolls.seeds");
        uint256[] memory games = vm.parseJsonUintArray(data, ".rolls.games");
        uint256[] memory rolls = vm.parseJsonUintArray(data, ".rolls.rolls");
        uint256[] memory first = vm.parseJsonUintArray(data, ".rolls.first");
        uint256[] memory second = vm.parseJsonUintArray(data, ".rolls.second");
        uint256[] memory taken = vm.parseJsonUintArray(data, ".rolls.bytes");
        uint256 most = 0;
        for (uint256 i = 0; i < seeds.length; ++i) {
            uint8[2] memory shown = dice.diceOf(seeds[i], bytes32(games[i]), uint64(rolls[i]));
            assertEq(shown[0], first[i], "first die");
            assertEq(shown[1], second[i], "second die");
            if (taken[i] > most) most = taken[i];
        }
        assertTrue(seeds.length == vm.parseJsonUint(data, ".rolls.count") && most == 4, "refused bytes are among them");
    }

    function test_a_whole_game_is_the_references() public {
        string memory data = vm.readFile(DATA);
        vm.chainId(vm.parseJsonUint(data, ".game.chain"));
        address contract_ = vm.parseJsonAddress(data, ".game.contract");
        vm.etch(contract_, create("DiceGame", "").code);
        IDiceGame dice = IDiceGame(contract_);
        address[2] memory players =
            [vm.parseJsonAddress(data, ".game.creator"), vm.parseJsonAddress(data, ".game.joiner")];
        uint256 stake = vm.parseJsonUint(data, ".game.stake");
        IDiceGame.Terms memory terms = IDiceGame.Terms(
            uint96(stake),
            uint24(vm.parseJsonUint(data, ".game.turn")),
            uint40(vm.parseJsonUint(data, ".game.expiry")),
            players[1]
        );
        vm.warp(terms.expiry);
        for (uint256 i = 0; i < 2; ++i) {
            vm.deal(players[i], stake);
        }
        uint256[] memory heads = vm.parseJsonUintArray(data, ".game.heads");
        uint256 nonce = vm.parseJsonUint(data, ".game.nonce");
        bytes32 promised = vm.parseJsonBytes32(data, ".game.createPromise");
        vm.prank(players[0]);
        bytes32 id = dice.create{value: stake}(nonce, terms, promised);
        assertEq(uint256(id), heads[0], "id");
        uint256 number = vm.parseJsonUint(data, ".game.joinNumber");
        promised = vm.parseJsonBytes32(data, ".game.joinPromise");
        vm.prank(players[1]);
        dice.join{value: stake}(id, number, promised);
        _rolls(dice, data, id, players, heads);
    }

    function _rolls(IDiceGame dice, string memory data, bytes32 id, address[2] memory players, uint256[] memory heads)
        private
    {
        uint256[] memory revealed = vm.parseJsonUintArray(data, ".game.revealed");
        uint256[] memory numbers = vm.parseJsonUintArray(data, ".game.numbers");
        uint256[] memory promises = vm.parseJsonUintArray(data, ".game.promises");
        uint256[] memory chosen = vm.parseJsonUintArray(data, ".game.chosen");
        uint256[] memory squares = vm.parseJsonUintArray(data, ".game.squares");
        uint256 count = vm.parseJsonUint(data, ".game.rolls");
        for (uint256 i = 0; i < count; ++i) {
            if (i + 2 < count) {
                bytes32 promise_ = dice.promiseOf(players[i % 2], uint64(i + 3), revealed[i + 2]);
                assertEq(uint256(promise_), promises[i], "promise");
            }
            vm.prank(players[i % 2]);
            dice.roll(id, bytes32(heads[i + 1]), revealed[i], numbers[i], bytes32(promises[i]), uint8(chosen[i]));
            IDiceGame.Game memory g = dice.game(id);
            assertEq(uint256(g.head), heads[i + 2], "head");
            assertEq(i % 2 == 0 ? g.creatorSquare : g.joinerSquare, squares[i], "square");
        }
        assertEq(dice.game(id).winner, players[(count - 1) % 2], "winner");
        assertEq(dice.withdrawable(players[(count - 1) % 2]), 2 ether, "stakes");
    }
}
