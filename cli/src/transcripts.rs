//! Transcripts of games between the machines, in files.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use eyre::Result;
use game::GameRef;
use game::audit::Record;
use game::channel_transcript::{MAX_BYTES, Transcript, Whole};

use crate::failure::bad_input;

/// The plies that the chain hasn't seen.
#[derive(Clone, Debug, Args)]
pub struct TranscriptArgs {
    /// The transcript of a game of mode `channel`, whose plies went from machine to machine; either player has it
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
}

impl TranscriptArgs {
    /// Reads the file, if one is named.
    pub fn read(&self) -> Result<Option<Opened<'_>>> {
        self.transcript.as_deref().map(Opened::read).transpose()
    }
}

/// A transcript, and the file that it stands in, for sentences.
pub struct Opened<'a> {
    path: &'a Path,
    transcript: Transcript,
}

impl<'a> Opened<'a> {
    /// Reads a file that `fogmate transcript` wrote.
    pub fn read(path: &'a Path) -> Result<Self> {
        let named = |error: &dyn std::fmt::Display| bad_input(format!("{}: {error}", path.display()));
        let mut text = Vec::new();
        let file = File::open(path).map_err(|error| named(&error))?;
        // One byte more than any has shows that it is too long.
        file.take(MAX_BYTES as u64 + 1).read_to_end(&mut text).map_err(|error| named(&error))?;
        let transcript = Transcript::from_json(&text).map_err(|error| named(&error))?;
        Ok(Self { path, transcript })
    }
}

/// A game from the chain's records and, if there is one, its transcript.
pub fn whole(game: GameRef, records: Vec<Record>, opened: Option<&Opened<'_>>) -> Result<Whole> {
    let named = |error| match opened {
        Some(opened) => bad_input(format!("{}: {error}", opened.path.display())),
        None => bad_input(error),
    };
    Whole::of(game, records, opened.map(|opened| &opened.transcript)).map_err(named)
}
