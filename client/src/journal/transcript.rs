//! What a journal has of a game between the machines, as a transcript for an audit.

use super::Entry;
use game::GameRef;
use game::channel_transcript::{Other, Ply, Signature, Transcript};
use game::message::SIGNATURE_BYTES;
use rules::Color;

/// The transcript of a game from the entries of either player, in any order. `base`: each player's time for the game, in seconds.
pub fn transcript<'a>(game: GameRef, entries: impl Iterator<Item = &'a Entry> + Clone, base: u32) -> Transcript {
    let countersignature = |of: u16| {
        entries.clone().find_map(|entry| match entry {
            Entry::Countersigned { ply, signature } if *ply == of => Some(Signature::new(*signature)),
            _ => None,
        })
    };
    let plies = entries.clone().filter_map(|entry| {
        let Entry::Ply(kept) = entry else { return None };
        let signed = &kept.signed;
        let mut signatures = [countersignature(signed.fields.ply); 2];
        // Under a position after a king's fall nobody signs.
        let of_mover = Some(Signature::new(signed.signature)).filter(|signature| signature.0 != [0; SIGNATURE_BYTES]);
        signatures[Color::of_ply(signed.fields.ply.into()).index()] = of_mover;
        let proof = Some(signed.proof.clone()).filter(|proof| !proof.is_empty());
        Some(Ply { fields: signed.fields, clock: signed.clock, proof, signatures })
    });
    let mut plies: Vec<Ply> = plies.collect();
    plies.sort_by_key(|ply| ply.fields.ply);
    // Behind a gap, as damage leaves one, no position is known.
    let whole = plies.iter().enumerate().take_while(|(place, ply)| usize::from(ply.fields.ply) == *place).count();
    plies.truncate(whole);
    let mut transcript = Transcript { game, plies, others: Vec::new() };
    let positions = transcript.positions(base);
    let others = entries.filter_map(|entry| {
        let Entry::Evidence(signed) = entry else { return None };
        let position = positions.get(usize::from(signed.fields.ply))?.after(&game, &signed.fields, signed.clock);
        Some(Other { position, signature: Signature::new(signed.signature) })
    });
    transcript.others = others.collect();
    transcript
}
