//! The sections of a verifier: calldata, transcript, inversions, Lagrange polynomials, constraints, opening, pairing.
//!
//! The names are those of halo2's book and of SHPLONK's paper, θ β γ α z for the challenges of PLONK and µ ν u for those of the opening.

mod constraints;
mod evaluation;
mod opening;
mod transcript;

use super::code::Term;
use super::generator::Generator;
use super::memory::WORD;
use super::shape::commitment_name;
use plonk::{Column, Opened};

fn word(name: &str) -> Term {
    Term::word(name)
}

fn variable(name: &str) -> Term {
    Term::atom(name)
}

fn difference(a: Term, b: Term) -> Term {
    Term::sum(a, Term::negative(b))
}

impl Generator<'_> {
    pub fn sections(&mut self) {
        self.calldata();
        self.transcript();
        self.inversions();
        self.lagrange();
        self.constraints();
        self.opening();
        self.pairing();
    }

    fn calldata(&mut self) {
        let fixed = (0..self.shape.fixed).map(Column::Fixed);
        let sigma = (0..self.shape.permutation.len()).map(Column::Sigma);
        for column in fixed.chain(sigma) {
            self.memory.key.place(commitment_name(Opened::Column(column)), 2 * WORD);
        }
        self.memory.key.place("G2", 4 * WORD);
        self.memory.key.place("NEGATIVE_TAU", 4 * WORD);
        self.memory.key.place("KEY_HASH", WORD);
        self.code.comment(
            "Calldata: its length, the key, field elements below r, points on the curve. No other contract has been called yet.",
        );
        self.code.line(
            "if iszero(eq(calldatasize(), DATA_END)) { refuse() }\n\
             if iszero(eq(extcodesize(calldataload(0)), add(KEY_BYTES, 1))) { fail() }\n\
             extcodecopy(calldataload(0), KEY, 1, KEY_BYTES)\n\
             if iszero(and(inField(DATA_INPUTS, DATA_POINTS), inField(DATA_VALUES, DATA_OPENING))) { refuse() }\n\
             if iszero(and(onCurve(DATA_POINTS, DATA_VALUES), onCurve(DATA_OPENING, DATA_END))) { refuse() }\n\
             let r := R",
        );
    }

    /// Makes a sum into itself times a challenge, plus a term.
    fn fold(&mut self, sum: &str, challenge: &str, term: Term) {
        self.code.assign(sum, &Term::sum(Term::product(variable(sum), variable(challenge)), term));
    }

    fn pairing(&mut self) {
        self.code.title("Pairing: e(sum, 1)·e(W', −τ) = 1 in G2.");
        self.code.line(
            "mcopy(0x40, G2, 0x80)\n\
             mcopy(0xc0, C_OPENING_AT_U, 0x40)\n\
             mcopy(0x100, NEGATIVE_TAU, 0x80)\n\
             if iszero(staticcall(gas(), 8, 0, 0x180, 0, 0x20)) { fail() }\n\
             return(0, 0x20)",
        );
    }
}
