//! The sender's first message: the general phase's packet, a digest of each later phase's packet, and, in the place of a proof, a digest of
//! all this and of the exchange. So all packets are fixed before the first question, and one of another exchange is noticed.
//!
//! The last digest is what stands on chain as `answerRoot`. It is that of attempt 0 at every attempt: a receiver that lost its memory is
//! sent the promised packets again, and asks with fresh randomness.

use super::{packet::PACKET, plan::Plan};
use fog::{
    engine::{Fault, MessageSize, Word, chain_digest, digest},
    word::WORD,
};

/// The digest of an opening without its digest.
pub fn opening_digest(exchange: &Word, content: &[u8]) -> Word {
    chain_digest([&b"fogmate/andos/opening/1"[..], exchange, content])
}

fn packet_digest(exchange: &Word, phase: usize, packet: &[u8]) -> Word {
    digest([&b"fogmate/andos/packet/1"[..], exchange, &[phase as u8], packet])
}

/// The size of an opening.
pub fn size(plan: &Plan) -> MessageSize {
    MessageSize { content: PACKET + WORD * plan.phases.len().saturating_sub(1), proof: WORD }
}

/// The opening of packets, one a phase, without its digest.
pub fn content(exchange: &Word, packets: &[Vec<u8>]) -> Vec<u8> {
    let mut content = Vec::new();
    for (phase, packet) in packets.iter().enumerate() {
        match phase {
            0 => content.extend(packet),
            _ => content.extend(packet_digest(exchange, phase, packet)),
        }
    }
    content
}

/// An opening that was received.
#[derive(Clone)]
pub struct Opening {
    exchange: Word,
    /// Digests of the packets of phase 1 and on.
    later: Vec<Word>,
}

impl Opening {
    /// Checks a message, of the right length, against what it is bound to and what was promised; gives the first packet too.
    pub fn read<'a>(message: &'a [u8], exchange: &Word, promised: Option<Word>) -> Result<(Self, &'a [u8]), Fault> {
        let (content, given) = message.split_at(message.len() - WORD);
        let digest = opening_digest(exchange, content);
        if promised.is_some_and(|promised| promised != digest) {
            return Err(Fault::Digest(0));
        }
        if given != digest {
            let cause = "it is the opening of another exchange".into();
            return Err(Fault::Proof { index: 0, cause });
        }
        let (packet, later) = content.split_at(PACKET);
        let later = later.chunks_exact(WORD).map(|word| std::array::from_fn(|i| word[i])).collect();
        Ok((Self { exchange: *exchange, later }, packet))
    }

    /// Checks that the packet of a later phase, in message `index`, is the one that the opening names.
    pub fn check(&self, phase: usize, packet: &[u8], index: usize) -> Result<(), Fault> {
        let is_named = self.later.get(phase - 1) == Some(&packet_digest(&self.exchange, phase, packet));
        is_named.then_some(()).ok_or(Fault::Digest(index))
    }
}
