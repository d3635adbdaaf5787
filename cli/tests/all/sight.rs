//! `fogmate sight` from outside, on the examples of the documents that the engines are of, by every engine that needs no keys.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

/// The example of "Emanant Fog of War", with a knight for who sees g5, and each side's king.
const EMANANT: &str = "r1b1k3/pp6/8/4p1q1/Pp1Q4/7N/1BPP1P2/R3K3 w - - 0 1";
/// The same with the pawn of a7 on a6, where White doesn't see it.
const EMANANT_AS_SAID: &str = "r1b1k3/1p6/p7/4p1q1/Pp1Q4/7N/1BPP1P2/R3K3 w - - 0 1";
/// α and β of "Fog of war chess".
const ALPHA_AND_BETA: &str = "3k4/8/8/8/8/5K2/8/8 b - - 0 1";
/// A rook that has come to a4, as in "Cryptographic Dark Chess": how far it sees hangs on men that only Black knows of.
const ROOK_ON_A4: &str = "4k3/8/8/8/R3n1p1/8/8/4K3 w - - 0 1";

const ENGINES: [&str; 6] = ["dh-psi", "dh-psi-plain", "emanant", "andos", "andos-first", "bfv"];

fn sight(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
    command.arg("sight").args(args).stdin(Stdio::null()).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn report(engine: &str, fen: &str) -> Value {
    let output = sight(&["--engine", engine, "--fen", fen, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{engine}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// What is seen of the other's men by each engine, as letters with squares; all see the same.
fn seen(fen: &str, color: &str) -> Vec<String> {
    let mut all = ENGINES.map(|engine| {
        let report = report(engine, fen);
        assert_eq!(report["receiver"], color, "{engine}");
        let board = report[color].as_str().expect("a board").to_owned();
        let is_other = |c: char| if color == "white" { c.is_ascii_lowercase() } else { c.is_ascii_uppercase() };
        let ranks = board.split('/').zip((1..=8).rev());
        let squares = ranks.flat_map(|(line, rank)| line.chars().zip('a'..).map(move |(c, file)| (c, file, rank)));
        let men = squares.filter(|(c, ..)| is_other(*c) || *c == '?');
        men.map(|(c, file, rank)| format!("{}{file}{rank}", c.to_ascii_uppercase())).collect::<Vec<_>>()
    });
    all.iter_mut().for_each(|men| men.sort());
    assert!(all.iter().all(|men| *men == all[0]), "{all:?}");
    all[0].clone()
}

#[test]
fn the_emanant_example_shows_a_fourth_man() {
    assert_eq!(seen(EMANANT, "white"), ["Pa7", "Pb4", "Pe5", "Qg5"]);
    assert_eq!(seen(EMANANT_AS_SAID, "white"), ["Pb4", "Pe5", "Qg5"]);
}

/// The tiles beside the queen, and one beside the rook, are among the first that are asked.
#[test]
fn tiles_emanate_from_the_men() {
    let report = report("emanant", EMANANT);
    let hidden = |number: u64| {
        let messages = report["messages"].as_array().expect("messages");
        let message = messages.iter().find(|message| message["number"] == number).expect("a message");
        message["hides"].as_str().expect("words").to_owned()
    };
    assert_eq!(
        hidden(1).split_whitespace().filter(|word| word.trim_end_matches(',').len() == 2).count(),
        9,
        "{}",
        hidden(1)
    );
    for tile in ["c3", "c5", "d5", "e4"] {
        assert!(hidden(1).contains(tile), "{}", hidden(1));
    }
    assert!(hidden(19).contains("b4 e5 g5 a7"), "{}", hidden(19));
    assert_eq!(hidden(2), "");
}

#[test]
fn alpha_and_beta_see_nothing_of_each_other() {
    assert_eq!(seen(ALPHA_AND_BETA, "black"), [""; 0]);
    let report = report("bfv", ALPHA_AND_BETA);
    assert_eq!(report["black"], "**.k.***/**...***/********/********/********/********/********/********");
    assert_eq!(report["white"], "********/********/********/********/********/*****K**/********/********");
    assert!(report["messages"][1]["hides"].as_str().expect("words").starts_with("5 of 3822 slots"), "{report}");
}

#[test]
fn the_rook_on_a4_sees_as_far_as_the_first_man() {
    assert_eq!(seen(ROOK_ON_A4, "white"), ["Ne4"]);
    let report = report("andos", ROOK_ON_A4);
    assert_eq!(report["white"], ".*******/.*******/.*******/.*******/R...n***/.*******/.**...**/.**.K.**");
}

#[test]
fn messages_are_told_with_what_they_hide() {
    let output = sight(&["--engine", "dh-psi-plain", "--fen", EMANANT]);
    let shown = text(&output.stdout);
    for words in [
        "dh-psi-plain: White looks, Black shows.",
        "Message 0, Black to White, 37472 bytes: its set,",
        "Message 1, White to Black, 43008 bytes: its own set,",
        "  White alone knows of 1: ",
        "  Black learns: nothing: a blinded point is any point",
        "3 messages, 123552 bytes.",
        "  White sees              Black has seen nothing",
    ] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
    assert!(
        text(&output.stderr).contains("With dh-psi-plain the contract verifies no move: "),
        "{}",
        text(&output.stderr)
    );
    // Many messages that say the same stand together.
    let output = sight(&["--engine", "andos", "--fen", ALPHA_AND_BETA]);
    let shown = text(&output.stdout);
    assert!(shown.contains("Messages 1, 3, … 143, Black to White, 65537 bytes each: "), "{shown}");
}

#[test]
fn what_has_no_sight_is_refused_in_a_sentence() {
    let cases = [
        (["--engine", "andos-chained", "--fen", EMANANT], "has no sight of a position alone"),
        (["--engine", "bfv", "--fen", "8/8/8/8/8/8/8/4K3 w - - 0 1"], "black has no king"),
        (["--engine", "open", "--fen", EMANANT], "no sight engine"),
    ];
    for (args, words) in cases {
        let output = sight(&args);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
}
