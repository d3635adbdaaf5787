//! One ply: what is known of it, what it cost, and its part of the report.

use std::fmt::Write;

use rules::Color;

use super::report::PlyReport;
use crate::event::When;

/// One ply.
#[derive(Debug, Default)]
pub struct Ply {
    /// The move, as its mover knows it.
    pub mv: Option<String>,
    /// On which square it captured.
    pub capture: Option<String>,
    /// After the ply, by colour.
    pub boards: [Option<String>; 2],
    /// Seconds to prove, milliseconds to verify.
    pub turn: Option<(f64, f64)>,
    /// To the mover, before and after its move.
    pub answers: [Answer; 2],
    /// Of the mover's new request.
    pub request_bytes: usize,
    /// Gas, and bytes of calldata.
    pub mined: Option<(u64, usize)>,
}

/// One answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer {
    /// Seconds to prove.
    pub prove_s: Option<f64>,
    /// Milliseconds to verify.
    pub verify_ms: Option<f64>,
    /// On the wire.
    pub bytes: Option<usize>,
}

impl Answer {
    fn is_whole(&self) -> bool {
        self.prove_s.is_some() && self.verify_ms.is_some() && self.bytes.is_some()
    }
}

/// The place of an answer in [`Ply::answers`].
pub const fn index(when: When) -> usize {
    match when {
        When::Before => 0,
        When::After => 1,
    }
}

impl Ply {
    /// Whether its move is known with what it cost.
    pub fn is_played(&self) -> bool {
        self.mv.is_some() && self.turn.is_some() && self.mined.is_some()
    }

    /// Whether both players' sights after it are known, too.
    pub fn is_whole(&self) -> bool {
        self.is_played() && self.boards.iter().all(Option::is_some) && self.answers[1].is_whole()
    }
}

/// A colour at the start of a sentence.
pub fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// What a ply cost, in words.
pub fn costs(ply: &Ply) -> String {
    let mut text = String::new();
    let (prove_s, verify_ms) = ply.turn.unwrap_or_default();
    let _ = writeln!(
        text,
        "  turn     proven in {prove_s:.2} s, verified in {verify_ms:.1} ms"
    );
    for (when, answer) in ["before", "after"].iter().zip(&ply.answers) {
        if let (Some(prove_s), Some(verify_ms), Some(bytes)) =
            (answer.prove_s, answer.verify_ms, answer.bytes)
        {
            let bytes = grouped(bytes as u64);
            let _ = writeln!(
                text,
                "  answer   {when:6} the move: proven in {prove_s:.2} s, verified in {verify_ms:.1} ms, {bytes} bytes"
            );
        }
    }
    let (gas, calldata) = ply.mined.unwrap_or_default();
    let (request, gas, calldata) = (
        grouped(ply.request_bytes as u64),
        grouped(gas),
        grouped(calldata as u64),
    );
    let _ = writeln!(
        text,
        "  request  {request} bytes\n  chain    {gas} gas, {calldata} bytes of calldata"
    );
    text
}

/// A number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Ply {
    /// Its part of the report.
    pub fn report(&self, number: u16) -> PlyReport {
        let (prove_s, verify_ms) = self.turn.unwrap_or_default();
        let (gas, calldata_bytes) = self.mined.unwrap_or_default();
        let slowest = self
            .answers
            .iter()
            .filter_map(|answer| answer.prove_s)
            .fold(0.0, f64::max);
        PlyReport {
            ply: number,
            mover: Color::of_ply(number.into()).to_string(),
            mv: self.mv.clone().unwrap_or_default(),
            turn_prove_s: rounded(prove_s),
            turn_verify_ms: rounded(verify_ms),
            answer_prove_s: rounded(slowest),
            answer_bytes: self.answers.iter().filter_map(|answer| answer.bytes).sum(),
            request_bytes: self.request_bytes,
            gas,
            calldata_bytes,
        }
    }
}

/// To a thousandth: more digits would only look exact.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
