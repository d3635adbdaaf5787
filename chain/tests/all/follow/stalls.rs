//! A chain whose finality stands still for hours, and a node whose blocks don't lead to one another.

use super::{Answer, Question, Unanswered, event_at, follow, long_block, look, say_long};
use alloy::primitives::B256;
use chain::{BlockRef, Finality, FollowError, Header, Log, LogUpdate};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The stack of a worker of tokio's.
const STACK: usize = 2 << 20;
/// Blocks that a rollup makes while its batches don't reach the chain below for an hour and a half.
const STALL: u64 = 20_000;
/// The processor time that many looks at so many blocks may take: a second goes a long way, unless each block is looked for among all.
const PROCESSOR: Duration = Duration::from_secs(8);

const FIVE: Finality = Finality::Confirmations(5);

/// What an honest machine says of the long chain whose finality stands at a block.
fn say_stalled(latest: u64, last_final: u64, event: &Log, question: Question) -> Result<Answer, Unanswered> {
    match question {
        Question::Finalized => Ok(Answer::Block(Some(long_block(last_final)))),
        question => say_long(latest, event, question),
    }
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

#[test]
fn finality_may_stand_still_for_twenty_thousand_blocks() {
    const FROM: u64 = 50;
    let run = || {
        let event = event_at(long_block(10_000).block);
        let mut follower = follow(Finality::Finalized, FROM);
        // A program that is started when the stall has lasted for long, and then runs on through it.
        for latest in FROM + STALL - 30..FROM + STALL {
            let mut asked = 0;
            let told = look(&mut follower, |question| {
                asked += 1;
                say_stalled(latest, FROM - 1, &event, question)
            });
            let is_first = latest == FROM + STALL - 30;
            let first = Some(LogUpdate::Included(event.clone())).filter(|_| is_first);
            assert_eq!(told.ok(), Some(Vec::from_iter(first)), "at {latest}");
            assert!(is_first || asked <= 4, "{asked} questions for one block");
        }
        // Finality comes back for all of them.
        let last = FROM + STALL - 3;
        let told = look(&mut follower, |question| say_stalled(last + 2, last, &event, question));
        assert_eq!(
            (told.ok(), follower.last_final()),
            (Some(vec![LogUpdate::Final(event)]), Some(long_block(last).block))
        );
        processor_time()
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    let spent = thread.join().expect("no panic");
    assert!(spent < PROCESSOR, "{spent:?}");
}

/// Each block names another one as its parent, the last of them the first: no chain has that, whoever tells it.
#[test]
fn blocks_in_a_circle_are_refused_and_not_remembered() {
    const LATEST: u64 = 20;
    let event = event_at(long_block(18).block);
    for (length, has_looked) in [(1, false), (1, true), (2, false), (2, true), (7, false), (7, true)] {
        let mut follower = follow(FIVE, 1);
        if has_looked {
            assert_eq!(look(&mut follower, |question| say_long(12, &event, question)).ok(), Some(Vec::new()));
        }
        let bend = |found: Header| match found.block.number == LATEST + 1 - length {
            true => Header { parent: long_block(LATEST).block.hash, ..found },
            false => found,
        };
        let lie = |question| match say_long(LATEST, &event, question)? {
            Answer::Block(found) => Ok(Answer::Block(found.map(bend))),
            other => Ok(other),
        };
        for _ in 0..2 {
            assert!(matches!(look(&mut follower, lie), Err(FollowError::Nonsense(_))), "{length} {has_looked}");
        }
        // The very next look at an honest machine finds all.
        let told = look(&mut follower, |question| say_long(LATEST, &event, question));
        assert_eq!(told.ok(), Some(vec![LogUpdate::Included(event.clone())]), "{length} {has_looked}");
        assert_eq!(follower.last_final(), Some(long_block(LATEST - 5).block));
    }
}

/// A block that was told before stays at its number: another one can't come two numbers after it.
#[test]
fn a_known_block_has_the_number_before_its_childs() {
    let event = event_at(long_block(8).block);
    let mut follower = follow(FIVE, 1);
    look(&mut follower, |question| say_long(10, &event, question)).expect("an honest machine");
    let block = BlockRef { number: 12, hash: B256::repeat_byte(9) };
    let lie = |question| match question {
        Question::Latest => {
            Ok(Answer::Block(Some(Header { block, parent: long_block(10).block.hash, ..long_block(12) })))
        }
        question => say_long(10, &event, question),
    };
    assert!(matches!(look(&mut follower, lie), Err(FollowError::Nonsense(_))));
    assert!(look(&mut follower, |question| say_long(12, &event, question)).is_ok());
    assert_eq!(follower.last_final(), Some(long_block(7).block));
}

/// A parent that a machine doesn't have may be a wrong word of another one: what named it is asked for again.
#[test]
fn a_parent_that_nobody_has_is_not_looked_for_again_and_again() {
    let event = event_at(long_block(18).block);
    let mut follower = follow(FIVE, 1);
    let nobodys = B256::repeat_byte(9);
    let lie = |question| match question {
        Question::Latest => Ok(Answer::Block(Some(Header { parent: nobodys, ..long_block(20) }))),
        Question::Hash(hash) if hash == nobodys => Ok(Answer::Block(None)),
        question => say_long(20, &event, question),
    };
    assert!(matches!(look(&mut follower, lie), Err(FollowError::Behind)));
    let told = look(&mut follower, |question| match question {
        Question::Hash(hash) if hash == nobodys => Ok(Answer::Block(None)),
        question => say_long(21, &event, question),
    });
    assert_eq!(told.ok(), Some(vec![LogUpdate::Included(event)]));
}

#[test]
fn no_number_is_too_high_to_be_answered() {
    let highest = Header { block: BlockRef { number: u64::MAX, hash: B256::repeat_byte(9) }, ..long_block(7) };
    let latest = Header { parent: highest.block.hash, ..long_block(10) };
    let say = |question| match question {
        Question::Latest => Ok(Answer::Block(Some(latest))),
        Question::Hash(_) | Question::Number(_) => Ok(Answer::Block(Some(highest))),
        _ => Ok(Answer::Logs(Vec::new())),
    };
    let mut follower = follow(FIVE, 1);
    assert!(matches!(look(&mut follower, say), Err(FollowError::Nonsense(_))), "a parent above its child");
    // Also as the latest one, which would be final.
    let mut follower = follow(Finality::Confirmations(0), u64::MAX);
    let say = |question| match question {
        Question::LogsOf(_) => Ok(Answer::Logs(Vec::new())),
        _ => Ok(Answer::Block(Some(highest))),
    };
    assert!(matches!(look(&mut follower, say), Err(FollowError::Nonsense(_))), "no block can follow it");
}
