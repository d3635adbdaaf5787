//! Whatever a node or a file says, the page gets an answer or a sentence.

use crate::page::{fetched, read, verdicts};
use crate::seed::{cases, seed};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::{Value, json};
use simulate::world::{Weather, World, short};

fn played() -> World {
    let mut world = World::new(seed(0x3eb3), short(), Weather::default());
    world.run();
    world
}

/// What a question with something in another's place is answered.
fn refused(question: &Value, change: impl FnOnce(&mut Value)) -> String {
    let mut question = question.clone();
    change(&mut question);
    read(&question).expect_err("it can't be read")
}

#[test]
fn what_is_mangled_is_refused_in_a_sentence() {
    let world = played();
    let question = fetched(&world);
    let log = |change: fn(&mut Value)| move |question: &mut Value| change(&mut question["logs"][4]);
    for (error, words) in [
        (refused(&question, |question| *question = json!([])), "the page has asked what can't be read"),
        (refused(&question, |question| question["game"] = json!("0x12")), "the page has asked what can't be read"),
        (refused(&question, |question| question["logs"] = json!(7)), "the page has asked what can't be read"),
        (refused(&question, log(|log| log["topics"] = json!([]))), "a log of another game"),
        (
            refused(&question, log(|log| log["topics"][1] = json!(format!("0x{}", "7".repeat(64))))),
            "a log of another game",
        ),
        (refused(&question, log(|log| log["topics"][0] = json!(format!("0x{}", "7".repeat(64))))), "makes no sense"),
        (
            refused(&question, log(|log| log["topics"] = json!(vec![log["topics"][1].clone(); 5]))),
            "more than four topics",
        ),
        (refused(&question, log(|log| log["data"] = json!("0x"))), "makes no sense"),
        (refused(&question, |question| question["transcript"] = json!("{}")), "transcript"),
    ] {
        assert!(error.contains(words) && !error.contains('\n'), "{error}");
    }
    let mut question = question;
    question["verdicts"] = verdicts(&world);
    for key in ["", "no key", "{}", r#"{"fogmate": "view key 1"}"#] {
        question["keys"] = json!([key]);
        let error = web::audit(question.to_string().as_bytes()).expect_err("it is no key");
        assert!(!error.is_empty() && !error.contains('\n'), "{error}");
    }
}

/// Bytes of the question at random places are others: nothing panics, and no error is empty.
#[test]
fn nothing_that_a_node_says_makes_the_page_fail() {
    let world = played();
    let mut question = fetched(&world);
    question["verdicts"] = verdicts(&world);
    question["keys"] = json!([]);
    let text = question.to_string().into_bytes();
    let mut random = ChaCha8Rng::seed_from_u64(seed(0x3eb4));
    let (cases, mut answered) = (cases(400), 0);
    for _ in 0..cases {
        let mut changed = text.clone();
        for _ in 0..=random.next_u32() % 3 {
            let place = random.next_u32() as usize % changed.len();
            // Mostly a digit for a digit, which leaves JSON whole.
            changed[place] = b"0123456789abcdef\"{,"[random.next_u32() as usize % 19];
        }
        for answer in [web::read(&changed), web::audit(&changed)] {
            match answer {
                Ok(_) => answered += 1,
                Err(error) => assert!(!error.is_empty(), "an empty sentence"),
            }
        }
    }
    assert!(answered > cases / 4, "{answered} of {} were JSON still", 2 * cases);
}
