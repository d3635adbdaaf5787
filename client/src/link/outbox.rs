//! What has to reach the peer: messages in order, each until it is acknowledged, and the latest ones again after that.
//!
//! The network may drop a connection between any two bytes, and a peer may acknowledge a message and crash before it
//! has stored it. So messages are idempotent, go out one at a time in the order in which the seat gave them, and those
//! of the latest plies go out again whenever the peer introduces itself anew (protocol, section 6: nothing that is
//! sent depends on what the peer says). Pure bookkeeping: no network, no clock.

use std::collections::VecDeque;

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

    /// The next message to send, and its serial number.
    pub(super) fn next(&self) -> Option<(u64, &Message)> {
        let entry = self.entries.iter().find(|entry| !entry.acknowledged)?;
        Some((entry.serial, &entry.message))
    }

    /// Marks a message as received and says which it is; `None` if it isn't waiting any more.
    pub(super) fn acknowledge(&mut self, serial: u64) -> Option<MessageId> {
        let mut waiting = self.entries.iter_mut().filter(|entry| !entry.acknowledged);
        let entry = waiting.find(|entry| entry.serial == serial)?;
        entry.acknowledged = true;
        Some(entry.message.id())
    }

    /// The peer may have lost its memory: what it acknowledged of the latest plies goes out again.
    pub(super) fn rewind(&mut self) {
        let latest = self.entries.iter().map(|entry| entry.message.id().ply).max().unwrap_or(0);
        for entry in &mut self.entries {
            let MessageId { ply, kind, .. } = entry.message.id();
            if !kind.is_wish() && ply.saturating_add(1) >= latest {
                entry.acknowledged = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::MessageKind;
    use game::message::{POINTS_BYTES, Phase};

    fn request(ply: u16) -> Message {
        Message::Request { ply, points: Box::new([ply as u8; POINTS_BYTES]) }
    }

    fn next(outbox: &Outbox) -> Option<u16> {
        outbox.next().map(|(_, message)| message.id().ply)
    }

    #[test]
    fn messages_go_out_in_order_until_acknowledged() {
        let mut outbox = Outbox::default();
        for ply in [1, 2, 3] {
            outbox.push(request(ply));
        }
        for ply in [1, 2, 3] {
            let (serial, message) = outbox.next().unwrap();
            assert_eq!(message.id().ply, ply);
            assert_eq!(outbox.acknowledge(serial), Some(request(ply).id()));
            assert_eq!(outbox.acknowledge(serial), None);
        }
        assert_eq!(next(&outbox), None);
        outbox.rewind();
        assert_eq!(next(&outbox), Some(2), "the latest two plies go out again");
    }

    #[test]
    fn the_oldest_goes_when_full() {
        let mut outbox = Outbox::default();
        for ply in 0..CAPACITY as u16 + 2 {
            outbox.push(request(ply));
        }
        assert_eq!(next(&outbox), Some(2));
        assert_eq!(outbox.entries.len(), CAPACITY);
    }

    #[test]
    fn a_message_given_again_is_kept_once_and_sent_again() {
        let mut outbox = Outbox::default();
        outbox.push(request(1));
        let (first, _) = outbox.next().unwrap();
        outbox.push(request(1));
        assert_eq!(outbox.acknowledge(first), None, "an acknowledgement of the message that was replaced");
        assert_eq!((next(&outbox), outbox.entries.len()), (Some(1), 1));
    }

    #[test]
    fn a_message_of_a_session_that_is_asked_for_on_its_way_does_not_begin_again() {
        let id = MessageId { index: 2, ..MessageId::new(MessageKind::Exchange, 3, Phase::Pre) };
        let message = |byte| Message::of_exchange(id, &[byte; 9]).expect("a message");
        let mut outbox = Outbox::default();
        outbox.push(message(1));
        let (first, _) = outbox.next().unwrap();
        outbox.push(message(1));
        assert_eq!(outbox.next().map(|(serial, _)| serial), Some(first));
        outbox.push(message(2));
        assert_eq!(outbox.acknowledge(first), None, "another one replaces it");
        let (second, _) = outbox.next().unwrap();
        assert_eq!(outbox.acknowledge(second), Some(id));
        outbox.push(message(2));
        assert!(outbox.next().is_some(), "what was acknowledged is sent again");
    }
}
