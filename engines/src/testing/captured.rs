//! Statements of the engine `bfv-steps`: those of random games.

use super::mutations_captured::{plus_all, small};
use crate::{
    alone::{self, Keys, Scene, state},
    bfv::{
        Bfv,
        captured::{CAPTURED_BYTES, CapturedStatement},
        decryption::{DECRYPTION_BYTES, DecryptionStatement},
        encrypted::{BoardPublic, ENCRYPTED_BYTES, EncryptedPrivate, EncryptedPublic, EncryptedStatement},
        integers::coefficients,
        key_share::small_vector,
        parameters::{PLAINTEXT, Parameters},
        shares::{KEY_SHARE_BYTES, KeyShareStatement},
        vector::Kind,
    },
};
use fhe_math::rq::{Poly, Representation};
use fog::{
    F,
    engine::{Cause, CommittedState, OwnMove, Phase, PostedStep},
    statement::{Proves, Statement},
    testing::Walk,
    word::to_word,
};
use num_bigint::BigInt;
use rand::{SeedableRng, rngs::StdRng};
use rand_chacha_09::{ChaCha20Rng, rand_core::SeedableRng as _};
use rules::Side;
use std::sync::{Arc, Mutex, PoisonError};

/// A statement's public and private part.
type Draw<S> = (<S as Statement>::Public, <S as Statement>::Private);

/// Keeps what is to be proven of a statement, whose proofs have so many bytes.
struct Kept<S: Statement> {
    bytes: usize,
    draws: Mutex<Vec<Draw<S>>>,
}

impl<S: Statement> Kept<S> {
    fn new(bytes: usize) -> Self {
        Self { bytes, draws: Mutex::default() }
    }

