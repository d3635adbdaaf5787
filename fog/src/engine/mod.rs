//! What every sight engine does, whatever its cryptography: the protocol by which one player gets the sight that dark chess
//! allows it, and by which its moves are proven where the engine proves any.
//!
//! [`Engine`]: before any game. [`GameKeys`]: what one player holds for one game after the set-up. [`Party`]: one player's part in
//! one [`Session`] (the set-up, or one exchange), a machine over numbered byte messages of public sizes. Nothing here has I/O,
//! a clock, or field elements of a proof system in its signatures, and all of it is object-safe: seat, simulator and benches hold
//! one `Arc<dyn Engine>`.
//!
//! **Exactness.** Of any engine and exchange the receiver's output is `Sight::between(board_R, board_S, phase == Pre)`, both boards
//! with their captured piece removed ([`Exchange::board`]); `engines/tests/all/suite` holds every engine to it.
//!
//! **A new engine** goes into a folder of the crate `engines`, one line in the list of `engines/tests/all/suite/mod.rs`, and one in
//! `engines/src/kind.rs` if games may be played with it: that enum is closed. Engines of tests
//! stay in tests.
//!
//! **On the link** sight-lines has frames of its own, a request and an answer; every other engine's messages are numbered messages of
//! a session (`game::message`). **On chain** an engine whose contract verifies its statements is one with [`GameKeys::on_chain`]; every
//! other plays in mode `unproven` (`game::Mode`), where a move carries the digest of the opening of the sight that it gives and the
//! transcript of those before it.

mod about;
mod committed_state;
mod digest;
mod exchange;
mod fault;
mod game;
mod on_chain;
mod party;
mod seed;
mod session;
pub mod sight_lines;

pub use crate::word::Word;
pub use about::{About, Claims, MAX_NAME, Trust};
pub use committed_state::{CommittedState, MoveStep, OwnMove};
pub use digest::{chain_digest, digest};
pub use exchange::{Exchange, Phase, PostedStep};
pub use fault::{Cause, Fault};
pub use game::{Game, REGISTRATION_BYTES, Registration, commit_to_seed, engine_name, engine_word};
pub use on_chain::{OnChain, Published};
pub use party::{BoxedParty, MessageSize, Party, Ready, Step};
pub use seed::{Branch, Seed};
pub use session::{Finished, Job, Received, Session, transcript};
pub use sight_lines::{Proofs, SightLines};

use rules::{Color, Sight};
use std::sync::Arc;

/// An engine, before any game.
pub trait Engine: Send + Sync {
    /// The engine's name, its limits and what its users should know.
    fn about(&self) -> &About;

    /// What a player registers on chain at create or join: unless an engine has public keys, [`Seed::commitment`].
    fn register(&self, seed: &Seed) -> Registration {
        seed.commitment(self.about())
    }

    /// A player's part in the set-up of a game; White sends first. It has no messages where registering was enough.
    fn set_up(&self, color: Color, seed: &Seed, game: &Game) -> Result<BoxedParty<Arc<dyn GameKeys>>, Fault>;
}

/// What one player holds for one game. Calls take some tens of milliseconds at most unless they say slow.
pub trait GameKeys: Send + Sync {
    /// The request that stands from an own move to the next and serves the exchanges of both phases between them. Empty for
    /// engines without one. The same whenever it is made for the same state.
    fn request(&self, _own: &CommittedState) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }

    /// What stands on chain for a request (`requestRoot`), with the move that it follows; zero for an empty one. A peer's
    /// request that is malformed in itself is [`Fault::Request`].
    fn request_digest(&self, request: &[u8]) -> Result<Word, Fault> {
        ensure!(request.is_empty(), Fault::Request("this engine has no requests".into()));
        Ok([0; 32])
    }

    /// What the engine binds an exchange to, given the receiver's request digest: sight-lines' frozen `ctx`, which is the
    /// contract's too, of others [`Exchange::id`]. Exchanges of other boards, plies, phases, captured squares or requests have
    /// another one. What a move's `basis` hashes is the contract's own `ctx` in every game.
    fn context(&self, exchange: &Exchange, request_digest: &Word) -> Result<Word, Fault>;

    /// The receiver's part in an exchange; the sender opens. `promised` is the digest of the sender's opening that came on chain
    /// with its move (*pre*; *post* exchanges have none): an opening that differs is refused before anything is opened.
    fn receiver(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault>;

    /// The sender's part, which opens the session, and the digest of its opening for the chain (`answerRoot`), below `|F|` (as
    /// [`chain_digest`] gives it). `request` is the receiver's standing one. One that can't be answered is [`Fault::Request`].
    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault>;

    /// Slow. The proof that goes on chain with a move; empty where an engine proves no moves. Its public inputs need no engine:
    /// they are the exchange's context, the digests above, the two commitments, and what `step` says of the capture. Commitments,
    /// capture and king flag are compared with what is proven.
    fn prove_move(&self, _step: &MoveStep) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }

    /// What the player does on chain besides moving; `None` for engines whose statements no contract verifies.
    fn on_chain(&self) -> Option<&dyn OnChain> {
        None
    }
}
