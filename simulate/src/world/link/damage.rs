//! What happens to packets of players that break the rules, or whose links have a defect.

use super::connection::Party;
use super::{Link, Luck};
use client::link::{Frame, Packet};
use rand::Rng;

impl Link {
    /// A packet as it is read: of a cheat, perhaps with bits changed, bytes lost or added. What honest players send is encrypted and
    /// authenticated by the transport, so nothing of it is read otherwise than it was written.
    pub(super) fn on_the_way(&self, from: Party, packet: Packet, luck: &mut Luck) -> Packet {
        let is_cheat = matches!(from, Party::Player(i) if self.is_cheat[i]);
        if !is_cheat || !luck.percent(self.weather.corrupt) {
            return packet;
        }
        let Some(mut bytes) = packet.to_bytes(self.game.game_id) else { return packet };
        luck.faults.add("messages corrupted");
        let header = 40.min(bytes.len());
        match luck.rng.gen_range(0..6) {
            0 => bytes.truncate(luck.rng.gen_range(0..bytes.len())),
            1 => bytes.push(luck.rng.r#gen()),
            2 => flip(&mut bytes[..header], luck),
            _ => flip(&mut bytes, luck),
        }
        Packet::read(&bytes, self.game.game_id, self.frames)
    }

    /// Whether a message is acknowledged and not handed on: a defect.
    pub(super) fn is_swallowed(&self, packet: &Packet, luck: &mut Luck) -> bool {
        self.defect.swallows && matches!(packet, Packet::Frame(Frame::Message(_))) && luck.percent(33)
    }
}

fn flip(bytes: &mut [u8], luck: &mut Luck) {
    let at = luck.rng.gen_range(0..bytes.len());
    bytes[at] ^= 1 << luck.rng.gen_range(0..8);
}
