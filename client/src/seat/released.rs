//! What sights have left this seat, and for which exchange (protocol, section 6). One sight is given for one position: if a chain that was
//! taken back deeper than its final blocks, or a node that lies, shows another move in the place of one that a sight was given for,
//! the opponent would see by two moves of one ply. The record is in the journal before anything leaves.

use super::effects::Effects;
use crate::journal::Entry;
use game::{Notice, Phase};
use halo2curves::bn256::Fr;
use std::collections::BTreeMap;

/// The sight of a ply, before or after its move.
type Sight = (u16, Phase);

#[derive(Debug, Default)]
pub(super) struct Released {
    /// The `ctx` of the exchange that each sight was given in.
    given: BTreeMap<Sight, Fr>,
    /// Sights that are asked for in another one, and were refused.
    refused: BTreeMap<Sight, Fr>,
}

impl Released {
    /// What the journal remembers.
    pub fn restore(&mut self, ply: u16, phase: Phase, ctx: Fr) {
        self.given.insert((ply, phase), ctx);
    }

    /// Whether a sight may leave for an exchange; if it is the first for it, that is written down before. A refusal is told once.
    pub fn may_leave(&mut self, (ply, phase): Sight, ctx: Fr, fx: &mut Effects) -> bool {
        match self.given.get(&(ply, phase)) {
            Some(known) if *known == ctx => true,
            Some(_) => {
                if self.refused.insert((ply, phase), ctx) != Some(ctx) {
                    fx.notify(Notice::AnotherPosition { ply, phase });
                }
                false
            }
            None => {
                self.given.insert((ply, phase), ctx);
                fx.journal(Entry::Released { ply, phase, ctx });
                true
            }
        }
    }

    /// The player knows that the chain was taken back: what was refused may leave. Says whether anything was.
    pub fn allow(&mut self, fx: &mut Effects) -> bool {
        let refused = std::mem::take(&mut self.refused);
        for (&(ply, phase), &ctx) in &refused {
            self.given.insert((ply, phase), ctx);
            fx.journal(Entry::Released { ply, phase, ctx });
        }
        !refused.is_empty()
    }
}
