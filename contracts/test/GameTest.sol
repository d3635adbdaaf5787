// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {ScriptedVerifier} from "./ScriptedVerifier.sol";
import {Test, heedControl} from "./Vm.sol";

/// @dev Two players and the steps to bring a game to any point. What the contract should compute, ids, contexts, exchanges,
/// is written down here from the protocol and from what the players did, never read from the contract.
abstract contract GameKit is Test {
    uint32 internal constant PROOF_LENGTH = 96;
    uint32 internal constant WIDE_PROOF_LENGTH = 160;
    address internal constant TURN_KEY = address(0x7EA1);
    address internal constant REQUEST_DATA_KEY = address(0x7EA2);
    address internal constant FIFTY_KEY = address(0x7EA3);
    address internal constant NO_MOVE_KEY = address(0x7EA4);
    address internal constant ANSWER_KEY = address(0x7EA5);

    uint96 internal constant STAKE = 1 ether;
    uint32 internal constant BASE = 600;
    uint32 internal constant INCREMENT = 5;
    uint32 internal constant DELAY = 60;
    uint32 internal constant WINDOW = 1 hours;
    uint32 internal constant REVEAL = 10 minutes;
    uint40 internal constant START = 1_800_000_000;
    uint40 internal constant EXPIRY = START + 10 days;
    uint256 internal constant BASE_FEE = 10 gwei;

    /// The name of a sight engine, as a word.
    uint256 internal constant ENGINE = uint256(bytes32("dh-psi"));
    uint256 internal constant GENERATOR_Y = 17631683881184975370165255887551781615748388533673675138860;
    uint256 internal constant DOUBLE_X = 3078034153852398078128400807926804309327113743808504829582559963737223069694;
    uint256 internal constant DOUBLE_Y = 12696890884641142049456609402511852099066095483298083855939691685001536962732;
    uint256 internal constant WHITE_START = 0x1c64b212d0b24392035c2b688153d6aa522a539ed18c726d3a4baa31509b1658;
    uint256 internal constant BLACK_START = 0x2da8d0dc476ba0d178e41fd406327a5157c3af3b8a99bdfff017932f48c8163e;
    /// The creator's share of the toss.
    uint256 internal constant R1 = 0xf06;

    /// @dev A ply that was made, as its mover declared it; a filled answer is its `answerRoot`.
    struct Ply {
        uint256 commitment;
        uint256 requestRoot;
        uint256 answerRoot;
        uint8 capture;
        bytes32 proofHash;
    }

    address internal creator = address(0xC0FFEE);
    address internal joiner = address(0xB0B);
    address internal stranger = address(0x57A);
    IFogmate internal fogmate;
    /// The mode of the games that `terms` describes.
    IFogmate.Mode internal _mode;
    uint256 private _nonce;
    mapping(bytes32 gameId => Ply[]) internal _history;

    /// @dev The modes by number, which has gaps.
    function modeOf(uint256 i) internal pure returns (IFogmate.Mode) {
        return i % 2 == 0 ? IFogmate.Mode.Verified : IFogmate.Mode.Unproven;
    }

    // ---------------------------------------------------------------- the contract

    /// @dev Keys are contracts of data; here any code will do.
    function verifiersOf(address narrow, address wide) internal returns (IFogmate.Verifiers memory with) {
        address[5] memory keys = [TURN_KEY, REQUEST_DATA_KEY, FIFTY_KEY, NO_MOVE_KEY, ANSWER_KEY];
        for (uint256 i = 0; i < keys.length; ++i) {
            vm.etch(keys[i], hex"00");
        }
        with.narrow = narrow;
        with.wide = wide;
        (with.turnKey, with.requestDataKey, with.fiftyKey) = (TURN_KEY, REQUEST_DATA_KEY, FIFTY_KEY);
        (with.noMoveKey, with.answerKey) = (NO_MOVE_KEY, ANSWER_KEY);
        (with.narrowProofLength, with.wideProofLength) = (PROOF_LENGTH, WIDE_PROOF_LENGTH);
    }

    /// @dev A chain where the base fee is all that counts.
    function prices() internal pure returns (IFogmate.Prices memory) {
        return IFogmate.Prices({answerShareGas: 430_000, leastPrice: 0, dataPrice: 0});
    }

    // ---------------------------------------------------------------- the lobby

    function terms() internal view returns (IFogmate.Terms memory) {
        return IFogmate.Terms({
            mode: _mode,
            stake: _mode == IFogmate.Mode.Unproven ? 0 : STAKE,
            base: BASE,
            increment: INCREMENT,
            delay: DELAY,
            window: WINDOW,
            reveal: REVEAL,
            expiry: EXPIRY,
            opponent: address(0)
        });
    }

    function creatorKey() internal view returns (IFogmate.Point memory) {
        return _mode == IFogmate.Mode.Unproven ? seedOf(0) : IFogmate.Point(1, GENERATOR_Y);
    }

    function joinerKey() internal view returns (IFogmate.Point memory) {
        return _mode == IFogmate.Mode.Unproven ? seedOf(1) : IFogmate.Point(DOUBLE_X, DOUBLE_Y);
    }

    /// @dev What is registered where nothing is proven: a commitment, which is no field element here, and an engine's name.
    function seedOf(uint256 i) internal pure returns (IFogmate.Point memory) {
        return IFogmate.Point(type(uint256).max - i, ENGINE);
    }

    /// @dev A share for the joiner that makes the creator White, or Black.
    function share(bytes32 id, bool creatorWhite) internal pure returns (uint256 r2) {
        while ((uint256(keccak256(abi.encode(R1, r2, id))) & 1 == 0) != creatorWhite) ++r2;
    }

    /// @dev What a player commits to in the toss.
    function commitment(uint256 r, address by) internal pure returns (bytes32) {
        return keccak256(abi.encode(keccak256("fogmate/toss/1"), by, r));
    }

    function open() internal returns (bytes32) {
        return open(terms());
    }

    function open(IFogmate.Terms memory t) internal returns (bytes32) {
        vm.prank(creator);
        return fogmate.create{value: t.stake}(_nonce++, t, commitment(R1, creator), creatorKey());
    }

    function joined(bool creatorWhite) internal returns (bytes32) {
        return joined(terms(), creatorWhite);
    }

    function joined(IFogmate.Terms memory t, bool creatorWhite) internal returns (bytes32 id) {
        id = open(t);
        vm.prank(joiner);
        fogmate.join{value: t.stake}(id, commitment(share(id, creatorWhite), joiner), joinerKey());
    }

    /// @dev The creator has revealed.
    function halfRevealed(bool creatorWhite) internal returns (bytes32 id) {
        return halfRevealed(terms(), creatorWhite);
    }

    function halfRevealed(IFogmate.Terms memory t, bool creatorWhite) internal returns (bytes32 id) {
        id = joined(t, creatorWhite);
        vm.prank(creator);
        fogmate.revealCreator(id, R1, commitment(share(id, creatorWhite), joiner));
    }

    /// @dev A game in play with the creator as White.
    function started() internal returns (bytes32 id) {
        return started(true);
    }

    function started(bool creatorWhite) internal returns (bytes32 id) {
        return started(terms(), creatorWhite);
    }

    /// @dev A game in play, in the second in which White's first delay begins.
    function started(IFogmate.Terms memory t, bool creatorWhite) internal returns (bytes32 id) {
        id = halfRevealed(t, creatorWhite);
        vm.prank(joiner);
        fogmate.revealJoiner(id, share(id, creatorWhite));
    }

    // ---------------------------------------------------------------- plies

    /// @dev A game in play after so many quiet plies.
    function played(uint256 plies) internal returns (bytes32 id) {
        id = started();
        play(id, plies);
    }

    /// @dev The player to move makes a quiet ply.
    function play(bytes32 id) internal {
        move(id, next(id));
    }

    function play(bytes32 id, uint256 plies) internal {
        for (uint256 i = 0; i < plies; ++i) {
            play(id);
        }
    }

    /// @dev The player to move makes this ply, with the proof of `proofOf` where moves have proofs.
    function move(bytes32 id, IFogmate.Move memory m) internal {
        bytes memory proof = _mode == IFogmate.Mode.Unproven ? bytes("") : proofOf(m.nextCommitment);
        vm.prank(toMove(id));
        fogmate.move(id, m, proof);
        _history[id].push(Ply(m.nextCommitment, m.nextRequestRoot, m.answerRoot, m.capture, keccak256(proof)));
    }

    /// @dev Bytes of a narrow proof that differ from ply to ply.
    function proofOf(uint256 seed) internal pure returns (bytes memory) {
        return bytesOf(PROOF_LENGTH, bytes32(seed));
    }

    function toMove(bytes32 id) internal view returns (address) {
        IFogmate.Game memory g = fogmate.game(id);
        return g.players[g.ply & 1].account;
    }

    function notToMove(bytes32 id) internal view returns (address) {
        IFogmate.Game memory g = fogmate.game(id);
        return g.players[(g.ply & 1) ^ 1].account;
    }

    /// @dev A quiet ply that the contract accepts here; its commitments are fresh for every ply of every game.
    function next(bytes32 id) internal view returns (IFogmate.Move memory) {
        return next(id, 64);
    }

    function next(bytes32 id, uint8 capture) internal view returns (IFogmate.Move memory m) {
        IFogmate.Game memory g = fogmate.game(id);
        m.ply = g.ply;
        m.capture = capture;
        m.nextCommitment = fresh(id, g.ply, "commitment");
        m.nextRequestRoot = fresh(id, g.ply, "request");
        if (g.ply > 0) m.answerRoot = fresh(id, g.ply, "answer");
        m = based(id, m);
    }

    /// @dev The same, and the capture of the king.
    function nextKing(bytes32 id) internal view returns (IFogmate.Move memory m) {
        m = next(id, 60);
        m.kingFell = true;
        m = based(id, m);
    }

    /// @dev The same, without an answer.
    function nextWithoutAnswer(bytes32 id) internal view returns (IFogmate.Move memory m) {
        m = next(id);
        m.answerRoot = 0;
    }

    function fresh(bytes32 id, uint256 ply, string memory what) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode(id, ply, what))) % FIELD_ORDER;
    }

    // ---------------------------------------------------------------- sights

    /// @dev The context of the opponent's sight after `m`.
    function contextAfter(bytes32 id, IFogmate.Move memory m) internal view returns (uint256) {
        IFogmate.Game memory g = fogmate.game(id);
        if (g.ply == 0) return 0;
        IFogmate.Player memory sender = g.players[g.ply & 1];
        IFogmate.Player memory receiver = g.players[(g.ply & 1) ^ 1];
        bytes memory head = abi.encode(keccak256("fogmate/ctx/2"), block.chainid, address(fogmate), id, g.ply + 1, 0);
        bytes memory boards =
            abi.encode(m.nextCommitment, 64, receiver.commitment, m.capture, sender.fogKey, receiver.requestRoot);
        return uint256(keccak256(bytes.concat(head, boards))) % FIELD_ORDER;
    }

    /// @dev The thirteen words of *turn* for this move, from the protocol's list and the game as it stands.
    function turnWords(bytes32 id, IFogmate.Move memory m) internal view returns (uint256[13] memory w) {
        IFogmate.Game memory g = fogmate.game(id);
        IFogmate.Player memory mover = g.players[g.ply & 1];
        IFogmate.Player memory other = g.players[(g.ply & 1) ^ 1];
        (w[0], w[1], w[2]) = (mover.commitment, g.pending, m.nextCommitment);
        if (g.ply < 2) {
            w[10] = 1;
        } else {
            IFogmate.Exchange memory e;
            (e.ply, e.receiver, e.pendingReceiver, e.pendingSender) = (g.ply, uint8(g.ply & 1), g.pending, 64);
            (e.commitment, e.requestRoot) = (other.commitment, mover.requestRoot);
            (w[3], w[4], w[5]) = (e.requestRoot, g.answerRoot, contextOf(id, e, mover.commitment));
        }
        (w[6], w[7], w[8], w[9]) = (other.fogKey.x, other.fogKey.y, m.nextRequestRoot, g.ply & 1);
        (w[11], w[12]) = (m.capture, m.kingFell ? 1 : 0);
    }

    /// @dev What this move rests on in the game as it stands.
    function basisOf(bytes32 id, IFogmate.Move memory m) internal view returns (bytes32) {
        return keccak256(abi.encodePacked(contextAfter(id, m), turnWords(id, m)));
    }

    /// @dev The same move for the game as it stands.
    function based(bytes32 id, IFogmate.Move memory m) internal view returns (IFogmate.Move memory) {
        m.basis = basisOf(id, m);
        return m;
    }

    /// @dev The sight before the ply to come, from the plies made so far.
    function preExchange(bytes32 id) internal view returns (IFogmate.Exchange memory e) {
        uint256 n = _history[id].length;
        Ply memory sent = _history[id][n - 1];
        Ply memory asked = _history[id][n - 2];
        e.phase = IFogmate.Phase.Pre;
        e.ply = uint16(n);
        e.receiver = uint8(n & 1);
        e.pendingReceiver = sent.capture;
        e.pendingSender = 64;
        e.commitment = sent.commitment;
        e.requestRoot = asked.requestRoot;
        e.postedRoot = sent.answerRoot;
        e.ctx = contextOf(id, e, asked.commitment);
    }

    /// @dev The sight after ply `n`, from the plies made up to it.
    function postExchange(bytes32 id, uint256 n) internal view returns (IFogmate.Exchange memory e) {
        Ply memory asked = _history[id][n];
        e.phase = IFogmate.Phase.Post;
        e.ply = uint16(n);
        e.receiver = uint8(n & 1);
        e.pendingReceiver = 64;
        e.pendingSender = asked.capture;
        e.commitment = n == 0 ? BLACK_START : _history[id][n - 1].commitment;
        e.requestRoot = asked.requestRoot;
        e.ctx = contextOf(id, e, asked.commitment);
    }

    /// @dev The context of an exchange, protocol section 5.
    function contextOf(bytes32 id, IFogmate.Exchange memory e, uint256 receiverCommitment)
        internal
        view
        returns (uint256)
    {
        IFogmate.Point memory key = fogmate.game(id).players[e.receiver ^ 1].fogKey;
        bytes memory head =
            abi.encode(keccak256("fogmate/ctx/2"), block.chainid, address(fogmate), id, e.ply, uint256(e.phase));
        bytes memory boards =
            abi.encode(e.commitment, e.pendingSender, receiverCommitment, e.pendingReceiver, key, e.requestRoot);
        return uint256(keccak256(bytes.concat(head, boards))) % FIELD_ORDER;
    }

    function accountOf(bytes32 id, uint256 color) internal view returns (address) {
        return fogmate.game(id).players[color].account;
    }

    /// @dev Half of what `answerSight` takes more gas than `demandSight`, at the base fee now.
    function answerShare() internal view returns (uint256) {
        return 430_000 * block.basefee;
    }

    /// @dev What `respondFifty` takes, at the base fee now.
    function respondShare() internal view returns (uint256) {
        return 460_000 * block.basefee;
    }

    /// @dev Points of a request: field elements that follow from `seed`.
    function points(uint256 seed) internal pure returns (uint256[128] memory words) {
        for (uint256 i = 0; i < 128; ++i) {
            words[i] = uint256(keccak256(abi.encode(seed, "point", i))) % FIELD_ORDER;
        }
    }

    /// @dev Elements of an answer: field elements that follow from `seed`.
    function elements(uint256 seed) internal pure returns (uint256[733] memory words) {
        for (uint256 i = 0; i < 733; ++i) {
            words[i] = uint256(keccak256(abi.encode(seed, "element", i))) % FIELD_ORDER;
        }
    }

    /// @dev The player to move demands its sight, with twice the least bond. Returns the bond.
    function demandPre(bytes32 id) internal returns (uint96 bond) {
        bond = uint96(2 * fogmate.leastBond(false));
        demand(id, IFogmate.Phase.Pre, toMove(id), bond);
    }

    /// @dev A colour demands the sight after its latest move, with twice the least bond. Returns the bond.
    function demandPost(bytes32 id, uint256 color) internal returns (uint96 bond) {
        bond = uint96(2 * fogmate.leastBond(false));
        demand(id, IFogmate.Phase.Post, accountOf(id, color), bond);
    }

    function demand(bytes32 id, IFogmate.Phase phase, address by, uint256 bond) internal {
        vm.prank(by);
        fogmate.demandSight{value: bond}(id, phase, points(1), proofOf(1));
    }

    /// @dev Answers with the root that was posted, or with a fresh one.
    function answer(bytes32 id, IFogmate.Exchange memory e) internal {
        answer(id, e, e.postedRoot != 0 ? e.postedRoot : fresh(id, e.ply, "late answer"));
    }

    function answer(bytes32 id, IFogmate.Exchange memory e, uint256 root) internal {
        vm.prank(accountOf(id, e.receiver ^ 1));
        fogmate.answerSight(id, e, root, elements(1), wideProof());
        if (e.phase == IFogmate.Phase.Pre && _history[id].length == e.ply) _history[id][e.ply - 1].answerRoot = root;
    }

    /// @dev Moves on by a hundred quiet plies that nobody makes, by the counters in bits 16..48 of the game's first word. The
    /// plies made so far are not known any more, so what is owed can't be told from them.
    function skipHundred(bytes32 id) internal {
        bytes32 slot = keccak256(abi.encode(id, uint256(1)));
        uint256 word = uint256(vm.load(address(fogmate), slot));
        vm.store(address(fogmate), slot, bytes32(word + (100 << 16) + (100 << 32)));
        delete _history[id];
    }

    function wideProof() internal pure returns (bytes memory) {
        return bytesOf(WIDE_PROOF_LENGTH, "answer");
    }

    /// @dev So many bytes that follow from `seed`.
    function bytesOf(uint256 length, bytes32 seed) internal pure returns (bytes memory data) {
        data = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            if (i % 32 == 0) seed = keccak256(abi.encode(seed));
            data[i] = seed[i % 32];
        }
    }

    /// @dev How values are bound to a proof, protocol section 7: z and their polynomial there.
    function binding(uint256 root, uint256[] memory values) internal pure returns (uint256 z, uint256 y) {
        z = uint256(keccak256(abi.encodePacked(root, values))) % FIELD_ORDER;
        uint256 power = 1;
        for (uint256 i = 0; i < values.length; ++i) {
            y = addmod(y, mulmod(values[i], power, FIELD_ORDER), FIELD_ORDER);
            power = mulmod(power, z, FIELD_ORDER);
        }
    }

    // ---------------------------------------------------------------- refusals

    /// @dev The error that any action gives which needs another status.
    function wrongStatus(IFogmate.Status current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IFogmate.WrongStatus.selector, current);
    }

    /// @dev Expects an error without arguments.
    function refused(bytes4 selector) internal {
        vm.expectRevert(abi.encodeWithSelector(selector));
    }

    function refused(bytes4 selector, uint256 argument) internal {
        vm.expectRevert(abi.encodeWithSelector(selector, argument));
    }
}

