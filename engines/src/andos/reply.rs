//! The sender's part of all engines of this folder, without messages: the packets of its board, and the answers.

use super::{
    announcement::is_allowed,
    packet::{self, PACKET, SQUARE, SQUARES},
    plan::{Kind, Plan},
    random::StreamKey,
    secret_key::SecretKey,
};
use fog::engine::{Branch, Fault, Step, Word};
use rules::{PieceType, Side};
use std::sync::Arc;

/// The sender of one exchange.
pub struct Reply {
    pub plan: Plan,
    pub key: Arc<SecretKey>,
    /// One of each phase.
    pub packets: Vec<Vec<u8>>,
    /// Of the Legendre symbols' blinding.
    blinding: StreamKey,
    men: usize,
    /// What was announced so far.
    announced: Vec<u8>,
    answered: usize,
}

/// The codes of a board in one phase.
pub fn codes(kind: Kind, board: &Side) -> [u8; SQUARES] {
    let jumped = board.jumped_square();
    std::array::from_fn(|square| match kind {
        Kind::General => board.pieces[square].map_or(0, PieceType::code),
        Kind::Pawn => u8::from(board.pieces[square].is_some()),
        Kind::EnPassant => u8::from(jumped.is_some_and(|jumped| jumped.index() == square)),
    })
}

impl Reply {
    /// Makes all packets but those of the first phases that are given. `exchange` is the exchange without its attempt, `men` the
    /// receiver's.
    pub fn new(
        plan: Plan,
        key: Arc<SecretKey>,
        branch: &Branch,
        exchange: &Word,
        board: &Side,
        men: u8,
        mut packets: Vec<Vec<u8>>,
    ) -> Self {
        let packet = |(phase, (kind, _)): (usize, &(Kind, usize))| {
            let randomness = StreamKey::derive(branch, [&b"packet"[..], exchange, &[phase as u8]]);
            packet::encrypt(&key, &codes(*kind, board), &randomness)
        };
        let left = plan.phases.iter().enumerate().skip(packets.len());
        packets.extend(left.map(packet));
        let blinding = StreamKey::derive(branch, [&b"symbols"[..], exchange]);
        Self { plan, key, packets, blinding, men: men.into(), announced: Vec::new(), answered: 0 }
    }

    /// Questions answered so far.
    pub fn answered(&self) -> usize {
        self.answered
    }

    /// The packet of the phase that the next question belongs to.
    pub fn packet(&self) -> Option<&[u8]> {
        let (phase, _) = self.plan.locate(self.answered)?;
        self.packets.get(phase).map(Vec::as_slice)
    }

    /// Looks at a question, a packet and a choice, in message `index`: the place asked for.
    pub fn check(&self, question: &[u8], index: usize) -> Result<usize, Fault> {
        let (packet, choice) = question.split_at(PACKET);
        let place = usize::from(choice[0]);
        fog::ensure!(place < SQUARES, Fault::malformed(index, "it asks for no square"));
        let is_packet = packet::is_packet(self.key.public(), packet);
        fog::ensure!(is_packet, Fault::malformed(index, "an element is not below the modulus"));
        let announced = [&self.announced[..], &choice[1..]].concat();
        let is_allowed = is_allowed(&announced, self.men);
        fog::ensure!(is_allowed, Fault::malformed(index, "it announces a piece that may not ask now"));
        Ok(place)
    }

    /// Answers a question that was checked: the bits, and the next phase's packet after the last question of one.
    pub fn answer(&mut self, question: &[u8], place: usize) -> Vec<u8> {
        let square = &question[place * SQUARE..][..SQUARE];
        let first_stream = self.answered * packet::BITS;
        let mut reply = vec![packet::decrypt(&self.key, square, &self.blinding, first_stream)];
        let opened = self.plan.opened_after(self.answered);
        reply.extend(opened.iter().flat_map(|phase| &self.packets[*phase]));
        self.announced.extend(&question[PACKET + 1..]);
        self.answered += 1;
        reply
    }

    /// The step that sends an answer, which after the last question is the end.
    pub fn step(&self, answer: Vec<u8>) -> Step<()> {
        let step = Step::send(answer);
        if self.answered == self.plan.questions() { step.with_output(()) } else { step }
    }
}
