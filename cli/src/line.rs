//! What a player can type, and what it means.

use game::{Command, Given};
use rules::WrittenMove;

use crate::hint::hint;
use crate::look::Place;

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Seat(Given),
    /// Play a move, perhaps with a draw offer: which one is meant, the board says.
    Move {
        written: WrittenMove,
        offer_draw: bool,
    },
    /// Say what a claim of fifty moves risks.
    ExplainFifty,
    /// Give up, or ask first if that costs a stake.
    Resign,
    Moves,
    Board,
    /// What is on a square, a file or a rank.
    Look(Place),
    /// All pieces, by kind.
    Read,
    Clock,
    Help,
    /// The opponent's new addresses.
    At(String),
    /// Play the same opponent once more.
    Rematch,
    Quit,
    Nothing,
}

/// All of it, for the player.
const HELP: &str = "  Nf3             move: Nf3, exd6, O-O, e8=Q, or by squares, e2e4, e7e8q
  Nf3 draw        move and offer a draw
  moves           the moves that you have
  board           show the board again
  look e4         what is on a square; `look file e`, `look rank 4`
  read            your pieces and those in sight, by kind
  clock           how much time is left, whose clock runs, and what is due when
  resign          give up (for a stake `resign yes`)
  accept          accept the draw that the opponent's last move offered
  claim           claim what time has decided (done by itself as well)
  go              don't wait for the opponent's request any longer; it gets no sight with this move
  at RECORD       where the opponent is now, by the record that its `fogmate address` has printed
  publish         after the game: publish your view key, so that everybody can replay it
  withdraw        after the game: fetch what the contract owes you";

/// What only games have whose opponent may be there for another.
const WITH_REMATCH: &str = "  rematch         after the game: play once more, on the same terms";

/// What only games with proofs have.
const WITH_PROOFS: &str =
    "  fifty           claim a draw: fifty moves of each player without a capture or a pawn's move
                  (a bet on what you can't see: says what it risks, `fifty yes` claims)
  nomove          claim a draw: you have no move
  give            give a sight although another was given in its place, the chain having been taken back so far
  ask             between the machines, if this one has lost the moves: take the opponent's word for them";

/// All commands of a game, for the player.
pub fn help(has_proofs: bool, is_solo: bool) -> String {
    let (proofs, rematch) = (has_proofs.then_some(WITH_PROOFS), (!is_solo).then_some(WITH_REMATCH));
    let quit = match is_solo {
        true => "  quit            leave, which ends this game".to_owned(),
        false => quit("play"),
    };
    let parts = [Some(HELP), proofs, rematch, Some(&quit)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// The last line of a game's help; the command goes on with the game.
pub fn quit(command: &str) -> String {
    format!("  quit            stop here; {} goes on with the game", hint(command))
}

/// What a line says: words, or an object of JSON.
pub fn parse(line: &str) -> Result<Line, String> {
    if line.trim_start().starts_with('{') {
        return Given::from_line(line).map(Line::Seat).map_err(|error| error.to_string());
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    Ok(match words[..] {
        [] => Line::Nothing,
        ["moves"] => Line::Moves,
        ["board"] => Line::Board,
        ["look", ref place @ ..] => Line::Look(
            Place::parse(place)
                .ok_or("look at a square (`look e4`), a file (`look file e`) or a rank (`look rank 4`)")?,
        ),
        ["read"] => Line::Read,
        ["clock"] => Line::Clock,
        ["help" | "?"] => Line::Help,
        ["quit" | "exit"] => Line::Quit,
        ["rematch"] => Line::Rematch,
        ["resign"] => Line::Resign,
        ["resign", "yes"] => Line::Seat(Command::Resign.into()),
        ["accept"] => Line::Seat(Command::AcceptDraw.into()),
        ["claim"] => Line::Seat(Command::ClaimTimeout.into()),
        ["fifty"] => Line::ExplainFifty,
        ["fifty", "yes"] => Line::Seat(Command::ClaimFifty.into()),
        ["at", record] => Line::At(record.to_owned()),
        ["nomove"] => Line::Seat(Command::ClaimNoMove.into()),
        ["go"] => Line::Seat(Command::DontWait.into()),
        ["give"] => Line::Seat(Command::GiveAgain.into()),
        ["ask"] => Line::Seat(Command::AskOpponent.into()),
        ["publish"] => Line::Seat(Command::PublishViewKey.into()),
        ["withdraw"] => Line::Seat(Command::Withdraw.into()),
        ["draw"] => return Err("a draw is offered with a move: `Nf3 draw`".to_owned()),
        [mv] => Line::Move { written: a_move(mv)?, offer_draw: false },
        [mv, "draw"] => Line::Move { written: a_move(mv)?, offer_draw: true },
        _ => return Err(format!("{line:?} is no command; `help` lists them")),
    })
}

fn a_move(text: &str) -> Result<WrittenMove, String> {
    text.parse().map_err(|error| format!("{error}; or give a command, `help` lists them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_help_is_indented() {
        assert!(help(true, true).lines().all(|line| line.starts_with("  ")), "{}", help(true, true));
    }

    #[test]
    fn lines_are_understood() {
        let written = || "e8=Q".parse().expect("a move");
        assert_eq!(parse(" e8=Q "), Ok(Line::Move { written: written(), offer_draw: false }));
        assert_eq!(parse("e8=Q draw"), Ok(Line::Move { written: written(), offer_draw: true }));
        assert_eq!((parse("resign"), parse("resign yes")), (Ok(Line::Resign), Ok(Line::Seat(Command::Resign.into()))));
        assert_eq!(parse("fifty"), Ok(Line::ExplainFifty));
        assert_eq!(parse("fifty yes"), Ok(Line::Seat(Command::ClaimFifty.into())));
        assert_eq!(parse("at fogmate-at1abc"), Ok(Line::At("fogmate-at1abc".to_owned())));
        assert_eq!((parse(""), parse("help")), (Ok(Line::Nothing), Ok(Line::Help)));
        assert!(help(true, true).contains("fifty") && !help(false, true).contains("fifty"));
        assert!(help(true, false).contains("`fogmate play` goes on") && help(true, true).contains("ends this game"));
        let mv = "e7e8q".parse().expect("a move");
        for (line, command) in [
            (r#"{"command":"move","move":"e7e8q"}"#, Command::Move { mv, offer_draw: false }),
            (r#" {"move":"e7e8q","offer_draw":true,"command":"move"}"#, Command::Move { mv, offer_draw: true }),
            (r#"{"command":"publish_view_key"}"#, Command::PublishViewKey),
        ] {
            assert_eq!(parse(line), Ok(Line::Seat(command.into())), "{line}");
        }
        let numbered = Ok(Line::Seat(Given { id: Some(1 << 60), command: Command::Show }));
        assert_eq!(parse(r#"{"id":1152921504606846976,"command":"show"}"#), numbered);
        for wrong in [
            "{",
            "{}",
            r#"{"command":"mvoe"}"#,
            r#"{"command":"show","id":-1}"#,
            r#"{"command":"show","id":"1"}"#,
            r#"{"command":"move"}"#,
            r#"{"command":"move","move":"e2"}"#,
            r#"{"command":"move","move":"e2e4","offer":true}"#,
            r#"{"command":"resign"} {"command":"resign"}"#,
            r#"{"command":"resign","move":"e2e4"}"#,
            r#"{"v":99,"command":"show"}"#,
            r#"{"command":"show","command":"resign"}"#,
            r#"{"command":"move","move":"e2e4","move":"d2d4"}"#,
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        for wrong in ["e9e4", "draw", "e2e4 please", "resign now", "fifty no"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
