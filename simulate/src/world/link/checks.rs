//! What the links promise.

use super::{EVENTS, Link, LinkWeather, Luck, World};
use client::link::machine::Size;
use client::link::{Frame, LinkEvent, Packet};
use game::Message;
use libp2p::PeerId;

/// Messages that a link keeps.
const KEPT: usize = 16;
/// The most that a link may have of anything: its peers are those that the gate lets in.
const MOST: Size =
    Size { kept: KEPT, waiting: KEPT, streams: 100, remembered: 32, bytes: 1 << 20, peers: 48, dismissed: 400 };
/// Seconds of fair weather after which nothing may wait any more.
const CALM: u64 = 600;

/// A message that a link was given.
#[derive(Debug)]
struct Given {
    message: Message,
    has_arrived: bool,
    /// It was given before, and may be on its way since then: it may come before others.
    is_repeat: bool,
}

/// What one link was given, and what of it has arrived.
#[derive(Debug, Default)]
pub(super) struct Book {
    /// What it must bring, in this order: of messages with the same name the last, and the latest 16 in all.
    due: Vec<Given>,
    /// What it need not bring any more.
    former: Vec<Given>,
}

impl Book {
    pub(super) fn give(&mut self, message: &Message) {
        let place = self.due.iter().position(|given| given.message.id() == message.id());
        self.former.extend(place.map(|place| self.due.remove(place)));
        if self.due.len() == KEPT {
            self.former.push(self.due.remove(0));
        }
        let has_arrived = self.former.iter().any(|given| given.has_arrived && given.message == *message);
        self.due.push(Given { message: message.clone(), has_arrived, is_repeat: place.is_some() });
    }

    /// Its process has been killed: it need not bring what it was given.
    pub(super) fn begin_anew(&mut self) {
        self.former.append(&mut self.due);
    }

    fn arrives(&mut self, message: &Message) {
        let place = self.due.iter().position(|given| given.message == *message);
        let Some(place) = place else {
            let known = self.former.iter_mut().find(|given| given.message == *message);
            let known = known.unwrap_or_else(|| panic!("a message arrives that nobody sent: {}", message.id()));
            return known.has_arrived = true;
        };
        let missing = self.due[..place].iter().find(|given| !given.has_arrived);
        let given = &self.due[place];
        if let Some(missing) = missing.filter(|_| !given.has_arrived && !given.is_repeat) {
            panic!("the {} arrives before the {}", message.id(), missing.message.id());
        }
        self.due[place].has_arrived = true;
    }
}

impl Link {
    /// Whether packets of a player may have been damaged: nothing is promised of them.
    fn is_damaged(&self, i: usize) -> bool {
        self.is_cheat[i] && self.is_corrupting
    }

    /// A link tells its seat something.
    pub(super) fn hear(&mut self, i: usize, event: LinkEvent, luck: &mut Luck) {
        let is_damaged = self.is_damaged(1 - i);
        if let LinkEvent::Received(message) = &event
            && !is_damaged
        {
            luck.checks.add("messages arrive in order");
            self.ends[1 - i].book.arrives(message);
        }
        if self.ends[i].told.len() < EVENTS {
            self.ends[i].told.push_back(event);
        }
    }

    /// Nobody but the opponent gets a message, and a stranger learns who we are only where we have dialled it.
    pub(super) fn check_receiver(&self, i: usize, peer: PeerId, packet: &Packet, luck: &mut Luck) {
        luck.checks.add("messages for the opponent alone");
        let is_opponent = peer == self.ends[1 - i].peer;
        match packet {
            Packet::Frame(Frame::Hello(_)) => {
                assert!(is_opponent || self.has_dialled(i, peer), "a stranger is greeted")
            }
            _ => assert!(is_opponent, "a message is sent to a stranger"),
        }
    }

    pub(super) fn check_size(&self, i: usize, luck: &mut Luck) {
        luck.checks.add("links keep little");
        let size = self.ends[i].machine.size();
        let Size { kept, waiting, streams, remembered, bytes, peers, dismissed } = size;
        let is_small = kept <= MOST.kept
            && waiting <= MOST.waiting
            && streams <= MOST.streams
            && remembered <= MOST.remembered
            && bytes <= MOST.bytes
            && peers <= MOST.peers
            && dismissed <= MOST.dismissed;
        assert!(is_small, "the link of player {i} keeps too much: {size:?}");
    }

    /// In fair weather the players find each other, whoever knocks, and nothing waits.
    fn check_end(&mut self, luck: &mut Luck) {
        if self.is_cut {
            return;
        }
        self.weather =
            LinkWeather { strangers: self.weather.strangers, dials: self.weather.dials, ..LinkWeather::clear() };
        for _ in 0..CALM {
            self.pass(self.now + 1, luck);
            self.settle(luck);
            self.ends.iter_mut().for_each(|end| end.told.clear());
            if self.is_quiet() {
                break;
            }
        }
        for (i, end) in self.ends.iter().enumerate() {
            luck.checks.add("players find each other");
            assert!(end.machine.opponent().is_some(), "the opponent of player {i} is kept out");
            assert_eq!(end.machine.size().waiting, 0, "messages of player {i} wait for ever");
            let lost = end.book.due.iter().find(|given| !given.has_arrived && !self.is_damaged(i));
            assert!(
                lost.is_none(),
                "the {} never arrives",
                lost.map_or(String::new(), |given| given.message.id().to_string())
            );
        }
    }
}

impl World {
    /// Looks at the links when the game is over.
    ///
    /// # Panics
    /// If the players don't find each other in fair weather, or something is never delivered.
    pub fn check_link(&mut self) {
        self.with_link(Link::check_end);
    }
}
