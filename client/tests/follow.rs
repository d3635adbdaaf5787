//! The machine that follows a game (`client::follow`), question by question, where the interleaving of several machines behind one address
//! matters. Whole games in front of it are the simulator's; the same on real sockets is `tests/chain`.

use alloy::primitives::B256;
use client::follow::{
    Answer, Finality, Follower, Header, News, Question, Report, Rules, Step, Trouble, Unanswered, Watcher,
};
use fogmate_test::seed;
use game::{BlockRef, Clocks};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const CLOCKS: Clocks = Clocks { left: [1, 1], deadline: 9, turn: None, runs_from: 0, hold: None };

/// A block of one of two chains, which part after block 7.
fn block(fork: u8, number: u64) -> Header {
    let hash = |number: u64| B256::repeat_byte(number as u8 + if number > 7 { fork } else { 0 });
    Header { block: BlockRef { number, hash: hash(number) }, parent: hash(number.saturating_sub(1)), time: number }
}

/// What a machine on a fork says that has so many blocks of it, of which all but the last `confirmations` are final.
fn say(fork: u8, latest: u64, confirmations: u64, question: Question) -> Result<Answer, Unanswered> {
    let known = |number: &u64| *number <= latest;
    let block = |number: u64| Some(number).filter(known).map(|number| block(fork, number));
    Ok(match question {
        Question::Latest => Answer::Block(block(latest)),
        Question::Finalized => Answer::Block(block(latest - confirmations)),
        Question::Number(number) | Question::Witness { number, .. } => Answer::Block(block(number)),
        Question::Hash(hash) => Answer::Block((0..=latest).filter_map(block).find(|found| found.block.hash == hash)),
        Question::Events { .. } | Question::EventsOf(_) => Answer::Events(Vec::new()),
        Question::Declared { .. } => Answer::Declared(None),
        Question::Clocks => Answer::Clocks(CLOCKS, latest),
    })
}

/// A look of which each question is answered by what `machine` says.
fn look(
    follower: &mut Follower,
    mut machine: impl FnMut(Question) -> Result<Answer, Unanswered>,
) -> Result<Vec<News>, Trouble> {
    let mut question = follower.look();
    loop {
        match follower.answer(machine(question))? {
            Step::Ask(next) => question = next,
            Step::Done(news) => return Ok(news),
        }
    }
}

/// The head by a machine on a chain that was left, what is final by one that is ahead on the chain that won: nothing of the former is final.
#[test]
fn what_is_final_is_no_matter_of_numbers() {
    let rules = Rules { finality: Finality::Finalized, witnesses: 0 };
    let mut follower = Follower::new(rules, 5);
    let machine = |question| match question {
        Question::Finalized => say(100, 11, 2, question),
        _ => say(0, 9, 2, question),
    };
    assert_eq!(look(&mut follower, machine), Err(Trouble::Behind));
    assert_eq!(follower.last_final(), None);
    assert_eq!(look(&mut follower, |question| say(100, 11, 2, question)), Ok(Vec::new()));
    assert_eq!(follower.last_final(), Some(block(100, 9).block));
    // Ahead on the same chain, by more than its head: its final block can't be compared.
    let mut follower = Follower::new(rules, 5);
    let machine = |question| match question {
        Question::Finalized => say(100, 13, 2, question),
        _ => say(100, 9, 2, question),
    };
    assert_eq!(look(&mut follower, machine), Err(Trouble::Behind));
}

/// A failure of the last question costs nothing, even if there are no news: the next look brings the final block and the clocks.
#[test]
fn a_final_block_whose_clocks_could_not_be_asked_is_told_by_the_next_look() {
    let mut watcher = Watcher::new(Rules { finality: Finality::Confirmations(2), witnesses: 0 }, 5, None);
    let mut look = |latest, is_busy: bool| -> Result<Option<Report>, Trouble> {
        let mut question = watcher.look(false);
        loop {
            let answer = match question {
                Question::Clocks if is_busy => Err(Unanswered::Failed),
                question => say(0, latest, 2, question),
            };
            match watcher.answer(answer)? {
                Step::Ask(next) => question = next,
                Step::Done(report) => return Ok(report),
            }
        }
    };
    assert_eq!(look(9, false).map(|report| report.and_then(|report| report.last_final)), Ok(Some(block(0, 7).block)));
    assert_eq!(look(9, false), Ok(None));
    assert_eq!(look(10, true), Err(Trouble::Unanswered));
    assert_eq!(look(10, false).map(|report| report.and_then(|report| report.last_final)), Ok(Some(block(0, 8).block)));
}

/// A node that answers two questions in three is asked for no block twice: the looks that it makes fail bring the next ones nearer.
#[test]
fn looks_that_fail_bring_the_next_one_nearer() {
    let mut follower = Follower::new(Rules { finality: Finality::Confirmations(2), witnesses: 0 }, 0);
    let (mut rng, mut looks) = (ChaCha8Rng::seed_from_u64(seed(171)), 0);
    let done = loop {
        looks += 1;
        assert!(looks < 2_000, "the game is never found");
        let looked = look(&mut follower, |question| {
            if rng.gen_range(0..3) == 0 { Err(Unanswered::Failed) } else { say(0, 120, 2, question) }
        });
        if let Ok(news) = looked {
            break news;
        }
    };
    assert_eq!((done, follower.last_final()), (Vec::new(), Some(block(0, 118).block)));
}

/// After a restart, by a machine that is behind on a chain that was left: what it has in the place of the last final block isn't final.
#[test]
fn what_counted_as_final_is_no_matter_of_numbers() {
    let told = block(100, 8).block;
    let mut follower = Follower::again(Rules { finality: Finality::Confirmations(2), witnesses: 0 }, 5, told);
    for latest in [8, 9] {
        assert_eq!(look(&mut follower, |question| say(0, latest, 2, question)), Err(Trouble::Behind));
    }
    assert_eq!(look(&mut follower, |question| say(100, 9, 2, question)), Ok(Vec::new()));
    assert_eq!(follower.last_final(), Some(told));
}
