//! The coefficients of arithmetic, as they are laid on this thread: which of them count, and how one is made another, so that tests see who notices.

use std::{cell::RefCell, panic::Location};

use ff::Field;
use halo2curves::bn256::Fr;

use super::{Cell, Input};

/// One operation that was laid.
#[derive(Clone, Copy)]
pub struct Operation {
    /// The coefficients `k₀` to `k₃` of the operation.
    pub k: [Fr; 4],
    /// Which of them are multiplied with something else than the cell of 0.
    pub is_live: [bool; 4],
    /// The line that asked for it.
    pub line: &'static Location<'static>,
}

/// What was laid, in order.
#[derive(Default)]
pub struct Laid {
    /// The operations of the part, in the order in which they are laid.
    pub operations: Vec<Operation>,
    /// By operation a bit for each coefficient that is multiplied with another value than 0.
    counts: Vec<u8>,
}

impl Laid {
    /// Whether a coefficient is multiplied with another value than 0.
    pub fn counts(&self, operation: usize, coefficient: usize) -> bool {
        self.counts[operation] >> coefficient & 1 == 1
    }

    /// How many operations there are.
    pub fn count(&self) -> usize {
        self.counts.len()
    }
}

/// A coefficient that is another one.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The number of the operation.
    pub operation: usize,
    /// Which of the four.
    pub coefficient: usize,
    /// The difference that is added to the coefficient.
    pub delta: Fr,
}

/// What is asked of the thread that lays.
#[derive(Default)]
enum Task {
    #[default]
    Nothing,
    /// To write down which coefficients count, and in full what is laid, if that isn't known yet.
    Record { laid: Laid, in_full: bool },
    /// To change a coefficient, given how many operations were laid before.
    Change { change: Change, count: usize },
}

thread_local! {
    static TASK: RefCell<Task> = RefCell::default();
}

/// Forgets what was laid before, the constants of a context among it.
pub fn restart() {
    TASK.with_borrow_mut(|task| match task {
        Task::Nothing => (),
        Task::Record { laid, .. } => *laid = Laid::default(),
        Task::Change { count, .. } => *count = 0,
    });
}

/// What `work` lays after the last [`restart`] in it: with the operations, or only which coefficients count.
pub fn record<T>(in_full: bool, work: impl FnOnce() -> T) -> (T, Laid) {
    TASK.set(Task::Record { laid: Laid::default(), in_full });
    let result = work();
    let Task::Record { laid, .. } = TASK.take() else { panic!("another task was set meanwhile") };
    (result, laid)
}

/// Does `work` with a coefficient changed.
pub fn with<T>(change: Change, work: impl FnOnce() -> T) -> T {
    TASK.set(Task::Change { change, count: 0 });
    let result = work();
    TASK.take();
    result
}

/// What an operation is laid with.
#[track_caller]
pub(super) fn laid(mut k: [Fr; 4], inputs: [Input; 4], zero: Cell) -> [Fr; 4] {
    let line = Location::caller();
    TASK.with_borrow_mut(|task| match task {
        Task::Nothing => (),
        Task::Record { laid, in_full } => {
            let [a, b, c, _] = inputs.map(|input| input.value() != Fr::ZERO);
            let counts = [a && b, a, b, c].into_iter().enumerate();
            laid.counts.push(counts.map(|(i, counts)| u8::from(counts) << i).sum());
            if *in_full {
                let [a, b, c, _] = inputs.map(|input| !matches!(input, Input::Copy(cell) if cell.is(zero)));
                laid.operations.push(Operation { k, is_live: [a && b, a, b, c], line });
            }
        }
        Task::Change { change, count } => {
            if change.operation == *count {
                k[change.coefficient] += change.delta;
            }
            *count += 1;
        }
    });
    k
}
