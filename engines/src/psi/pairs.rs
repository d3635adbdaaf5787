//! Pairs of parties for the tests of this crate: senders that may cheat by their sets, and messages that are changed on their way.

use super::{
    element::Element,
    engine::{Protocol, SetEngine},
    receiver::Receiver,
    secrets::Own,
    sender::Sender,
};
use fog::{
    engine::{Branch, Fault, Party, Phase},
    testing::Walk,
};
use rand::{Rng, rngs::StdRng};
use rules::{Side, Sight};

/// Both boards of an exchange, captured pieces gone.
pub struct Boards {
    pub receiver: Side,
    pub sender: Side,
    pub phase: Phase,
}

impl Boards {
    /// A position of a random game before the receiver's move, some moves after `walk`.
    pub fn random(walk: &mut Walk, rng: &mut StdRng) -> Self {
        for _ in 0..rng.gen_range(1..12) {
            walk.advance(rng);
        }
        Self { receiver: walk.board(), sender: walk.other().clone(), phase: Phase::Pre }
    }

    pub fn own(&self, board: &Side, rng: &mut StdRng) -> Own {
        Own { board: board.clone(), phase: self.phase, id: [7; 32], branch: Branch::from_bytes(rng.r#gen()) }
    }

    pub fn honest<P: Protocol>(&self, rng: &mut StdRng) -> (Sender, Receiver<P::Search>) {
        let (set, exact) = (P::set(&self.sender, self.phase), P::exact(&self.sender, self.phase));
        self.with_sets::<P>(&set, exact, rng)
    }

    /// A sender of any sets, and an honest receiver.
    pub fn with_sets<P: Protocol>(
        &self,
        set: &[Element],
        exact: Vec<Element>,
        rng: &mut StdRng,
    ) -> (Sender, Receiver<P::Search>) {
        let layout = SetEngine::<P>::LAYOUT;
        let (sender, _) = Sender::new(self.own(&self.sender, rng), layout, set, exact).expect("sets that fit");
        let search = P::search(&self.receiver, self.phase);
        (sender, Receiver::new(self.own(&self.receiver, rng), layout, search, None))
    }

    /// What the receiver must see.
    pub fn right(&self) -> Sight {
        Sight::between(&self.receiver, &self.sender, self.phase == Phase::Pre)
    }
}

/// A whole exchange. Before each message is taken, `tamper` gets its number, the party that takes it and the right bytes.
pub fn run<S: super::Search>(
    (mut sender, mut receiver): (Sender, Receiver<S>),
    mut tamper: impl FnMut(usize, &mut dyn FnMut(&[u8]) -> Result<(), Fault>, &[u8]),
) -> Result<Sight, Fault> {
    let mut message = sender.step(None)?.send.unwrap_or_default();
    let mut index = 0;
    loop {
        tamper(index, &mut |bytes| receiver.step(Some(bytes)).map(drop), &message);
        let step = receiver.step(Some(&message))?;
        if let Some(sight) = step.output {
            return Ok(sight);
        }
        let asked = step.send.unwrap_or_default();
        tamper(index + 1, &mut |bytes| sender.step(Some(bytes)).map(drop), &asked);
        message = sender.step(Some(&asked))?.send.unwrap_or_default();
        index += 2;
    }
}
