//! Messages of sessions in pieces: one frame carries [`PIECE_BYTES`] of a message, so that no frame is larger than sight-lines' own by
//! much, and nobody's memory is filled by what a stranger announces. The pieces of a message come in order, one message at a time; a
//! first piece begins anew, and the last one again is a repeat. Pure: no network, no clock.

use fog::ensure;
use game::message::PIECE_BYTES;
use game::{Message, MessageId, SessionId, WireError};

/// A piece of a session's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub session: SessionId,
    /// The number of the message within it.
    pub index: u16,
    /// The number of the piece within the message.
    pub number: u16,
    /// Bytes of the whole message.
    pub total: u32,
    /// This piece's bytes: [`PIECE_BYTES`], of the last piece what is left.
    pub bytes: Vec<u8>,
}

/// How many bytes piece `number` of a message of `total` has.
pub(super) fn piece_len(number: u16, total: u32) -> Result<usize, WireError> {
    let (total, before) = (total as usize, usize::from(number) * PIECE_BYTES);
    ensure!(number == 0 || before < total, WireError::Piece);
    Ok(PIECE_BYTES.min(total - before))
}

impl Piece {
    /// A piece of a message; none if it isn't a session's, or has no such piece.
    pub(super) fn of(message: &Message, number: u16) -> Option<Self> {
        let Message::Session { session, index, bytes } = message else {
            return None;
        };
        let total = u32::try_from(bytes.len()).ok()?;
        let start = usize::from(number) * PIECE_BYTES;
        let len = piece_len(number, total).ok()?;
        let bytes = bytes.get(start..start + len)?.to_vec();
        Some(Self { session: *session, index: *index, number, total, bytes })
    }

    fn id(&self) -> MessageId {
        self.session.message(self.index, false)
    }
}

/// What has come of a message so far.
#[derive(Debug)]
struct Part {
    id: MessageId,
    total: u32,
    next: u16,
    /// Empty once the message is whole.
    bytes: Vec<u8>,
}

#[derive(Debug, Default)]
pub(super) struct Assembly {
    part: Option<Part>,
}

impl Assembly {
    /// Bytes that have come of a message that isn't whole.
    pub(super) fn size(&self) -> usize {
        self.part.as_ref().map_or(0, |part| part.bytes.len())
    }

    /// Takes a piece whose length is right: the message, if this was its last.
    pub(super) fn take(&mut self, piece: Piece) -> Result<Option<Message>, WireError> {
        let id = piece.id();
        if piece.number == 0 {
            self.part = Some(Part { id, total: piece.total, next: 0, bytes: Vec::new() });
        }
        let part = self.part.as_mut().filter(|part| (part.id, part.total) == (id, piece.total));
        let part = part.ok_or(WireError::Piece)?;
        if piece.number + 1 == part.next {
            return Ok(None);
        }
        ensure!(piece.number == part.next, WireError::Piece);
        part.next += 1;
        part.bytes.extend_from_slice(&piece.bytes);
        if part.bytes.len() < piece.total as usize {
            return Ok(None);
        }
        let bytes = std::mem::take(&mut part.bytes);
        Ok(Some(Message::Session { session: piece.session, index: piece.index, bytes }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Phase;

    fn message(len: usize) -> Message {
        let bytes = (0..len).map(|i| (i * 7) as u8).collect();
        Message::Session { session: SessionId::Exchange { ply: 3, phase: Phase::Post }, index: 4, bytes }
    }

    fn pieces(message: &Message) -> Vec<Piece> {
        (0..message.frames() as u16).map(|number| Piece::of(message, number).expect("a piece")).collect()
    }

    #[test]
    fn a_message_comes_back_from_its_pieces() {
        for len in [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES] {
            let (message, mut assembly) = (message(len), Assembly::default());
            let pieces = pieces(&message);
            assert_eq!(Piece::of(&message, pieces.len() as u16), None);
            let last = pieces.len() - 1;
            for (at, piece) in pieces.iter().enumerate() {
                let whole = (at == last).then(|| message.clone());
                assert_eq!(assembly.take(piece.clone()), Ok(whole), "{len}: {at}");
                // Its acknowledgement was lost. A first piece begins anew.
                if at > 0 {
                    assert_eq!(assembly.take(piece.clone()), Ok(None));
                }
            }
        }
    }

    #[test]
    fn pieces_out_of_their_place_are_refused_and_a_first_one_begins_anew() {
        let message = message(3 * PIECE_BYTES);
        let [first, second, third] = &pieces(&message)[..] else { panic!("three pieces") };
        let mut assembly = Assembly::default();
        assert_eq!(assembly.take(second.clone()), Err(WireError::Piece));
        assert_eq!(assembly.take(first.clone()), Ok(None));
        assert_eq!(assembly.take(third.clone()), Err(WireError::Piece));
        for other in [Piece { index: 5, ..second.clone() }, Piece { total: second.total - 1, ..second.clone() }] {
            assert_eq!(assembly.take(other), Err(WireError::Piece));
        }
        assert_eq!(assembly.take(second.clone()), Ok(None));
        for piece in [first, second] {
            assert_eq!(assembly.take(piece.clone()), Ok(None));
        }
        assert_eq!(assembly.take(third.clone()), Ok(Some(message)));
        assert_eq!(piece_len(3, third.total), Err(WireError::Piece));
    }
}
