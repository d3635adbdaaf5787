//! Poseidon over `F`, t = 3, x⁵, 8 full and 57 partial rounds, with circomlib's constants (protocol section 3).
//!
//! The constants come from the Grain generator of the Poseidon paper, run here, so that nothing has to be trusted or copied.
//! Every use has a tag of its own as element 0 of the state; outputs 0 and 1 may be used, never all three, since a
//! permutation can be inverted. This is not a sponge: no message is longer than two elements.

use crate::F;
use ff::{Field, FromUniformBytes};
use std::sync::LazyLock;

mod sparse;

use sparse::permute;

/// Elements of the state.
pub const WIDTH: usize = 3;
/// Rounds in which every element goes through the S-box; half of them come first, half last.
pub const FULL_ROUNDS: usize = 8;
/// Rounds in which only element 0 goes through the S-box.
pub const PARTIAL_ROUNDS: usize = 57;
/// The number of full and partial rounds together.
pub const ROUNDS: usize = FULL_ROUNDS + PARTIAL_ROUNDS;
/// Bits of a field element, which the Grain generator needs.
const FIELD_BITS: usize = 254;

/// What a hash is for: element 0 of the state (frozen, "Encodings": Tags).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Tag {
    /// A player's state and salt (section 4).
    Commit = 1,
    /// A point of a request, as a leaf of its tree (section 5).
    Leaf = 2,
    /// An inner node of a tree.
    Node = 3,
    /// A record of an answer, as a leaf of its tree.
    Record = 4,
    /// The masks of the oblivious transfer.
    Ot = 5,
    /// The first keys of the rays that leave a square.
    Prf = 6,
    /// The mask of a ray step.
    Ray = 7,
    /// The mask of a double push.
    Push = 8,
    /// The keys that replace those of the receiver's captured square.
    Pend = 9,
    /// The item or view vector of a board, under a salt (engine `bfv`).
    Vector = 10,
    /// The list of a shown or asked set, under a salt (engine `dh-psi-proven`).
    Set = 11,
    /// The square of a king in tag, under a salt.
    King = 12,
}

impl Tag {
    /// The tag as element 0 of the state.
    pub fn field(self) -> F {
        F::from(self as u64)
    }
}

/// The numbers of the permutation, unoptimised: a round adds its constants, applies the S-box, multiplies by the matrix.
#[derive(Debug)]
pub struct Constants {
    /// Added to the state at the beginning of each round.
    pub rounds: [[F; WIDTH]; ROUNDS],
    /// `next[i] = Σ_j mds[i][j] · state[j]`.
    pub mds: [[F; WIDTH]; WIDTH],
}

/// The constants, made once.
pub fn constants() -> &'static Constants {
    static CONSTANTS: LazyLock<Constants> = LazyLock::new(make_constants);
    &CONSTANTS
}

/// Outputs 0 and 1 of the permutation of `[first, x, y]`.
pub fn hash2(first: F, x: F, y: F) -> [F; 2] {
    let [zero, one, _] = permute([first, x, y]);
    [zero, one]
}

/// `H(tag; x, y)`, output 0.
pub fn hash(tag: Tag, x: F, y: F) -> F {
    hash2(tag.field(), x, y)[0]
}

/// The Grain LFSR of the Poseidon paper in its self-shrinking mode.
struct Grain {
    state: [bool; 80],
}

impl Grain {
    fn new() -> Self {
        let mut state = [true; 80];
        // prime field, x^alpha, then the parameters, then thirty ones
        let fields = [(1, 2), (0, 4), (FIELD_BITS, 12), (WIDTH, 12), (FULL_ROUNDS, 10), (PARTIAL_ROUNDS, 10)];
        let bits = fields.iter().flat_map(|&(value, width)| (0..width).rev().map(move |bit| value >> bit & 1 == 1));
        for (slot, bit) in state.iter_mut().zip(bits) {
            *slot = bit;
        }
        let mut grain = Self { state };
        for _ in 0..160 {
            grain.clock();
        }
        grain
    }

