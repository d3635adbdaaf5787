//! What has to reach the peer: messages in order, each until it is acknowledged, and the latest ones again after that.
//!
//! The network may drop a connection between any two bytes, and a peer may acknowledge a message and crash before it
//! has stored it. So messages are idempotent, go out one at a time in the order in which the seat gave them, and those
//! of the latest plies go out again whenever the peer introduces itself anew (protocol, section 6: nothing that is
//! sent depends on what the peer says). Pure bookkeeping: no network, no clock.

use std::collections::VecDeque;

use crate::link::frame::Frame;
use game::{Message, MessageId};

/// Messages kept: a game needs four for two plies; the rest is room for a seat that resends.
pub(super) const CAPACITY: usize = 16;

#[derive(Debug)]
struct Entry {
    message: Message,
    /// Numbers the messages given by the seat, so that an acknowledgement never counts for a later message of that id.
    serial: u64,
    acknowledged: bool,
}

/// The messages of one side of a game, oldest first.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    entries: VecDeque<Entry>,
    next_serial: u64,
    /// The message that is under way, and how many of its frames have arrived.
    progress: Option<(u64, u16)>,
}

/// A frame of a message that waits.
#[derive(Debug)]
pub(super) struct Next {
    /// The message's serial number.
    pub(super) serial: u64,
    pub(super) frame: Frame,
    /// Whether it is the message's last frame.
    pub(super) is_last: bool,
}

impl Outbox {
    /// Adds a message, or, if one with its id is there, replaces it and sends it again. One of a session goes on where it is on its way: it may
    /// take longer than the opponent's patience. When full, the oldest goes.
    pub(super) fn push(&mut self, message: Message) {
        let is_under_way = |entry: &Entry| !entry.acknowledged && entry.message == message;
        if matches!(message, Message::Session { .. }) && self.entries.iter().any(is_under_way) {
            return;
        }
        let id = message.id();
        self.entries.retain(|entry| entry.message.id() != id);
        if self.entries.len() == CAPACITY {
            self.entries.pop_front();
        }
        self.entries.push_back(Entry { message, serial: self.next_serial, acknowledged: false });
        self.next_serial += 1;
    }

    /// The next frame to send, of the oldest message that waits.
    pub(super) fn next(&mut self) -> Option<Next> {
        let Entry { message, serial, .. } = self.entries.iter().find(|entry| !entry.acknowledged)?;
        let arrived = self.progress.filter(|(known, _)| known == serial).map_or(0, |(_, arrived)| arrived);
        self.progress = Some((*serial, arrived));
        let is_last = usize::from(arrived) + 1 >= message.frames();
        Some(Next { serial: *serial, frame: Frame::of(message, arrived), is_last })
    }

    /// A frame that is not the last of its message has arrived.
    pub(super) fn arrived(&mut self, serial: u64) {
        if let Some((_, arrived)) = self.progress.as_mut().filter(|(known, _)| *known == serial) {
            *arrived += 1;
        }
    }

    /// Marks a message as received and says which it is; `None` if it isn't waiting any more.
    pub(super) fn acknowledge(&mut self, serial: u64) -> Option<MessageId> {
        self.progress = None;
        let mut waiting = self.entries.iter_mut().filter(|entry| !entry.acknowledged);
        let entry = waiting.find(|entry| entry.serial == serial)?;
        entry.acknowledged = true;
        Some(entry.message.id())
    }

    /// The peer may have lost its memory: what it acknowledged of the latest plies goes out again.
    pub(super) fn rewind(&mut self) {
        self.progress = None;
        let latest = self.entries.iter().map(|entry| entry.message.id().ply).max().unwrap_or(0);
        for entry in &mut self.entries {
            let MessageId { ply, kind, .. } = entry.message.id();
            if !kind.is_wish() && ply.saturating_add(1) >= latest {
                entry.acknowledged = false;
            }
        }
    }

    /// Drops all messages, those that have arrived too.
    pub(super) fn forget(&mut self) {
        self.entries.clear();
        self.progress = None;
    }

    /// How many messages are kept, and how many of them wait.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.entries.len(), self.entries.iter().filter(|entry| !entry.acknowledged).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::pieces::{Assembly, Piece};
    use game::MessageKind;
    use game::message::{PIECE_BYTES, POINTS_BYTES, Phase};

    fn request(ply: u16) -> Message {
        Message::Request { ply, points: Box::new([ply as u8; POINTS_BYTES]) }
    }

