//! `fogmate rules`: legal moves and both players' boards of a position (protocol, section 2), as the oracle of the tests
//! prints them.
//!
//! The rules themselves are the crate `rules`.

use std::io::{self, BufRead, BufReader, BufWriter, Write};

use ::rules::{Color, Position, PositionError};
use clap::Args as ClapArgs;
use eyre::Result;
use serde_json::json;

use crate::failure::{BadInput, bad_input};

/// Show what the rules say of a position: the legal moves and the board that each player sees
///
/// Prints one JSON object for each position:
///
///   fen            the FEN, as given
///   turn           "white" or "black"
///   legal          the legal moves of the player to move: UCI, sorted
///   white, black   the board that each player sees: ranks 8 to 1 joined by "/", a letter
///                  for an own or a seen piece, "." seen and empty, "?" occupied by an
///                  unknown piece (in a pawn's way), "*" dark
#[derive(Debug, ClapArgs)]
#[command(verbatim_doc_comment, after_long_help = EXAMPLES)]
#[group(required = true, multiple = false)]
pub struct Args {
    /// The position, as a FEN with its six fields
    #[arg(long, allow_hyphen_values = true)]
    fen: Option<String>,

    /// Read a FEN from each line of stdin and print an object on a line for each
    #[arg(long)]
    jsonl: bool,
}

const EXAMPLES: &str = "Examples:
  fogmate rules --fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
  fogmate rules --jsonl < positions.fen > positions.jsonl

A FEN that is no position ends the command with exit code 2 and one sentence on stderr that says what is wrong,
with --jsonl after the line's number; the objects of the lines before it have been printed.";

/// What the rules say of one position: a line with the oracle's fields in its order, spaced as Python's `json.dumps` does it. Nothing in it but
/// the FEN can have a letter to escape.
fn ruling(fen: &str) -> Result<String, PositionError> {
    let position = Position::from_fen(fen)?;
    let mut legal: Vec<_> = position.legal_moves().iter().map(|mv| format!("\"{mv}\"")).collect();
    legal.sort_unstable();
    let (fen, turn, legal) = (json!(fen), position.turn(), legal.join(", "));
    let [white, black] = Color::ALL.map(|color| position.board_string(color));
    Ok(format!(r#"{{"fen": {fen}, "turn": "{turn}", "legal": [{legal}], "white": "{white}", "black": "{black}"}}"#))
}

/// Runs the command on stdin and stdout.
pub async fn run(args: &Args) -> Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let result = match &args.fen {
        Some(fen) => ruling(fen).map_err(bad_input).and_then(|line| Ok(writeln!(output, "{line}")?)),
        None => many(BufReader::new(io::stdin().lock()), &mut output),
    };
    // What was found before a bad line is printed before the complaint.
    output.flush()?;
    result
}

fn many<R: io::Read>(mut input: BufReader<R>, output: &mut impl Write) -> Result<()> {
    let mut line = Vec::new();
    for number in 1_u64.. {
        if input.buffer().is_empty() {
            // The next read may wait for somebody who waits for these answers.
            output.flush()?;
        }
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let bad = |fault: &dyn std::fmt::Display| BadInput(format!("line {number}: {fault}"));
        let text = std::str::from_utf8(&line).map_err(|_| bad(&"the text is not UTF-8"))?;
        let fen = text.strip_suffix('\n').map_or(text, |t| t.strip_suffix('\r').unwrap_or(t));
        writeln!(output, "{}", ruling(fen).map_err(|error| bad(&error))?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8]) -> (String, Option<String>) {
        let mut output = Vec::new();
        let result = many(BufReader::new(input), &mut output);
        (String::from_utf8(output).unwrap(), result.err().map(|report| report.to_string()))
    }

    #[test]
    fn lines_may_end_in_either_way_or_not_at_all() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let (output, error) = read(format!("{fen}\n{fen}\r\n{fen}").as_bytes());
        assert_eq!(error, None);
        let lines: Vec<_> = output.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| *line == lines[0]), "{output}");
        assert_eq!(read(b""), (String::new(), None));
    }

    #[test]
    fn a_bad_line_is_named() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let (output, error) = read(format!("{fen}\n{fen}\n4k3/8/8/8/8/8/8/8 w - - 0 1\n{fen}\n").as_bytes());
        assert_eq!(output.lines().count(), 2);
        assert_eq!(error.as_deref(), Some("line 3: white has no king"));
        assert_eq!(read(b"\xff\n").1.as_deref(), Some("line 1: the text is not UTF-8"));
    }
}