    fn clock(&mut self) -> bool {
        let bit = [62, 51, 38, 23, 13, 0].iter().fold(false, |sum, &tap| sum ^ self.state[tap]);
        self.state.rotate_left(1);
        self.state[79] = bit;
        bit
    }

    /// The next kept bit: of each pair the first says whether the second is kept.
    fn bit(&mut self) -> bool {
        while !self.clock() {
            self.clock();
        }
        self.clock()
    }

    /// The next integer, little-endian.
    fn integer(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for position in (0..FIELD_BITS).rev() {
            bytes[position / 8] |= u8::from(self.bit()) << (position % 8);
        }
        bytes
    }

    /// The next integer that is a field element.
    fn element(&mut self) -> F {
        loop {
            if let Some(value) = F::from_bytes(&self.integer()).into() {
                return value;
            }
        }
    }

    /// The next integer, reduced.
    fn reduced(&mut self) -> F {
        let mut wide = [0; 64];
        wide[..32].copy_from_slice(&self.integer());
        F::from_uniform_bytes(&wide)
    }
}

fn make_constants() -> Constants {
    let mut grain = Grain::new();
    let mut rounds = [[F::ZERO; WIDTH]; ROUNDS];
    for value in rounds.iter_mut().flatten() {
        *value = grain.element();
    }
    let cauchy: [F; 2 * WIDTH] = std::array::from_fn(|_| grain.reduced());
    let mds = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let inverse = (cauchy[i] + cauchy[WIDTH + j]).invert();
            inverse.expect("the Cauchy matrix of these fixed parameters exists")
        })
    });
    Constants { rounds, mds }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ff::PrimeField;

    fn decimal(text: &str) -> F {
        F::from_str_vartime(text).expect("a decimal number")
    }

    #[test]
    fn agrees_with_the_public_vector_of_circomlib() {
        let expected = "7853200120776062878684798364095072458815029376092732009249414926327459813530";
        let [output, _] = hash2(F::ZERO, F::from(1), F::from(2));
        assert_eq!(output, decimal(expected));
    }

    #[test]
    fn constants_are_circomlib_s() {
        // first and last constant of circomlib's poseidon_constants for t = 3
        let first = "6745197990210204598374042828761989596302876299545964402857411729872131034734";
        assert_eq!(constants().rounds[0][0], decimal(first));
        let corner = "7511745149465107256748700652201246547602992235352608707588321460060273774987";
        assert_eq!(constants().mds[0][0], decimal(corner));
    }

    /// The permutation as it is defined.
    fn permute_plainly(mut state: [F; WIDTH]) -> [F; WIDTH] {
        let constants = constants();
        for (round, added) in constants.rounds.iter().enumerate() {
            for (value, constant) in state.iter_mut().zip(added) {
                *value += constant;
            }
            let is_partial = (FULL_ROUNDS / 2..FULL_ROUNDS / 2 + PARTIAL_ROUNDS).contains(&round);
            let boxes = if is_partial { 1 } else { WIDTH };
            for value in &mut state[..boxes] {
                *value = value.square().square() * *value;
            }
            state = constants.mds.map(|row| row[0] * state[0] + row[1] * state[1] + row[2] * state[2]);
        }
        state
    }

    #[test]
    fn the_sparse_form_is_the_same_permutation() {
        let mut state = [F::ZERO, F::ONE, -F::ONE];
        for _ in 0..20 {
            let next = permute_plainly(state);
            assert_eq!(permute(state), next);
            state = next;
        }
    }

    #[test]
    fn tags_separate() {
        let (x, y) = (F::from(3), F::from(4));
        assert_ne!(hash(Tag::Leaf, x, y), hash(Tag::Node, x, y));
        assert_eq!(hash(Tag::Pend, x, y), hash2(F::from(9), x, y)[0]);
    }
}
