//! What happens to packets of players that break the rules, or whose links have a defect.

use super::super::chance::Chance as _;
use super::connection::Party;
use super::{Link, Luck};
use client::link::{Frame, Packet};

impl Link {
    /// A packet as it is read: of a cheat, perhaps with bits changed, bytes lost or added. What honest players send is encrypted and
    /// authenticated by the transport, so nothing of it is read otherwise than it was written.
    pub(super) fn on_the_way(&self, from: Party, packet: Packet, luck: &mut Luck) -> Packet {
        let is_cheat = matches!(from, Party::Player(i) if self.is_cheat[i]);
        if !is_cheat || !luck.rng.percent(self.weather.corrupt) {
            return packet;
        }
        let Some(mut bytes) = packet.to_bytes(self.game.game_id) else { return packet };
        luck.faults.add("messages corrupted");
        luck.rng.damage(&mut bytes);
        Packet::read(&bytes, self.game.game_id, self.frames)
    }

    /// Whether a message is acknowledged and not handed on: a defect.
    pub(super) fn is_swallowed(&self, packet: &Packet, luck: &mut Luck) -> bool {
        self.defect.swallows && matches!(packet, Packet::Frame(Frame::Message(_))) && luck.rng.percent(33)
    }
}
