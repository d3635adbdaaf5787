//! A transcript as JSON: one object, whose bytes are hexadecimal after `0x`, a ply a line.
//!
//! ```json
//! {"fogmate": "transcript 1", "chain_id": 31337, "contract": "0x…", "game": "0x…",
//!  "plies": [{"ply": 0, "commitment": "0x…", "request_root": "0x…", "answer_root": "0x…", "capture": null, "king_fell": false,
//!             "draw_offered": false, "clock_s": 600, "white": "0x…", "black": "0x…", "proof": "0x…"}],
//!  "others": [{"position": {"previous": "0x…", "ply": 1, …}, "signature": "0x…"}]}
//! ```
//! Both signatures and the proof may be left out.

use super::{Other, Ply, Signature, Transcript};
use crate::message::MAX_PROOF_BYTES;
use crate::{GameRef, MoveFields};
use alloy_primitives::{B256, Bytes};
use fog::ensure;
use halo2curves::bn256::Fr;
use rules::Square;
use serde::{Deserialize, Serialize};

const VERSION: &str = "transcript 1";
/// The most bytes of a file: some nine thousand plies with proofs.
pub const MAX_BYTES: usize = 1 << 26;
/// The most positions beside the line.
const MAX_OTHERS: usize = 64;

/// Why a file is no transcript that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    #[error("it is longer than any transcript, {MAX_BYTES} bytes")]
    TooLong,
    /// No JSON of this form.
    #[error("it is no transcript: {0}")]
    Form(String),
    #[error("it is a {0:?}, which this program doesn't know: it reads a {VERSION:?}")]
    Version(String),
    #[error("ply {0}: {1}")]
    Ply(usize, &'static str),
    /// A position beside the line, by its number in the file.
    #[error("number {0} of the other positions: {1}")]
    Other(usize, &'static str),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    fogmate: String,
    chain_id: u64,
    contract: alloy_primitives::Address,
    game: B256,
    plies: Vec<PlyLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    others: Vec<Other>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlyLine {
    ply: u16,
    #[serde(with = "crate::as_word")]
    commitment: Fr,
    #[serde(with = "crate::as_word")]
    request_root: Fr,
    #[serde(with = "crate::as_word")]
    answer_root: Fr,
    capture: Option<Square>,
    king_fell: bool,
    draw_offered: bool,
    clock_s: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    white: Option<Signature>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    black: Option<Signature>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proof: Option<Bytes>,
}

impl Transcript {
    /// As JSON, a ply a line.
    ///
    /// # Errors
    ///
    /// None that are known: every field has a JSON form.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let GameRef { chain_id, contract, game_id } = self.game;
        let lines = |lines: Vec<String>| {
            if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", lines.join(",\n")) }
        };
        let plies = self.plies.iter().map(|ply| serde_json::to_string(&PlyLine::of(ply))).collect::<Result<_, _>>()?;
        let others = self.others.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        Ok(format!(
            "{{\"fogmate\": \"{VERSION}\", \"chain_id\": {chain_id}, \"contract\": \"{contract:#x}\", \"game\": \"{game_id:#x}\",\n \
             \"plies\": {},\n \"others\": {}}}\n",
            lines(plies),
            lines(others)
        ))
    }

    /// Reads what [`Self::to_json`] wrote. Whether it is the game's says [`super::Whole`].
    ///
    /// # Errors
    ///
    /// [`FileError`], which says in a sentence what of the file can't be.
    pub fn from_json(text: &[u8]) -> Result<Self, FileError> {
        #[derive(Deserialize)]
        struct Marked {
            fogmate: String,
        }
        ensure!(text.len() <= MAX_BYTES, FileError::TooLong);
        let form = |error: serde_json::Error| FileError::Form(error.to_string());
        let Marked { fogmate } = serde_json::from_slice(text).map_err(form)?;
        ensure!(fogmate == VERSION, FileError::Version(fogmate.chars().take(40).collect()));
        let file: File = serde_json::from_slice(text).map_err(form)?;
        let game = GameRef { chain_id: file.chain_id, contract: file.contract, game_id: file.game };
        let plies = file.plies.into_iter().enumerate();
        let plies = plies.map(|(due, line)| line.read(due).map_err(|what| FileError::Ply(due, what)));
        let plies = plies.collect::<Result<_, _>>()?;
        ensure!(file.others.len() <= MAX_OTHERS, FileError::Other(MAX_OTHERS, "there are more than anybody needs"));
        Ok(Self { game, plies, others: file.others })
    }
}

impl PlyLine {
    fn of(ply: &Ply) -> Self {
        let Ply { fields, clock, proof, signatures: [white, black] } = ply;
        Self {
            ply: fields.ply,
            commitment: fields.next_commitment,
            request_root: fields.next_request_root,
            answer_root: fields.answer_root,
            capture: fields.capture,
            king_fell: fields.king_fell,
            draw_offered: fields.offer_draw,
            clock_s: *clock,
            white: *white,
            black: *black,
            proof: proof.as_ref().map(|proof| Bytes::from(proof.clone())),
        }
    }

    fn read(self, due: usize) -> Result<Ply, &'static str> {
        ensure!(usize::from(self.ply) == due, "the line there has the number of another ply");
        // After it the next one can't be counted.
        ensure!(self.ply < u16::MAX - 1, "no game has so many plies");
        let proof = self.proof.map(Vec::from);
        let is_long = proof.as_ref().is_some_and(|proof| proof.len() > MAX_PROOF_BYTES);
        ensure!(!is_long, "its proof is longer than any");
        ensure!(proof.as_ref().is_none_or(|proof| !proof.is_empty()), "its proof is empty");
        let fields = MoveFields {
            ply: self.ply,
            next_commitment: self.commitment,
            next_request_root: self.request_root,
            answer_root: self.answer_root,
            capture: self.capture,
            king_fell: self.king_fell,
            offer_draw: self.draw_offered,
        };
        Ok(Ply { fields, clock: self.clock_s, proof, signatures: [self.white, self.black] })
    }
}
