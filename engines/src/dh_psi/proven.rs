//! The plain form over Grumpkin, with proofs by halo2 that both sets are those of the committed boards, and that each board follows from the one before.
//!
//! Whoever verifies computes one weighted sum of the points that it was sent, and the statement is about that sum. The weights are a hash of all
//! that was said, so the points, the list that they are of (by its digest D) and the announced point are fixed before.

use super::{RECEIVER_SET, SENDER_SET, plain::Lines};
use crate::own_step::OWN_STEP_BYTES;
use crate::psi::{
    Protocol,
    element::Element,
    evidence::{EvidenceBytes, Said},
    group::{Group, Grumpkin, grumpkin::exponent},
    layout::{Layout, Round, SetForm},
    lines::{asked, shown},
    secrets::{EXPONENT, Own, Secrets, Transcript},
};
use crate::psi::{
    catalogue::{Catalogue, Extent, SetKind},
    digest::{asked_digest, shown_digest},
    statement::{
        ASKED_BYTES, SHOWN_BYTES, SetPrivate, SetProofs, SetPublic,
        asked::{self as asked_statement, AskedPrivate, AskedPublic, AskedStatement},
        numbers,
        shown::{self as shown_statement, ShownPrivate, ShownPublic, ShownStatement},
    },
    weight::{Weight, weights},
};
use fog::{
    F,
    curve::{Point, Scalar},
    engine::{About, Cause, Claims, Fault, Phase, Trust, Word},
    statement::Proves,
    word::{WORD, from_word, to_word},
};
use halo2curves::ff::FromUniformBytes;
use rules::{Color, Side};
use std::sync::Arc;

/// The protocol, with what makes and checks its proofs.
pub struct Proven<S>(pub Arc<S>);

/// What the engine says of itself, whatever makes its proofs.
pub const ABOUT: About = About {
    name: "dh-psi-proven",
    trust: Trust::SemiHonest,
    caveat: "boards, sets and own steps are proven, but not that the way of a move was free, nor that something stood where it captures",
    claims: Claims {
        proven: "both sets from the committed boards, that each board follows from the one before as far as own men tell, and that points are raised to one exponent",
        cheating_receiver: "what its men see after moves through the opponent's men, or by captures of nothing; none that it hasn't",
        cheating_sender: "its own men after such moves, which may stand where the receiver's do, and hide others or stop the exchange",
        security: "about 125 bits, Diffie–Hellman in Grumpkin; proofs by KZG over BN254, about 100 bits",
    },
    max_message: LAYOUT.largest() + 2 * OWN_STEP_BYTES,
};

const LAYOUT: Layout = Layout {
    form: SetForm::Tags,
    set_size: SENDER_SET,
    rounds: &[Round { asked: RECEIVER_SET, exact: None }],
    evidence: EvidenceBytes { digest: WORD, shown: SHOWN_BYTES, asked: ASKED_BYTES },
};

impl<S: SetProofs> Protocol for Proven<S> {
    const ABOUT: About = ABOUT;
    const LAYOUT: Layout = LAYOUT;
    type Group = Grumpkin;
    type Search = Lines;

    fn set(board: &Side, phase: Phase) -> Vec<Element> {
        in_order(SetKind::Shown, board, phase).unwrap_or_else(|| shown(board, phase))
    }

    fn search(board: &Side, phase: Phase) -> Lines {
        let asked = in_order(SetKind::Asked, board, phase).unwrap_or_else(|| asked(board, phase));
        Lines::new(board, phase, asked)
    }

    fn digest_shown(&self, own: &Own, before: &Transcript, places: &[usize]) -> Result<Vec<u8>, Fault> {
        let numbers = own_numbers(SetKind::Shown, own)?;
        Ok(to_word(&shown_digest(&numbers, places, digest_salt(own, before))).to_vec())
    }

    fn prove_shown(&self, own: &Own, before: &Transcript, places: &[usize], bound: Word) -> Result<Vec<u8>, Fault> {
        let exponent = exponent(&before.uniform(&own.branch, EXPONENT));
        let private = ShownPrivate { set: private(own, before)?, exponent, places: places.to_vec() };
        let pending = own.exchange.pending_of(own.state.side.color);
        let weights = weights(&bound, places.len());
        let gathered = shown_statement::gather(Extent::Full, pending, own.phase(), weights, private);
        let (public, private) = gathered.map_err(Fault::internal)?;
        is_on_chain(own, &public.set)?;
        Proves::<ShownStatement>::prove(&*self.0, &public, &private).map_err(Fault::Internal)
    }

