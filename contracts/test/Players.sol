// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Fogmate} from "../src/Fogmate.sol";
import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameKit} from "./GameTest.sol";

/// @dev Four players who do anything to any of their games, in time or not, entitled or not. It keeps its own books: what
/// an action may do is decided here from the rules, before the contract is asked.
contract Players is GameKit {
    uint256 private constant COUNT = 4;

    bytes32[] public games;
    /// By game and colour: the last commitment that was accepted.
    mapping(bytes32 game => uint256[2]) private _chain;
    mapping(bytes32 game => address) private _lastMover;
    mapping(bytes32 game => uint256) private _plies;
    uint256 public paidIn;
    uint256 public paidOut;
    /// What was tried and what succeeded, by action, so that a run that reaches nothing is noticed.
    uint256[9] public done;

    constructor(Fogmate under) {
        fogmate = under;
        for (uint256 i = 0; i < COUNT; ++i) {
            vm.deal(player(i), 1000 ether);
        }
    }

    function player(uint256 i) public pure returns (address) {
        return address(uint160(0xA000 + i % COUNT));
    }

    function gameCount() external view returns (uint256) {
        return games.length;
    }

    function chainOf(bytes32 id) external view returns (uint256[2] memory, uint256, address) {
        return (_chain[id], _plies[id], _lastMover[id]);
    }

    function someGame(uint256 seed) private view returns (bytes32) {
        return games.length == 0 ? bytes32(0) : games[seed % games.length];
    }

    // ---------------------------------------------------------------- actions

    function create(uint256 by, uint256 stake, uint32 base, uint32 delay, bool invites) external {
        // Few games, so that they get somewhere.
        if (games.length == 4) return;
        address sender = player(by);
        IFogmate.Terms memory t = IFogmate.Terms({
            stake: uint96(bound(stake, 0, 2 ether)),
            base: uint32(bound(base, 1, 3 days)),
            increment: delay % 30,
            delay: uint32(bound(delay, 0, 1 hours)),
            opponent: invites ? player(by % COUNT + 1) : address(0)
        });
        bytes32 expected = fogmate.nextGameId(sender);
        vm.prank(sender);
        bytes32 id = fogmate.create{value: t.stake}(t, commitment(R1, sender), creatorKey());
        assertEq(id, expected, "id");
        games.push(id);
        paidIn += t.stake;
        ++done[0];
    }

    /// Half the time the invited player, if there is one.
    function join(uint256 by, uint256 which, uint256 r2, bool rightly) external {
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        address invited = g.players[1].account;
        address sender = rightly && invited != address(0) ? invited : player(by);
        bool may =
            g.status == IFogmate.Status.Open && sender != g.creator && (invited == address(0) || invited == sender);
        vm.prank(sender);
        try fogmate.join{value: g.stake}(id, r2, joinerKey()) {
            assertTrue(may, "joined against the rules");
            paidIn += g.stake;
            ++done[1];
        } catch {
            assertTrue(!may, "join refused against the rules");
        }
    }

    function cancel(uint256 by, uint256 which, uint8 luck) external {
        // Rarely, or hardly a game would be joined.
        if (luck % 8 != 0) return;
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        bool may = g.status == IFogmate.Status.Open && g.creator == player(by);
        vm.prank(player(by));
        try fogmate.cancel(id) {
            assertTrue(may, "cancelled against the rules");
            ++done[2];
        } catch {
            assertTrue(!may, "cancel refused against the rules");
        }
    }

    function reveal(uint256 which) external {
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        bool may = g.status == IFogmate.Status.Toss && block.timestamp <= g.since + 1 hours;
        vm.prank(g.creator);
        try fogmate.reveal(id, R1) {
            assertTrue(may, "revealed against the rules");
            _chain[id] = [WHITE_START, BLACK_START];
            ++done[3];
        } catch {
            assertTrue(!may, "reveal refused against the rules");
        }
    }

    /// A few plies; mostly by the player to move, sometimes by anyone.
    function play(uint256 by, uint256 which, uint8 capture, uint8 luck) external {
        for (uint8 i = 0; i <= luck % 4; ++i) {
            _play(by, someGame(which), capture, luck ^ i);
        }
    }

    function _play(uint256 by, bytes32 id, uint8 capture, uint8 luck) private {
        IFogmate.Game memory g = fogmate.game(id);
        uint256 color = g.ply & 1;
        address sender = luck % 4 == 0 ? player(by) : g.players[color].account;
        bool may = g.status == IFogmate.Status.Playing && sender == g.players[color].account
            && block.timestamp <= g.since + g.delay + g.players[color].clock;
        IFogmate.Move memory m = next(id, luck % 3 == 0 ? capture % 64 : 64);
        m.offerDraw = luck % 5 == 0;
        m.kingFell = luck == 255;
        vm.prank(sender);
        try fogmate.move(id, m, new bytes(PROOF_LENGTH)) {
            assertTrue(may, "moved against the rules");
            assertTrue(_lastMover[id] != sender, "turns alternate");
            assertEq(g.ply, _plies[id], "plies come one by one");
            assertEq(g.players[color].commitment, _chain[id][color], "the chain before the ply");
            _chain[id][color] = m.nextCommitment;
            _lastMover[id] = sender;
            ++_plies[id];
            ++done[4];
        } catch {
            assertTrue(!may, "move refused against the rules");
        }
    }

    function resign(uint256 by, uint256 which, uint8 luck) external {
        // Rarely, or hardly a game would get far.
        if (luck % 8 != 0) return;
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        address sender = player(by);
        bool plays = sender == g.players[0].account || sender == g.players[1].account;
        vm.prank(sender);
        try fogmate.resign(id) {
            assertTrue(plays && g.status == IFogmate.Status.Playing, "resigned against the rules");
            ++done[5];
        } catch {
            assertTrue(!plays || g.status != IFogmate.Status.Playing, "resignation refused against the rules");
        }
    }

    function acceptDraw(uint256 which) external {
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        uint256 color = g.ply & 1;
        bool may = g.status == IFogmate.Status.Playing && g.drawOffered
            && block.timestamp <= g.since + g.delay + g.players[color].clock;
        vm.prank(g.players[color].account);
        try fogmate.acceptDraw(id) {
            assertTrue(may, "drawn against the rules");
            ++done[6];
        } catch {
            assertTrue(!may, "draw refused against the rules");
        }
    }

    function claimTimeout(uint256 by, uint256 which) external {
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        uint256 time = g.status == IFogmate.Status.Toss ? 1 hours : uint256(g.delay) + g.players[g.ply & 1].clock;
        bool may = (g.status == IFogmate.Status.Toss || g.status == IFogmate.Status.Playing)
            && block.timestamp > g.since + time;
        vm.prank(player(by));
        try fogmate.claimTimeout(id) {
            assertTrue(may, "flagged against the rules");
            ++done[7];
        } catch {
            assertTrue(!may, "timeout refused against the rules");
        }
    }

    function withdraw(uint256 by) external {
        address sender = player(by);
        uint256 owed = fogmate.withdrawable(sender);
        uint256 before = sender.balance;
        vm.prank(sender);
        try fogmate.withdraw() {
            assertEq(sender.balance, before + owed, "paid what was owed");
            paidOut += owed;
            ++done[8];
        } catch {
            assertEq(owed, 0, "payment refused");
        }
    }

    /// Mostly minutes, sometimes days.
    function wait(uint32 time, uint8 luck) external {
        vm.warp(block.timestamp + bound(time, 0, luck % 8 == 0 ? 2 days : 5 minutes));
    }
}
