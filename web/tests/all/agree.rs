//! The page says what an audit says, of games that were demanded and claimed in; and it finds what was changed.

use crate::page::{audited, fetched, judged, read, verdicts};
use crate::seed::seed;
use alloy_primitives::U256;
use client::seat::Event;
use game::chronicle::Chronicle;
use game::{ChainEvent, Command, Terms};
use rules::{Color, Move};
use serde_json::{Value, json};
use simulate::world::{Course, Players, TERMS, World, short};

/// The short game, whose link is cut before the first sight: every later sight is demanded and given through the chain.
fn demanded() -> World {
    let mut world = Course::new(seed(0x3eb1), short()).begin();
    world.longest_tick = 16;
    world.cut_link();
    world.run();
    world.publish();
    world
}

/// A game in which White claims fifty moves although Black has moved a pawn since.
fn claimed() -> World {
    let black = std::iter::once("e7e6").chain(["g8f6", "f6g8"].into_iter().cycle());
    let moves = ["g1f3", "f3g1"].into_iter().cycle().zip(black).flat_map(|(white, black)| [white, black]);
    let moves = moves.take(104).map(|mv| -> Move { mv.parse().expect("UCI") });
    let terms = Terms { base: 2_000, delay: 300, window: 400, ..TERMS };
    let mut world = Course { terms, ..Course::new(seed(0x3eb2), Players::Script(moves.collect())) }.begin();
    world.longest_tick = 32;
    let white = world.seat_of(Color::White);
    world.autoplay = true;
    let is_due = |world: &World| {
        let seat = &world.players[white].seat;
        seat.can_move() && seat.table().playing().is_some_and(|play| play.ply == 100)
    };
    while !is_due(&world) {
        world.step();
    }
    world.autoplay = false;
    world.settle(white);
    world.tell(white, Event::Command(Command::ClaimFifty));
    while !world.events().any(|event| event.name() == "a failed claim of fifty moves") {
        world.step();
    }
    world
}

fn findings(answer: &Value) -> String {
    answer["report"]["findings"].to_string()
}

/// How many rows have a proof of a statement.
fn proofs_of(rows: &Value, statement: &str) -> usize {
    let rows = rows["rows"].as_array().expect("rows");
    rows.iter().filter(|row| row["statement"] == statement).count()
}

#[test]
fn page_and_audit_agree_on_a_game_of_demands() {
    let world = demanded();
    let question = fetched(&world);
    let answer = judged(&world, &question);
    assert_eq!(answer["report"], audited(&world));
    let report = &answer["report"];
    assert_eq!(
        (&report["ok"], &report["claims_by_chain"], &report["replay"]["ok"]),
        (&json!(true), &json!(0), &json!(true))
    );
    let rows = read(&question).expect("the page reads it");
    let (asked, given) = (proofs_of(&rows, "request-data"), proofs_of(&rows, "chain-answer"));
    assert!(asked >= 3 && given >= 3, "{asked} demands, {given} sights");
    assert_eq!(report["claims"], json!(asked + given));
    assert_eq!(answer["boards"].as_array().map(Vec::len), Some(6));
    all_is_paid_out(&world);
    no_word_can_be_another_unnoticed(&world);
}

#[test]
fn page_and_audit_agree_on_a_failed_claim() {
    let world = claimed();
    let question = fetched(&world);
    let answer = judged(&world, &question);
    assert_eq!(answer["report"], audited(&world));
    assert_eq!((&answer["report"]["claims"], &answer["report"]["ok"]), (&json!(2), &json!(true)), "{answer}");
    assert_eq!(proofs_of(&read(&question).expect("the page reads it"), "fifty"), 2);
    all_is_paid_out(&world);
    no_word_can_be_another_unnoticed(&world);
}

/// All that is put in is paid to somebody: both stakes, and each bond that was answered or asked back.
fn all_is_paid_out(world: &World) {
    let (mut bonds, mut open) = (0, Vec::new());
    for event in world.events() {
        match event {
            ChainEvent::SightDemanded { demanded, bond, .. } => open.push((demanded.ctx, *bond)),
            ChainEvent::SightAnswered { ctx, .. } => {
                let at = open.iter().position(|(demanded, _)| demanded == ctx).expect("a demand");
                bonds += open.remove(at).1;
            }
            ChainEvent::FiftyClaimed { bond, .. } | ChainEvent::BondReclaimed { bond, .. } => bonds += bond,
            _ => {}
        }
    }
    let is_over = world.events().any(|event| event.outcome().is_some());
    let stakes = if is_over { world.chain.stake() * U256::from(2) } else { U256::ZERO };
    let rows = read(&fetched(world)).expect("the page reads it");
    let paid = rows["rows"].as_array().expect("rows").iter().flat_map(|row| row["paid"].as_array().expect("payments"));
    let sum: u128 = paid.map(|paid| paid["wei"].as_str().expect("a text").parse::<u128>().expect("wei")).sum();
    assert!(bonds > 0 && sum > bonds / 2);
    assert_eq!(U256::from(sum), stakes + U256::from(bonds));
}

