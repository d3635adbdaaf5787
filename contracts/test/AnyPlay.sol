// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {Rules} from "./Rules.sol";
import {Actor, NO_VERDICT, TRUTH_PROOF_LENGTH, TruthVerifier, rightProof} from "./Truth.sol";
import {heedControl} from "./Vm.sol";

/// @dev A contract under test whose verifier takes abstract proofs, and three actors who are contracts.
abstract contract ModelKit is Rules {
    uint256 internal constant START = 1_800_000_000;
    IFogmate internal fogmate;
    Actor[3] internal _actors;
    /// The state of the generator of all that is at random here.
    uint256 private _random;
    /// Time and base fee between two steps, which are transactions of their own.
    uint256 private _time;
    uint256 private _fee;

    function deployModel() internal {
        vm.warp(START);
        address[5] memory keys = [TURN, REQUEST_DATA, FIFTY, NO_MOVE, ANSWER];
        for (uint256 i = 0; i < keys.length; ++i) {
            vm.etch(keys[i], hex"00");
        }
        IFogmate.Verifiers memory with;
        (with.narrow, with.wide) = (address(new TruthVerifier(13)), address(new TruthVerifier(12)));
        (with.turnKey, with.requestDataKey, with.fiftyKey) = (TURN, REQUEST_DATA, FIFTY);
        (with.noMoveKey, with.answerKey) = (NO_MOVE, ANSWER);
        (with.narrowProofLength, with.wideProofLength) = (TRUTH_PROOF_LENGTH, TRUTH_PROOF_LENGTH);
        fogmate = IFogmate(create("Fogmate", abi.encode(with, IFogmate.Prices(uint32(SHARE), 0, 0))));
        _game = address(fogmate);
        _actors[0] = new Actor(Actor.Payment.AskAgain);
        _actors[1] = new Actor(Actor.Payment.Accept);
        _actors[2] = new Actor(Actor.Payment.Refuse);
        for (uint256 i = 0; i < 3; ++i) {
            vm.deal(address(_actors[i]), 1e9 ether);
        }
        vm.deal(address(this), 1e30);
        heedControl(vm);
        vm.fee(10 gwei);
        (_time, _fee) = (timeNow(), feeNow());
    }

    /// @dev Every step goes on where the last one ended.
    modifier goesOn(uint256 seed) {
        vm.warp(_time);
        vm.fee(_fee);
        seedRandom(seed);
        _;
        (_time, _fee) = (timeNow(), feeNow());
    }

    function seedRandom(uint256 seed) internal {
        _random = uint256(keccak256(abi.encode(_random, seed)));
    }

    /// @dev One of 0 … n − 1.
    function pick(uint256 n) internal returns (uint256) {
        _random = uint256(keccak256(abi.encode(_random)));
        return _random % n;
    }

    /// @dev True once in n times.
    function once(uint256 n) internal returns (bool) {
        return pick(n) == 0;
    }

    function anyWord() internal returns (uint256) {
        return once(64) ? type(uint256).max - pick(8) : pick(ORDER);
    }

    /// @dev A game as if its last hundred plies had been quiet: puts the count into the contract's word (see Progress.sol),
    /// where playing them would take a hundred times as long as all the rest of a walk.
    function makeQuiet(bytes32 id) internal {
        bytes32 before = keccak256(abi.encode(fogmate.game(id)));
        bytes32 slot = keccak256(abi.encode(id, uint256(1)));
        uint256 quiet = fogmate.game(id).quietPlies;
        uint256 word = uint256(vm.load(address(fogmate), slot));
        vm.store(address(fogmate), slot, bytes32(word - (quiet << 32) + (uint256(100) << 32)));
        IFogmate.Game memory g = fogmate.game(id);
        assertEq(g.quietPlies, 100, "the count of quiet plies");
        g.quietPlies = uint16(quiet);
        assertEq(keccak256(abi.encode(g)), before, "nothing but the count of quiet plies");
    }

    /// @dev Points of Grumpkin: its generator, and twice that.
    function keyOf(uint256 i) internal pure returns (IFogmate.Point memory) {
        if (i == 0) return IFogmate.Point(1, 17631683881184975370165255887551781615748388533673675138860);
        return IFogmate.Point(
            3078034153852398078128400807926804309327113743808504829582559963737223069694,
            12696890884641142049456609402511852099066095483298083855939691685001536962732
        );
    }

    /// @dev What is registered in a mode: a fog key, or a commitment and an engine's name, neither of them a field element.
    function keyOf(uint256 i, IFogmate.Mode mode) internal pure returns (IFogmate.Point memory) {
        if (mode != IFogmate.Mode.Unproven) return keyOf(i);
        return IFogmate.Point(type(uint256).max - i, uint256(bytes32("dh-psi")));
    }

    /// @dev One of the modes; less often that without proofs, in which less can happen.
    function anyMode() internal returns (IFogmate.Mode) {
        return once(5) ? IFogmate.Mode.Unproven : IFogmate.Mode.Verified;
    }

    function tossOf(address by, uint256 share) internal pure returns (bytes32) {
        return keccak256(abi.encode(keccak256("fogmate/toss/1"), by, share));
    }

    function right(address key, uint256[] memory inputs) internal pure returns (bytes memory) {
        return rightProof(key, inputs, key == ANSWER ? 12 : 13);
    }
}

