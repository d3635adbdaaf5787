// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {Test} from "./Vm.sol";
import {Chain, rightProof} from "./Truth.sol";

/// @dev The rules of protocol section 8, written down a second time and otherwise than in the contract: the whole history of
/// a game is kept, and snapshots, deadlines and flags are read off it. Each function says whether an action is allowed now,
/// and if so does it to the books. Nothing here asks the contract.
abstract contract Rules is Test {
    uint256 internal constant ORDER = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001;
    uint256 internal constant WHITE_START = 0x1c64b212d0b24392035c2b688153d6aa522a539ed18c726d3a4baa31509b1658;
    uint256 internal constant BLACK_START = 0x2da8d0dc476ba0d178e41fd406327a5157c3af3b8a99bdfff017932f48c8163e;
    /// Gas that an answer, and a response, is paid for; and by how much the bond must exceed it.
    uint256 internal constant SHARE = 430_000;
    uint256 internal constant RESPOND = 460_000;
    uint256 internal constant RISE = 4;
    address internal constant TURN = address(0x7EA1);
    address internal constant REQUEST_DATA = address(0x7EA2);
    address internal constant FIFTY = address(0x7EA3);
    address internal constant NO_MOVE = address(0x7EA4);
    address internal constant ANSWER = address(0x7EA5);

    struct Made {
        uint256 commitment;
        uint256 request;
        uint8 capture;
    }

    /// @dev A demand or a claim.
    struct Window {
        /// Until it is answered in time, for good if it never is.
        bool open;
        /// Its bond has been shared out.
        bool settled;
        uint256 last;
        uint256 bond;
        uint256 owner;
        bytes32 what;
    }

    struct Book {
        IFogmate.Status status;
        IFogmate.Outcome outcome;
        IFogmate.Terms terms;
        address winner;
        // By role: the creator, the joiner.
        address[2] account;
        bytes32[2] toss;
        IFogmate.Point[2] key;
        bool[2] viewed;
        uint256 tossShare;
        bool started;
        uint256 white;
        Made[] plies;
        uint256 relied;
        bool offer;
        uint256 quiet;
        // By colour; before the toss by role.
        uint256[2] clock;
        uint256[2] claimsFrom;
        uint256 since;
        IFogmate.Hold hold;
        // The hold, White's demand, Black's.
        Window[3] windows;
        // One more than the ply before which, and after which by colour, a sight was demanded last.
        uint256 preDemanded;
        uint256[2] postDemanded;
    }

    address internal _game;
    Chain internal _chain = new Chain();
    mapping(bytes32 gameId => Book) private _books;
    mapping(address => uint256) internal _owed;

    function timeNow() internal view returns (uint256) {
        return _chain.time();
    }

    function feeNow() internal view returns (uint256) {
        return _chain.fee();
    }

    function book(bytes32 id) internal view returns (Book storage) {
        return _books[id];
    }

    // ---------------------------------------------------------------- the lobby

    function ruleCreate(
        address by,
        uint256 value,
        uint256 nonce,
        IFogmate.Terms memory t,
        bytes32 toss,
        IFogmate.Point memory key
    ) internal returns (bool) {
        if (value != t.stake || t.opponent == by || t.mode == IFogmate.Mode.Retired) return false;
        bool proven = t.mode != IFogmate.Mode.Unproven;
        if (proven ? !_onCurve(key) : t.stake > 0 || key.y == 0) return false;
        if (t.base > 30 days || t.increment > 30 days || t.delay > 30 days || t.base + t.delay == 0) return false;
        if (t.window == 0 || t.window > 30 days || t.reveal == 0 || t.reveal > 30 days) return false;
        if (t.stake > 0 && (t.base + t.delay < 300 || t.window < 300 || t.reveal < 300)) return false;
        if (t.expiry < timeNow()) return false;
        Book storage b = _books[keccak256(abi.encode(block.chainid, _game, by, nonce, t, toss, key))];
        if (b.status != IFogmate.Status.None) return false;
        b.status = IFogmate.Status.Open;
        b.terms = t;
        (b.account[0], b.account[1]) = (by, t.opponent);
        b.toss[0] = toss;
        b.key[0] = key;
        (b.clock[0], b.clock[1]) = (t.base, t.base);
        return true;
    }

    function ruleCancel(bytes32 id, address by) internal returns (bool) {
        Book storage b = _books[id];
        if (b.status != IFogmate.Status.Open) return false;
        if (by != b.account[0] && timeNow() <= b.terms.expiry) return false;
        b.status = IFogmate.Status.Over;
        b.outcome = IFogmate.Outcome.Cancelled;
        b.account[1] = address(0);
        _owed[b.account[0]] += b.terms.stake;
        return true;
    }

    function ruleJoin(bytes32 id, address by, uint256 value, bytes32 toss, IFogmate.Point memory key)
        internal
        returns (bool)
    {
        Book storage b = _books[id];
        if (b.status != IFogmate.Status.Open || timeNow() > b.terms.expiry || by == b.account[0]) return false;
        if (b.account[1] != address(0) && by != b.account[1]) return false;
        bool proven = b.terms.mode != IFogmate.Mode.Unproven;
        if (value != b.terms.stake || !(proven ? _onCurve(key) : key.y == b.key[0].y)) return false;
        if (keccak256(abi.encode(key)) == keccak256(abi.encode(b.key[0]))) return false;
        b.account[1] = by;
        b.toss[1] = toss;
        b.key[1] = key;
        b.since = timeNow();
        b.status = IFogmate.Status.CreatorReveals;
        return true;
    }

    function ruleRevealCreator(bytes32 id, address by, uint256 share, bytes32 joinerToss) internal returns (bool) {
        Book storage b = _books[id];
        if (b.status != IFogmate.Status.CreatorReveals || by != b.account[0]) return false;
        if (timeNow() > b.since + b.terms.reveal || !_opens(b.toss[0], by, share)) return false;
        if (joinerToss != b.toss[1]) return false;
        b.tossShare = share;
        b.status = IFogmate.Status.JoinerReveals;
        return true;
    }

    function ruleRevealJoiner(bytes32 id, address by, uint256 share) internal returns (bool) {
        Book storage b = _books[id];
        if (b.status != IFogmate.Status.JoinerReveals || by != b.account[1]) return false;
        if (timeNow() > b.since + 2 * uint256(b.terms.reveal) || !_opens(b.toss[1], by, share)) return false;
        b.white = uint256(keccak256(abi.encode(b.tossShare, share, id))) % 2;
        b.tossShare = 0;
        _restart(b);
        b.status = IFogmate.Status.Playing;
        b.started = true;
        return true;
    }

    // ---------------------------------------------------------------- plies

    function ruleMove(bytes32 id, address by, IFogmate.Move memory m, bytes memory proof) internal returns (bool) {
        Book storage b = _books[id];
        if (!_lasts(b) || m.ply != b.plies.length || by != _toMove(b)) return false;
        if (b.hold != IFogmate.Hold.None && !m.kingFell) return false;
        if (m.capture > 64 || m.basis != basisOf(id, m)) return false;
        if (m.ply == 0 ? m.answerRoot != 0 : m.answerRoot >= ORDER) return false;
        bool proven = b.terms.mode != IFogmate.Mode.Unproven;
        if (m.nextCommitment >= ORDER || m.nextRequestRoot >= ORDER || proof.length != (proven ? 32 : 0)) return false;
        bool last = m.kingFell || m.ply + 1 == type(uint16).max;
        if (proven && !_right(TURN, turnInputs(id, m), 13, proof)) return false;

        _moveClock(b);
        if (m.ply > 0) b.relied = m.answerRoot;
        b.plies.push(Made(m.nextCommitment, m.nextRequestRoot, m.capture));
        b.quiet = m.capture == 64 ? b.quiet + 1 : 0;
        b.offer = m.offerDraw;
        if (m.kingFell) _finish(b, by, IFogmate.Outcome.KingCaptured);
        else if (last) _finish(b, address(0), IFogmate.Outcome.TooLong);
        return true;
    }

    function _moveClock(Book storage b) private {
        uint256 c = b.plies.length % 2;
        uint256 time = timeLeft(b) + b.terms.increment;
        b.clock[c] = time < type(uint32).max ? time : type(uint32).max;
        _restart(b);
    }

    function ruleResign(bytes32 id, address by) internal returns (bool) {
        Book storage b = _books[id];
        if (!_lasts(b) || !_plays(b, by)) return false;
        _finish(b, by == b.account[0] ? b.account[1] : b.account[0], IFogmate.Outcome.Resigned);
        return true;
    }

    function ruleAcceptDraw(bytes32 id, address by, uint256 ply, uint256 commitment) internal returns (bool) {
        Book storage b = _books[id];
        if (!_lasts(b) || by != _toMove(b) || ply != b.plies.length || !b.offer) return false;
        if (commitment != commitmentBefore(b, (ply + 1) % 2, ply)) return false;
        _finish(b, address(0), IFogmate.Outcome.DrawAgreed);
        return true;
    }

    function ruleClaimTimeout(bytes32 id) internal returns (bool) {
        Book storage b = _books[id];
        if (b.status == IFogmate.Status.None || b.status == IFogmate.Status.Open || b.status == IFogmate.Status.Over) {
            return false;
        }
        (uint256 last, address winner, IFogmate.Outcome outcome) = verdict(b);
        if (timeNow() <= last) return false;
        _finish(b, winner, outcome);
        return true;
    }

    function rulePublish(bytes32 id, address by) internal returns (bool) {
        Book storage b = _books[id];
        if (b.status != IFogmate.Status.Over || !_plays(b, by)) return false;
        b.viewed[by == b.account[0] ? 0 : 1] = true;
        return true;
    }

    // ---------------------------------------------------------------- disputes

    function ruleDemand(
        bytes32 id,
        address by,
        IFogmate.Phase phase,
        uint256[128] memory points,
        bytes memory proof,
        uint256 value
    ) internal returns (bool) {
        Book storage b = _books[id];
        if (!_lasts(b) || !_plays(b, by) || b.terms.mode == IFogmate.Mode.Unproven) return false;
        uint256 c = colorOf(b, by);
        bool pre = phase == IFogmate.Phase.Pre;
        if (!mayDemand(b, c, pre)) return false;
        IFogmate.Exchange memory e = pre ? preExchange(id) : postExchange(id, c);
        if (value < RISE * SHARE * feeNow() || proof.length != 32) return false;
        (bool inField, uint256 z, uint256 y) = bindingOf(e.requestRoot, abi.encodePacked(points));
        if (!inField || !_right(REQUEST_DATA, words(e.requestRoot, z, y), 13, proof)) return false;

        if (pre) {
            _stop(b, IFogmate.Hold.Sight);
            b.preDemanded = b.plies.length + 1;
        } else {
            b.postDemanded[c] = uint256(e.ply) + 1;
        }
        uint256 last = timeNow() + b.terms.window;
        b.windows[pre ? 0 : 1 + c] = Window(true, false, last, value, c, keccak256(abi.encode(e)));
        return true;
    }

    function mayDemand(Book storage b, uint256 c, bool pre) internal view returns (bool) {
        uint256 n = b.plies.length;
        if (pre) return n >= 2 && n % 2 == c && b.hold == IFogmate.Hold.None && b.preDemanded != n + 1;
        return n > c && !b.windows[1 + c].open && b.postDemanded[c] != latest(b, c) + 1;
    }

    function ruleAnswer(
        bytes32 id,
        address by,
        IFogmate.Exchange memory e,
        uint256 root,
        uint256[733] memory elements,
        bytes memory proof
    ) internal returns (bool) {
        Book storage b = _books[id];
        if (b.status != IFogmate.Status.Playing && b.status != IFogmate.Status.Over) return false;
        Window storage w = b.windows[e.phase == IFogmate.Phase.Pre ? 0 : 1 + e.receiver % 2];
        if (!w.open || w.settled || w.what != keccak256(abi.encode(e)) || timeNow() > w.last) return false;
        if (by != accountOf(b, 1 - e.receiver) || proof.length != 32 || root >= ORDER) return false;
        if (e.postedRoot != 0 && e.postedRoot != root) return false;
        (bool inField, uint256 z, uint256 y) = bindingOf(root, abi.encodePacked(elements));
        if (!inField || !_right(ANSWER, answerInputs(b, e, root, z, y), 12, proof)) return false;

        _share(b, w, SHARE);
        if (!_lasts(b)) return true;
        w.open = false;
        if (e.phase == IFogmate.Phase.Pre) {
            b.relied = root;
            b.hold = IFogmate.Hold.None;
            _restart(b);
        }
        return true;
    }

    function ruleFill(bytes32 id, address by, uint256 ctx, uint256 root) internal returns (bool) {
        Book storage b = _books[id];
        if (!_lasts(b) || by == _toMove(b) || !_plays(b, by) || b.plies.length < 2) return false;
        if (b.hold != IFogmate.Hold.None || b.relied != 0 || root == 0 || root >= ORDER) return false;
        if (ctx != preExchange(id).ctx) return false;
        b.relied = root;
        return true;
    }

    function ruleReclaim(bytes32 id, uint256 slot) internal returns (bool) {
        Book storage b = _books[id];
        Window storage w = b.windows[slot];
        if (b.status != IFogmate.Status.Over || timeNow() <= w.last || w.settled || w.bond == 0) return false;
        _owed[accountOf(b, w.owner)] += w.bond;
        (w.bond, w.settled) = (0, true);
        return true;
    }

    // ---------------------------------------------------------------- claims

    function ruleClaimFifty(bytes32 id, address by, bytes memory proof, uint256 value) internal returns (bool) {
        Book storage b = _books[id];
        if (!_lasts(b) || by != _toMove(b) || b.hold != IFogmate.Hold.None) return false;
        if (b.terms.mode == IFogmate.Mode.Unproven) return false;
        uint256 n = b.plies.length;
        if (b.quiet < 100 || n < b.claimsFrom[n % 2] || value < RISE * RESPOND * feeNow()) return false;
        if (!_right(FIFTY, words(commitmentBefore(b, n % 2, n), 1), 13, proof)) return false;
        _stop(b, IFogmate.Hold.FiftyMoves);
        b.windows[0] = Window(true, false, timeNow() + b.terms.window, value, n % 2, 0);
        return true;
    }

    function ruleRespondFifty(bytes32 id, address by, bool fifty, bytes memory proof) internal returns (bool) {
        Book storage b = _books[id];
        if (!_lasts(b) || b.hold != IFogmate.Hold.FiftyMoves || !_plays(b, by) || by == _toMove(b)) return false;
        uint256 n = b.plies.length;
        if (!_right(FIFTY, words(commitmentBefore(b, (n + 1) % 2, n), fifty ? 1 : 0), 13, proof)) return false;
        _share(b, b.windows[0], fifty ? 0 : RESPOND);
        b.windows[0].open = false;
        b.hold = IFogmate.Hold.None;
        _restart(b);
        if (fifty) _finish(b, address(0), IFogmate.Outcome.FiftyMoves);
        else b.claimsFrom[n % 2] = n + 20 < type(uint16).max ? n + 20 : type(uint16).max;
        return true;
    }

    function ruleNoMove(bytes32 id, address by, bytes memory proof) internal returns (bool) {
        Book storage b = _books[id];
        if (!_lasts(b) || by != _toMove(b) || b.hold != IFogmate.Hold.None || b.plies.length < 2) return false;
        if (b.terms.mode == IFogmate.Mode.Unproven || !_right(NO_MOVE, noMoveInputs(id), 13, proof)) return false;
        _finish(b, address(0), IFogmate.Outcome.NoMove);
        return true;
    }

    // ---------------------------------------------------------------- time

    /// @dev What the earliest deadline is and decides.
    function verdict(Book storage b) internal view returns (uint256 last, address winner, IFogmate.Outcome outcome) {
        if (b.status == IFogmate.Status.CreatorReveals) {
            return (b.since + b.terms.reveal, address(0), IFogmate.Outcome.Unrevealed);
        }
        if (b.status == IFogmate.Status.JoinerReveals) {
            return (b.since + 2 * uint256(b.terms.reveal), b.account[0], IFogmate.Outcome.Unrevealed);
        }
        uint256 c = b.plies.length % 2;
        last = type(uint256).max;
        if (b.hold == IFogmate.Hold.Sight) {
            (last, winner, outcome) = (b.windows[0].last, accountOf(b, c), IFogmate.Outcome.Unanswered);
        }
        if (b.hold == IFogmate.Hold.FiftyMoves) (last, outcome) = (b.windows[0].last, IFogmate.Outcome.FiftyMoves);
        for (uint256 i = 0; i < 2; ++i) {
            if (!b.windows[1 + i].open || b.windows[1 + i].last >= last) continue;
            (last, winner, outcome) = (b.windows[1 + i].last, accountOf(b, i), IFogmate.Outcome.Unanswered);
        }
        uint256 flag = b.since + b.terms.delay + b.clock[c];
        if (b.hold == IFogmate.Hold.None && flag < last) {
            (last, winner, outcome) = (flag, accountOf(b, 1 - c), IFogmate.Outcome.TimedOut);
        }
    }

    /// @dev What the player to move has left.
    function timeLeft(Book storage b) internal view returns (uint256 time) {
        time = b.clock[b.plies.length % 2];
        uint256 from = b.since + b.terms.delay;
        if (b.hold != IFogmate.Hold.None || timeNow() <= from) return time;
        return timeNow() - from < time ? time - (timeNow() - from) : 0;
    }

    function _lasts(Book storage b) private view returns (bool) {
        if (b.status != IFogmate.Status.Playing) return false;
        (uint256 last,,) = verdict(b);
        return timeNow() <= last;
    }

    function _stop(Book storage b, IFogmate.Hold hold) private {
        b.clock[b.plies.length % 2] = timeLeft(b);
        b.hold = hold;
    }

    function _restart(Book storage b) private {
        b.since = timeNow();
    }

    function _share(Book storage b, Window storage w, uint256 gasUnits) private {
        uint256 paid = gasUnits * feeNow() < w.bond ? gasUnits * feeNow() : w.bond;
        _owed[accountOf(b, 1 - w.owner)] += paid;
        _owed[accountOf(b, w.owner)] += w.bond - paid;
        (w.bond, w.settled) = (0, true);
    }

    function _finish(Book storage b, address winner, IFogmate.Outcome outcome) private {
        (b.status, b.outcome, b.winner) = (IFogmate.Status.Over, outcome, winner);
        if (winner != address(0)) {
            _owed[winner] += 2 * uint256(b.terms.stake);
        } else {
            (_owed[b.account[0]], _owed[b.account[1]]) =
            (_owed[b.account[0]] + b.terms.stake, _owed[b.account[1]] + b.terms.stake);
        }
    }

    // ---------------------------------------------------------------- players and history

    function accountOf(Book storage b, uint256 color) internal view returns (address) {
        return b.account[color ^ b.white];
    }

    function colorOf(Book storage b, address by) internal view returns (uint256) {
        return by == accountOf(b, 0) ? 0 : 1;
    }

    function _plays(Book storage b, address by) private view returns (bool) {
        return by == b.account[0] || by == b.account[1];
    }

    function _toMove(Book storage b) private view returns (address) {
        return accountOf(b, b.plies.length % 2);
    }

    /// @dev The ply of a colour's latest move, of which there must be one.
    function latest(Book storage b, uint256 c) internal view returns (uint256) {
        uint256 n = b.plies.length;
        return (n - 1) % 2 == c ? n - 1 : n - 2;
    }

    /// @dev A colour's commitment before a ply.
    function commitmentBefore(Book storage b, uint256 c, uint256 ply) internal view returns (uint256) {
        uint256 back = ply % 2 == c ? 2 : 1;
        if (ply < back) return c == 0 ? WHITE_START : BLACK_START;
        return b.plies[ply - back].commitment;
    }

    /// @dev The sight before the ply to come.
    function preExchange(bytes32 id) internal view returns (IFogmate.Exchange memory e) {
        Book storage b = _books[id];
        uint256 n = b.plies.length;
        (e.phase, e.ply, e.receiver) = (IFogmate.Phase.Pre, uint16(n), uint8(n % 2));
        (e.pendingReceiver, e.pendingSender) = (b.plies[n - 1].capture, 64);
        (e.commitment, e.requestRoot, e.postedRoot) = (b.plies[n - 1].commitment, b.plies[n - 2].request, b.relied);
        e.ctx = contextOf(id, e, b.plies[n - 2].commitment);
    }

    /// @dev The sight after a colour's latest move.
    function postExchange(bytes32 id, uint256 c) internal view returns (IFogmate.Exchange memory e) {
        Book storage b = _books[id];
        uint256 ply = latest(b, c);
        (e.phase, e.ply, e.receiver) = (IFogmate.Phase.Post, uint16(ply), uint8(c));
        (e.pendingReceiver, e.pendingSender) = (64, b.plies[ply].capture);
        (e.commitment, e.requestRoot) = (commitmentBefore(b, 1 - c, ply), b.plies[ply].request);
        e.ctx = contextOf(id, e, b.plies[ply].commitment);
    }

    /// @dev The context of the opponent's sight after this move.
    function contextAfter(bytes32 id, IFogmate.Move memory m) internal view returns (uint256) {
        Book storage b = _books[id];
        uint256 n = b.plies.length;
        if (n == 0) return 0;
        IFogmate.Exchange memory e;
        (e.ply, e.receiver) = (uint16(n + 1), uint8((n + 1) % 2));
        (e.pendingReceiver, e.pendingSender) = (m.capture, 64);
        (e.commitment, e.requestRoot) = (m.nextCommitment, b.plies[n - 1].request);
        return contextOf(id, e, b.plies[n - 1].commitment);
    }

    function contextOf(bytes32 id, IFogmate.Exchange memory e, uint256 receiverCommitment)
        internal
        view
        returns (uint256)
    {
        IFogmate.Point storage key = _books[id].key[(1 - e.receiver) ^ _books[id].white];
        bytes memory head = abi.encode(keccak256("fogmate/ctx/2"), block.chainid, _game, id, e.ply, e.phase);
        bytes memory boards = abi.encode(
            e.commitment, e.pendingSender, receiverCommitment, e.pendingReceiver, key.x, key.y, e.requestRoot
        );
        return uint256(keccak256(bytes.concat(head, boards))) % ORDER;
    }

    // ---------------------------------------------------------------- what proofs are for

    function _right(address key, uint256[] memory inputs, uint256 padded, bytes memory proof)
        private
        pure
        returns (bool)
    {
        return proof.length == 32 && keccak256(proof) == keccak256(rightProof(key, inputs, padded));
    }

    function turnInputs(bytes32 id, IFogmate.Move memory m) internal view returns (uint256[] memory inputs) {
        Book storage b = _books[id];
        uint256 n = b.plies.length;
        inputs = new uint256[](13);
        inputs[0] = commitmentBefore(b, n % 2, n);
        inputs[1] = n == 0 ? 64 : b.plies[n - 1].capture;
        inputs[2] = m.nextCommitment;
        if (n >= 2) {
            IFogmate.Exchange memory e = preExchange(id);
            (inputs[3], inputs[4], inputs[5]) = (e.requestRoot, e.postedRoot, e.ctx);
        }
        IFogmate.Point storage key = b.key[((n + 1) % 2) ^ b.white];
        (inputs[6], inputs[7], inputs[8]) = (key.x, key.y, m.nextRequestRoot);
        (inputs[9], inputs[10]) = (n % 2, n < 2 ? 1 : 0);
        (inputs[11], inputs[12]) = (m.capture, m.kingFell ? 1 : 0);
    }

    /// @dev What this move rests on: the context of the opponent's sight after it, and what its proof is for.
    function basisOf(bytes32 id, IFogmate.Move memory m) internal view returns (bytes32) {
        return keccak256(abi.encodePacked(contextAfter(id, m), turnInputs(id, m)));
    }

    function noMoveInputs(bytes32 id) internal view returns (uint256[] memory inputs) {
        Book storage b = _books[id];
        uint256 n = b.plies.length;
        IFogmate.Exchange memory e = preExchange(id);
        IFogmate.Point storage key = b.key[((n + 1) % 2) ^ b.white];
        inputs = new uint256[](8);
        (inputs[0], inputs[1], inputs[2]) = (commitmentBefore(b, n % 2, n), e.pendingReceiver, e.requestRoot);
        (inputs[3], inputs[4], inputs[5]) = (e.postedRoot, e.ctx, key.x);
        (inputs[6], inputs[7]) = (key.y, n % 2);
    }

    function answerInputs(Book storage b, IFogmate.Exchange memory e, uint256 root, uint256 z, uint256 y)
        internal
        view
        returns (uint256[] memory inputs)
    {
        IFogmate.Point storage key = b.key[(1 - e.receiver) ^ b.white];
        inputs = new uint256[](12);
        (inputs[0], inputs[1], inputs[2], inputs[3]) = (e.commitment, e.pendingSender, key.x, key.y);
        (inputs[4], inputs[5], inputs[6]) = (e.ctx, e.receiver, uint256(e.phase));
        (inputs[7], inputs[8], inputs[9]) = (e.pendingReceiver, e.requestRoot, root);
        (inputs[10], inputs[11]) = (z, y);
    }

    /// @dev How published values are bound: whether all are field elements, z, and Σ vᵢ zⁱ.
    function bindingOf(uint256 root, bytes memory values) internal pure returns (bool inField, uint256 z, uint256 y) {
        z = uint256(keccak256(abi.encodePacked(root, values))) % ORDER;
        inField = true;
        for (uint256 i = 0; i < values.length / 32; ++i) {
            uint256 value;
            assembly ("memory-safe") {
                value := mload(add(add(values, 32), shl(5, i)))
            }
            if (value >= ORDER) inField = false;
            if (value != 0) y = addmod(y, mulmod(value, _power(z, i), ORDER), ORDER);
        }
    }

    function _power(uint256 x, uint256 n) private pure returns (uint256 power) {
        power = 1;
        for (; n > 0; n /= 2) {
            if (n % 2 == 1) power = mulmod(power, x, ORDER);
            x = mulmod(x, x, ORDER);
        }
    }

    function words(uint256 a, uint256 b) internal pure returns (uint256[] memory list) {
        list = new uint256[](2);
        (list[0], list[1]) = (a, b);
    }

    function words(uint256 a, uint256 b, uint256 c) internal pure returns (uint256[] memory list) {
        list = new uint256[](3);
        (list[0], list[1], list[2]) = (a, b, c);
    }

    function _opens(bytes32 toss, address by, uint256 share) private pure returns (bool) {
        return toss == keccak256(abi.encode(keccak256("fogmate/toss/1"), by, share));
    }

    function _onCurve(IFogmate.Point memory p) private pure returns (bool) {
        uint256 cube = mulmod(p.x, mulmod(p.x, p.x, ORDER), ORDER);
        return p.x < ORDER && p.y < ORDER && addmod(mulmod(p.y, p.y, ORDER), 17, ORDER) == cube;
    }

    // ---------------------------------------------------------------- what is public

    /// @dev The game as the contract should show it.
    function expectedGame(bytes32 id) internal view returns (IFogmate.Game memory g) {
        Book storage b = _books[id];
        if (b.status == IFogmate.Status.None) return g;
        uint256 n = b.plies.length;
        (g.status, g.outcome, g.winner, g.creator) = (b.status, b.outcome, b.winner, b.account[0]);
        (g.ply, g.quietPlies, g.drawOffered) = (uint16(n), uint16(b.quiet), b.offer);
        if (b.started) {
            g.pending = n < 1 ? 64 : b.plies[n - 1].capture;
            g.previousPending = n < 2 ? 64 : b.plies[n - 2].capture;
        }
        (g.since, g.terms, g.tossShare) = (uint40(b.since), b.terms, b.tossShare);
        g.terms.opponent = b.account[1];
        if (n > 1) g.answerRoot = b.relied;
        g.hold = b.hold;
        if (b.hold != IFogmate.Hold.None) {
            Window storage w = b.windows[0];
            (g.holdDeadline, g.holdBond, g.holdOwner) = (uint40(w.last), uint96(w.bond), uint8(w.owner));
        }
        g.preDemanded = b.preDemanded == n + 1;
        (g.players[0], g.players[1]) = (_expectedPlayer(b, 0), _expectedPlayer(b, 1));
    }

    function _expectedPlayer(Book storage b, uint256 c) private view returns (IFogmate.Player memory p) {
        uint256 role = c ^ b.white;
        uint256 n = b.plies.length;
        (p.account, p.viewKeyPublished, p.fogKey) = (b.account[role], b.viewed[role], b.key[role]);
        (p.clock, p.tossCommitment, p.claimsFrom) = (uint32(b.clock[c]), b.toss[role], uint16(b.claimsFrom[c]));
        if (b.started) p.commitment = commitmentBefore(b, c, n);
        if (n > c) {
            uint256 own = latest(b, c);
            p.previousCommitment = commitmentBefore(b, c, own);
            p.requestRoot = b.plies[own].request;
            p.postDemanded = b.postDemanded[c] == own + 1;
        }
        if (b.windows[1 + c].open) {
            (p.postDeadline, p.postBond) = (uint40(b.windows[1 + c].last), uint96(b.windows[1 + c].bond));
        }
    }
}
