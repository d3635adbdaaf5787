//! A set-up whose keys another engine wraps in its own.

use fog::engine::{BoxedParty, Fault, GameKeys, MessageSize, Party, Step};
use std::sync::Arc;

/// The set-up of an engine, with what is made of its keys.
pub struct Keyed<F> {
    set_up: BoxedParty<Arc<dyn GameKeys>>,
    wrap: F,
}

impl<F: Fn(Arc<dyn GameKeys>) -> Arc<dyn GameKeys> + Send + 'static> Keyed<F> {
    /// Says what `set_up` says, and ends with its keys as `wrap` makes them.
    pub fn boxed(set_up: BoxedParty<Arc<dyn GameKeys>>, wrap: F) -> BoxedParty<Arc<dyn GameKeys>> {
        Box::new(Self { set_up, wrap })
    }
}

impl<F: Fn(Arc<dyn GameKeys>) -> Arc<dyn GameKeys> + Send> Party for Keyed<F> {
    type Output = Arc<dyn GameKeys>;

    fn shape(&self) -> Vec<MessageSize> {
        self.set_up.shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Self::Output>, Fault> {
        let Step { send, output } = self.set_up.step(received)?;
        Ok(Step { send, output: output.map(&self.wrap) })
    }

    fn meaning(&self) -> String {
        self.set_up.meaning()
    }
}
