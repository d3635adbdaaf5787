//! The binary's `rules` subcommand, from outside.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Command, Output, Stdio},
    thread,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn fogmate() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fogmate"));
    command.arg("rules").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn rules(args: &[&str], input: &str) -> Output {
    let mut child = fogmate().args(args).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // On a thread of its own: the child may stop reading, or answer before it has read all.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer ends");
    output
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn positions() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test/data/positions.jsonl");
    fs::read_to_string(&path).expect("the oracle's positions")
}

fn fen_of(record: &str) -> String {
    let record: serde_json::Value = serde_json::from_str(record).expect("JSON");
    record["fen"].as_str().expect("a FEN").to_owned()
}

#[test]
fn a_stream_is_the_oracles_to_the_byte() {
    let expected = positions();
    let fens: String = expected.lines().map(|line| fen_of(line) + "\n").collect();
    let output = rules(&["--jsonl"], &fens);
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    let pairs = text(&output.stdout).lines().zip(expected.lines());
    pairs.for_each(|(found, expected)| assert_eq!(found, expected));
    assert_eq!(text(&output.stdout).lines().count(), expected.lines().count());
}

#[test]
fn one_position_is_one_line() {
    let expected = positions();
    let record = expected.lines().nth(7).expect("600 records");
    let output = rules(&["--fen", &fen_of(record)], "");
    assert_eq!(text(&output.stdout), format!("{record}\n"));
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
}

#[test]
fn the_fen_is_echoed_as_given() {
    let given = "  8/8/8/KPp4r/8/8/8/4k3  w - c6 00 1 ";
    let output = rules(&["--fen", given], "");
    assert_eq!(fen_of(text(&output.stdout)), given);
}

#[test]
fn a_bad_fen_gets_one_sentence_and_exit_code_2() {
    for (fen, fault) in [
        ("", "a FEN has 6 fields (board, turn, castling, en passant, halfmove clock, move number), but this one has 0"),
        (
            "--jsonl",
            "a FEN has 6 fields (board, turn, castling, en passant, halfmove clock, move number), but this one has 1",
        ),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has no king"),
        ("4k3/8/8/8/8/8/8/4K2\n w - - 0 1", "rank 1 has 7 squares instead of 8"),
        (
            "4k3/8/8/8/8/8/8/4K3 \n - - 0 1",
            "a FEN has 6 fields (board, turn, castling, en passant, halfmove clock, move number), but this one has 5",
        ),
    ] {
        let output = rules(&["--fen", fen], "");
        assert_eq!(text(&output.stderr), format!("error: {fault}\n"));
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{fen:?}");
    }
}

#[test]
fn a_bad_line_is_named_by_its_number() {
    let output = rules(&["--jsonl"], &format!("{START}\nnonsense\n{START}\n"));
    assert_eq!(text(&output.stdout).lines().count(), 1);
    assert!(text(&output.stderr).starts_with("error: line 2: a FEN has 6 fields"));
    assert_eq!(text(&output.stderr).lines().count(), 1);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn exactly_one_of_the_two_forms_is_needed() {
    for args in [&[][..], &["--fen", START, "--jsonl"], &["--board"]] {
        let output = rules(args, "");
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{args:?}");
        assert!(!text(&output.stderr).is_empty());
    }
}

#[test]
fn a_dialogue_gets_its_answers_at_once() {
    let mut child = fogmate().arg("--jsonl").spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    for _ in 0..3 {
        writeln!(stdin, "{START}").expect("it reads");
        let mut answer = String::new();
        stdout.read_line(&mut answer).expect("it answers");
        assert_eq!(fen_of(&answer), START);
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_reader_that_leaves_is_no_panic() {
    let mut child = fogmate().arg("--jsonl").spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || {
        let lines = format!("{START}\n").repeat(1000);
        // Ends with a broken pipe of our own once the child has gone.
        while stdin.write_all(lines.as_bytes()).is_ok() {}
    });
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut [0; 100]).expect("a beginning");
    drop(stdout);
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends");
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
}
