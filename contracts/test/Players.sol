// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

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
    uint256 public paidIn;
    uint256 public paidOut;
    /// What succeeded, by action, so that a run that reaches nothing is noticed.
    uint256[14] public done;

    constructor(IFogmate under) {
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
        return (_chain[id], _history[id].length, _lastMover[id]);
    }

    function someGame(uint256 seed) private view returns (bytes32) {
        return games.length == 0 ? bytes32(0) : games[seed % games.length];
    }

    function isPlayer(IFogmate.Game memory g, address who) private pure returns (bool) {
        return who == g.players[0].account || who == g.players[1].account;
    }

    /// @dev In play, and no deadline has passed.
    function undecided(bytes32 id) private view returns (bool) {
        if (fogmate.game(id).status != IFogmate.Status.Playing) return false;
        (,, uint256 deadline) = fogmate.clocks(id);
        return time() <= deadline;
    }

    // ---------------------------------------------------------------- the lobby

    function create(uint256 by, uint256 stake, uint32[3] calldata times, bool invites, uint8 mode) external {
        // Few games, so that they get somewhere.
        if (games.length == 4) return;
        address sender = player(by);
        IFogmate.Terms memory t = terms();
        // `terms` and the keys are those of this mode.
        _mode = modeOf(mode);
        bool proven = _mode != IFogmate.Mode.Unproven;
        t.mode = _mode;
        t.stake = proven ? uint96(bound(stake, 0, 2 ether)) : 0;
        t.base = uint32(bound(times[0], 300, 3 days));
        t.delay = uint32(bound(times[1], 0, 1 hours));
        t.increment = t.delay % 30;
        t.window = uint32(bound(times[2], 300, 1 days));
        t.expiry = uint40(time() + 2 days);
        if (invites) t.opponent = player(by % COUNT + 1);
        bytes32 toss = commitment(R1, sender);
        bytes32 expected = fogmate.gameIdOf(sender, games.length, t, toss, creatorKey());
        vm.prank(sender);
        bytes32 id = fogmate.create{value: t.stake}(games.length, t, toss, creatorKey());
        assertEq(id, expected, "id");
        games.push(id);
        paidIn += t.stake;
        ++done[0];
    }

    /// Half the time the invited player, if there is one.
    function join(uint256 by, uint256 which, bool rightly) external {
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        address invited = g.players[1].account;
        address sender = rightly && invited != address(0) ? invited : player(by);
        bool may = g.status == IFogmate.Status.Open && sender != g.creator
            && (invited == address(0) || invited == sender) && time() <= g.terms.expiry;
        // The keys are of this mode.
        _mode = g.terms.mode;
        IFogmate.Point memory key = joinerKey();
        vm.prank(sender);
        try fogmate.join{value: g.terms.stake}(id, commitment(5, sender), key) {
            assertTrue(may, "joined against the rules");
            paidIn += g.terms.stake;
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
        bool may = g.status == IFogmate.Status.Open && (g.creator == player(by) || time() > g.terms.expiry);
        vm.prank(player(by));
        try fogmate.cancel(id) {
            assertTrue(may, "cancelled against the rules");
            ++done[2];
        } catch {
            assertTrue(!may, "cancel refused against the rules");
        }
    }

    /// Whoever is to reveal does.
    function reveal(uint256 which) external {
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        bool first = g.status == IFogmate.Status.CreatorReveals;
        bool second = g.status == IFogmate.Status.JoinerReveals;
        bool may = (first && time() <= g.since + REVEAL) || (second && time() <= g.since + 2 * REVEAL);
        address joined_ = g.players[1].account;
        bool revealed;
        vm.prank(second ? joined_ : g.creator);
        if (second) {
            try fogmate.revealJoiner(id, 5) {
                revealed = true;
                _chain[id] = [WHITE_START, BLACK_START];
            } catch {}
        } else {
            try fogmate.revealCreator(id, R1, commitment(5, joined_)) {
                revealed = true;
            } catch {}
        }
        assertTrue(revealed == may, "revealed in time and only then");
        if (revealed) ++done[3];
    }

    // ---------------------------------------------------------------- the game

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
        IFogmate.Move memory m = next(id, luck % 3 == 0 ? capture % 64 : 64);
        m.offerDraw = luck % 5 == 0;
        m.kingFell = luck == 255;
        m = based(id, m);
        if (luck % 7 == 0) m.answerRoot = 0;
        bool may = undecided(id) && sender == g.players[color].account && (g.hold == IFogmate.Hold.None || m.kingFell);
        bool proven = g.terms.mode != IFogmate.Mode.Unproven;
        // Sometimes the other mode's proof.
        bool wrong = luck % 11 == 0;
        may = may && !wrong;
        vm.prank(sender);
        try fogmate.move(id, m, new bytes(proven != wrong ? PROOF_LENGTH : 0)) {
            assertTrue(may, "moved against the rules");
            assertTrue(_lastMover[id] != sender, "turns alternate");
            assertEq(g.ply, _history[id].length, "plies come one by one");
            assertEq(g.players[color].commitment, _chain[id][color], "the chain before the ply");
            _chain[id][color] = m.nextCommitment;
            _lastMover[id] = sender;
            _history[id].push(Ply(m.nextCommitment, m.nextRequestRoot, m.answerRoot, m.capture, 0));
            ++done[4];
        } catch {
            assertTrue(!may, "move refused against the rules");
        }
    }

    function resign(uint256 by, uint256 which, uint8 luck) external {
        // Rarely, or hardly a game would get far.
        if (luck % 8 != 0) return;
        bytes32 id = someGame(which);
        address sender = player(by);
        bool may = undecided(id) && isPlayer(fogmate.game(id), sender);
        vm.prank(sender);
        try fogmate.resign(id) {
            assertTrue(may, "resigned against the rules");
            ++done[5];
        } catch {
            assertTrue(!may, "resignation refused against the rules");
        }
    }

    function acceptDraw(uint256 which) external {
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        bool may = undecided(id) && g.drawOffered;
        vm.prank(g.players[g.ply & 1].account);
        try fogmate.acceptDraw(id, g.ply, g.players[(g.ply & 1) ^ 1].commitment) {
            assertTrue(may, "drawn against the rules");
            ++done[6];
        } catch {
            assertTrue(!may, "draw refused against the rules");
        }
    }

    function claimTimeout(uint256 by, uint256 which) external {
        bytes32 id = someGame(which);
        (,, uint256 deadline) = fogmate.clocks(id);
        bool may = deadline > 0 && time() > deadline;
        vm.prank(player(by));
        try fogmate.claimTimeout(id) {
            assertTrue(may, "flagged against the rules");
            ++done[7];
        } catch {
            assertTrue(!may, "timeout refused against the rules");
        }
    }

    // ---------------------------------------------------------------- disputes

    /// Mostly of who may.
    function demandSight(uint256 by, uint256 which, bool post, uint8 luck) external {
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        address sender = luck % 4 == 0 ? player(by) : g.players[luck & 1].account;
        uint256 color = sender == g.players[0].account ? 0 : 1;
        bool may = undecided(id) && isPlayer(g, sender) && g.terms.mode != IFogmate.Mode.Unproven;
        IFogmate.Player memory p = g.players[color];
        if (post) may = may && g.ply > color && !p.postDemanded && p.postDeadline == 0;
        else may = may && g.ply > 1 && g.ply & 1 == color && !g.preDemanded && g.hold == IFogmate.Hold.None;
        uint256 bond = fogmate.leastBond(false) + luck;
        vm.prank(sender);
        try fogmate.demandSight{value: bond}(id, IFogmate.Phase(post ? 1 : 0), points(1), proofOf(1)) {
            assertTrue(may, "demanded against the rules");
            paidIn += bond;
            ++done[8];
        } catch {
            assertTrue(!may, "demand refused against the rules");
        }
    }

    /// The hold, or the demand of a colour for its latest move but `back`; by who owes it.
    function answerSight(uint256 which, uint8 slot, uint8 back) external {
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        uint256 plies = _history[id].length;
        slot %= 3;
        IFogmate.Exchange memory e;
        uint256 deadline;
        if (slot == 0) {
            if (plies < 2) return;
            // A king's capture under a hold is a ply later than what was demanded.
            if (g.outcome == IFogmate.Outcome.KingCaptured) return;
            e = preExchange(id);
            deadline = g.holdBond > 0 ? g.holdDeadline : 0;
        } else {
            uint256 color = slot - 1;
            uint256 earlier = 2 * (back % 2);
            uint256 latest = plies > color ? ((plies - 1 - color) / 2) * 2 + color : 0;
            if (plies <= color || latest < earlier) return;
            e = postExchange(id, latest - earlier);
            deadline = g.players[color].postBond > 0 ? g.players[color].postDeadline : 0;
            if (earlier > 0 && g.players[color].postDemanded) return;
            if (earlier == 0 && !g.players[color].postDemanded && deadline > 0) return;
        }
        uint256 root = e.postedRoot != 0 ? e.postedRoot : 7;
        bool inPlay = undecided(id);
        vm.prank(g.players[e.receiver ^ 1].account);
        try fogmate.answerSight(id, e, root, elements(1), wideProof()) {
            assertTrue(time() <= deadline, "answered against the rules");
            if (slot == 0 && inPlay) _history[id][plies - 1].answerRoot = root;
            ++done[9];
        } catch (bytes memory why) {
            // An older demand than the last two is answered by nobody here.
            bool older = slot > 0 && bytes4(why) == IFogmate.NothingDemanded.selector;
            assertTrue(time() > deadline || older, "answer refused against the rules");
        }
    }

    function fillAnswer(uint256 which, uint256 root) external {
        bytes32 id = someGame(which);
        uint256 plies = _history[id].length;
        if (plies < 2) return;
        IFogmate.Game memory g = fogmate.game(id);
        root = bound(root, 1, 1 << 200);
        bool may = undecided(id) && g.hold == IFogmate.Hold.None && g.answerRoot == 0;
        uint256 ctx = g.status == IFogmate.Status.Playing ? preExchange(id).ctx : 0;
        vm.prank(g.players[(g.ply & 1) ^ 1].account);
        try fogmate.fillAnswer(id, ctx, root) {
            assertTrue(may, "filled against the rules");
            _history[id][plies - 1].answerRoot = root;
            ++done[10];
        } catch {
            assertTrue(!may, "fill refused against the rules");
        }
    }

    function reclaim(uint256 by, uint256 which, uint8 slot) external {
        bytes32 id = someGame(which);
        IFogmate.Game memory g = fogmate.game(id);
        slot %= 3;
        (uint256 bond, uint256 deadline) =
            slot == 0 ? (g.holdBond, g.holdDeadline) : (g.players[slot - 1].postBond, g.players[slot - 1].postDeadline);
        address owner = slot == 0 ? g.players[g.holdOwner].account : g.players[slot - 1].account;
        uint256 owed = fogmate.withdrawable(owner);
        bool may = g.status == IFogmate.Status.Over && bond > 0 && time() > deadline;
        vm.prank(player(by));
        try fogmate.reclaim(id, IFogmate.Slot(slot)) {
            assertTrue(may, "reclaimed against the rules");
            assertEq(fogmate.withdrawable(owner), owed + bond, "to its owner");
            ++done[11];
        } catch {
            assertTrue(!may, "bond kept against the rules");
        }
    }

    // ---------------------------------------------------------------- money and time

    function withdraw(uint256 by, uint256 to) external {
        address sender = player(by);
        address payable target = payable(player(to));
        uint256 owed = fogmate.withdrawable(sender);
        uint256 before = target.balance;
        vm.prank(sender);
        try fogmate.withdraw(target) {
            assertEq(target.balance, before + owed, "paid what was owed");
            paidOut += owed;
            ++done[12];
        } catch {
            assertEq(owed, 0, "payment refused");
        }
    }

    /// Mostly minutes, sometimes days; the base fee moves too.
    function wait(uint32 duration, uint8 luck) external {
        vm.warp(time() + bound(duration, 0, luck % 8 == 0 ? 2 days : 5 minutes));
        vm.fee(bound(luck, 0, 50) * 1 gwei);
        ++done[13];
    }
}
