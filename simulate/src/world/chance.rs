//! What generators of random numbers draw for the world: whether something happens, and how bytes are damaged.

use rand::Rng;

pub(super) trait Chance: Rng {
    /// Whether something of so many percent happens. Nothing is drawn for what never does.
    fn percent(&mut self, chance: u32) -> bool {
        chance > 0 && self.gen_range(0..100) < chance
    }

    /// As `percent`, of so many in a thousand.
    fn per_mille(&mut self, chance: u32) -> bool {
        chance > 0 && self.gen_range(0..1000) < chance
    }

    /// Flips a bit, if there is one.
    fn flip(&mut self, bytes: &mut [u8]) {
        if !bytes.is_empty() {
            let at = self.gen_range(0..bytes.len());
            bytes[at] ^= 1 << self.gen_range(0..8);
        }
    }

    /// Changes, drops or adds some bytes of a message.
    fn damage(&mut self, bytes: &mut Vec<u8>) {
        // The header is short, and a bit of it changes what the message is.
        let header = 40.min(bytes.len());
        match self.gen_range(0..6) {
            0 => bytes.truncate(self.gen_range(0..bytes.len())),
            1 => bytes.push(self.r#gen()),
            2 => self.flip(&mut bytes[..header]),
            _ => self.flip(bytes),
        }
    }
}

impl<R: Rng> Chance for R {}