/// A word of what was demanded, of what was given, and of a proof: each is another statement, of which there is no verdict.
#[test]
fn one_flipped_bit_is_found_wherever_it_is() {
    let world = demanded();
    let question = fetched(&world);
    let rows = read(&question).expect("the page reads it");
    let at = |statement: &str| {
        let rows = rows["rows"].as_array().expect("rows");
        rows.iter().position(|row| row["statement"] == statement).expect("a row of it")
    };
    for statement in ["turn", "request-data", "chain-answer"] {
        let row = at(statement);
        // The last bit of a proof stands before what fills its last word.
        let mut changed = question.clone();
        let input = changed["logs"][row]["transaction"]["input"].as_str().expect("calldata").to_owned();
        let proof = rows["rows"][row]["evidence"].as_str().expect("evidence");
        let tail = &proof[proof.len() - 64..];
        let place = input.rfind(tail).expect("the proof's end") + 1;
        changed["logs"][row]["transaction"]["input"] = json!(flipped(&input, place));
        let answer = judged(&world, &changed);
        assert!(
            findings(&answer).contains(&format!("the {statement} proof is wrong: it was not verified")),
            "{answer}"
        );
        // A verdict that it is false is told, too.
        let mut question = question.clone();
        question["verdicts"] = verdicts(&world);
        question["verdicts"][rows["rows"][row]["verdict"].as_str().expect("a name")] = json!(false);
        question["keys"] = json!([]);
        let answer = web::audit(question.to_string().as_bytes()).expect("an answer");
        assert!(
            findings(&answer).contains(&format!("the {statement} proof is wrong: the verifier refuses it")),
            "{answer}"
        );
    }
    for statement in ["request-data", "chain-answer"] {
        let row = at(statement);
        let mut changed = question.clone();
        let data = changed["logs"][row]["data"].as_str().expect("data").to_owned();
        changed["logs"][row]["data"] = json!(flipped(&data, data.len() - 1));
        assert_eq!(read(&changed).err().as_deref(), Some("a transaction calls what can't tell its event"));
        // Without its transaction the contract's word stands alone.
        let mut silent = question.clone();
        silent["logs"][row]["transaction"] = Value::Null;
        let answer = judged(&world, &silent);
        assert_eq!(
            (&answer["report"]["ok"], &answer["report"]["claims_by_chain"]),
            (&json!(true), &json!(1)),
            "{answer}"
        );
    }
}

/// A text of hexadecimal digits with another digit at a place.
fn flipped(text: &str, place: usize) -> String {
    let digit = u8::from_str_radix(&text[place..=place], 16).expect("a digit") ^ 1;
    format!("{}{digit:x}{}", &text[..place], &text[place + 1..])
}

#[test]
fn the_rows_are_the_chronicle_s() {
    let world = demanded();
    let rows = read(&fetched(&world)).expect("the page reads it");
    let mut chronicle = Chronicle::new(world.chain.game);
    let records = world.records();
    assert_eq!(rows["rows"].as_array().map(Vec::len), Some(records.len()));
    for (number, (record, row)) in records.iter().zip(rows["rows"].as_array().expect("rows")).enumerate() {
        let mut expected = serde_json::to_value(chronicle.tell(record)).expect("JSON");
        expected["log"] = json!(number);
        assert_eq!(*row, expected);
    }
}

/// Whatever a node puts into the place of a word of a log, the page refuses it, finds it, or says what isn't known.
fn no_word_can_be_another_unnoticed(world: &World) {
    // What an answer has earned follows from a block's base fee, which is the node's word.
    let is_paid = |event: &ChainEvent, word| {
        word == 1 && matches!(event, ChainEvent::SightAnswered { .. } | ChainEvent::FiftyFailed { .. })
    };
    let mut question = fetched(world);
    (question["verdicts"], question["keys"]) = (verdicts(world), json!([]));
    let judge = |question: &Value| web::audit(question.to_string().as_bytes()).ok();
    let before = judge(&question).expect("a verdict")["report"].clone();
    assert_eq!((&before["ok"], &before["unknown"]), (&json!(true), &Value::Null), "{before}");
    let is_noticed = |changed: &Value| {
        let report = judge(changed).map(|answer| answer["report"].clone());
        report.is_none_or(|report| report["ok"] != json!(true) || report["unknown"] != Value::Null)
    };
    for (row, logged) in world.chain.log.iter().enumerate() {
        let name = logged.event.name();
        let data = question["logs"][row]["data"].as_str().expect("data").to_owned();
        let words = (data.len() - 2) / 64;
        // Of points and of elements the first and the last will do.
        for word in (0..words).filter(|word| *word < 20 || *word + 4 > words) {
            let mut changed = question.clone();
            changed["logs"][row]["data"] = json!(flipped(&data, 2 + 64 * word + 63));
            let is_free = is_paid(&logged.event, word);
            assert_eq!(is_noticed(&changed), !is_free, "word {word} of {name} at {row}");
        }
        for topic in 2..logged.log.topics().len() {
            let mut changed = question.clone();
            let told = changed["logs"][row]["topics"][topic].as_str().expect("a topic").to_owned();
            changed["logs"][row]["topics"][topic] = json!(flipped(&told, 65));
            // Some say again what follows from what comes before, and nobody reads them.
            let is_unread = judge(&changed).is_some_and(|answer| answer["report"] == before);
            assert!(is_unread || is_noticed(&changed), "topic {topic} of {name} at {row}");
        }
    }
}
