//! Transcripts of games between the machines, from files and from this machine's journals.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use alloy::primitives::{Address, B256};
use clap::Args;
use client::chain::{Chain, GameState};
use client::journal::{Entry, Journal, transcript};
use eyre::Result;
use game::audit::{Audit, Record};
use game::channel_transcript::{MAX_BYTES, Transcript, Whole};
use game::statement::Statement;
use game::{GameRef, Mode};

use crate::failure::{bad_input, sentence};
use crate::files;
use crate::home::{Home, SavedGame};
use crate::output::note;

/// The plies that the chain hasn't seen.
#[derive(Clone, Debug, Args)]
pub struct TranscriptArgs {
    /// The transcript of a game of mode `channel`, whose plies went from machine to machine; either player has it [default: this machine's own]
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
}

impl TranscriptArgs {
    /// Reads the file, if one is named.
    pub fn read(&self) -> Result<Option<Opened>> {
        self.transcript.as_deref().map(Opened::read).transpose()
    }
}

/// A transcript, and where it comes from.
pub struct Opened {
    /// The file, for sentences; none of what this machine's journal has.
    path: Option<PathBuf>,
    transcript: Transcript,
}

impl Opened {
    /// Reads a file that `fogmate transcript` wrote.
    pub fn read(path: &Path) -> Result<Self> {
        let transcript = files::read(path, MAX_BYTES as u64, "transcript", Transcript::from_json)?;
        Ok(Self { path: Some(path.to_owned()), transcript })
    }

    /// What this machine's journal has of a game between the machines, if anything. Why it can't be read is told.
    pub async fn of_journal(home: &Home, known: Option<&SavedGame>, chain: &Chain, state: &GameState) -> Option<Self> {
        let known = known.filter(|_| state.terms.mode == Mode::Channel)?;
        let entries = match of_journal(home, known, chain).await {
            Ok((_, true)) => return None,
            Ok((entries, false)) => entries,
            Err(error) => {
                note!("note: this machine's own moves of the game are left out: {}", sentence(&error));
                return None;
            }
        };
        let transcript = transcript(known.game, entries.iter(), state.terms.base);
        (!transcript.plies.is_empty()).then_some(Self { path: None, transcript })
    }
}

/// What the player's own machine has of a game, and whether that is damaged, which is told. The journal is read in a copy: opening one may mend it, or put it aside, which only the player's next game
/// shall do, and on the word of its own node.
pub async fn of_journal(home: &Home, known: &SavedGame, chain: &Chain) -> Result<(Vec<Entry>, bool)> {
    entries(&home.journals(), known.wallet, &known.game, chain.genesis().await?)
}

fn entries(journals: &Path, wallet: Address, game: &GameRef, genesis: B256) -> Result<(Vec<Entry>, bool)> {
    let (journal, folder) = (Journal::path(journals, wallet, game), tempfile::tempdir()?);
    if !journal.exists() {
        return Ok((Vec::new(), false));
    }
    Journal::check_free(journals, wallet, game)?;
    let copy = Journal::path(folder.path(), wallet, game);
    copy.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    std::fs::copy(&journal, copy)?;
    let (_, contents) = Journal::open(folder.path(), wallet, game, genesis)?;
    if contents.is_damaged {
        note!(
            "note: this machine's journal of the game is damaged, or of another chain than this node's: it has {} entries",
            contents.entries.len()
        );
    }
    Ok((contents.entries, contents.is_damaged))
}

/// A game from the chain's records and, if there is one, its transcript, and its audit. What this machine's own journal has is left out if less is known with
/// it than without.
pub fn audited<E: Display>(
    game: GameRef,
    records: Vec<Record>,
    opened: Option<&Opened>,
    mut verify: impl FnMut(&Statement, &[u8]) -> Result<(), E>,
) -> Result<(Whole, Audit)> {
    let mut held = |records: Vec<Record>, opened: Option<&Opened>| {
        let whole = Whole::of(game, records, opened.map(|opened| &opened.transcript));
        whole.map(|whole| {
            let audit = whole.audit(&mut verify);
            (whole, audit)
        })
    };
    let Some(own) = opened.filter(|opened| opened.path.is_none()) else {
        let named = |error| match opened.and_then(|opened| opened.path.as_ref()) {
            Some(path) => bad_input(format!("{}: {error}", path.display())),
            None => bad_input(error),
        };
        return held(records, opened).map_err(named);
    };
    let without = held(records.clone(), None).map_err(bad_input)?;
    let why = match held(records, Some(own)) {
        Ok((_, Audit { ok: true, unknown: Some(unknown), plies, .. }))
            if without.1.unknown.is_none() || plies < without.1.plies =>
        {
            unknown.to_string()
        }
        Ok(with) => return Ok(with),
        Err(error) => error.to_string(),
    };
    note!("note: this machine's own moves of the game are left out: {why}");
    Ok(without)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever only looks changes nothing, be the node of another chain or the file damaged.
    #[test]
    fn a_journal_that_is_looked_at_is_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let (wallet, genesis) = (Address::repeat_byte(1), B256::repeat_byte(2));
        let game = GameRef { chain_id: 31337, contract: Address::repeat_byte(3), game_id: B256::repeat_byte(4) };
        let (journal, _) = Journal::open(folder.path(), wallet, &game, genesis).expect("a journal");
        journal.write(&Entry::Behind).expect("written");
        assert!(entries(folder.path(), wallet, &game, genesis).is_err(), "a player has it");
        drop(journal);
        let path = Journal::path(folder.path(), wallet, &game);
        let look = |genesis: B256| {
            let before = std::fs::read(&path).expect("a file");
            let found = entries(folder.path(), wallet, &game, genesis).expect("a look");
            assert!(std::fs::read(&path).expect("a file") == before, "it was changed");
            assert_eq!(
                std::fs::read_dir(path.parent().expect("a folder")).expect("a folder").count(),
                2,
                "the journal and its lock"
            );
            found
        };
        assert!(matches!(look(genesis), (entries, false) if entries.len() == 1));
        assert!(matches!(look(B256::ZERO), (entries, true) if entries.is_empty()), "of another chain");
        let whole = std::fs::read(&path).expect("a file");
        std::fs::write(&path, &whole[..whole.len() / 2]).expect("a file");
        assert!(look(genesis).1, "it is damaged");
    }
}