/// @dev Three contracts do anything to any of their games, in time or not, entitled or not, rightly or not. Whether the
/// contract allows it and what is public after it must be what `Rules` says, to the last bit and the last wei.
contract AnyPlay is ModelKit {
    uint256 private constant SHARE_OF_TOSS = 7;

    bytes32[] public games;
    /// What was demanded, by game and slot.
    mapping(bytes32 => IFogmate.Exchange[3]) private _asked;
    /// By game: inputs and proof of its last move.
    uint256 public paidIn;
    uint256 public paidOut;
    /// By action: how often it was allowed, and how often refused.
    mapping(string => uint256) public done;
    mapping(string => uint256) public refused;
    uint256 private _nonce;
    bytes32 private _focus;

    constructor() {
        deployModel();
    }

    // ---------------------------------------------------------------- the driver

    function _begin(IFogmate.Mode mode) private returns (bytes32 id) {
        IFogmate.Terms memory t;
        (t.mode, t.stake, t.expiry) = (mode, mode == IFogmate.Mode.Unproven ? 0 : 1 ether, uint40(timeNow()));
        (t.base, t.increment, t.delay) = (uint32(pick(once(3) ? 40 : 300)), uint32(pick(10)), uint32(300 + pick(60)));
        (t.window, t.reveal) = (uint32(300 + pick(180)), uint32(300 + pick(20)));
        id = _create(0, t, keyOf(0, mode), t.stake);
        _join(id, 1, keyOf(1, mode), t.stake);
        _revealCreator(id, 0, SHARE_OF_TOSS, tossOf(address(_actors[1]), SHARE_OF_TOSS));
        uint256 share = SHARE_OF_TOSS;
        _revealJoiner(id, 1, share);
    }

    /// @dev Anything. The seed decides who does what to which game; mostly to one, until some time after its end.
    function step(uint256 seed) external goesOn(seed) {
        while (_focus == 0 || book(_focus).status == IFogmate.Status.Over && once(16)) _turnTo();
        bytes32 id = once(12) ? games[pick(games.length)] : _focus;
        if (!book(id).started && once(2)) {
            _lobby(id);
            return _compare(id);
        }
        if (book(id).status == IFogmate.Status.Over && once(3)) {
            once(2) ? _wait(id) : _anyReclaim(id);
            return _compare(id);
        }
        if (_anyRarity(id)) return _compare(id);
        uint256 what = pick(100);
        if (what < 12) _wait(id);
        else if (what < 14) vm.fee(once(8) ? 0 : 1 gwei * (1 + pick(60)));
        else if (what < 20) _lobby(id);
        else if (what < 40) _anyMove(id);
        else if (what < 56) _anyDemand(id);
        else if (what < 70) _anyAnswer(id);
        else if (what < 74) _anyFill(id);
        else if (what < 86) _anyClaim(id);
        else if (what < 89) _anyEnd(id);
        else if (what < 93) _timeout(id);
        else if (what < 96) _anyReclaim(id);
        else if (what < 98) _publish(id, pick(3));
        else _withdraw(pick(3), pick(3));
        _compare(id);
    }

    /// @dev What can be done in few states only is tried more often in them: claims, late answers.
    function _anyRarity(bytes32 id) private returns (bool) {
        Book storage b = book(id);
        if (b.status != IFogmate.Status.Playing) return false;
        bool claims = b.hold == IFogmate.Hold.FiftyMoves || b.quiet >= 100;
        (uint256 last,,) = verdict(b);
        bool late = timeNow() > last && (b.windows[0].open || b.windows[1].open || b.windows[2].open);
        if (claims && once(5)) _anyClaim(id);
        else if (late && once(2)) _anyAnswer(id);
        else return false;
        return true;
    }

    /// @dev To another game: an old one, one that waits for an opponent, or one that is played, perhaps a quiet one.
    function _turnTo() private {
        if (games.length > 24 || games.length > 0 && once(4)) {
            _focus = games[pick(games.length)];
        } else if (once(4)) {
            _anyCreate();
            if (games.length > 0) _focus = games[games.length - 1];
        } else {
            _focus = _begin(anyMode());
            for (uint256 plies = once(3) ? 0 : 2 + pick(2); plies > 0; --plies) {
                _makePly(_focus, 64, false);
            }
            if (once(2)) vm.warp(book(_focus).since);
            if (once(2)) {
                makeQuiet(_focus);
                book(_focus).quiet = 100;
            }
        }
    }

    /// @dev Does it in an actor's name, and compares what became of it with what the rules say.
    function _do(string memory name, uint256 by, uint256 value, bytes memory data, bool allowed) private {
        bool succeeded = _actors[by].act{value: value}(address(fogmate), data, 0);
        assertTrue(
            succeeded == allowed, string.concat(name, allowed ? " is refused" : " is allowed", " against the rules")
        );
        if (allowed) {
            ++done[name];
            paidIn += value;
        } else {
            ++refused[name];
        }
    }

    /// @dev Some seconds, often to the very edge of a deadline.
    function _wait(bytes32 id) private {
        uint256 to = timeNow() + pick(60);
        if (book(id).status == IFogmate.Status.Over && once(2)) to += 500;
        uint256 edge = pick(12);
        Book storage b = book(id);
        if (edge < 4) {
            (,, uint256 last) = fogmate.clocks(id);
            if (edge == 3) last = b.since + b.terms.delay;
            uint256 target = edge == 2 ? last + 1 : edge == 1 ? last : last - (last == 0 ? 0 : 1);
            // Seldom far, for all games share the time.
            if (target > timeNow() && (target < timeNow() + 500 || once(6))) to = target;
        }
        if (once(200)) to += 1 days;
        vm.warp(to);
    }

    // ---------------------------------------------------------------- the lobby

    function _lobby(bytes32 id) private {
        uint256 what = pick(10);
        if (what < 2 && games.length < 24) {
            _anyCreate();
        } else if (what == 2) {
            _cancel(id, pick(3));
        } else if (what < 6) {
            IFogmate.Point memory key = keyOf(once(5) ? 0 : 1, once(8) ? anyMode() : book(id).terms.mode);
            if (once(16)) key.y += 1;
            _join(id, pick(3), key, once(8) ? pick(2 ether) : book(id).terms.stake);
        } else if (what < 8) {
            _revealCreator(id, pick(3), once(8) ? 1 : SHARE_OF_TOSS, once(8) ? bytes32(0) : book(id).toss[1]);
        } else {
            _revealJoiner(id, pick(3), once(8) ? 1 : SHARE_OF_TOSS);
        }
    }

    function _cancel(bytes32 id, uint256 by) private {
        bool allowed = ruleCancel(id, address(_actors[by]));
        _do("cancel", by, 0, abi.encodeCall(IFogmate.cancel, (id)), allowed);
    }

    function _anyCreate() private {
        IFogmate.Terms memory t;
        t.mode = once(16) ? IFogmate.Mode.Retired : anyMode();
        t.stake = once(t.mode == IFogmate.Mode.Unproven ? 2 : 4) ? 0 : uint96(pick(2 ether));
        t.base = uint32(once(16) ? 30 days + pick(2) : pick(900));
        t.increment = uint32(once(16) ? 30 days + pick(2) : pick(10));
        t.delay = uint32(once(16) ? 30 days + pick(2) : pick(300));
        t.window = uint32(once(16) ? 30 days * pick(2) + pick(2) : 1 + pick(900));
        t.reveal = uint32(once(16) ? 30 days * pick(2) + pick(2) : 1 + pick(900));
        t.expiry = uint40(once(16) ? timeNow() - pick(2) : timeNow() + pick(1 days));
        if (once(3)) t.opponent = address(_actors[pick(3)]);
        IFogmate.Point memory key = keyOf(0, once(16) ? anyMode() : t.mode);
        if (once(16)) key.x ^= 1;
        if (once(t.mode == IFogmate.Mode.Unproven ? 3 : 16)) key.y = 0;
        _create(pick(3), t, key, once(16) ? pick(3) : t.stake);
    }

    function _create(uint256 by, IFogmate.Terms memory t, IFogmate.Point memory key, uint256 value)
        private
        returns (bytes32 id)
    {
        address sender = address(_actors[by]);
        uint256 nonce = once(8) ? 0 : ++_nonce;
        bytes32 toss = tossOf(sender, SHARE_OF_TOSS);
        id = keccak256(abi.encode(block.chainid, _game, sender, nonce, t, toss, key));
        bool allowed = ruleCreate(sender, value, nonce, t, toss, key);
        _do("create", by, value, abi.encodeCall(IFogmate.create, (nonce, t, toss, key)), allowed);
        if (allowed) games.push(id);
    }

    function _join(bytes32 id, uint256 by, IFogmate.Point memory key, uint256 value) private {
        bytes32 toss = tossOf(address(_actors[by]), SHARE_OF_TOSS);
        bool allowed = ruleJoin(id, address(_actors[by]), value, toss, key);
        _do("join", by, value, abi.encodeCall(IFogmate.join, (id, toss, key)), allowed);
    }

    function _revealCreator(bytes32 id, uint256 by, uint256 share, bytes32 toss) private {
        bool allowed = ruleRevealCreator(id, address(_actors[by]), share, toss);
        _do("revealCreator", by, 0, abi.encodeCall(IFogmate.revealCreator, (id, share, toss)), allowed);
    }

    function _revealJoiner(bytes32 id, uint256 by, uint256 share) private {
        bool allowed = ruleRevealJoiner(id, address(_actors[by]), share);
        _do("revealJoiner", by, 0, abi.encodeCall(IFogmate.revealJoiner, (id, share)), allowed);
    }

    // ---------------------------------------------------------------- plies

    function _started(bytes32 id) private view returns (bool) {
        return book(id).started;
    }

    /// @dev The actor to move, mostly.
    function _mover(bytes32 id) private returns (uint256) {
        return once(8) ? pick(3) : _indexOf(accountOf(book(id), book(id).plies.length % 2));
    }

    function _resting(bytes32 id) private returns (uint256) {
        return once(8) ? pick(3) : _indexOf(accountOf(book(id), (book(id).plies.length + 1) % 2));
    }

    function _indexOf(address account) private view returns (uint256 i) {
        while (i < 2 && address(_actors[i]) != account) ++i;
    }

    function _anyMove(bytes32 id) private {
        if (!_started(id)) return;
        IFogmate.Move memory m = _someMove(id, once(12) ? uint8(pick(66)) : 64);
        m.kingFell = once(30);
        m.offerDraw = once(4);
        if (once(3)) m.answerRoot = 0;
        if (once(16)) m.answerRoot = anyWord();
        m.basis = basisOf(id, m);
        if (once(24)) m.basis = bytes32(anyWord());
        if (once(24)) m.ply = uint16(m.ply + pick(3) - (m.ply == 0 ? 0 : 1));
        bytes memory proof = _maybe(TURN, m.ply < 2 && book(id).plies.length != m.ply ? words(0, 0) : turnInputs(id, m));
        if (!_proven(id) && !once(6)) proof = "";
        _move(id, _mover(id), m, proof);
    }

    function _proven(bytes32 id) private view returns (bool) {
        return book(id).terms.mode != IFogmate.Mode.Unproven;
    }

    /// @dev The name of an action that needs a proof: by itself where none is taken.
    function _named(bytes32 id, string memory name) private view returns (string memory) {
        return _proven(id) ? name : string.concat(name, ", unproven");
    }

    function _someMove(bytes32 id, uint8 capture) private returns (IFogmate.Move memory m) {
        m.ply = uint16(book(id).plies.length);
        (m.nextCommitment, m.nextRequestRoot, m.capture) = (anyWord(), anyWord(), capture);
        if (m.ply > 0) m.answerRoot = anyWord();
    }

    function _makePly(bytes32 id, uint8 capture, bool king) private {
        IFogmate.Move memory m = _someMove(id, capture);
        (m.nextCommitment, m.nextRequestRoot, m.answerRoot) =
        (m.nextCommitment % ORDER, m.nextRequestRoot % ORDER, m.answerRoot % ORDER);
        m.kingFell = king;
        m.basis = basisOf(id, m);
        bytes memory proof = _proven(id) ? right(TURN, turnInputs(id, m)) : bytes("");
        _move(id, _indexOf(accountOf(book(id), m.ply % 2)), m, proof);
    }

    function _move(bytes32 id, uint256 by, IFogmate.Move memory m, bytes memory proof) private {
        bool allowed = ruleMove(id, address(_actors[by]), m, proof);
        _do(_proven(id) ? "move" : "move, unproven", by, 0, abi.encodeCall(IFogmate.move, (id, m, proof)), allowed);
    }

    /// @dev A right proof mostly; or a false one, one without a verdict, or one of the wrong length.
    function _maybe(address key, uint256[] memory inputs) private returns (bytes memory) {
        uint256 luck = pick(16);
        if (luck < 11) return right(key, inputs);
        if (luck < 14) return abi.encode(pick(type(uint256).max));
        return luck == 14 ? abi.encode(NO_VERDICT) : new bytes(31 + 2 * pick(2));
    }

    function _anyEnd(bytes32 id) private {
        if (once(5)) {
            uint256 by = pick(3);
            _do("resign", by, 0, abi.encodeCall(IFogmate.resign, (id)), ruleResign(id, address(_actors[by])));
        } else if (_started(id)) {
            uint256 by = _mover(id);
            uint16 ply = uint16(book(id).plies.length + (once(12) ? 1 : 0));
            uint256 commitment = once(12) ? 1 : commitmentBefore(book(id), (ply + 1) % 2, book(id).plies.length);
            bool allowed = ruleAcceptDraw(id, address(_actors[by]), ply, commitment);
            _do("acceptDraw", by, 0, abi.encodeCall(IFogmate.acceptDraw, (id, ply, commitment)), allowed);
        }
    }

    function _timeout(bytes32 id) private {
        bool allowed = ruleClaimTimeout(id);
        _do("claimTimeout", pick(3), 0, abi.encodeCall(IFogmate.claimTimeout, (id)), allowed);
    }

    function _publish(bytes32 id, uint256 by) private {
        bool allowed = rulePublish(id, address(_actors[by]));
        _do("publishViewKey", by, 0, abi.encodeCall(IFogmate.publishViewKey, (id, bytes32(anyWord()))), allowed);
    }

    // ---------------------------------------------------------------- disputes

    function _anyDemand(bytes32 id) private {
        if (!_started(id)) return;
        IFogmate.Phase phase = IFogmate.Phase(pick(2));
        uint256 by = phase == IFogmate.Phase.Pre ? _mover(id) : pick(3);
        uint256 c = colorOf(book(id), address(_actors[by]));
        bool pre = phase == IFogmate.Phase.Pre;
        if (pre ? book(id).plies.length < 2 : book(id).plies.length <= c) return _hopelessDemand(id, by, phase);
        uint256[128] memory points;
        points[pick(128)] = anyWord();
        points[0] = anyWord();
        IFogmate.Exchange memory e = pre ? preExchange(id) : postExchange(id, c);
        (, uint256 z, uint256 y) = bindingOf(e.requestRoot, abi.encodePacked(points));
        bytes memory proof = _maybe(REQUEST_DATA, words(e.requestRoot, z, y));
        uint256 value = _bond(RISE * SHARE);
        bool allowed = ruleDemand(id, address(_actors[by]), phase, points, proof, value);
        _do(
            _named(id, pre ? "demand pre" : "demand post"),
            by,
            value,
            abi.encodeCall(IFogmate.demandSight, (id, phase, points, proof)),
            allowed
        );
        if (allowed) _asked[id][pre ? 0 : 1 + c] = e;
    }

    /// @dev There is no such sight.
    function _hopelessDemand(bytes32 id, uint256 by, IFogmate.Phase phase) private {
        uint256[128] memory points;
        bytes memory data =
            abi.encodeCall(IFogmate.demandSight, (id, phase, points, right(REQUEST_DATA, words(0, 0, 0))));
        _do("demand too early", by, _bond(RISE * SHARE), data, false);
    }

    /// @dev Mostly more than the least, sometimes exactly that, or too little.
    function _bond(uint256 gasUnits) private returns (uint256) {
        uint256 least = gasUnits * feeNow();
        if (once(6)) return least;
        if (once(12)) return least == 0 ? 0 : least - 1;
        return least * (1 + pick(2)) + pick(1 gwei);
    }

    function _anyAnswer(bytes32 id) private {
        uint256 slot = pick(3);
        for (uint256 i = 0; i < 2 && !book(id).windows[slot].open; ++i) {
            slot = (slot + 1) % 3;
        }
        IFogmate.Exchange memory e = _asked[id][slot];
        if (e.requestRoot == 0) return;
        uint256 root = e.postedRoot != 0 ? e.postedRoot : 1 + pick(ORDER - 1);
        if (once(5)) root = anyWord();
        if (once(24)) e.pendingSender ^= 1;
        if (once(24)) e.commitment ^= 1;
        if (once(24)) e.postedRoot ^= root;
        uint256 by = once(8) ? pick(3) : _indexOf(accountOf(book(id), 1 - e.receiver));
        _answer(id, by, e, root);
    }

    function _answer(bytes32 id, uint256 by, IFogmate.Exchange memory e, uint256 root) private {
        uint256[733] memory elements;
        elements[pick(733)] = anyWord();
        elements[732] = anyWord();
        (, uint256 z, uint256 y) = bindingOf(root, abi.encodePacked(elements));
        bytes memory proof = _maybe(ANSWER, answerInputs(book(id), e, root, z, y));
        bool allowed = ruleAnswer(id, address(_actors[by]), e, root, elements, proof);
        bool over = book(id).status == IFogmate.Status.Over;
        bytes memory data = abi.encodeCall(IFogmate.answerSight, (id, e, root, elements, proof));
        _do(over ? "answer after the end" : "answer", by, 0, data, allowed);
    }

    function _anyFill(bytes32 id) private {
        if (!_started(id)) return;
        uint256 ctx = book(id).plies.length < 2 || once(12) ? anyWord() : preExchange(id).ctx;
        uint256 root = once(12) ? 0 : anyWord();
        uint256 by = _resting(id);
        bool allowed = ruleFill(id, address(_actors[by]), ctx, root);
        _do("fillAnswer", by, 0, abi.encodeCall(IFogmate.fillAnswer, (id, ctx, root)), allowed);
    }

    function _anyReclaim(bytes32 id) private {
        uint256 slot = pick(3);
        for (uint256 i = 0; i < 2 && book(id).windows[slot].bond == 0; ++i) {
            slot = (slot + 1) % 3;
        }
        _reclaim(id, slot);
    }

    function _reclaim(bytes32 id, uint256 slot) private {
        bool allowed = ruleReclaim(id, slot);
        _do("reclaim", pick(3), 0, abi.encodeCall(IFogmate.reclaim, (id, IFogmate.Slot(slot))), allowed);
    }

    // ---------------------------------------------------------------- claims

    function _anyClaim(bytes32 id) private {
        if (!_started(id)) return;
        uint256 n = book(id).plies.length;
        uint256 what = book(id).hold == IFogmate.Hold.FiftyMoves ? 2 + pick(5) : pick(8);
        if (what < 3) {
            uint256 by = _mover(id);
            bytes memory proof = _maybe(FIFTY, words(commitmentBefore(book(id), n % 2, n), 1));
            uint256 value = _bond(RISE * RESPOND);
            bool allowed = ruleClaimFifty(id, address(_actors[by]), proof, value);
            _do(_named(id, "claimFifty"), by, value, abi.encodeCall(IFogmate.claimFifty, (id, proof)), allowed);
        } else if (what < 7) {
            uint256 by = _resting(id);
            bool fifty = once(4);
            bytes memory proof = _maybe(FIFTY, words(commitmentBefore(book(id), (n + 1) % 2, n), fifty ? 1 : 0));
            bool allowed = ruleRespondFifty(id, address(_actors[by]), fifty, proof);
            _do("respondFifty", by, 0, abi.encodeCall(IFogmate.respondFifty, (id, fifty, proof)), allowed);
        } else if (!_proven(id) || once(4)) {
            uint256 by = _mover(id);
            bytes memory proof = n < 2 ? abi.encode(1) : _maybe(NO_MOVE, noMoveInputs(id));
            bool allowed = ruleNoMove(id, address(_actors[by]), proof);
            _do(_named(id, "claimNoMove"), by, 0, abi.encodeCall(IFogmate.claimNoMove, (id, proof)), allowed);
        }
    }

    // ---------------------------------------------------------------- money

    /// @dev Who is paid may refuse, or ask for what itself is owed while it is paid.
    function _withdraw(uint256 by, uint256 to) private {
        (address sender, address payee) = (address(_actors[by]), address(_actors[to]));
        uint256 amount = _owed[sender];
        bool allowed = amount > 0 && to != 2;
        uint256 before = payee.balance;
        _do("withdraw", by, 0, abi.encodeCall(IFogmate.withdraw, (payable(payee))), allowed);
        if (!allowed) return;
        _owed[sender] = 0;
        if (to == 0) (amount, _owed[payee]) = (amount + _owed[payee], 0);
        assertEq(payee.balance, before + amount, "paid what was owed");
        paidOut += amount;
    }

    // ---------------------------------------------------------------- what must hold

    /// @dev All that is public is what the rules say.
    function _compare(bytes32 id) private view {
        _same(abi.encode(fogmate.game(id)), abi.encode(expectedGame(id)), "game, word");
        Book storage b = book(id);
        (uint256 white, uint256 black, uint256 deadline) = fogmate.clocks(id);
        bool toss = b.status == IFogmate.Status.CreatorReveals || b.status == IFogmate.Status.JoinerReveals;
        if (toss || b.status == IFogmate.Status.Playing) {
            (uint256 last,,) = verdict(b);
            uint256 c = b.plies.length % 2;
            assertEq(deadline, last, "deadline");
            assertEq(c == 0 ? white : black, toss ? b.terms.base : timeLeft(b), "running clock");
            assertEq(c == 0 ? black : white, b.clock[1 - c], "resting clock");
        } else {
            assertEq(white + black + deadline, 0, "no clocks");
        }
        if (b.status == IFogmate.Status.Playing) _compareExchanges(id, b);
        for (uint256 i = 0; i < 3; ++i) {
            assertEq(fogmate.withdrawable(address(_actors[i])), _owed[address(_actors[i])], "owed");
        }
        assertEq(fogmate.leastBond(false), RISE * SHARE * feeNow(), "bond of a demand");
        assertEq(fogmate.leastBond(true), RISE * RESPOND * feeNow(), "bond of a claim");
    }

    function _compareExchanges(bytes32 id, Book storage b) private view {
        uint256 n = b.plies.length;
        if (n > 1) {
            bytes memory found = abi.encode(fogmate.exchangeOf(id, IFogmate.Phase.Pre, uint8(n % 2)));
            _same(found, abi.encode(preExchange(id)), "sight before, word");
            assertEq(fogmate.contextOf(id, IFogmate.Phase.Pre), preExchange(id).ctx, "context before");
        }
        for (uint256 c = 0; c < 2; ++c) {
            if (n <= c) continue;
            bytes memory found = abi.encode(fogmate.exchangeOf(id, IFogmate.Phase.Post, uint8(c)));
            _same(found, abi.encode(postExchange(id, c)), "sight after, word");
        }
    }

    function _same(bytes memory found, bytes memory expected, string memory what) private pure {
        if (keccak256(found) == keccak256(expected)) return;
        for (uint256 i = 32; i <= expected.length; i += 32) {
            (uint256 a, uint256 b) = (_wordAt(found, i), _wordAt(expected, i));
            if (a != b) revert NotEqual(string.concat(what, " ", vm.toString(i / 32 - 1)), a, b);
        }
    }

    function _wordAt(bytes memory data, uint256 offset) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(data, offset))
        }
    }

    /// @dev Every wei is a stake of a game that lasts, an open bond, or owed; and each bond comes out once.
    function checkMoney() external view {
        uint256 expected;
        for (uint256 i = 0; i < games.length; ++i) {
            Book storage b = book(games[i]);
            if (b.status == IFogmate.Status.Open) expected += b.terms.stake;
            else if (b.status != IFogmate.Status.Over) expected += 2 * uint256(b.terms.stake);
            for (uint256 j = 0; j < 3; ++j) {
                expected += b.windows[j].bond;
            }
        }
        for (uint256 i = 0; i < 3; ++i) {
            expected += fogmate.withdrawable(address(_actors[i]));
        }
        assertEq(address(fogmate).balance, expected, "nothing is trapped or made");
        assertEq(address(fogmate).balance, paidIn - paidOut, "books");
    }

    /// @dev From any state, once time has passed a stranger can end every game, free every bond, and all can be paid out.
    function settle() external goesOn(0) {
        vm.warp(timeNow() + 3650 days);
        for (uint256 i = 0; i < games.length; ++i) {
            bytes32 id = games[i];
            if (book(id).status == IFogmate.Status.Open) {
                _cancel(id, 2);
            } else if (book(id).status != IFogmate.Status.Over) {
                _timeout(id);
            }
            for (uint256 j = 0; j < 3; ++j) {
                if (book(id).windows[j].bond > 0) _reclaim(id, j);
            }
            assertTrue(book(id).status == IFogmate.Status.Over, "ended");
            _compare(id);
        }
        for (uint256 i = 0; i < 3; ++i) {
            if (_owed[address(_actors[i])] > 0) _withdraw(i, 1);
        }
        assertEq(address(fogmate).balance, 0, "all paid out");
    }
}
