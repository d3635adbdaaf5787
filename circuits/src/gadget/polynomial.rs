//! Values of polynomials, by which calldata is bound (protocol section 7). The native twin is `fog::binding`.

use super::{Cell, Context};

/// `Σ vᵢ·zⁱ`, by Horner's rule from the last value to the first: a row a value.
pub fn evaluate(cx: &mut Context<'_>, values: &[Cell], z: Cell) -> Cell {
    let terms: Vec<_> = values.iter().map(|&value| Term { value, step: z }).collect();
    evaluate_terms(cx, &terms)
}

/// A value of a polynomial whose number of terms isn't fixed.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The value; 0 if the term is left out.
    pub value: Cell,
    /// What the terms after it are multiplied with: the point, or 1 if it is left out.
    pub step: Cell,
}

/// `Σ vᵢ·zⁱ` over the terms that aren't left out. The last one never may be.
pub fn evaluate_terms(cx: &mut Context<'_>, terms: &[Term]) -> Cell {
    let (last, others) = terms.split_last().expect("a polynomial has a coefficient");
    others.iter().rev().fold(last.value, |sum, term| cx.mul_add(sum, term.step, term.value))
}
