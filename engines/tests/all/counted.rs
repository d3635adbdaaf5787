//! Native proofs that are counted: how many a player's machine has made, and how many it has found right.

use engines::testing::NativeSetProofs;
use fog::{
    engine::Cause,
    statement::{Proves, Statement},
};
use rules::Color;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

/// What makes and checks one player's proofs.
#[derive(Clone, Default)]
pub struct Counted {
    made: Arc<AtomicUsize>,
    verified: Arc<AtomicUsize>,
}

impl Counted {
    /// Made and verified since this was asked last.
    pub fn take(&self) -> [usize; 2] {
        [&self.made, &self.verified].map(|count| count.swap(0, Relaxed))
    }
}

/// One for each color.
#[derive(Clone, Default)]
pub struct Players(pub [Counted; 2]);

impl Players {
    /// What the two players have made and verified since this was asked last.
    pub fn take(&self, players: [Color; 2]) -> [[usize; 2]; 2] {
        players.map(|color| self.0[color.index()].take())
    }
}

impl<S: Statement> Proves<S> for Counted
where
    NativeSetProofs: Proves<S>,
{
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        let proof = Proves::<S>::prove(&NativeSetProofs, public, private)?;
        self.made.fetch_add(1, Relaxed);
        Ok(proof)
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        Proves::<S>::verify(&NativeSetProofs, public, proof)?;
        self.verified.fetch_add(1, Relaxed);
        Ok(())
    }
}