/// @dev Every test starts with a game contract whose two verifiers accept every proof, until they are told otherwise.
abstract contract GameTest is GameKit {
    /// What `refuseMove` sends for a proof.
    bytes internal _proof = new bytes(PROOF_LENGTH);
    ScriptedVerifier internal _narrow;
    ScriptedVerifier internal _wide;

    function setUp() public virtual {
        heedControl(vm);
        (_narrow, _wide) = (new ScriptedVerifier(), new ScriptedVerifier());
        fogmate = IFogmate(create("Fogmate", abi.encode(verifiersOf(address(_narrow), address(_wide)), prices())));
        vm.deal(creator, 100 ether);
        vm.deal(joiner, 100 ether);
        vm.deal(stranger, 100 ether);
        vm.warp(START);
        vm.fee(BASE_FEE);
    }

    /// @dev The last question by this key was these inputs, filled up with zeros, and this proof; and the other verifier was
    /// not asked by it.
    function assertAsked(address key, uint256[] memory inputs, bytes memory proof) internal view {
        bool isWide = key == ANSWER_KEY;
        bytes memory padding = new bytes(32 * ((isWide ? 12 : 13) - inputs.length));
        bytes32 expected = keccak256(abi.encodePacked(uint256(uint160(key)), inputs, padding, proof));
        assertEq((isWide ? _wide : _narrow).lastAsked(key), expected, "what the verifier was asked");
        assertEq((isWide ? _narrow : _wide).timesAsked(key), 0, "the other verifier");
    }

    /// @dev The move must fail with exactly this error.
    function refuseMove(bytes32 id, IFogmate.Move memory m, address by, bytes memory data) internal {
        vm.prank(by);
        vm.expectRevert(data);
        fogmate.move(id, m, _proof);
    }

    function refuseMove(bytes32 id, IFogmate.Move memory m, bytes memory data) internal {
        refuseMove(id, m, toMove(id), data);
    }
}
