//! The tangent space of a [`System`], exact over the field: which public inputs and cells are free, and which constraints could be missing without
//! another one becoming free.
//!
//! **Classes.** Cells that copies bind are one variable. **Propagation.** A variable that is alone unknown in an equation follows from the others. Where nothing
//! follows any more, the first unknown in the order *inputs, outputs, cells as they were laid* becomes a parameter, so each variable is linear in
//! parameters before it. **Relations.** Equations left over say something of the parameters alone, and each independent one of them binds the last
//! parameter that it has. What remains is the first basis in that order: an output is in it only if it can move while all inputs stand still.
//!
//! **Redundancy.** A constraint can go without a change to the space if and only if it is a combination of the others: if some vector `y` with `yᵀM = 0`,
//! where `M` has a row for every constraint, isn't 0 there. A random one of these vectors (one field element in 2²⁵⁴ apart) isn't 0 at *every*
//! such constraint at once. So one solution answers for all constraints: random at the left-over equations, under the relations, and carried back through
//! the propagation. For copies, `y` is a flow along the edges that they make between cells, from those where the equations leave a surplus to those where
//! they leave a deficit.

use ff::Field;
use halo2curves::bn256::Fr;
use rand::RngCore;

use super::{
    CellId,
    classes::{Classes, Terms},
    propagation::{Propagation, Relations},
    system::{LeftOut, System},
};

/// The tangent space at a witness.
pub struct Tangent<'s> {
    system: &'s System,
    pub left_out: LeftOut,
    /// The free cells, in the order *inputs, outputs, cells as laid*; of each class the first.
    pub free: Vec<CellId>,
    classes: Classes,
    equations: Vec<Terms>,
    propagation: Propagation,
    relations: Relations,
}

/// Of each constraint, by its number in the system, whether the space would be another one without it; false of those left out.
pub struct Needed {
    pub equations: Vec<bool>,
    pub copies: Vec<bool>,
}

impl<'s> Tangent<'s> {
    /// Solves a system. `first` are the cells that are asked first whether they are free, inputs before outputs.
    pub fn of(system: &'s System, left_out: LeftOut, first: &[CellId]) -> Self {
        let classes = Classes::new(system, &left_out);
        let equations = classes.merged(system, &left_out);
        let mut priority = first.to_vec();
        priority.extend(&system.order);
        let read = system.equations.iter().flat_map(|equation| equation.terms.iter().map(|&(cell, _)| cell));
        priority.extend(read.filter(|&cell| system.advice.get(cell as usize) == Some(&None)));
        let propagation = Propagation::run(&equations, &left_out, &classes, &priority);
        let relations = Relations::of(&propagation);
        let is_bound = |parameter: &u32| relations.pivots.contains_key(parameter);
        let parameters = 0..propagation.parameters.len() as u32;
        let free = parameters.filter(|p| !is_bound(p)).map(|p| propagation.parameters[p as usize].1).collect();
        Self { system, left_out, free, classes, equations, propagation, relations }
    }

    /// Which constraints are needed.
    pub fn needed(&self, rng: &mut impl RngCore) -> Needed {
        let y = self.propagation.null_vector(&self.equations, &self.relations, rng);
        let flows = self.classes.flows(self.system, &self.left_out, &y, rng);
        let counts = |y: Vec<Fr>, left_out: &[bool]| -> Vec<bool> {
            y.iter().zip(left_out).map(|(y, out)| !out && *y == Fr::ZERO).collect()
        };
        Needed { equations: counts(y, &self.left_out.equations), copies: counts(flows, &self.left_out.copies) }
    }
}

impl Needed {
    pub fn nothing(system: &System) -> Self {
        Self { equations: vec![false; system.equations.len()], copies: vec![false; system.copies.len()] }
    }

    /// Adds what is needed at another witness, where the constraints are the same.
    pub fn or(&mut self, other: &Self) {
        for (all, more) in [(&mut self.copies, &other.copies), (&mut self.equations, &other.equations)] {
            assert_eq!(all.len(), more.len(), "another circuit for another witness");
            all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
        }
    }
}
