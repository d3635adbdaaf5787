//! The plain values that the parts of *turn* assign, read off the statement once.
//!
//! Nothing here decides anything: a statement that is false gives values that some gate refuses. So every function is total.

use fog::{
    curve::{self, Scalar},
    statement::turn::{MAX_OPENED, Opened, TurnInputs, TurnPrivate, TurnPublic},
};
use halo2curves::bn256::Fr;
use rules::{Color, Square};

use super::move_witness::MoveWitness;

/// What the prover assigns.
#[cfg_attr(test, derive(Clone))]
pub struct Witness {
    pub public: TurnInputs<Fr>,
    pub mv: MoveWitness,
    pub opened: [Opened; MAX_OPENED],
    pub next_scalars: [Scalar; 64],
    /// A point that the opponent can't foresee: where all chains of points start.
    pub offset: curve::Point,
}

impl Witness {
    pub fn new(public: &TurnPublic, private: &TurnPrivate) -> Self {
        let salts = [private.salt, private.next_salt];
        let mv = MoveWitness::new(public.color, &private.side, public.pending, private.mv, salts);
        // As many squares as were opened; in the opening plies, where none is, what the move would need.
        let mv = match private.opened.len() {
            0 => {
                let steps = usize::from(mv.pawn[1]);
                mv.over(steps)
            }
            opened => mv.over(opened - 1),
        };
        Self {
            public: public.inputs(),
            opened: opened(private, mv.viewer_square, mv.viewer, public.color),
            mv,
            next_scalars: private.next_scalars,
            offset: offset(&private.next_scalars[0], private.next_salt),
        }
    }
}

// Wipes what opens requests; the move and the opened squares wipe themselves. Best effort: the prover's polynomials hold it too, while
// they live.
fog::wiped_on_drop!(Witness: next_scalars = [Scalar::zero(); 64], offset);

/// The opened squares given; where fewer are needed, the viewer's again. In the opening plies there is nothing to open and nothing is
/// compared, but the viewer's square and type, and the square ahead of a double push, are read from here all the same.
fn opened(private: &TurnPrivate, square: Square, choice: u8, color: Color) -> [Opened; MAX_OPENED] {
    let blank = |square: Square, choice: u8| Opened {
        square,
        choice,
        scalar: private.next_scalars[0],
        request_path: [Fr::zero(); 6],
        record: [Fr::zero(); 14],
        answer_path: [Fr::zero(); 6],
    };
    let ahead = square.offset(0, color.forward()).unwrap_or(square);
    std::array::from_fn(|i| match (private.opened.get(i), private.opened.first()) {
        (Some(opened), _) => opened.clone(),
        (None, Some(first)) => first.clone(),
        (None, None) if i == 0 => blank(square, choice),
        (None, None) => blank(ahead, 0),
    })
}

/// `h·g` for a hash of a request's scalar and of a salt, which nobody else knows.
pub fn offset(scalar: &Scalar, salt: Fr) -> curve::Point {
    use ff::{FromUniformBytes, PrimeField};
    use halo2curves::grumpkin::G1Affine;
    let scalar = Fr::from_repr(scalar.to_repr()).unwrap_or(Fr::zero());
    let [low, high] = fog::poseidon::hash2(scalar, salt, Fr::one()).map(|h| h.to_repr());
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(low.as_ref());
    bytes[32..].copy_from_slice(high.as_ref());
    curve::mul(&G1Affine::generator(), &Scalar::from_uniform_bytes(&bytes))
}
