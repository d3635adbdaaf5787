//! The follower, question by question, where the interleaving of several machines behind one address matters. Whole games in front of it are the
//! simulator's; the same on real sockets is tested with the client.

mod stalls;

use alloy::eips::{BlockId, BlockNumberOrTag};
use alloy::primitives::{Address, B256, Bloom, LogData, U256};
use alloy::transports::TransportErrorKind;
use chain::{BlockRef, Blocks, Finality, FollowError, Follower, Header, Log, LogUpdate, Node, NodeError, Topic};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::future::Future;
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

const TOPIC: Topic = Topic { contract: Address::ZERO, topic: B256::ZERO };

/// What a node is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Latest,
    Finalized,
    Number(u64),
    Hash(B256),
    Logs { from: u64, to: u64 },
    LogsOf(B256),
    Elsewhere(u64),
}

/// What a node answers.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "an answer lives for one question")]
enum Answer {
    Block(Option<Header>),
    Logs(Vec<Log>),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unanswered {
    /// The node grants less than that.
    Refused,
    /// The node can't be asked just now.
    Failed,
    /// The poll goes no further: its future is dropped.
    Never,
}

/// A node that says what a function says.
struct Says<F>(Mutex<F>);

impl<F: FnMut(Question) -> Result<Answer, Unanswered> + Send> Says<F> {
    async fn ask(&self, question: Question) -> Result<Answer, NodeError> {
        let answer = (self.0.lock().expect("a machine that doesn't panic"))(question);
        match answer {
            Ok(answer) => Ok(answer),
            Err(Unanswered::Refused) => Err(NodeError::Failed(TransportErrorKind::http_error(413, String::new()))),
            Err(Unanswered::Failed) => Err(NodeError::Failed(TransportErrorKind::custom_str("no answer"))),
            Err(Unanswered::Never) => std::future::pending().await,
        }
    }
}

impl<F: FnMut(Question) -> Result<Answer, Unanswered> + Send> Node for Says<F> {
    async fn block(&self, id: BlockId) -> Result<Option<Header>, NodeError> {
        let question = match id {
            BlockId::Hash(hash) => Question::Hash(hash.block_hash),
            BlockId::Number(BlockNumberOrTag::Number(number)) => Question::Number(number),
            BlockId::Number(BlockNumberOrTag::Finalized) => Question::Finalized,
            BlockId::Number(_) => Question::Latest,
        };
        match self.ask(question).await? {
            Answer::Block(found) => Ok(found),
            Answer::Logs(_) => panic!("logs are no block"),
        }
    }

    async fn logs(&self, _: &Topic, blocks: Blocks) -> Result<Vec<Log>, NodeError> {
        let question = match blocks {
            Blocks::Range(from, to) => Question::Logs { from, to },
            Blocks::Hash(hash) => Question::LogsOf(hash),
        };
        match self.ask(question).await? {
            Answer::Logs(logs) => Ok(logs),
            Answer::Block(_) => panic!("a block is no log"),
        }
    }

