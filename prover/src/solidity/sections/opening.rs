//! The opening of all polynomials by SHPLONK: a sum of commitments and one of values.

use super::evaluation::from_u;
use super::{Generator, Term, WORD, commitment_name, variable, word};
use crate::solidity::shape::value_name;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use plonk::Opened;

impl Generator<'_> {
    /// SHPLONK: every set of polynomials that are opened at the same points, folded by powers of µ, and the sets by powers of ν.
    pub fn opening(&mut self) {
        let shape = self.shape;
        self.code.title(
            "Opening: Σᵢ νⁱ·Z₀(u)/Zᵢ(u)·Σⱼ µʲ(Cⱼ − Rⱼ(u)) − Z₀(u)·W + u·W', where Zᵢ vanishes where set i is opened and Rⱼ takes the values \
             of polynomial j there. The sum of commitments grows at 0, `values` is the sum of Rⱼ.",
        );
        self.code.open();
        self.code.line("let mu := mload(MU)\nlet scale := mload(VANISHING_U)\nlet values := 0");
        for (i, set) in shape.openings.iter().enumerate() {
            let points: Vec<String> = set.rotations.iter().map(|&rotation| turned(rotation)).collect();
            self.code.title(format!("Opened at {}", points.join(", ")));
            self.code.open();
            self.code.line("let factor\nlet sum");
            for &rotation in &set.rotations {
                self.values_of_set(set.rotations.as_slice(), rotation, &set.polynomials);
            }
            let inverses = set.rotations.iter().map(|&rotation| word(&from_u(rotation)));
            self.code.assign("factor", &inverses.fold(variable("scale"), Term::product));
            for (j, &polynomial) in set.polynomials.iter().enumerate() {
                self.commitment(polynomial, (i, j) == (0, 0));
                if j + 1 < set.polynomials.len() {
                    self.code.line("factor := mulmod(factor, mu, r)");
                }
            }
            self.code.close();
            if i + 1 < shape.openings.len() {
                self.code.line("scale := mulmod(scale, mload(NU), r)");
            }
        }
        self.code.blank();
        self.code.line("accumulate(C_OPENING, sub(r, mload(VANISHING_U)))\naccumulate(C_OPENING_AT_U, mload(U))");
        self.memory.values.place("GENERATOR", 2 * WORD);
        self.code.line("mstore(GENERATOR, 1)\nmstore(add(GENERATOR, 0x20), 2)\naccumulate(GENERATOR, sub(r, values))");
        self.code.close();
    }

    /// Adds a set's values at one of its points, times that point's Lagrange polynomial at u.
    fn values_of_set(&mut self, points: &[i32], rotation: i32, polynomials: &[Opened]) {
        for (j, &polynomial) in polynomials.iter().rev().enumerate() {
            let value = word(&value_name((polynomial, rotation)));
            let folded = Term::product(variable("sum"), variable("mu"));
            self.code.assign("sum", &if j == 0 { value } else { Term::sum(folded, value) });
        }
        // Z₀(u)·Π (u − zωᵐ)/(zωⁱ − zωᵐ) over the set's other points m, divided by Zᵢ(u).
        let mut weight = Fr::ONE;
        for &other in points.iter().filter(|&&other| other != rotation) {
            weight *= self.power_of_omega(rotation) - self.power_of_omega(other);
        }
        let mut factor = Term::product(variable("scale"), word(&from_u(rotation)));
        if points.len() > 1 {
            let weight = weight.invert().expect("powers of ω differ");
            let points: Vec<String> = points.iter().map(|&point| sign(point)).collect();
            let name = format!("WEIGHT_{}_OF_{}", sign(rotation), points.join("_"));
            let weight = self.memory.constants.named(&name, weight);
            factor = (1..points.len()).fold(factor, |factor, _| Term::product(factor, word("I_Z")));
            factor = Term::product(factor, word(&weight));
        }
        self.code.assign("factor", &factor);
        let value = Term::product(variable("factor"), variable("sum"));
        self.code.assign("values", &Term::sum(variable("values"), value));
    }

    /// Adds a commitment times `factor`; the first one of all has the factor 1.
    fn commitment(&mut self, polynomial: Opened, first: bool) {
        let name = commitment_name(polynomial);
        match polynomial {
            Opened::Quotient => {
                self.code.open();
                self.code.line("let piece := factor");
                for i in 0..self.shape.quotients {
                    self.code.line(format!("accumulate({name}_{i}, piece)"));
                    if i + 1 < self.shape.quotients {
                        self.code.line("piece := mulmod(piece, mload(Z_N), r)");
                    }
                }
                self.code.close();
            }
            _ if first => self.code.line(format!("mcopy(0, {name}, 0x40)")),
            _ => self.code.line(format!("accumulate({name}, factor)")),
        }
    }
}

/// The expression for the point `zωⁱ`.
fn turned(rotation: i32) -> String {
    match rotation {
        0 => "z".to_owned(),
        1 => "zω".to_owned(),
        rotation => format!("zω^{rotation}"),
    }
}

/// A rotation within a name.
fn sign(rotation: i32) -> String {
    if rotation < 0 { format!("M{}", -rotation) } else { rotation.to_string() }
}
