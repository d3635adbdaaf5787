//! What the players of a game of mode `channel` sign instead of sending it to the chain (protocol, section 8): the position after each ply,
//! and the result. Both compute a position from the one before and the declared move; none is ever taken from the wire. The digests are
//! those of EIP-712, as the contract makes them.

use crate::{GameRef, MoveFields, Outcome};
use alloy_primitives::{Address, B256, Signature};
use fog::commitment::initial;
use fog::engine::sight_lines::context::square_number;
use fog::word::{Word, keccak256, small_word, to_word};
use halo2curves::bn256::Fr;
use rules::{Color, Square};
use serde::{Deserialize, Serialize};

const DOMAIN: &[u8] = b"EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
const POSITION: &[u8] = b"Position(bytes32 gameId,bytes32 previous,uint16 ply,uint16 quietPlies,uint8 pending,uint8 previousPending,\
    bool drawOffered,uint32 whiteClock,uint32 blackClock,uint256 whiteState,uint256 whiteStateBefore,uint256 blackState,\
    uint256 blackStateBefore,uint256 whiteRequestRoot,uint256 blackRequestRoot,uint256 answerRoot)";
const RESULT: &[u8] = b"Result(bytes32 gameId,uint8 winner,uint8 outcome,bytes32 last)";

/// All that the contract keeps of a game in play, before a ply. Pairs are by color. What isn't there yet is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The digest of the position before it, so that the last one binds the whole game; 0 at ply 1, for the start has none.
    pub previous: B256,
    /// The ply to come.
    pub ply: u16,
    /// Plies since the last capture.
    pub quiet_plies: u16,
    /// The square on which the last move captured.
    pub pending: Option<Square>,
    /// The same of the move before it.
    pub previous_pending: Option<Square>,
    /// Whether the last move offered a draw.
    pub draw_offered: bool,
    /// What both have on their clocks, in seconds.
    #[serde(rename = "clocks_s")]
    pub clocks: [u32; 2],
    /// Both commitments, before removal.
    #[serde(with = "crate::as_word::pair")]
    pub states: [Fr; 2],
    /// Those before the last move of each.
    #[serde(with = "crate::as_word::pair")]
    pub states_before: [Fr; 2],
    /// The roots of both standing requests.
    #[serde(with = "crate::as_word::pair")]
    pub request_roots: [Fr; 2],
    /// The root of the answer for the player to move.
    #[serde(with = "crate::as_word")]
    pub answer_root: Fr,
}

impl Position {
    /// Before the first ply, with so much time for each. Nobody signs it.
    pub fn start(base: u32) -> Self {
        let states = [initial(Color::White), initial(Color::Black)];
        Self { clocks: [base; 2], states, ..Self::default() }
    }

    /// The position after a move of this ply, with what its mover then has on its clock.
    pub fn after(&self, game: &GameRef, fields: &MoveFields, clock: u32) -> Self {
        let mover = Color::of_ply(self.ply.into()).index();
        let mut next = *self;
        next.previous = if self.ply == 0 { B256::ZERO } else { self.digest(game) };
        next.ply = self.ply.saturating_add(1);
        next.quiet_plies = if fields.capture.is_some() { 0 } else { self.quiet_plies.saturating_add(1) };
        (next.pending, next.previous_pending) = (fields.capture, self.pending);
        next.draw_offered = fields.offer_draw;
        next.clocks[mover] = clock;
        (next.states[mover], next.states_before[mover]) = (fields.next_commitment, self.states[mover]);
        next.request_roots[mover] = fields.next_request_root;
        next.answer_root = fields.answer_root;
        next
    }

    /// What its players sign of a game.
    pub fn digest(&self, game: &GameRef) -> B256 {
        let [white, black] = [0, 1].map(|color| [self.states[color], self.states_before[color]]);
        let fields = [white, black, self.request_roots].concat();
        let fields = fields.iter().chain([&self.answer_root]).map(to_word);
        let numbers = [
            self.ply.into(),
            self.quiet_plies.into(),
            square_number(self.pending),
            square_number(self.previous_pending),
            self.draw_offered.into(),
            self.clocks[0].into(),
            self.clocks[1].into(),
        ];
        let words: Vec<Word> = [self.previous.0].into_iter().chain(numbers.map(small_word)).chain(fields).collect();
        digest(game, POSITION, &words)
    }
}

/// How a game ended, as each who doesn't win by it signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Whether the creator has won; nobody in a draw.
    pub creator_won: Option<bool>,
    pub outcome: Outcome,
    /// The digest of the last position, also where a king has fallen in it.
    pub last: B256,
}

impl GameResult {
    /// What is signed of a game.
    pub fn digest(&self, game: &GameRef) -> B256 {
        let winner = self.creator_won.map_or(2, |creator_won| u64::from(!creator_won));
        // The contract's first outcome is that there is none yet.
        let outcome = self.outcome as u64 + 1;
        digest(game, RESULT, &[small_word(winner), small_word(outcome), self.last.0])
    }
}

/// Who has signed a digest, if it is a signature at all: 64 bytes in the form of EIP-2098.
pub fn signer(digest: &B256, signature: &[u8; 64]) -> Option<Address> {
    Signature::from_erc2098(signature).recover_address_from_prehash(digest).ok()
}

/// The digest of a struct of this type, the game's id its first field.
fn digest(game: &GameRef, kind: &[u8], words: &[Word]) -> B256 {
    let contract = game.contract.into_word().0;
    let domain = [keccak256(DOMAIN), keccak256(b"Fogmate"), keccak256(b"1"), small_word(game.chain_id), contract];
    let fields = [&[keccak256(kind), game.game_id.0], words].concat();
    keccak256(&[&[0x19, 0x01], &keccak256(domain.as_flattened())[..], &keccak256(fields.as_flattened())].concat())
        .into()
}
