//! Pairs of parties for the tests of this crate: senders that may cheat by their sets, and messages that are changed on their way.

use super::{
    element::Element, engine::SetEngine, protocol::Protocol, receiver::Receiver, secrets::Own, sender::Sender,
};
use fog::{
    F,
    commitment::commit,
    engine::{Branch, CommittedState, Exchange, Fault, Party, Phase},
    testing::Walk,
    word::to_word,
};
use rand::{Rng, rngs::StdRng};
use rules::{Color, Side, Sight};

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

    /// The state of a board, of which only the commitment matters.
    fn state(board: &Side) -> CommittedState {
        let salt = F::from(1 + board.color as u64);
        CommittedState::new(board.clone(), to_word(&salt), to_word(&commit(board, salt)))
    }

    pub fn own(&self, board: &Side, rng: &mut StdRng) -> Own {
        let of = |color: Color| if color == self.receiver.color { &self.receiver } else { &self.sender };
        let exchange = Exchange {
            ply: 2 + self.receiver.color as u64,
            phase: self.phase,
            attempt: 0,
            commitments: Color::ALL.map(|color| Self::state(of(color)).commitment),
            pending: None,
            men: Color::ALL.map(|color| of(color).men().count() as u8),
            steps: Default::default(),
        };
        Own { exchange, state: Self::state(board), id: [7; 32], branch: Branch::from_bytes(rng.r#gen()) }
    }

    pub fn honest<P: Protocol>(&self, engine: &SetEngine<P>, rng: &mut StdRng) -> (Sender<P>, Receiver<P>) {
        let (set, exact) = (P::set(&self.sender, self.phase), P::exact(&self.sender, self.phase));
        self.with_sets(engine, &set, exact, rng)
    }

    /// A sender of any sets, and an honest receiver.
    pub fn with_sets<P: Protocol>(
        &self,
        engine: &SetEngine<P>,
        set: &[Element],
        exact: Vec<Element>,
        rng: &mut StdRng,
    ) -> (Sender<P>, Receiver<P>) {
        let protocol = engine.protocol();
        let sender = Sender::new(protocol.clone(), self.own(&self.sender, rng), set, exact);
        let (sender, _) = sender.expect("sets that fit");
        (sender, Receiver::new(protocol.clone(), self.own(&self.receiver, rng), None))
    }

    /// What the receiver must see.
    pub fn right(&self) -> Sight {
        Sight::between(&self.receiver, &self.sender, self.phase == Phase::Pre)
    }
}

/// A whole exchange. Before each message is taken, `tamper` gets its number, the party that takes it and the right bytes.
pub fn run<P: Protocol>(
    (mut sender, mut receiver): (Sender<P>, Receiver<P>),
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
