//! Transcripts in files: what is written is read again, and what is mangled is refused in a sentence.

use super::*;

#[test]
fn what_is_written_is_read() {
    let played = Played::new(Mode::Channel);
    let mut transcript = played.transcript.clone();
    let position = played.positions()[5];
    transcript.others = vec![Other { position, signature: played.sign(0, &position) }];
    transcript.plies[1].proof = None;
    transcript.plies[2].signatures = [None; 2];
    for transcript in [transcript, played.first(0)] {
        let text = transcript.to_json().expect("JSON");
        assert_eq!(Transcript::from_json(text.as_bytes()), Ok(transcript));
    }
}

/// The form of a file stays: whoever has an old one can still give it, and numbers stand there as the chain has them.
#[test]
fn a_file_has_its_form() {
    let word = |number: u8| format!("\"{number:#066x}\"");
    let pair = |first: u8| format!("[{},{}]", word(first), word(first + 1));
    let numbers = |first: u64| [first, first + 1].map(Fr::from);
    let square = |name: &str| Some(name.parse::<Square>().expect("a square"));
    let fields = MoveFields {
        ply: 0,
        next_commitment: Fr::from(1),
        next_request_root: Fr::from(2),
        answer_root: Fr::from(0),
        capture: square("d5"),
        king_fell: false,
        offer_draw: true,
    };
    let position = Position {
        previous: B256::repeat_byte(1),
        ply: 9,
        quiet_plies: 2,
        pending: square("e8"),
        previous_pending: None,
        draw_offered: true,
        clocks: [600, 590],
        states: numbers(3),
        states_before: numbers(5),
        request_roots: numbers(7),
        answer_root: Fr::from(9),
    };
    let transcript = Transcript {
        game: GameRef { chain_id: 31337, contract: CONTRACT, game_id: B256::ZERO },
        plies: vec![Ply { fields, clock: 600, proof: Some(vec![1, 2]), signatures: [None; 2] }],
        others: vec![Other { position, signature: Signature::repeat_byte(0x11) }],
    };
    let ply = [
        format!(r#"{{"ply":0,"commitment":{},"request_root":{},"answer_root":{}"#, word(1), word(2), word(0)),
        r#""capture":"d5","king_fell":false,"draw_offered":true,"clock_s":600,"proof":"0x0102"}"#.to_owned(),
    ];
    let other = [
        format!(r#"{{"position":{{"previous":"{}","ply":9,"quiet_plies":2"#, B256::repeat_byte(1)),
        r#""pending":"e8","previous_pending":null,"draw_offered":true,"clocks_s":[600,590]"#.to_owned(),
        format!(r#""states":{},"states_before":{},"request_roots":{}"#, pair(3), pair(5), pair(7)),
        format!(r#""answer_root":{}}},"signature":"{}"}}"#, word(9), Signature::repeat_byte(0x11)),
    ];
    let text = transcript.to_json().expect("JSON");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!([lines[2], lines[5]], [ply.join(","), other.join(",")]);
    assert_eq!(Transcript::from_json(text.as_bytes()), Ok(transcript));
}

#[test]
fn what_is_mangled_is_refused_in_a_sentence() {
    let played = Played::new(Mode::Channel);
    let mut transcript = played.first(2);
    let position = played.positions()[5];
    transcript.others = vec![Other { position, signature: played.sign(0, &position) }];
    let text = transcript.to_json().expect("JSON");
    let too_large = format!("0x{}", "ff".repeat(32));
    let long = format!("\"proof\":\"0x{}", "00".repeat(20_000));
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let of = |list: &str, at: usize, name: &str| value[list][at][name].as_str().expect("a text").to_owned();
    let word = |name: &str| of("plies", 0, name);
    let answer_root = format!("\"answer_root\":\"{}", word("answer_root"));
    let last_root = value["others"][0]["position"]["answer_root"].as_str().expect("a text");
    let below = "a number is no field element at line 7 column";
    let states = format!("\"states\":[\"{}\",\"", word("commitment"));
    for (from, to, words) in [
        ("transcript 1", "transcript 2", "\"transcript 2\", which this program doesn't know"),
        ("transcript 1", "disclosure 2", "it reads a \"transcript 1\""),
        ("\"fogmate\"", "\"fogmat\"", "missing field `fogmate`"),
        ("31337", "-1", "invalid value"),
        ("\"contract\": \"0xf0", "\"contract\": \"0x", "it is no transcript"),
        ("\"game\": \"0x", "\"game\": \"0xg", "it is no transcript"),
        ("\"plies\": [", "\"plies\": {", "it is no transcript"),
        ("\"plies\"", "\"moves\"", "unknown field `moves`"),
        ("\"ply\":0", "\"ply\":1", "ply 0: the line there has the number of another ply"),
        ("\"ply\":0", "\"ply\":65536", "invalid value"),
        ("\"ply\":0", "\"ply\":0,\"ply\":0", "duplicate field `ply`"),
        (&word("commitment"), &too_large, "a number is no field element at line 3 column"),
        (&word("request_root"), &too_large, "a number is no field element at line 3 column"),
        (&answer_root, &format!("\"answer_root\":\"{too_large}"), "no field element at line 3 column"),
        (&word("commitment"), "0x00", "it is no transcript"),
        ("\"capture\":null", "\"capture\":\"i9\"", "\"i9\" is not a square"),
        ("\"capture\":null", "\"capture\":5", "invalid type"),
        ("\"king_fell\":false", "\"king_fell\":0", "invalid type"),
        ("\"king_fell\":false,", "", "missing field `king_fell`"),
        ("\"draw_offered\":false", "\"draw_offered\":null", "invalid type"),
        ("\"clock_s\":600", "\"clock_s\":4294967296", "invalid value"),
        ("\"clock_s\":600", "\"clock_s\":\"600\"", "invalid type"),
        ("\"white\":\"0x", "\"white\":\"0x00", "it is no transcript"),
        ("\"black\"", "\"blac\"", "unknown field `blac`"),
        ("\"proof\":\"0x", "\"proof\":\"0x0", "it is no transcript"),
        ("\"proof\":\"0x", &long, "ply 0: its proof is longer than any"),
        (&word("proof"), "0x", "ply 0: its proof is empty"),
        ("\"pending\":\"e8\"", "\"pending\":\"e0\"", "\"e0\" is not a square"),
        ("\"previous_pending\":null", "\"previous_pending\":\"\"", "\"\" is not a square"),
        ("\"states\":[\"", &states, "it is no transcript"),
        ("\"states\":[\"", &format!("\"states\":[\"{too_large}\",\""), below),
        ("\"states_before\":[\"", &format!("\"states_before\":[\"{too_large}\",\""), below),
        ("\"request_roots\":[\"", &format!("\"request_roots\":[\"{too_large}\",\""), below),
        (last_root, &too_large, below),
        ("\"quiet_plies\"", "\"quiet\"", "unknown field `quiet`"),
        ("\"clocks_s\":[", "\"clocks_s\":[1,", "it is no transcript"),
        ("\"signature\":\"0x", "\"signature\":\"", "it is no transcript"),
    ] {
        assert!(text.contains(from), "{from}");
        let refusal = Transcript::from_json(text.replacen(from, to, 1).as_bytes());
        let refusal = match (refusal, from) {
            // Hexadecimal numbers may leave their mark out.
            (Ok(read), "\"signature\":\"0x") => {
                assert_eq!(read, transcript);
                continue;
            }
            (refusal, _) => refusal.expect_err(to).to_string(),
        };
        assert!(refusal.contains(words) && !refusal.contains('\n'), "{to}: {refusal}");
    }
    for cut in [0, 1, text.len() / 2, text.len() - 3] {
        assert!(Transcript::from_json(&text.as_bytes()[..cut]).is_err(), "{cut}");
    }
    let many = Transcript { others: vec![transcript.others[0].clone(); 65], ..transcript.clone() };
    let refusal = Transcript::from_json(many.to_json().expect("JSON").as_bytes()).expect_err("too many").to_string();
    assert_eq!(refusal, "number 64 of the other positions: there are more than anybody needs");
    let long = vec![b' '; game::channel_transcript::MAX_BYTES + 1];
    assert!(Transcript::from_json(&long).expect_err("long").to_string().contains("longer than any transcript"));
}

#[test]
fn a_transcript_belongs_to_one_game_of_its_mode() {
    let played = Played::new(Mode::Channel);
    let hold =
        |records: &[Record], transcript: &Transcript| Whole::of(played.game, records.to_vec(), Some(transcript)).err();
    let other = GameRef { game_id: B256::ZERO, ..played.game };
    let foreign = Transcript { game: other, ..played.transcript.clone() };
    assert_eq!(hold(&played.won(), &foreign), Some(TranscriptError::OtherGame(other)));
    assert_eq!(hold(&played.records[..3], &played.transcript), Some(TranscriptError::NotBegun));
    let verified = Played::new(Mode::Verified);
    let refused = Whole::of(verified.game, verified.records.clone(), Some(&verified.transcript)).err();
    assert_eq!(refused, Some(TranscriptError::OnChain(Mode::Verified)));
}