    async fn elsewhere(&self, number: u64) -> Vec<BlockRef> {
        match self.ask(Question::Elsewhere(number)).await {
            Ok(Answer::Block(found)) => found.iter().map(|header| header.block).collect(),
            _ => Vec::new(),
        }
    }
}

type Follows = Follower<LogData>;
type News = Vec<LogUpdate<LogData>>;

fn follow(finality: Finality, from: u64) -> Follows {
    Follower::new(TOPIC, finality, from, None)
}

/// A poll of which each question is answered by what `machine` says; none if it was dropped.
fn poll_some(
    follower: &mut Follows,
    machine: impl FnMut(Question) -> Result<Answer, Unanswered> + Send,
) -> Option<Result<News, FollowError>> {
    let node = Says(Mutex::new(machine));
    let decode = |log: &LogData| Ok(Some(log.clone()));
    let polled = pin!(follower.poll(&node, &decode)).poll(&mut Context::from_waker(Waker::noop()));
    match polled {
        Poll::Ready(polled) => Some(polled),
        Poll::Pending => None,
    }
}

fn look(
    follower: &mut Follows,
    machine: impl FnMut(Question) -> Result<Answer, Unanswered> + Send,
) -> Result<News, FollowError> {
    poll_some(follower, machine).expect("all is answered at once")
}

/// The seed of a drawn test, which is printed.
fn seeded(seed: u64) -> ChaCha8Rng {
    println!("seed {seed}");
    ChaCha8Rng::seed_from_u64(seed)
}

/// A block of one of two chains, which part after block 7.
fn block(fork: u8, number: u64) -> Header {
    let hash = |number: u64| B256::repeat_byte(number as u8 + if number > 7 { fork } else { 0 });
    let (block, parent) = (BlockRef { number, hash: hash(number) }, hash(number.saturating_sub(1)));
    // The blooms of a busy chain say nothing.
    Header { block, parent, time: number, bloom: None, base_fee: 0 }
}

/// What a machine on a fork says that has so many blocks of it, of which all but the last `confirmations` are final.
fn say(fork: u8, latest: u64, confirmations: u64, question: Question) -> Result<Answer, Unanswered> {
    let known = |number: &u64| *number <= latest;
    let block = |number: u64| Some(number).filter(known).map(|number| block(fork, number));
    Ok(match question {
        Question::Latest => Answer::Block(block(latest)),
        Question::Finalized => Answer::Block(block(latest - confirmations)),
        Question::Number(number) | Question::Elsewhere(number) => Answer::Block(block(number)),
        Question::Hash(hash) => Answer::Block((0..=latest).filter_map(block).find(|found| found.block.hash == hash)),
        Question::Logs { .. } | Question::LogsOf(_) => Answer::Logs(Vec::new()),
    })
}

/// Something that happened in a block.
fn event_at(at: BlockRef) -> Log {
    let event = LogData::new_unchecked(Vec::new(), vec![7].into());
    Log { event, block: at, transaction: B256::repeat_byte(2), index: 0 }
}

/// The head by a machine on a chain that was left, what is final by one that is ahead on the chain that won: nothing of the former is final.
#[test]
fn what_is_final_is_no_matter_of_numbers() {
    let mut follower = follow(Finality::Finalized, 5);
    let machine = |question| match question {
        Question::Finalized => say(100, 11, 2, question),
        _ => say(0, 9, 2, question),
    };
    assert!(matches!(look(&mut follower, machine), Err(FollowError::Behind)));
    assert_eq!(follower.last_final(), None);
    assert_eq!(look(&mut follower, |question| say(100, 11, 2, question)).expect("a poll"), []);
    assert_eq!(follower.last_final(), Some(block(100, 9).block));
    // Ahead on the same chain, by more than its head: its final block can't be compared.
    let mut follower = follow(Finality::Finalized, 5);
    let machine = |question| match question {
        Question::Finalized => say(100, 13, 2, question),
        _ => say(100, 9, 2, question),
    };
    assert!(matches!(look(&mut follower, machine), Err(FollowError::Behind)));
}

/// A node that answers two questions in three is asked for no block twice: the looks that it makes fail bring the next ones nearer.
#[test]
fn looks_that_fail_bring_the_next_one_nearer() {
    let mut follower = follow(Finality::Confirmations(2), 0);
    let (mut rng, mut looks) = (seeded(171), 0);
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
    let mut follower = Follower::new(TOPIC, Finality::Confirmations(2), 5, Some(told));
    let mut is_first = true;
    for latest in [8, 9] {
        // Only the very first question, whether the block is there still, comes to a machine that has it.
        let machine = |question| say(if std::mem::take(&mut is_first) { 100 } else { 0 }, latest, 2, question);
        assert!(matches!(look(&mut follower, machine), Err(FollowError::Behind)), "at {latest}");
    }
    assert_eq!(look(&mut follower, |question| say(100, 9, 2, question)).expect("a poll"), []);
    assert_eq!(follower.last_final(), Some(told));
}

/// A machine whose logs are behind its blocks: asked for the events of a block that it has just got, it answers that there are none, and a
/// moment later has them. The block is far from final then.
#[test]
fn an_empty_answer_for_a_new_block_loses_no_final_event() {
    let at = block(0, 9).block;
    let event = event_at(at);
    let mut follower = follow(Finality::Confirmations(3), 8);
    let (mut told, mut asked) = (Vec::new(), 0);
    for latest in 9..16 {
        let machine = |question| match question {
            Question::LogsOf(hash) if hash == at.hash => {
                asked += 1;
                Ok(Answer::Logs(Vec::from_iter(Some(event.clone()).filter(|_| asked > 1))))
            }
            question => say(0, latest, 3, question),
        };
        told.extend(look(&mut follower, machine).unwrap());
    }
    assert!(told.contains(&LogUpdate::Final(event)), "asked {asked} times, told {told:?}");
}

/// A block of a long chain.
fn long_block(number: u64) -> Header {
    let hash = |number: u64| B256::from(U256::from(number + 1));
    let (block, parent) = (BlockRef { number, hash: hash(number) }, hash(number.saturating_sub(1)));
    Header { block, parent, time: number, bloom: None, base_fee: 0 }
}

/// A node that wants to be asked less often says so with an error of JSON-RPC, some of them with this code alone. For a machine that comes
/// back to a game of two weeks it must not mean a question for each single block from then on.
#[test]
fn a_moment_in_which_a_node_is_busy_does_not_make_the_whole_scan_a_block_at_a_time() {
    const LATEST: u64 = 100_000;
    let mut follower = follow(Finality::Confirmations(12), 0);
    let mut asked = 0;
    let machine = |question| match question {
        Question::Latest => Ok(Answer::Block(Some(long_block(LATEST)))),
        Question::Number(number) => Ok(Answer::Block(Some(long_block(number)))),
        Question::Hash(hash) => Ok(Answer::Block(Some(long_block(U256::from_be_bytes(hash.0).to::<u64>() - 1)))),
        Question::Logs { .. } => {
            asked += 1;
            // "-32005 limit exceeded", for a second or two.
            if asked <= 10 { Err(Unanswered::Refused) } else { Ok(Answer::Logs(Vec::new())) }
        }
        Question::LogsOf(_) => Ok(Answer::Logs(Vec::new())),
        Question::Elsewhere(_) => Err(Unanswered::Failed),
        question => panic!("{question:?}"),
    };
    let mut machine = machine;
    // The first may fail; a look later the node is itself again.
    let done = (0..3).any(|_| look(&mut follower, &mut machine).is_ok());
    assert!(done && asked < 1_000, "{asked} questions for {LATEST} blocks");
}

/// The node that is asked for everything has gone to another fork, and stays there for a minute; another one that was named for
/// comparison still has the block that counted as final. That is no reason to end the game's process: nobody may be there to start it again.
#[test]
fn a_node_that_left_the_chain_is_not_believed_against_the_others() {
    let told = block(100, 8).block;
    for last_final in [Some(told), None] {
        let mut follower: Follows = Follower::new(TOPIC, Finality::Confirmations(1), 5, last_final);
        let of = |question: &Question, fork| if matches!(question, Question::Elsewhere(_)) { 100 } else { fork };
        if last_final.is_none() {
            look(&mut follower, |question| say(100, 9, 1, question)).expect("the known chain");
        }
        for latest in 10..20 {
            let looked = look(&mut follower, |question| say(of(&question, 0), latest, 1, question));
            assert!(matches!(looked, Err(FollowError::NodesDisagree(8))), "the other node has the block: {looked:?}");
            assert!(follower.is_held());
        }
        // It comes back, and the game goes on.
        look(&mut follower, |question| say(100, 20, 1, question)).expect("the known chain");
        assert_eq!(follower.last_final(), Some(block(100, 19).block));
        assert!(!follower.is_held());
    }
}

/// With nobody else to ask, or if the others say the same: however long it lasts, nothing is released, what was signed isn't sent again, and the
/// next poll may find the known chain.
#[test]
fn a_chain_that_took_back_what_was_final_is_looked_at_until_it_is_the_known_one_again() {
    for has_others in [false, true] {
        let mut follower: Follows = Follower::new(TOPIC, Finality::Confirmations(1), 5, Some(block(100, 8).block));
        for latest in (10..40).chain([41]) {
            let fork = if latest == 41 { 100 } else { 0 };
            let looked = look(&mut follower, |question| match question {
                Question::Elsewhere(_) if !has_others => Err(Unanswered::Failed),
                question => say(fork, latest, 1, question),
            });
            match looked {
                Err(FollowError::Reorged(8)) => assert_eq!(fork, 0),
                looked => assert!(looked.is_ok() && fork == 100, "{looked:?}"),
            }
            assert_eq!(follower.is_held(), fork == 0);
        }
    }
}

/// A process may be stopped, or a poll given up, at every question: the next poll tells all, and tells it once.
#[test]
fn a_poll_that_is_dropped_loses_nothing() {
    let event = event_at(long_block(280).block);
    let all = {
        let mut asked = 0;
        let told = look(&mut follow(Finality::Confirmations(2), 100), |question| {
            asked += 1;
            say_long(300, &event, question)
        });
        assert_eq!(told.ok(), Some(vec![LogUpdate::Final(event.clone())]));
        asked
    };
    for end in 0..all {
        let (mut follower, mut asked) = (follow(Finality::Confirmations(2), 100), 0);
        let dropped = poll_some(&mut follower, |question| {
            asked += 1;
            if asked > end {
                return Err(Unanswered::Never);
            }
            say_long(300, &event, question)
        });
        assert!(dropped.is_none(), "dropped after {end} questions");
        let told = look(&mut follower, |question| say_long(300, &event, question));
        assert_eq!(told.ok(), Some(vec![LogUpdate::Final(event.clone())]), "dropped after {end} questions");
        assert_eq!(look(&mut follower, |question| say_long(300, &event, question)).ok(), Some(Vec::new()), "told once");
    }
}

/// What the bloom rules out isn't asked for, nor what has come asked for twice.
#[test]
fn only_what_may_have_been_missed_is_asked_for_again() {
    for (may_have, has_event, wanted) in [(false, false, 0), (true, false, 2), (true, true, 1)] {
        let mut follower = follow(Finality::Confirmations(3), 8);
        let (at, mut asked) = (block(0, 9).block, 0);
        let bloom = (!may_have).then_some(Bloom::ZERO);
        for latest in 9..16 {
            let machine = |question| match question {
                Question::LogsOf(hash) if hash == at.hash => {
                    asked += 1;
                    Ok(Answer::Logs(Vec::from_iter(Some(event_at(at)).filter(|_| has_event))))
                }
                question => Ok(match say(0, latest, 3, question)? {
                    Answer::Block(found) => Answer::Block(found.map(|found| Header { bloom, ..found })),
                    other => other,
                }),
            };
            look(&mut follower, machine).unwrap();
        }
        assert_eq!(asked, wanted, "{may_have} {has_event}");
    }
}

/// What an honest machine says of the long chain, in one block of which something happens. As many do, it answers ranges beyond its head with
/// what it has.
fn say_long(latest: u64, event: &Log, question: Question) -> Result<Answer, Unanswered> {
    let block = |number: u64| Answer::Block((number <= latest).then(|| long_block(number)));
    let has = |from: u64, to: u64| (from..=to.min(latest)).contains(&event.block.number);
    let events = |is_there: bool| Answer::Logs(Vec::from_iter(Some(event.clone()).filter(|_| is_there)));
    Ok(match question {
        Question::Latest => block(latest),
        Question::Number(number) => block(number),
        Question::Hash(hash) => block(U256::from_be_bytes(hash.0).saturating_to::<u64>() - 1),
        Question::Logs { from, to } => events(has(from, to)),
        Question::LogsOf(hash) => events(hash == event.block.hash),
        Question::Elsewhere(_) => return Err(Unanswered::Failed),
        question => panic!("{question:?}"),
    })
}

/// The number of the latest block is wrong, once: of another chain, by a machine that the address leads to for a moment. What was answered for
/// blocks that don't exist yet says nothing of them.
#[test]
fn one_wrong_head_does_not_blind_the_follower() {
    let event = event_at(long_block(130).block);
    for wrong in [400, 10_000] {
        let mut follower = follow(Finality::Confirmations(2), 100);
        assert_eq!(look(&mut follower, |question| say_long(120, &event, question)).ok(), Some(Vec::new()));
        let lie = |question| match question {
            Question::Latest => Ok(Answer::Block(Some(long_block(wrong)))),
            question => say_long(121, &event, question),
        };
        let _ = look(&mut follower, lie);
        let mut told = Vec::new();
        // Honest from now on, also when the chain has come to that number and beyond.
        for latest in (122..600).chain([wrong + 100]) {
            told.extend(look(&mut follower, |question| say_long(latest, &event, question)).unwrap_or_default());
            if latest == 300 {
                let news = LogUpdate::Final(event.clone());
                assert!(told.contains(&news), "170 blocks later, after a wrong head of {wrong}: {told:?}");
            }
        }
    }
}

/// A node that has an answer to everything, and a head that no chain has: a look ends, and a later one that is told the truth finds all.
#[test]
fn a_head_that_no_chain_has_costs_some_questions_and_no_event() {
    let event = event_at(long_block(130).block);
    let mut follower = follow(Finality::Confirmations(2), 100);
    for head in [1 << 60, u64::MAX - 1] {
        let mut asked = 0;
        let lie = |question| {
            asked += 1;
            say_long(head, &event_at(long_block(0).block), question)
        };
        assert!(matches!(look(&mut follower, lie), Err(FollowError::FarBehind { .. })));
        assert!(asked < 2_000, "{asked} questions");
    }
    // Nothing is called final for long: nobody follows so many blocks one by one.
    let lie = |question| match question {
        Question::Finalized => Ok(Answer::Block(Some(long_block(99)))),
        question => say_long(1 << 60, &event, question),
    };
    let mut tagged = follow(Finality::Finalized, 100);
    assert!(matches!(look(&mut tagged, lie), Err(FollowError::FarBehind { .. })));
    let told = look(&mut follower, |question| say_long(300, &event, question));
    assert_eq!(told.ok(), Some(vec![LogUpdate::Final(event)]));
}

/// A game of many blocks is found in several looks, each of which goes on where the last one ended.
#[test]
fn a_long_way_back_is_gone_in_several_looks() {
    const LATEST: u64 = 3_000_000;
    let event = event_at(long_block(LATEST - 1_000).block);
    let mut follower = follow(Finality::Confirmations(2), 0);
    let mut ends = Vec::new();
    let told = loop {
        match look(&mut follower, |question| say_long(LATEST, &event, question)) {
            Ok(told) => break told,
            Err(FollowError::FarBehind { next, head }) => ends.push((next, head)),
            Err(trouble) => panic!("{trouble:?}"),
        }
        assert!(follower.has_advanced());
    };
    assert_eq!((told, ends), (vec![LogUpdate::Final(event)], vec![(1_024_000, LATEST), (2_048_000, LATEST)]));
}

/// A look that failed half way was answered by a machine of another chain: what it had found is no part of the next one's.
#[test]
fn what_another_chain_has_told_is_forgotten() {
    let (event, other) = (event_at(long_block(1_000).block), event_at(BlockRef { number: 1_000, hash: B256::ZERO }));
    for (latest, fails_at) in [(9_000, 5_999), (9_000, 1_999), (200_000, 150_000)] {
        let mut follower = follow(Finality::Confirmations(2), 0);
        let foreign = |question| match question {
            Question::Number(number) if number >= fails_at => Err(Unanswered::Failed),
            Question::Number(number) => {
                let hash = B256::from(!U256::from(number));
                Ok(Answer::Block(Some(Header { block: BlockRef { number, hash }, ..long_block(number) })))
            }
            question => say_long(latest, &other, question),
        };
        assert!(matches!(look(&mut follower, foreign), Err(FollowError::Node(_))));
        let told = look(&mut follower, |question| say_long(9_000, &event, question));
        assert_eq!(told.ok(), Some(vec![LogUpdate::Final(event.clone())]), "{latest} {fails_at}");
    }
}