    fn take(&self) -> Vec<Draw<S>> {
        std::mem::take(&mut *self.draws.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<S: Statement<Public: Clone + Send, Private: Clone + Send>> Proves<S> for Kept<S> {
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        S::check(public, private)?;
        self.draws.lock().unwrap_or_else(PoisonError::into_inner).push((public.clone(), private.clone()));
        Ok(vec![0; self.bytes])
    }

    fn verify(&self, _: &S::Public, _: &[u8]) -> Result<(), Cause> {
        Ok(())
    }
}

/// What is to be proven in a game.
struct AllKept {
    shares: Kept<KeyShareStatement>,
    encrypted: Kept<EncryptedStatement>,
    decryptions: Kept<DecryptionStatement>,
    captured: Kept<CapturedStatement>,
}

fog::proves_by_fields! {
    AllKept:
    KeyShareStatement: shares,
    EncryptedStatement: encrypted,
    DecryptionStatement: decryptions,
    CapturedStatement: captured,
}

/// A pair of keys, with what keeps what is to be proven by them.
fn keys() -> (Keys, Arc<AllKept>) {
    let kept = Arc::new(AllKept {
        shares: Kept::new(KEY_SHARE_BYTES),
        encrypted: Kept::new(ENCRYPTED_BYTES),
        decryptions: Kept::new(DECRYPTION_BYTES),
        captured: Kept::new(CAPTURED_BYTES),
    });
    let set_up = alone::set_up(&Bfv::proven(kept.clone())).expect("a set-up");
    (set_up.outputs.into(), kept)
}

/// The positions of a random game in which the player to move captured with its last move, with what chain and players know of them.
pub fn after_captures(seed: u64) -> impl Iterator<Item = Scene> {
    let mut rng = StdRng::seed_from_u64(seed);
    let (mut walk, mut salt) = (Walk::start(), 0);
    let mut own: [CommittedState; 2] = [0, 1].map(|color| state(&walk.sides[color], 0));
    let mut steps: [Vec<PostedStep>; 2] = Default::default();
    let mut next = move || {
        let (mover, pending, before) = (walk.to_move().index(), walk.pending, walk.sides.clone());
        walk.advance(&mut rng);
        if walk.ply == 0 || walk.over {
            walk = Walk::start();
            own = [0, 1].map(|color| state(&walk.sides[color], 0));
            steps = Default::default();
            return None;
        }
        let mv = walk.last?;
        salt += 1;
        let last = &own[mover];
        steps[mover] = vec![PostedStep { commitment: last.commitment, pending, capture: walk.pending }];
        let made = OwnMove { side: before[mover].clone(), salt: last.salt.clone(), mv };
        own[mover] = CommittedState { steps: vec![made], ..state(&walk.sides[mover], salt) };
        let to_move = &steps[1 - mover];
        let has_captured = to_move.last().is_some_and(|step| step.capture.is_some());
        has_captured.then(|| {
            let scene = Scene::new(walk.ply, Phase::Pre, walk.pending, own.clone());
            Scene { exchange: fog::engine::Exchange { steps: steps.clone(), ..scene.exchange }, ..scene }
        })
    };
    std::iter::from_fn(move || Some(next())).flatten()
}

/// Positions of random games, in both phases, with a captured man in some.
pub fn scenes(seed: u64) -> impl Iterator<Item = Scene> {
    let mut rng = StdRng::seed_from_u64(seed);
    let (mut walk, mut salt) = (Walk::start(), 0);
    std::iter::from_fn(move || {
        for _ in 0..1 + salt % 3 {
            walk.advance(&mut rng);
        }
        if walk.ply == 0 || walk.over {
            walk = Walk::start();
            (0..20).for_each(|_| walk.advance(&mut rng));
        }
        salt += 1;
        let own = [0, 1].map(|color| state(&walk.sides[color], salt));
        let (ply, phase) = if salt % 4 < 2 { (walk.ply, Phase::Pre) } else { (walk.ply - 1, Phase::Post) };
        Some(Scene::new(ply, phase, walk.pending, own))
    })
}

/// True statements of *captured*, of random games under one pair of keys.
pub fn captured(seed: u64) -> impl Iterator<Item = Draw<CapturedStatement>> {
    let (keys, kept) = keys();
    after_captures(seed).map(move |scene| {
        alone::sight(&keys, &scene).expect("a sight");
        kept.captured.take().pop().expect("a proof was asked for")
    })
}

/// True statements of *item* or *view*.
pub fn encrypted(kind: Kind, seed: u64) -> impl Iterator<Item = Draw<EncryptedStatement>> {
    encrypted_of(kind, scenes(seed))
}

/// True statements of *item* or *view*, of a sight's scenes.
pub fn encrypted_of(kind: Kind, scenes: impl Iterator<Item = Scene>) -> impl Iterator<Item = Draw<EncryptedStatement>> {
    let (keys, kept) = keys();
    scenes.map(move |scene| {
        alone::sight(&keys, &scene).expect("a sight");
        let mut draws = kept.encrypted.take().into_iter();
        draws.find(|(public, _)| public.board.kind == kind).expect("a proof was asked for")
    })
}

/// True statements of *decryption*.
pub fn decryptions(seed: u64) -> impl Iterator<Item = Draw<DecryptionStatement>> {
    let (keys, kept) = keys();
    scenes(seed).map(move |scene| {
        alone::sight(&keys, &scene).expect("a sight");
        kept.decryptions.take().pop().expect("a proof was asked for")
    })
}

/// True statements of *key share*: those of both players in one set-up.
pub fn key_shares() -> Vec<Draw<KeyShareStatement>> {
    keys().1.shares.take()
}

/// A statement of any board's vector, under common and joint polynomials that nobody has a key for.
pub fn encryption(board: BoardPublic, side: &Side, salt: F) -> Draw<EncryptedStatement> {
    let parameters = Parameters::get().expect("parameters");
    let mut rng = ChaCha20Rng::from_seed(to_word(&board.commitment));
    let [common, joint] = [1, 2].map(|seed| Poly::random_from_seed(parameters.full(), Representation::Ntt, [seed; 32]));
    let mask = small_vector(&mut rng).expect("a mask");
    let [first, second] = [&joint, &common].map(|poly| {
        let errors = small_vector(&mut rng).expect("errors");
        &(poly * &small(&mask, poly)) + &small(&errors, poly)
    });
    let modulus = BigInt::from(common.ctx().modulus().clone());
    let vector = coefficients(&board.kind.vector(&side.without(board.pending), board.phase)).expect("a plaintext");
    let scaled = vector.into_iter().map(|value| (&modulus * value + PLAINTEXT / 2) / PLAINTEXT);
    let ciphertext = [plus_all(&first, scaled.enumerate()), second];
    let private = EncryptedPrivate { side: side.clone(), salt, mask };
    (EncryptedPublic { board, common, joint, ciphertext }, private)
}