    /// The serial number and the message of the next frame, which is its whole message.
    fn next_message(outbox: &mut Outbox) -> Option<(u64, Message)> {
        let Next { serial, frame, is_last: true } = outbox.next()? else { panic!("it has one frame") };
        let message = match frame {
            Frame::Message(message) => message,
            Frame::Piece(piece) => Assembly::default().take(piece).expect("a first piece").expect("the whole message"),
            Frame::Hello(_) => panic!("a hello"),
        };
        Some((serial, message))
    }

    fn next(outbox: &mut Outbox) -> Option<u16> {
        next_message(outbox).map(|(_, message)| message.id().ply)
    }

    #[test]
    fn messages_go_out_in_order_until_acknowledged() {
        let mut outbox = Outbox::default();
        for ply in [1, 2, 3] {
            outbox.push(request(ply));
        }
        for ply in [1, 2, 3] {
            let (serial, message) = next_message(&mut outbox).unwrap();
            assert_eq!(message.id().ply, ply);
            assert_eq!(outbox.acknowledge(serial), Some(request(ply).id()));
            assert_eq!(outbox.acknowledge(serial), None);
        }
        assert_eq!(next(&mut outbox), None);
        outbox.rewind();
        assert_eq!(next(&mut outbox), Some(2), "the latest two plies go out again");
    }

    #[test]
    fn what_is_forgotten_goes_out_no_more() {
        let mut outbox = Outbox::default();
        outbox.push(request(1));
        let (serial, _) = next_message(&mut outbox).unwrap();
        outbox.forget();
        outbox.rewind();
        assert_eq!((outbox.acknowledge(serial), next(&mut outbox)), (None, None));
        outbox.push(request(2));
        assert!(next_message(&mut outbox).is_some_and(|(other, _)| other != serial));
    }

    #[test]
    fn the_oldest_goes_when_full() {
        let mut outbox = Outbox::default();
        for ply in 0..CAPACITY as u16 + 2 {
            outbox.push(request(ply));
        }
        assert_eq!(next(&mut outbox), Some(2));
        assert_eq!(outbox.entries.len(), CAPACITY);
    }

    #[test]
    fn a_message_given_again_is_kept_once_and_sent_again() {
        let mut outbox = Outbox::default();
        outbox.push(request(1));
        let (first, _) = next_message(&mut outbox).unwrap();
        outbox.push(request(1));
        assert_eq!(outbox.acknowledge(first), None, "an acknowledgement of the message that was replaced");
        assert_eq!((next(&mut outbox), outbox.entries.len()), (Some(1), 1));
    }

    #[test]
    fn a_message_of_a_session_that_is_asked_for_on_its_way_does_not_begin_again() {
        let id = MessageId { index: 2, ..MessageId::new(MessageKind::Exchange, 3, Phase::Pre) };
        let message = |byte| Message::of_exchange(id, &[byte; 9]).expect("a message");
        let mut outbox = Outbox::default();
        outbox.push(message(1));
        let (first, _) = next_message(&mut outbox).unwrap();
        outbox.push(message(1));
        assert_eq!(next_message(&mut outbox).map(|(serial, _)| serial), Some(first));
        outbox.push(message(2));
        assert_eq!(outbox.acknowledge(first), None, "another one replaces it");
        let (second, _) = next_message(&mut outbox).unwrap();
        assert_eq!(outbox.acknowledge(second), Some(id));
        outbox.push(message(2));
        assert!(next_message(&mut outbox).is_some(), "what was acknowledged is sent again");
    }

    #[test]
    fn frames_go_out_one_by_one_and_anew_after_a_new_hello() {
        let id = MessageId { index: 2, ..MessageId::new(MessageKind::Exchange, 3, Phase::Pre) };
        let message = Message::of_exchange(id, &[7; 2 * PIECE_BYTES + 1]).expect("a message");
        let number = |outbox: &mut Outbox| match outbox.next() {
            Some(Next { frame: Frame::Piece(Piece { number, .. }), is_last, .. }) => (number, is_last),
            other => panic!("a piece: {other:?}"),
        };
        let mut outbox = Outbox::default();
        outbox.push(message);
        assert_eq!(number(&mut outbox), (0, false));
        assert_eq!(number(&mut outbox), (0, false), "it hasn't arrived");
        outbox.arrived(0);
        outbox.arrived(1);
        assert_eq!(number(&mut outbox), (1, false), "one of another message doesn't count");
        outbox.arrived(0);
        assert_eq!(number(&mut outbox), (2, true));
        outbox.rewind();
        outbox.arrived(0);
        assert_eq!(number(&mut outbox), (0, false), "what arrived before the new hello may be forgotten");
    }
}
