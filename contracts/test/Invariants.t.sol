// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {AcceptAllVerifier} from "./AcceptAllVerifier.sol";
import {GameKit} from "./GameTest.sol";
import {Players} from "./Players.sol";

/// @dev What holds after any sequence of actions.
contract InvariantsTest is GameKit {
    Players private _players;

    function setUp() public {
        vm.warp(START);
        vm.fee(BASE_FEE);
        address all = address(new AcceptAllVerifier());
        fogmate = IFogmate(create("Fogmate", abi.encode(verifiersOf(all, all), prices())));
        _players = new Players(fogmate);
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_players);
    }

    function sumOwed() private view returns (uint256 owed) {
        for (uint256 i = 0; i < 4; ++i) {
            owed += fogmate.withdrawable(_players.player(i));
        }
    }

    /// @dev Every wei in the contract is owed to a player, is a stake of a game that lasts, or a bond that nobody has earned
    /// yet: none is trapped, and payouts never exceed what was paid in.
    function invariant_money_is_owed_staked_or_a_bond() external view {
        uint256 staked;
        for (uint256 i = 0; i < _players.gameCount(); ++i) {
            IFogmate.Game memory g = fogmate.game(_players.games(i));
            if (g.status == IFogmate.Status.Open) staked += g.terms.stake;
            else if (g.status != IFogmate.Status.Over) staked += 2 * g.terms.stake;
            staked += uint256(g.holdBond) + g.players[0].postBond + g.players[1].postBond;
        }
        assertEq(address(fogmate).balance, sumOwed() + staked, "balance");
        assertEq(address(fogmate).balance, _players.paidIn() - _players.paidOut(), "books");
    }

    /// @dev What the contract holds is exactly the last accepted link of each chain, and the mover alternates.
    function invariant_commitments_only_chain_forward() external view {
        for (uint256 i = 0; i < _players.gameCount(); ++i) {
            bytes32 id = _players.games(i);
            IFogmate.Game memory g = fogmate.game(id);
            (uint256[2] memory chain, uint256 plies, address lastMover) = _players.chainOf(id);
            assertEq(g.ply, plies, "ply");
            assertEq(g.players[0].commitment, chain[0], "white's chain");
            assertEq(g.players[1].commitment, chain[1], "black's chain");
            if (plies > 0) assertEq(g.players[(plies - 1) & 1].account, lastMover, "who moved last");
            assertTrue(g.quietPlies <= g.ply && g.pending <= 64, "counters");
            assertTrue(chain[0] < FIELD_ORDER && chain[1] < FIELD_ORDER, "field elements");
        }
    }

    /// @dev From every state reached: once time has passed, one action of somebody ends each game, and then everybody can
    /// take out all there is.
    function afterInvariant() external {
        uint256 state = vm.snapshotState();
        vm.warp(time() + 3650 days);
        for (uint256 i = 0; i < _players.gameCount(); ++i) {
            bytes32 id = _players.games(i);
            IFogmate.Game memory g = fogmate.game(id);
            if (g.status == IFogmate.Status.Open) fogmate.cancel(id);
            else if (g.status != IFogmate.Status.Over) fogmate.claimTimeout(id);
            g = fogmate.game(id);
            assertTrue(g.status == IFogmate.Status.Over && g.outcome != IFogmate.Outcome.None, "ended");
            if (g.holdBond > 0) fogmate.reclaim(id, IFogmate.Slot.Hold);
            if (g.players[0].postBond > 0) fogmate.reclaim(id, IFogmate.Slot.WhitePost);
            if (g.players[1].postBond > 0) fogmate.reclaim(id, IFogmate.Slot.BlackPost);
        }
        for (uint256 i = 0; i < 4; ++i) {
            address player = _players.player(i);
            if (fogmate.withdrawable(player) == 0) continue;
            vm.prank(player);
            fogmate.withdraw(payable(player));
        }
        assertEq(address(fogmate).balance, 0, "nothing is trapped");
        vm.revertToState(state);
    }

    /// @dev The actions do reach all of the contract: a plain walk through every one of them counts each once.
    function test_every_action_can_succeed() external {
        uint32[3] memory times = [uint32(600), 10, 60];
        for (uint256 i = 0; i < 4; ++i) {
            _players.create(0, 1 ether, times, false, 0);
            if (i == 0) {
                _players.cancel(0, i, 0);
                continue;
            }
            _players.join(1, i, true);
            if (i == 1) continue;
            _players.reveal(i);
            _players.reveal(i);
            _players.play(0, i, 0, i == 2 ? 2 : 23);
            if (i == 2) {
                // By whichever of the two is to move: the last one offers a draw.
                _players.play(0, i, 0, 20);
                _players.play(1, i, 0, 20);
                _players.demandSight(0, i, true, 1);
                _players.demandSight(0, i, true, 2);
                _players.acceptDraw(i);
                continue;
            }
            // Once more, without an answer.
            _players.play(0, i, 0, 28);
            _players.play(1, i, 0, 28);
            _players.fillAnswer(i, 5);
            for (uint8 k = 1; k < 3; ++k) {
                _players.demandSight(0, i, false, k);
                _players.demandSight(0, i, true, k);
            }
            _players.answerSight(i, 0, 0);
            _players.answerSight(i, 1, 0);
            for (uint256 by = 0; by < 2; ++by) {
                _players.resign(by, i, 0);
            }
        }
        _players.wait(1 days, 0);
        _players.claimTimeout(3, 1);
        for (uint256 i = 0; i < 4; ++i) {
            for (uint8 slot = 0; slot < 3; ++slot) {
                _players.reclaim(3, i, slot);
            }
        }
        _players.withdraw(0, 1);
        _players.withdraw(1, 0);
        for (uint256 i = 0; i < 14; ++i) {
            assertTrue(_players.done(i) > 0, string.concat("action ", vm.toString(i)));
        }
        assertEq(address(fogmate).balance, 0, "all paid out");
    }
}
