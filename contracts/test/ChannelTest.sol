// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameTest} from "./GameTest.sol";

/// @dev Games between the players' machines: two players who can sign, positions of a game that they might have had, and what
/// EIP-712 makes of them, written down from the protocol.
abstract contract ChannelKit is GameTest {
    uint256 internal constant CREATOR_SECRET = 0xA11CE;
    uint256 internal constant JOINER_SECRET = 0xB0B0;
    string private constant POSITION =
        "Position(bytes32 gameId,bytes32 previous,uint16 ply,uint16 quietPlies,uint8 pending,uint8 previousPending,bool drawOffered,uint32 whiteClock,uint32 blackClock,uint256 whiteState,uint256 whiteStateBefore,uint256 blackState,uint256 blackStateBefore,uint256 whiteRequestRoot,uint256 blackRequestRoot,uint256 answerRoot)";

    function setUp() public virtual override {
        (creator, joiner) = (vm.addr(CREATOR_SECRET), vm.addr(JOINER_SECRET));
        super.setUp();
        _mode = IFogmate.Mode.Channel;
    }

    function digestOf(bytes32 structHash) internal view returns (bytes32) {
        bytes32 kind = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 domain =
            keccak256(abi.encode(kind, keccak256("Fogmate"), keccak256("1"), block.chainid, address(fogmate)));
        return keccak256(bytes.concat(hex"1901", domain, structHash));
    }

    function digestOf(bytes32 id, IFogmate.Position memory p) internal view returns (bytes32) {
        return digestOf(keccak256(abi.encode(keccak256(bytes(POSITION)), id, p)));
    }

    function resultDigest(bytes32 id, uint8 winner, IFogmate.Outcome outcome, bytes32 last)
        internal
        view
        returns (bytes32)
    {
        bytes32 kind = keccak256("Result(bytes32 gameId,uint8 winner,uint8 outcome,bytes32 last)");
        return digestOf(keccak256(abi.encode(kind, id, winner, outcome, last)));
    }

    function signed(uint256 secret, bytes32 digest) internal pure returns (IFogmate.Signature memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(secret, digest);
        return IFogmate.Signature(r, bytes32(uint256(s) | (uint256(v - 27) << 255)));
    }

    function both(bytes32 digest) internal pure returns (IFogmate.Signature[2] memory) {
        return [signed(CREATOR_SECRET, digest), signed(JOINER_SECRET, digest)];
    }

    /// @dev A position before ply `ply`; of another line with another `line`.
    function position(bytes32 id, uint16 ply, uint256 line) internal pure returns (IFogmate.Position memory p) {
        bytes32 own = keccak256(abi.encode(id, line));
        p.previous = keccak256(abi.encode(own, ply));
        (p.ply, p.quietPlies, p.pending, p.previousPending) = (ply, ply / 2, 64, 11);
        (p.whiteClock, p.blackClock) = (500, 510);
        (p.whiteState, p.whiteStateBefore) = (fresh(own, ply, "white"), fresh(own, ply, "white before"));
        (p.blackState, p.blackStateBefore) = (fresh(own, ply, "black"), fresh(own, ply, "black before"));
        (p.whiteRequestRoot, p.blackRequestRoot) = (fresh(own, ply, "request"), fresh(own, ply, "other request"));
        p.answerRoot = fresh(own, ply, "answer");
    }

    function position(bytes32 id, uint16 ply) internal pure returns (IFogmate.Position memory) {
        return position(id, ply, 0);
    }

    /// @dev Wakes the game with a position that both have signed.
    function wake(bytes32 id, IFogmate.Position memory p, address by) internal {
        IFogmate.Signature[2] memory signatures = both(digestOf(id, p));
        vm.prank(by);
        fogmate.wake(id, p, signatures);
    }

    function wake(bytes32 id, uint16 ply, address by) internal {
        wake(id, position(id, ply), by);
    }

    /// @dev A game woken before ply `ply`, right after its contest.
    function woken(uint16 ply) internal returns (bytes32 id) {
        id = started();
        wake(id, ply, creator);
        vm.warp(time() + WINDOW + 1);
    }

    /// @dev Anybody closes the game with both signatures.
    function close(bytes32 id, uint8 winner, IFogmate.Outcome outcome) internal {
        IFogmate.Signature[2] memory signatures = both(resultDigest(id, winner, outcome, "last"));
        vm.prank(stranger);
        fogmate.close(id, winner, outcome, "last", signatures);
    }
}