    fn verify_shown(&self, own: &Own, announced: &Point, said: &Said<Grumpkin>, proof: &[u8]) -> Result<(), Cause> {
        let weights = weights(&said.bound, said.points.len());
        let set = public(own, own.exchange.sender(), said.digest)?;
        let sum = weighted_sum(said.points, &weights);
        Proves::<ShownStatement>::verify(&*self.0, &ShownPublic { set, key: *announced, sum, weights }, proof)
    }

    fn digest_asked(&self, own: &Own, before: &Transcript) -> Result<Vec<u8>, Fault> {
        let numbers = own_numbers(SetKind::Asked, own)?;
        Ok(to_word(&asked_digest(&numbers, digest_salt(own, before))).to_vec())
    }

    fn prove_asked(
        &self,
        own: &Own,
        before: &Transcript,
        blinds: &Secrets<Scalar>,
        bound: Word,
    ) -> Result<Vec<u8>, Fault> {
        let weights = weights(&bound, blinds.len());
        let blinding = asked_statement::weighted_blinding(blinds, &weights);
        let private = AskedPrivate { set: private(own, before)?, blinding };
        let pending = own.exchange.pending_of(own.state.side.color);
        let gathered = asked_statement::gather(Extent::Full, pending, own.phase(), weights, private);
        let (public, private) = gathered.map_err(Fault::internal)?;
        is_on_chain(own, &public.set)?;
        Proves::<AskedStatement>::prove(&*self.0, &public, &private).map_err(Fault::Internal)
    }

    fn verify_asked(&self, own: &Own, said: &Said<Grumpkin>, proof: &[u8]) -> Result<(), Cause> {
        let weights = weights(&said.bound, said.points.len());
        let set = public(own, own.exchange.receiver(), said.digest)?;
        let sum = weighted_sum(said.points, &weights);
        Proves::<AskedStatement>::verify(&*self.0, &AskedPublic { set, sum, weights }, proof)
    }
}

/// The set of a board without dummies, in the order in which it is proven; `None` if it has more elements than a proven set may have.
fn in_order(kind: SetKind, board: &Side, phase: Phase) -> Option<Vec<Element>> {
    let catalogue = Catalogue::get(kind, Extent::Full);
    let receiver = match kind {
        SetKind::Shown => !board.color,
        SetKind::Asked => board.color,
    };
    let numbers = catalogue.set(kind, board, phase)?;
    let numbers = numbers.into_iter().filter(|number| *number < catalogue.first_dummy());
    Some(numbers.filter_map(|number| catalogue.element(number, receiver)).collect())
}

fn own_numbers(kind: SetKind, own: &Own) -> Result<Vec<u64>, Fault> {
    let (side, exchange) = (&own.state.side, &own.exchange);
    let pending = exchange.pending_of(side.color);
    numbers(kind, Extent::Full, pending, exchange.phase, side).map_err(Fault::internal)
}

/// What only this player knows of its set. The salt of the digest follows from what was said `before`.
fn private(own: &Own, before: &Transcript) -> Result<SetPrivate, Fault> {
    let salt = from_word(&own.state.salt).ok_or_else(|| Fault::internal("the salt is no field element"))?;
    Ok(SetPrivate { side: own.state.side.clone(), salt, digest_salt: digest_salt(own, before) })
}

fn digest_salt(own: &Own, before: &Transcript) -> F {
    F::from_uniform_bytes(&before.uniform(&own.branch, "digest"))
}

/// What everyone sees of the set of a player.
fn public(own: &Own, player: Color, digest: &[u8]) -> Result<SetPublic, Cause> {
    let exchange = &own.exchange;
    let commitment = from_word(&exchange.commitments[player.index()]).ok_or("the commitment is no field element")?;
    let digest = digest.try_into().ok().and_then(from_word).ok_or("the digest is no field element")?;
    let (pending, phase) = (exchange.pending_of(player), exchange.phase);
    Ok(SetPublic { extent: Extent::Full, commitment, pending, color: player, phase, digest })
}

fn weighted_sum(points: &[Point], weights: &[Weight]) -> Point {
    Grumpkin::sum(&weights.iter().map(Weight::scalar).collect::<Vec<Scalar>>(), points)
}

/// An own proof must be of the commitment that the opponent checks it against.
fn is_on_chain(own: &Own, set: &SetPublic) -> Result<(), Fault> {
    let on_chain = own.exchange.commitments[set.color.index()];
    fog::ensure!(to_word(&set.commitment) == on_chain, Fault::internal("the own state is not the one on chain"));
    Ok(())
}
