//! Where a link listens and whom it dials: its own place, places at relays, and the opponent's addresses, with the names in
//! them looked up.
//!
//! Protocol section 6. A part of [`Task`], whose loop is in `task`.

use std::time::Instant;

use libp2p::multiaddr::Protocol as P;
use libp2p::{Multiaddr, PeerId};

use super::LinkEvent;
use super::address::{is_relayed, peer, relay_of};
use super::dialer::{LookUp, Resolved, resolve_all};
use super::machine::RESERVED_EVENTS;
use super::network::try_place;
use super::task::{LISTEN_AGAIN, Task};

impl Task {
    /// The opponent may be at these addresses too, and whom they name at the relays that both may have named.
    pub(super) fn add_places(&mut self, named: Vec<Multiaddr>) {
        let mut places: Vec<Multiaddr> =
            named.iter().filter_map(peer).flat_map(|peer| self.relays.ways_to(peer)).collect();
        places.retain(|way| !named.contains(way));
        // What the user named comes last: of too many places the last are kept.
        places.extend(named);
        for place in &places {
            self.relays.note(place);
            if let Some(opponent) = peer(place).filter(|_| self.punches && is_relayed(place)) {
                self.swarm.behaviour_mut().gate.dials.punch(opponent);
            }
        }
        self.dialer.add(places, Instant::now());
    }

    /// Looks names up beside the task.
    pub(super) fn look_up(
        &self,
        addresses: Vec<Multiaddr>,
        found: impl FnOnce(Vec<Resolved>) -> LookUp + Send + 'static,
    ) {
        let sender = self.look_ups.0.clone();
        tokio::spawn(async move {
            // Fails only if the link has ended.
            let _ = sender.send(found(resolve_all(addresses).await)).await;
        });
    }

    pub(super) fn on_look_up(&mut self, look_up: LookUp) {
        match look_up {
            // Meanwhile it may have come by itself.
            LookUp::Opponent(_) if self.machine.opponent().is_some() => {}
            LookUp::Opponent(mut found) => {
                self.allow(&found);
                if self.punches && self.dialer.can_wait() {
                    self.relays_first(&mut found);
                }
                for opts in self.dialer.opts(found) {
                    // A failure comes up again as an event, or a dial is under way already; both mean: try later.
                    let _ = self.swarm.dial(opts);
                }
            }
            LookUp::Relay(number, found) => {
                self.allow(&found);
                let relay = found.into_iter().flat_map(|(_, found)| found).next();
                let circuit = relay.map(|relay| relay.with(P::P2pCircuit));
                let listener = circuit.and_then(|circuit| self.swarm.listen_on(circuit).ok());
                self.relays.asked(number, listener, Instant::now());
            }
            LookUp::Own(_) if self.place.listener.is_some() => {}
            LookUp::Own(found) => {
                let place = found.into_iter().flat_map(|(_, found)| found).find(|place| try_place(place).is_ok());
                self.place.listener = place.and_then(|place| self.swarm.listen_on(place).ok());
            }
        }
    }

    /// In place of ways through relays the relays themselves, where we don't know yet how they see us: hole punching begins
    /// with a connection through a relay, and does without what isn't known then.
    fn relays_first(&self, found: &mut [Resolved]) {
        for address in found.iter_mut().flat_map(|(_, found)| found) {
            if let Some(relay) = relay_of(address).filter(|_| !self.relays.is_ready(address)) {
                *address = relay;
            }
        }
    }

    /// What the user's names stand for may be dialled.
    fn allow(&mut self, found: &[Resolved]) {
        let dials = &mut self.swarm.behaviour_mut().gate.dials;
        for address in found.iter().flat_map(|(_, found)| found) {
            dials.allow(address);
        }
    }

    /// Listens again where that has ended (an interface was gone), and asks relays for a place.
    pub(super) fn keep_listening(&mut self, now: Instant) {
        if self.place.listener.is_none() && now >= self.next_listen {
            self.next_listen = now + LISTEN_AGAIN;
            // A name may stand for another address by now.
            self.look_up(vec![self.place.address.clone()], LookUp::Own);
        }
        // A connection that may carry the one to the opponent is kept. Listeners end with their connection; removed before it, a late
        // answer to one makes libp2p's relay client panic.
        if self.machine.opponent().is_none() {
            for relay in self.relays.silent(now) {
                // Fails only if it has gone already.
                let _ = self.swarm.disconnect_peer_id(relay);
            }
        }
        for (number, relay) in self.relays.due(now) {
            self.look_up(vec![relay], move |found| LookUp::Relay(number, found));
        }
    }

    /// A peer has told us how it sees us: if it is a relay, ways through it are ready.
    pub(super) fn seen_by(&mut self, peer: PeerId, now: Instant) {
        if self.relays.has_seen_us(peer) {
            self.dialer.hurry(now);
            self.tell_addresses();
        }
    }

    /// Keeps the list of what was dialled.
    pub(super) fn note_dials(&self) {
        let dialled = self.swarm.behaviour().gate.dials.log();
        if self.channels.dialled.borrow().len() != dialled.len() {
            self.channels.dialled.send_replace(dialled.to_vec());
        }
    }

    /// Tells where we listen now.
    pub(super) fn tell_addresses(&mut self) {
        let is_ready = |address: &&Multiaddr| self.relays.is_ready(address);
        let addresses: Vec<Multiaddr> = self.swarm.listeners().filter(is_ready).cloned().collect();
        let is_new = self.channels.addresses.send_replace(addresses.clone()) != addresses;
        if is_new && self.channels.events.capacity() > RESERVED_EVENTS {
            self.emit(LinkEvent::Listening);
        }
    }
}
