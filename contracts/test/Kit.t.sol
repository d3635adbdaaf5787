// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.24;

import {IFogmate} from "../src/interfaces/IFogmate.sol";
import {GameTest} from "./GameTest.sol";

/// @dev The kit brings games to where the tests want them, by its own account of what happened and by the contract's.
contract KitTest is GameTest {
    function test_the_kit_reaches_every_status() public {
        assertTrue(fogmate.game(open()).status == IFogmate.Status.Open, "open");
        assertTrue(fogmate.game(joined(true)).status == IFogmate.Status.CreatorReveals, "joined");
        assertTrue(fogmate.game(halfRevealed(true)).status == IFogmate.Status.JoinerReveals, "half revealed");
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 id = started(i == 0);
            IFogmate.Game memory g = fogmate.game(id);
            assertTrue(g.status == IFogmate.Status.Playing, "in play");
            assertEq(g.players[i].account, creator, "the creator's colour");
            assertEq(g.since, time(), "white's delay begins");
        }
    }

    function test_the_kit_plays_on_through_demands() public {
        bytes32 id = started();
        for (uint256 ply = 0; ply < 8; ++ply) {
            play(id);
            if (ply > 0) demandPre(id);
            demandPost(id, ply & 1);
            if (ply > 0) answer(id, preExchange(id));
            answer(id, postExchange(id, ply));
        }
        assertEq(fogmate.game(id).ply, 8, "eight plies");
    }
}
