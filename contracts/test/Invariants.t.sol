// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Fogmate} from "../src/Fogmate.sol";
import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {AcceptAllVerifier} from "./AcceptAllVerifier.sol";
import {Players} from "./Players.sol";
import {Test} from "./Vm.sol";

/// @dev What holds after any sequence of actions.
contract InvariantsTest is Test {
    Fogmate private _fogmate;
    Players private _players;

    function setUp() public {
        vm.warp(1_800_000_000);
        address verifier = address(new AcceptAllVerifier());
        _fogmate = new Fogmate(verifier, verifier, 96);
        _players = new Players(_fogmate);
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_players);
    }

    function sumOwed() private view returns (uint256 owed) {
        for (uint256 i = 0; i < 4; ++i) {
            owed += _fogmate.withdrawable(_players.player(i));
        }
    }

    /// @dev Every wei in the contract is owed to a player or is a stake of a game that lasts: none is trapped, and payouts
    /// never exceed stakes.
    function invariant_money_is_owed_or_staked() external view {
        uint256 staked;
        for (uint256 i = 0; i < _players.gameCount(); ++i) {
            IFogmate.Game memory g = _fogmate.game(_players.games(i));
            if (g.status == IFogmate.Status.Open) staked += g.stake;
            if (g.status == IFogmate.Status.Toss || g.status == IFogmate.Status.Playing) staked += 2 * g.stake;
        }
        assertEq(address(_fogmate).balance, sumOwed() + staked, "balance");
        assertEq(address(_fogmate).balance, _players.paidIn() - _players.paidOut(), "books");
    }

    /// @dev What the contract holds is exactly the last accepted link of each chain, and the mover alternates.
    function invariant_commitments_only_chain_forward() external view {
        for (uint256 i = 0; i < _players.gameCount(); ++i) {
            bytes32 id = _players.games(i);
            IFogmate.Game memory g = _fogmate.game(id);
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
        vm.warp(block.timestamp + 3650 days);
        for (uint256 i = 0; i < _players.gameCount(); ++i) {
            bytes32 id = _players.games(i);
            IFogmate.Game memory g = _fogmate.game(id);
            if (g.status == IFogmate.Status.Open) {
                vm.prank(g.creator);
                _fogmate.cancel(id);
            } else if (g.status != IFogmate.Status.Over) {
                _fogmate.claimTimeout(id);
            }
            g = _fogmate.game(id);
            assertTrue(g.status == IFogmate.Status.Over && g.outcome != IFogmate.Outcome.None, "ended");
        }
        for (uint256 i = 0; i < 4; ++i) {
            if (_fogmate.withdrawable(_players.player(i)) == 0) continue;
            vm.prank(_players.player(i));
            _fogmate.withdraw();
        }
        assertEq(address(_fogmate).balance, 0, "nothing is trapped");
        vm.revertToState(state);
    }

    /// @dev The actions do reach all of the contract: a plain walk through every one of them counts each once.
    function test_every_action_can_succeed() external {
        uint256 id = 0;
        for (uint256 i = 0; i < 6; ++i) {
            _players.create(0, 1 ether, 600, 10, false);
            id = i;
            if (i == 0) {
                _players.cancel(0, id, 0);
                continue;
            }
            _players.join(1, id, i, true);
            if (i == 1) continue;
            _players.reveal(id);
            _players.play(0, id, 0, 20);
            if (i == 2) _players.acceptDraw(id);
            if (i == 3) _players.resign(0, id, 0);
            if (i == 4) _players.play(0, id, 9, 255);
        }
        _players.wait(1 days, 0);
        _players.claimTimeout(3, 1);
        _players.claimTimeout(3, 5);
        _players.withdraw(0);
        _players.withdraw(1);
        for (uint256 i = 0; i < 9; ++i) {
            assertTrue(_players.done(i) > 0, "every action");
        }
        assertEq(address(_fogmate).balance, 0, "all paid out");
    }
}
