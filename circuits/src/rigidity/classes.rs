//! Cells that copies make one variable, and what flows over the copies.

use ff::Field;
use halo2curves::bn256::Fr;
use rand::RngCore;

use super::{
    CellId,
    system::{LeftOut, System},
};
use crate::laid::joined;

const NONE: u32 = u32::MAX;

/// Classes and their coefficients, none of which is 0.
pub(super) type Terms = Vec<(u32, Fr)>;

/// Cells by what copies make of them.
pub(super) struct Classes {
    /// The class of each cell.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: usize,
}

impl Classes {
    /// Joins the cells of all copies but those left out.
    pub fn new(system: &System, left_out: &LeftOut) -> Self {
        let copies = system.copies.iter().zip(&left_out.copies).filter(|(_, out)| !**out);
        let roots = joined(system.cells(), copies.map(|(copy, _)| *copy));
        let (mut of, mut numbers, mut count) = (Vec::with_capacity(roots.len()), vec![NONE; roots.len()], 0);
        for root in roots {
            let root = root as usize;
            if numbers[root] == NONE {
                numbers[root] = count;
                count += 1;
            }
            of.push(numbers[root]);
        }
        Self { of, count: count as usize }
    }

    /// The flow over each copy, for which what comes to a cell from its equations and its copies is 0 in all. Copies that close a circle carry a random one.
    pub fn flows(&self, system: &System, left_out: &LeftOut, y: &[Fr], rng: &mut impl RngCore) -> Vec<Fr> {
        let mut surplus = vec![Fr::ZERO; system.cells()];
        for (equation, y) in system.equations.iter().zip(y).filter(|(_, y)| **y != Fr::ZERO) {
            for &(cell, k) in &equation.terms {
                surplus[cell as usize] += *y * k;
            }
        }
        let mut at = vec![Vec::new(); system.cells()];
        for (copy, ends) in system.copies.iter().enumerate().filter(|(copy, _)| !left_out.copies[*copy]) {
            for end in ends {
                at[*end as usize].push(copy);
            }
        }
        let (mut flows, mut seen) = (vec![Fr::ZERO; system.copies.len()], vec![false; system.cells()]);
        let mut used = vec![false; system.copies.len()];
        for root in 0..system.cells() {
            if seen[root] || at[root].is_empty() {
                continue;
            }
            // A tree over the class, from the root; what isn't in it closes a circle.
            let (mut tree, mut next) = (vec![(root, None)], 0);
            seen[root] = true;
            while next < tree.len() {
                let (cell, _) = tree[next];
                next += 1;
                for &copy in &at[cell] {
                    if std::mem::replace(&mut used[copy], true) {
                        continue;
                    }
                    let [left, right] = system.copies[copy].map(|end| end as usize);
                    let other = if left == cell { right } else { left };
                    if std::mem::replace(&mut seen[other], true) {
                        flows[copy] = Fr::random(&mut *rng);
                        surplus[left] += flows[copy];
                        surplus[right] -= flows[copy];
                    } else {
                        tree.push((other, Some((copy, cell))));
                    }
                }
            }
            for (cell, up) in tree.into_iter().rev() {
                match up {
                    Some((copy, above)) => {
                        flows[copy] = surplus[cell];
                        let moved = surplus[cell];
                        surplus[above] += moved;
                    }
                    None => assert_eq!(surplus[cell], Fr::ZERO, "what flows into a class flows out of it"),
                }
            }
        }
        flows
    }

    /// The equations over classes, without those terms that are 0.
    pub fn merged(&self, system: &System, left_out: &LeftOut) -> Vec<Terms> {
        let merge = |terms: &[(CellId, Fr)]| {
            let mut terms: Vec<_> = terms.iter().map(|&(cell, k)| (self.of[cell as usize], k)).collect();
            terms.sort_unstable_by_key(|&(class, _)| class);
            terms.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 += next.1;
                }
                same
            });
            terms.retain(|(_, k)| *k != Fr::ZERO);
            terms
        };
        let equations = system.equations.iter().zip(&left_out.equations);
        equations.map(|(equation, out)| if *out { vec![] } else { merge(&equation.terms) }).collect()
    }
}
