// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {Fogmate} from "../src/Fogmate.sol";
import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {FIELD_ORDER} from "../src/libraries/Field.sol";
import {AcceptAllVerifier} from "./AcceptAllVerifier.sol";
import {Test} from "./Vm.sol";

/// @dev Two players and the steps to bring a game to any point.
abstract contract GameKit is Test {
    uint256 internal constant PROOF_LENGTH = 96;
    uint96 internal constant STAKE = 1 ether;
    uint256 internal constant GENERATOR_Y = 17631683881184975370165255887551781615748388533673675138860;
    uint256 internal constant DOUBLE_X = 3078034153852398078128400807926804309327113743808504829582559963737223069694;
    uint256 internal constant DOUBLE_Y = 12696890884641142049456609402511852099066095483298083855939691685001536962732;
    uint256 internal constant WHITE_START = 0x1c64b212d0b24392035c2b688153d6aa522a539ed18c726d3a4baa31509b1658;
    uint256 internal constant BLACK_START = 0x2da8d0dc476ba0d178e41fd406327a5157c3af3b8a99bdfff017932f48c8163e;
    uint256 internal constant R1 = 0xf06;

    address internal creator = address(0xC0FFEE);
    address internal joiner = address(0xB0B);
    address internal stranger = address(0x57A);
    Fogmate internal fogmate;

    function terms() internal pure returns (IFogmate.Terms memory) {
        return IFogmate.Terms({stake: STAKE, base: 600, increment: 5, delay: 60, opponent: address(0)});
    }

    function creatorKey() internal pure returns (IFogmate.Point memory) {
        return IFogmate.Point(1, GENERATOR_Y);
    }

    function joinerKey() internal pure returns (IFogmate.Point memory) {
        return IFogmate.Point(DOUBLE_X, DOUBLE_Y);
    }

    /// @dev A share for the joiner that makes the creator White, or Black.
    function share(bool creatorWhite) internal pure returns (uint256 r2) {
        while ((uint256(keccak256(abi.encode(R1, r2))) & 1 == 0) != creatorWhite) ++r2;
    }

    function commitment(uint256 r1, address by) internal pure returns (bytes32) {
        return keccak256(abi.encode(r1, by));
    }

    function open() internal returns (bytes32 id) {
        vm.prank(creator);
        return fogmate.create{value: STAKE}(terms(), commitment(R1, creator), creatorKey());
    }

    function joined(bool creatorWhite) internal returns (bytes32 id) {
        id = open();
        vm.prank(joiner);
        fogmate.join{value: STAKE}(id, share(creatorWhite), joinerKey());
    }

    /// @dev A game in play with the creator as White.
    function started() internal returns (bytes32 id) {
        return started(true);
    }

    function started(bool creatorWhite) internal returns (bytes32 id) {
        id = joined(creatorWhite);
        vm.prank(creator);
        fogmate.reveal(id, R1);
    }

    /// @dev A game in play after so many quiet plies.
    function played(uint256 plies) internal returns (bytes32 id) {
        id = started();
        for (uint256 i = 0; i < plies; ++i) {
            play(id);
        }
    }

    /// @dev The player to move makes a quiet ply.
    function play(bytes32 id) internal {
        move(id, next(id));
    }

    function move(bytes32 id, IFogmate.Move memory m) internal {
        bytes memory proof = new bytes(PROOF_LENGTH);
        vm.prank(toMove(id));
        fogmate.move(id, m, proof);
    }

    function toMove(bytes32 id) internal view returns (address) {
        IFogmate.Game memory g = fogmate.game(id);
        return g.players[g.ply & 1].account;
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
        m.ctxNext = contextAfter(id, m);
    }

    function fresh(bytes32 id, uint256 ply, string memory what) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode(id, ply, what))) % FIELD_ORDER;
    }

    /// @dev The context of the opponent's sight after `m`, written down from the protocol and not from the contract.
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

/// @dev Every test starts with a game contract whose verifier accepts every proof; that stands for a key too, which only has to have code.
abstract contract GameTest is GameKit {
    /// What `refuseMove` sends for a proof.
    bytes internal _proof = new bytes(PROOF_LENGTH);

    function setUp() public virtual {
        address verifier = address(new AcceptAllVerifier());
        fogmate = new Fogmate(verifier, verifier, PROOF_LENGTH);
        vm.deal(creator, 100 ether);
        vm.deal(joiner, 100 ether);
        vm.deal(stranger, 100 ether);
        vm.warp(1_800_000_000);
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
