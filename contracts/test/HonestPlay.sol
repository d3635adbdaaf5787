// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {ModelKit} from "./AnyPlay.sol";
import {Actor, NO_VERDICT} from "./Truth.sol";
import {Vm} from "./Vm.sol";

/// @dev A game between H, whose client follows protocol section 8, and X, who does anything in any order, or nothing. H's
/// transactions are signed when they are sent and included up to `UNIT` seconds later; until then X acts. H knows only its
/// own moves, the contract's public state and its log. Which moves are legal, which roots are right, which sights were
/// sent over the link is decided at random, and right proofs are made of true statements only.
///
/// Each promise of the rules is an assertion here, none of which knows how the contract keeps it:
///
///   (a) H loses only by a proven capture of its king, or when its clock ran out while it could move
///   (b) every state has a deadline near, at which anybody can end the game; a ply has two holds at most
///   (c) each bond comes out once (`settle`)
///   (d) X costs H at most what it spends itself, and a constant
///   (e) while H can prove a capture of the king and is in time, nothing bars it
///   (f) what H is asked to answer is what it verified, and a right answer in time is never refused
contract HonestPlay is ModelKit {
    /// The longest that a transaction of H takes to be included, in seconds. Times are multiples of it, so that deadlines
    /// often coincide, and none is shorter than a stake needs.
    uint256 internal constant UNIT = 5 minutes;
    // Gas: see docs on the costs of disputes.
    uint256 private constant DEMAND_GAS = 620_000;
    uint256 private constant ANSWER_GAS = 1_480_000;
    uint256 private constant FILL_GAS = 50_000;
    uint256 private constant REVERT_GAS = 300_000;
    /// What X may cost H beyond its own spending: two demands unanswered at the end, three filled roots, and two
    /// transactions that come too late for the end.
    uint256 private constant EXCESS = 2 * DEMAND_GAS + 3 * FILL_GAS + 2 * REVERT_GAS;
    uint256 private constant SHARE_OF_TOSS = 7;

    enum Kind {
        Move,
        King,
        DemandPre,
        DemandPost,
        Answer,
        Fill,
        Claim,
        Respond
    }

    /// @dev A transaction of H under way.
    struct Sent {
        Kind kind;
        uint256 due;
        uint256 value;
        bytes data;
        IFogmate.Move move;
        // The ply it was made at; of an answer, until when it is in time.
        uint256 ply;
    }

    bytes32 public id;
    /// H's colour, and the indices of both actors.
    uint256 private _color;
    uint256 private _h;
    uint256 private _x;
    Sent[] private _queue;
    /// H has the sight before its move: by the link, or from the chain.
    bool private _here;
    /// X sent its points with its last move, or later.
    bool private _points;
    bool private _drawAgreeable;
    uint256 private _readySince;
    uint256 private _holds;
    uint256 private _fills;
    uint256 private _reverts;
    /// H counts fifty moves.
    bool private _fifty;
    bool private _kingProven;
    // What H has already sent, by one more than the ply.
    uint256 private _demanded;
    uint256 private _responded;
    uint256 private _posted;
    /// One more than the ply of X's last claim that failed.
    uint256 private _failed;
    mapping(bytes32 => bool) private _answered;
    // The exchanges that the log has named.
    IFogmate.Exchange[3] private _asked;
    // Spending of H and X in wei, gas only, and what both had before the game.
    uint256[2] private _spent;
    uint256[2] private _owedBefore;
    uint256[2] private _bonds;
    uint256 private _lostClaims;
    bool private _feesMove;
    uint256 private _highestFee;
    uint256 private _block;
    /// Things happen at multiples of `UNIT` only, so that deadlines coincide.
    bool private _grid;
    /// From this ply on H's user makes no move and X answers nothing.
    uint256 private _stillFrom;
    bool private _settled;
    uint256 private _toss;

    /// What the walks came to, by name, so that one that reaches nothing is noticed.
    mapping(string => uint256) public seen;

    constructor() {
        deployModel();
    }

    // ---------------------------------------------------------------- games

    function _begin(uint256 color, uint256 hIsJoiner) private returns (bytes32) {
        IFogmate.Terms memory t;
        (t.stake, t.expiry) = (1 ether, uint40(timeNow()));
        t.delay = uint32(UNIT * (1 + pick(3)));
        t.window = uint32(UNIT * (2 + pick(4)));
        t.base = uint32(UNIT * pick(8));
        t.increment = uint32(UNIT * pick(2));
        t.reveal = uint32(UNIT);
        (_h, _x, _color) = (hIsJoiner, 1 - hIsJoiner, color);
        bytes32 first = tossOf(address(_actors[0]), SHARE_OF_TOSS);
        bytes memory data = abi.encodeCall(IFogmate.create, (_toss, t, first, keyOf(0)));
        id = keccak256(abi.encode(block.chainid, _game, address(_actors[0]), _toss, t, first, keyOf(0)));
        ++_toss;
        assertTrue(_act(0, t.stake, data), "create");
        uint256 share = 0;
        while (uint256(keccak256(abi.encode(SHARE_OF_TOSS, share, id))) % 2 != color ^ hIsJoiner) ++share;
        bytes32 second = tossOf(address(_actors[1]), share);
        assertTrue(_act(1, t.stake, abi.encodeCall(IFogmate.join, (id, second, keyOf(1)))), "join");
        assertTrue(_act(0, 0, abi.encodeCall(IFogmate.revealCreator, (id, SHARE_OF_TOSS, second))), "reveal");
        assertTrue(_act(1, 0, abi.encodeCall(IFogmate.revealJoiner, (id, share))), "reveal");
        Book storage b = book(id);
        (b.terms, b.key[0], b.key[1]) = (t, keyOf(0), keyOf(1));
        (b.account[0], b.account[1]) = (address(_actors[0]), address(_actors[1]));
        b.white = color ^ hIsJoiner;
        return id;
    }

    function _start() private {
        delete _queue;
        (_here, _points, _drawAgreeable, _kingProven, _settled) = (false, true, false, false, false);
        (_readySince, _holds, _fills, _reverts, _lostClaims) = (0, 0, 0, 0, 0);
        (_demanded, _responded, _posted, _failed) = (0, 0, 0, 0);
        (_spent, _bonds) = ([uint256(0), 0], [uint256(0), 0]);
        delete _asked;
        _feesMove = once(2);
        vm.fee(10 gwei);
        _highestFee = 10 gwei;
        _begin(pick(2), pick(2));
        if (once(2)) makeQuiet(id);
        _grid = once(2);
        _stillFrom = once(4) ? 1 + pick(4) : type(uint16).max;
        _owedBefore = [_owedBy(_h), _owedBy(_x)];
        if (once(2)) vm.warp(fogmate.game(id).since);
        _fifty = once(2);
        _after();
    }

    // ---------------------------------------------------------------- the driver

    /// @dev X does something, or H's user, or time passes.
    function step(uint256 seed) external goesOn(seed) {
        vm.recordLogs();
        if (id == 0 || _settled) return _start();
        if (_over()) return _finish();
        // Nobody has to call as soon as it can.
        if (_decided()) return once(2) ? _finish() : _advance(timeNow() + UNIT * (1 + pick(4)));
        uint256 what = pick(10);
        if (_queue.length > 0 && once(3)) _advance(_queue[0].due);
        else if (what < 5) _attack();
        else if (what < 8) _choose();
        else _advance(timeNow() + (_grid ? UNIT * (1 + pick(2)) : 1 + pick(2 * UNIT)));
        _after();
    }

    function _over() private view returns (bool) {
        return fogmate.game(id).status == IFogmate.Status.Over;
    }

    /// @dev A deadline has passed.
    function _decided() private view returns (bool) {
        (,, uint256 deadline) = fogmate.clocks(id);
        return fogmate.game(id).status == IFogmate.Status.Playing && timeNow() > deadline;
    }

    /// @dev After anything that happened: H reads the log and the state, and its client acts.
    function _after() private {
        _readLog();
        IFogmate.Game memory g = fogmate.game(id);
        if (g.status == IFogmate.Status.Playing) {
            book(id).relied = g.answerRoot;
            (,, uint256 deadline) = fogmate.clocks(id);
            if (timeNow() <= deadline) {
                _checkBounds(g, deadline);
                _noteReady(g);
                _look(g);
                if (_readySince != 0 && _queue.length == 0 && once(3)) _checkKing();
            }
        }
        _checkEnd();
    }

    function _noteReady(IFogmate.Game memory g) private {
        bool ready = g.ply % 2 == _color && (g.ply < 2 || (_here && g.answerRoot == _rightRoot()));
        if (!ready) _readySince = 0;
        else if (_readySince == 0) _readySince = timeNow();
    }

    /// @dev The root of the right answer for the player to move.
    function _rightRoot() private view returns (uint256) {
        return _rootFor(preExchange(id).ctx);
    }

    function _rootFor(uint256 ctx) private pure returns (uint256) {
        return uint256(keccak256(abi.encode("right", ctx))) % ORDER;
    }

    function _act(uint256 by, uint256 value, bytes memory data) private returns (bool) {
        return _actors[by].act{value: value}(address(fogmate), data, 0);
    }

    function _owedBy(uint256 actor) private view returns (uint256) {
        return fogmate.withdrawable(address(_actors[actor]));
    }

    // ---------------------------------------------------------------- H's client

    /// @dev What the client sends by itself, in the state that it sees.
    function _look(IFogmate.Game memory g) private {
        bool mine = g.ply % 2 == _color;
        if (mine && _lacks(g) && _demanded != g.ply + 1 && timeNow() + UNIT >= uint256(g.since) + g.terms.delay) {
            _demanded = g.ply + 1;
            _sendDemand(IFogmate.Phase.Pre, preExchange(id).requestRoot);
        }
        if (_lateDemand(g) == timeNow() && g.hold == IFogmate.Hold.None) {
            _demandPost(g);
            if (_queue.length > 0) _queue[_queue.length - 1].due = timeNow();
        }
        if (!mine && g.hold == IFogmate.Hold.Sight && g.holdOwner != _color) _answer(0, g.holdDeadline);
        if (g.players[1 - _color].postDeadline != 0) _answer(1 + (1 - _color), g.players[1 - _color].postDeadline);
        if (!mine && g.hold == IFogmate.Hold.FiftyMoves && !_fifty && _responded != g.ply + 1) {
            _responded = g.ply + 1;
            bytes memory proof = right(FIFTY, words(commitmentBefore(book(id), _color, g.ply), 0));
            _send(Kind.Respond, 0, abi.encodeCall(IFogmate.respondFifty, (id, false, proof)));
        }
    }

    /// @dev H to move has no proven sight, and can still demand it.
    function _lacks(IFogmate.Game memory g) private view returns (bool) {
        if (g.ply < 2 || g.hold != IFogmate.Hold.None) return false;
        return !_here || g.answerRoot != _rightRoot();
    }

    /// @dev Answers what X demanded, once; with a proof of what H itself knows.
    function _answer(uint256 slot, uint256 deadline) private {
        IFogmate.Exchange memory e = _asked[slot];
        bytes32 name = keccak256(abi.encode(e));
        bytes32 demand = keccak256(abi.encode(name, deadline));
        if (_answered[demand]) return;
        _answered[demand] = true;
        IFogmate.Exchange memory own = slot == 0 ? preExchange(id) : postExchange(id, 1 - _color);
        assertEq(keccak256(abi.encode(own)), name, "(f) H is asked for another sight than it owes");
        uint256 root = _rootFor(own.ctx);
        _send(Kind.Answer, 0, _answerData(e, own, root));
        _queue[_queue.length - 1].ply = deadline;
    }

    function _answerData(IFogmate.Exchange memory e, IFogmate.Exchange memory own, uint256 root)
        private
        view
        returns (bytes memory)
    {
        uint256[733] memory elements;
        (, uint256 z, uint256 y) = bindingOf(root, abi.encodePacked(elements));
        bytes memory proof = right(ANSWER, answerInputs(book(id), own, root, z, y));
        return abi.encodeCall(IFogmate.answerSight, (id, e, root, elements, proof));
    }

    function _sendDemand(IFogmate.Phase phase, uint256 requestRoot) private {
        // A client sends one and a half times the least.
        uint256 bond = 6 * SHARE * feeNow();
        _send(phase == IFogmate.Phase.Pre ? Kind.DemandPre : Kind.DemandPost, bond, _demandData(phase, requestRoot));
    }

    function _demandData(IFogmate.Phase phase, uint256 requestRoot) private view returns (bytes memory) {
        uint256[128] memory points;
        (, uint256 z, uint256 y) = bindingOf(requestRoot, abi.encodePacked(points));
        bytes memory proof = right(REQUEST_DATA, words(requestRoot, z, y));
        return abi.encodeCall(IFogmate.demandSight, (id, phase, points, proof));
    }

    /// @dev Signs and sends a transaction. Those of one account are included in their order.
    function _send(Kind kind, uint256 value, bytes memory data) private {
        uint256 due = timeNow() + (_grid ? UNIT * pick(2) : pick(UNIT + 1));
        if (_queue.length > 0 && due < _queue[_queue.length - 1].due) due = _queue[_queue.length - 1].due;
        Sent storage s = _queue.push();
        (s.kind, s.due, s.value, s.data, s.ply) = (kind, due, value, data, fogmate.game(id).ply);
    }

    /// @dev Something that H's user may choose to do.
    function _choose() private {
        IFogmate.Game memory g = fogmate.game(id);
        for (uint256 i = 0; i < _queue.length; ++i) {
            if (_queue[i].kind != Kind.Answer) return;
        }
        bool free = g.hold == IFogmate.Hold.None;
        uint256 what = pick(12);
        if (g.ply >= _stillFrom && g.ply % 2 == _color) return;
        if (_readySince != 0 && (what < 7 && free || what == 7 && once(4))) {
            IFogmate.Move memory m = _legalMove(once(8) ? uint8(pick(64)) : 64, _points ? 1 : 0);
            m.kingFell = what == 7;
            m.offerDraw = once(16);
            _send(m.kingFell ? Kind.King : Kind.Move, 0, _moveData(m, true));
            _queue[_queue.length - 1].move = m;
        } else if (_readySince != 0 && what < 9 && free && g.quietPlies >= 100 && g.ply >= g.players[_color].claimsFrom)
        {
            bytes memory proof = right(FIFTY, words(commitmentBefore(book(id), _color, g.ply), 1));
            _send(Kind.Claim, 6 * RESPOND * feeNow(), abi.encodeCall(IFogmate.claimFifty, (id, proof)));
        } else if (what < 11 && g.ply > _color) {
            _demandPost(g);
        } else if (g.ply % 2 != _color && g.ply >= 2 && free && g.answerRoot == 0 && _points && _fills < 3) {
            ++_fills;
            uint256 ctx = preExchange(id).ctx;
            _send(Kind.Fill, 0, abi.encodeCall(IFogmate.fillAnswer, (id, ctx, _rootFor(ctx))));
        }
    }

    function _demandPost(IFogmate.Game memory g) private {
        uint256 own = latest(book(id), _color);
        if (_posted == own + 1 || g.players[_color].postDeadline != 0) return;
        _posted = own + 1;
        _sendDemand(IFogmate.Phase.Post, postExchange(id, _color).requestRoot);
    }

    /// @dev In a still game of H to move: when a demand would have to be included for its window to end with H's clock.
    function _lateDemand(IFogmate.Game memory g) private view returns (uint256) {
        if (g.ply < _stillFrom || g.ply % 2 != _color || g.ply <= _color) return 0;
        uint256 end = uint256(g.since) + g.terms.delay + g.players[_color].clock;
        return end > g.terms.window ? end - g.terms.window : 0;
    }

    /// @dev The first of H's transactions is included.
    function _include() private {
        Sent memory s = _queue[0];
        for (uint256 i = 1; i < _queue.length; ++i) {
            _queue[i - 1] = _queue[i];
        }
        _queue.pop();
        bool open = !_over() && !_decided();
        uint256 gasUnits = _gasOf(s.kind);
        if (!_act(_h, s.value, s.data)) {
            if (s.kind == Kind.Answer) assertTrue(false, "(f) a right answer in time is refused");
            if (open && s.kind != Kind.Fill) {
                revert NotEqual("H is barred from what it may do, kind", uint256(s.kind), s.ply);
            }
            if (s.kind == Kind.Fill) return _pay(_h, FILL_GAS);
            ++_reverts;
            return _pay(_h, REVERT_GAS);
        }
        _bonds[0] += s.value;
        _pay(_h, gasUnits);
        if (s.kind == Kind.Answer) ++seen[_over() ? "answer of H after the end" : "answer of H"];
        if (s.kind == Kind.Respond) (_failed, seen["response of H"]) = (s.ply + 1, seen["response of H"] + 1);
        if (s.kind == Kind.DemandPre || s.kind == Kind.Claim) ++_holds;
        if (s.kind == Kind.Move || s.kind == Kind.King) {
            _record(s.move);
            _drawAgreeable = s.move.offerDraw;
            _holds = 0;
        }
    }

    function _gasOf(Kind kind) private pure returns (uint256) {
        if (kind == Kind.DemandPre || kind == Kind.DemandPost) return DEMAND_GAS;
        if (kind == Kind.Answer) return ANSWER_GAS;
        if (kind == Kind.Fill) return FILL_GAS;
        return kind == Kind.Respond ? RESPOND : 0;
    }

    /// @dev What plies and claims cost is each player's own affair.
    function _pay(uint256 actor, uint256 gasUnits) private {
        _spent[actor == _h ? 0 : 1] += gasUnits * feeNow();
    }

    // ---------------------------------------------------------------- moves

    /// @dev A move by the player to move, on whichever side. `rootKind`: 0 none, 1 the right one, 2 another.
    function _legalMove(uint8 capture, uint256 rootKind) private returns (IFogmate.Move memory m) {
        m.ply = uint16(book(id).plies.length);
        (m.nextCommitment, m.nextRequestRoot, m.capture) = (pick(ORDER), 1 + pick(ORDER - 1), capture);
        if (m.ply > 0 && rootKind == 1) m.answerRoot = _rootFor(contextAfter(id, m));
        if (m.ply > 0 && rootKind == 2) m.answerRoot = 1 + pick(ORDER - 1);
    }

    function _moveData(IFogmate.Move memory m, bool legal) private returns (bytes memory) {
        m.basis = basisOf(id, m);
        bytes memory proof =
            legal ? right(TURN, turnInputs(id, m)) : abi.encode(once(4) ? uint256(NO_VERDICT) : pick(ORDER));
        return abi.encodeCall(IFogmate.move, (id, m, proof));
    }

    function _record(IFogmate.Move memory m) private {
        book(id).plies.push(Made(m.nextCommitment, m.nextRequestRoot, m.capture));
        if (m.ply > 0) book(id).relied = m.answerRoot;
    }

    // ---------------------------------------------------------------- X

    /// @dev One of all things that X can try.
    function _attack() private {
        IFogmate.Game memory g = fogmate.game(id);
        bool mine = g.ply % 2 != _color;
        // Plies are to be made too: half the time it does its part for that.
        // The end, while H's answer is under way, and demands, are what it would try most.
        if (_queue.length > 0 && _queue[_queue.length - 1].kind == Kind.Answer && once(12)) return _xEnd(g);
        if (once(6)) return _xDemand(g, mine);
        if (once(2) && mine) return _xMove(g, mine);
        if (once(2) && !_here) _here = !mine;
        bool asked = !mine && g.hold == IFogmate.Hold.Sight || g.players[_color].postDeadline != 0;
        if (asked && once(4)) return _xAnswer(g, mine);
        if (mine && g.quietPlies >= 100 && once(6)) return _xClaim(g, mine);
        uint256 what = pick(40);
        if (what < 14) _xMove(g, mine);
        else if (what < 20) _xDemand(g, mine);
        else if (what < 27) _xAnswer(g, mine);
        else if (what < 29) _xFill(g);
        else if (what < 32) _here = _here || !mine;
        else if (what < 33) _points = true;
        else if (what < 37) _xClaim(g, mine);
        else if (what < 39) _xEnd(g);
        else _act(_x, 0, abi.encodeCall(IFogmate.reclaim, (id, IFogmate.Slot(pick(3)))));
    }

    function _xMove(IFogmate.Game memory g, bool mine) private {
        // Out of turn nothing is tried: that a turn can't be taken is shown by `AnyPlay`.
        if (!mine) return;
        bool legal = (g.ply < 2 || g.answerRoot == _rightRoot()) && !once(4);
        IFogmate.Move memory m = _legalMove(once(8) ? uint8(pick(64)) : 64, pick(8) < 6 ? 1 : pick(8) < 4 ? 0 : 2);
        m.kingFell = once(16);
        if (!legal) ++seen["false move of X"];
        if (!_act(_x, 0, _moveData(m, legal))) return;
        assertTrue(legal, "(a) a false move is taken");
        (_here, _points, _kingProven) = (false, once(2), m.kingFell);
        (_holds, _drawAgreeable) = (0, false);
        _record(m);
        ++seen["legal move of X"];
    }

    function _xDemand(IFogmate.Game memory g, bool mine) private {
        bool pre = mine && !once(3);
        if (pre ? g.ply < 2 : g.ply <= 1 - _color) return;
        uint256 root = pre ? preExchange(id).requestRoot : postExchange(id, 1 - _color).requestRoot;
        uint256 bond = RISE * SHARE * feeNow();
        bytes memory data = _demandData(pre ? IFogmate.Phase.Pre : IFogmate.Phase.Post, root);
        if (!_act(_x, bond, data)) return;
        _bonds[1] += bond;
        _pay(_x, DEMAND_GAS);
        if (pre) ++_holds;
        ++seen[pre ? "demand of X" : "demand of X after its move"];
    }

    /// @dev Gives what H demanded: the right sight, which alone can be proven.
    function _xAnswer(IFogmate.Game memory g, bool mine) private {
        if (g.ply >= _stillFrom) return;
        uint256 slot = !mine && g.hold == IFogmate.Hold.Sight && once(2) ? 0 : 1 + _color;
        IFogmate.Exchange memory e = _asked[slot];
        if (e.requestRoot == 0) return;
        uint256 root = _rootFor(e.ctx);
        if (!_act(_x, 0, _answerData(e, e, root))) return;
        _pay(_x, ANSWER_GAS);
        if (slot == 0) _here = true;
        ++seen["answer of X"];
    }

    function _xFill(IFogmate.Game memory g) private {
        if (g.ply < 2) return;
        uint256 ctx = preExchange(id).ctx;
        uint256 root = once(2) ? _rootFor(ctx) : pick(ORDER);
        if (_act(_x, 0, abi.encodeCall(IFogmate.fillAnswer, (id, ctx, root)))) _pay(_x, FILL_GAS);
    }

    function _xClaim(IFogmate.Game memory g, bool mine) private {
        if (g.hold == IFogmate.Hold.FiftyMoves && !mine) {
            bool fifty = once(2);
            bytes memory proof = right(FIFTY, words(commitmentBefore(book(id), 1 - _color, g.ply), fifty ? 1 : 0));
            if (_act(_x, 0, abi.encodeCall(IFogmate.respondFifty, (id, fifty, proof))) && !fifty) {
                _lostClaims += RESPOND * feeNow() < g.holdBond ? RESPOND * feeNow() : g.holdBond;
            }
        } else if (mine && once(4)) {
            if (g.ply < 2) return;
            bytes memory proof = abi.encode(pick(ORDER));
            _act(_x, 0, abi.encodeCall(IFogmate.claimNoMove, (id, proof)));
        } else if (mine && g.quietPlies >= 100) {
            uint256 bond = RISE * RESPOND * feeNow();
            bytes memory proof = right(FIFTY, words(commitmentBefore(book(id), 1 - _color, g.ply), 1));
            if (!_act(_x, bond, abi.encodeCall(IFogmate.claimFifty, (id, proof)))) return;
            _bonds[1] += bond;
            ++_holds;
            ++seen["claim of X"];
            assertTrue(_failed == 0 || g.ply + 1 >= _failed + 20, "(b) claims without end");
        }
    }

    function _xEnd(IFogmate.Game memory g) private {
        if (once(3)) {
            _act(_x, 0, abi.encodeCall(IFogmate.resign, (id)));
        } else if (once(2)) {
            _act(_x, 0, abi.encodeCall(IFogmate.claimTimeout, (id)));
        } else {
            uint256 commitment = commitmentBefore(book(id), _color, g.ply);
            _act(_x, 0, abi.encodeCall(IFogmate.acceptDraw, (id, g.ply, commitment)));
        }
    }

    // ---------------------------------------------------------------- what H sees

    function _readLog() private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter != address(fogmate) || logs[i].topics.length < 2 || logs[i].topics[1] != id) continue;
            if (logs[i].topics[0] == IFogmate.SightDemanded.selector) {
                (IFogmate.Exchange memory e,,,) =
                    abi.decode(logs[i].data, (IFogmate.Exchange, uint40, uint96, uint256[128]));
                _asked[e.phase == IFogmate.Phase.Pre ? 0 : 1 + e.receiver] = e;
            }
        }
    }

    // ---------------------------------------------------------------- time

    /// @dev Time passes, second by second as far as anything of H happens: its transactions are included, and its client
    /// wakes when it is time to demand a sight.
    function _advance(uint256 to) private {
        while (timeNow() < to || _queue.length > 0 && _queue[0].due <= to) {
            uint256 next = to;
            if (_queue.length > 0 && _queue[0].due < next) next = _queue[0].due;
            IFogmate.Game memory g = fogmate.game(id);
            uint256 wake = uint256(g.since) + g.terms.delay - UNIT;
            if (g.ply % 2 == _color && wake > timeNow() && wake < next) next = wake;
            uint256 late = _lateDemand(g);
            if (late > timeNow() && late < next) next = late;
            _pass(next, g);
            if (_queue.length > 0 && _queue[0].due <= timeNow()) _include();
            if (_feesMove) _moveFee();
            if (next < to || _queue.length > 0) _after();
        }
    }

    /// @dev At most an eighth up or down a block, and fourfold in all.
    function _moveFee() private {
        if (timeNow() < _block + UNIT) return;
        _block = timeNow();
        uint256 fee = feeNow() * (7 + pick(3)) / 8;
        vm.fee(fee < 10 gwei ? 10 gwei : fee > 40 gwei ? 40 gwei : fee);
        if (feeNow() > _highestFee) _highestFee = feeNow();
    }

    /// @dev (a): H's clock never runs unless it has been able to move for as long as a transaction takes.
    function _pass(uint256 to, IFogmate.Game memory g) private {
        bool mine = g.status == IFogmate.Status.Playing && g.ply % 2 == _color && !_decided();
        uint256 before = _clockOfH();
        uint256 from = timeNow();
        vm.warp(to);
        if (!mine || _clockOfH() == before) return;
        uint256 runs = uint256(g.since) + g.terms.delay;
        assertTrue(g.hold == IFogmate.Hold.None, "(a) H's clock runs while a hold bars it from moving");
        uint256 ready = runs > from ? runs : from;
        assertTrue(_readySince != 0 && _readySince + UNIT <= ready, "(a) H's clock runs while it can't move");
    }

    function _clockOfH() private view returns (uint256) {
        (uint256 white, uint256 black,) = fogmate.clocks(id);
        return _color == 0 ? white : black;
    }

    // ---------------------------------------------------------------- what must hold

    /// @dev (b): the earliest deadline is no further than what the terms give.
    function _checkBounds(IFogmate.Game memory g, uint256 deadline) private {
        uint256 most = uint256(g.terms.delay) + g.terms.window + g.players[g.ply % 2].clock;
        uint256 from = timeNow() > g.since ? timeNow() : g.since;
        assertTrue(deadline <= from + most, "(b) the end is far away");
        assertTrue(_holds <= 2, "(b) a ply with more than two holds");
        if (!once(8)) return;
        try this.tryTimeout(deadline + 1) {}
        catch (bytes memory data) {
            assertTrue(data.length == 32 && abi.decode(data, (bool)), "(b) nobody can end a decided game");
        }
    }

    function tryTimeout(uint256 time) external {
        uint256 now_ = timeNow();
        vm.warp(time);
        bool done = _act(2, 0, abi.encodeCall(IFogmate.claimTimeout, (id)));
        vm.warp(now_);
        _undo(done);
    }

    /// @dev (e)
    function _checkKing() private {
        try this.tryKing() {}
        catch (bytes memory data) {
            assertTrue(data.length == 32 && abi.decode(data, (bool)), "(e) a capture of the king is barred");
        }
    }

    function tryKing() external {
        IFogmate.Move memory m = _legalMove(60, 1);
        m.kingFell = true;
        _undo(_act(_h, 0, _moveData(m, true)));
    }

    /// @dev Reverts all that was done, but for the knowledge whether it succeeded.
    function _undo(bool done) private pure {
        assembly ("memory-safe") {
            mstore(0, done)
            revert(0, 32)
        }
    }

    /// @dev (a), once the game is over.
    function _checkEnd() private view {
        IFogmate.Game memory g = fogmate.game(id);
        if (g.status != IFogmate.Status.Over) return;
        if (g.winner == address(_actors[_h])) return;
        IFogmate.Outcome o = g.outcome;
        if (g.winner == address(0)) {
            if (o == IFogmate.Outcome.DrawAgreed) assertTrue(_drawAgreeable, "a draw that H didn't offer");
            else assertTrue(o == IFogmate.Outcome.FiftyMoves, "a draw without a reason");
            bool claimedByX = g.hold == IFogmate.Hold.FiftyMoves && g.holdOwner != _color;
            if (claimedByX) assertTrue(_fifty, "(a) drawn by a claim that H disproves");
        } else if (o == IFogmate.Outcome.TimedOut) {
            assertTrue(g.ply % 2 == _color && g.hold == IFogmate.Hold.None, "(a) H loses on time while it holds");
            uint256 runs = uint256(g.since) + g.terms.delay;
            assertTrue(_readySince != 0 && _readySince + UNIT <= runs, "(a) H loses on time while it can't move");
            uint256 own = g.players[_color].postDeadline;
            assertTrue(own == 0 || own > runs + g.players[_color].clock, "(a) H loses on time after X did");
        } else {
            assertTrue(o == IFogmate.Outcome.KingCaptured && _kingProven, "(a) H loses otherwise");
        }
    }

    /// @dev The game is decided: who gains calls, what H had sent is included, then money is counted.
    function _finish() private {
        if (!_over()) {
            (,, uint256 deadline) = fogmate.clocks(id);
            // X is faster, and has much to change.
            IFogmate.Game memory g = fogmate.game(id);
            if (once(2)) _xMove(g, g.ply % 2 != _color);
            else _xClaim(g, g.ply % 2 != _color);
            IFogmate.Game memory then_ = fogmate.game(id);
            bool same = keccak256(abi.encode(g)) == keccak256(abi.encode(then_));
            assertTrue(same, "(a) what a deadline has decided is changed");
            assertTrue(_act(_h, 0, abi.encodeCall(IFogmate.claimTimeout, (id))), "(b) nobody can end a decided game");
            assertTrue(deadline < timeNow(), "decided");
        }
        _readLog();
        _checkEnd();
        ++seen[string.concat("outcome ", vm.toString(uint256(fogmate.game(id).outcome)))];
        while (_queue.length > 0) {
            if (_queue[0].due > timeNow()) vm.warp(_queue[0].due);
            _include();
        }
        if (once(2)) _xAnswer(fogmate.game(id), false);
        vm.warp(timeNow() + 7 * UNIT);
        for (uint256 slot = 0; slot < 3; ++slot) {
            for (uint256 again = 0; again < 2; ++again) {
                _act(2, 0, abi.encodeCall(IFogmate.reclaim, (id, IFogmate.Slot(slot))));
            }
        }
        uint256 left = address(fogmate).balance;
        assertEq(_owedBy(_h) + _owedBy(_x), left, "(c) bonds and stakes come out once");
        _checkCosts();
        _settled = true;
    }

    /// @dev (d). If fees move, up to fourfold, an exchange costs H at most four times what it costs X.
    function _checkCosts() private {
        address winner = fogmate.game(id).winner;
        uint256 own = winner == address(0) ? 1 ether : winner == address(_actors[_h]) ? 2 ether : 0;
        uint256 other = 2 ether - own;
        int256 h =
            int256(_spent[0] + _bonds[0]) + int256(_owedBefore[0] + own) - int256(_owedBy(_h)) - int256(_lostClaims);
        int256 x =
            int256(_spent[1] + _bonds[1]) + int256(_owedBefore[1] + other) - int256(_owedBy(_x)) + int256(_lostClaims);
        int256 allowed = (_feesMove ? int256(4) : int256(1)) * (x > 0 ? x : int256(0)) + int256(EXCESS * _highestFee);
        if (h > allowed) {
            revert NotEqual("(d) X costs H too much, gas", uint256(h) / _highestFee, uint256(allowed) / _highestFee);
        }
        uint256 excess = h > x ? uint256(h - x) / _highestFee : 0;
        if (!_feesMove && excess > seen["highest excess"]) seen["highest excess"] = excess;
    }
}
