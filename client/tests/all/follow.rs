//! The machine that follows a game (`client::follow`), question by question, where the interleaving of several machines behind one address
//! matters. Whole games in front of it are the simulator's; the same on real sockets is `tests/chain`.

mod stalls;

use alloy::primitives::{B256, U256};
use client::follow::{
    Answer, Finality, Follower, Header, Logged, News, Question, Report, Rules, Step, Trouble, Unanswered, Watcher,
};
use fogmate_test::seed;
use game::{BlockRef, ChainEvent, Clocks};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const CLOCKS: Clocks = Clocks { left: [1, 1], deadline: 9, turn: None, runs_from: 0, hold: None };

/// A block of one of two chains, which part after block 7.
fn block(fork: u8, number: u64) -> Header {
    let hash = |number: u64| B256::repeat_byte(number as u8 + if number > 7 { fork } else { 0 });
    let (block, parent) = (BlockRef { number, hash: hash(number) }, hash(number.saturating_sub(1)));
    // The blooms of a busy chain say nothing.
    Header { block, parent, time: number, may_have_events: true }
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

/// Something that happened in a block.
fn event_at(at: BlockRef) -> Logged {
    Logged {
        game: B256::repeat_byte(1),
        event: ChainEvent::TossRevealed { share: [7; 32].into() },
        block: at.number,
        block_hash: at.hash,
        transaction: B256::repeat_byte(2),
        index: 0,
    }
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

/// A machine whose logs are behind its blocks: asked for the events of a block that it has just got, it answers that there are none, and a
/// moment later has them. The block is far from final then.
#[test]
fn an_empty_answer_for_a_new_block_loses_no_final_event() {
    let at = block(0, 9).block;
    let event = event_at(at);
    let mut follower = Follower::new(Rules { finality: Finality::Confirmations(3), witnesses: 0 }, 8);
    let (mut told, mut asked) = (Vec::new(), 0);
    for latest in 9..16 {
        let machine = |question| match question {
            Question::EventsOf(hash) if hash == at.hash => {
                asked += 1;
                Ok(Answer::Events(Vec::from_iter(Some(event.clone()).filter(|_| asked > 1))))
            }
            question => say(0, latest, 3, question),
        };
        told.extend(look(&mut follower, machine).unwrap());
    }
    assert!(told.contains(&News::Final(event)), "asked {asked} times, told {told:?}");
}

/// A block of a long chain.
fn long_block(number: u64) -> Header {
    let hash = |number: u64| B256::from(U256::from(number + 1));
    let (block, parent) = (BlockRef { number, hash: hash(number) }, hash(number.saturating_sub(1)));
    Header { block, parent, time: number, may_have_events: true }
}

/// A node that wants to be asked less often says so with an error of JSON-RPC, some of them with this code alone. For a machine that comes
/// back to a game of two weeks it must not mean a question for each single block from then on.
#[test]
fn a_moment_in_which_a_node_is_busy_does_not_make_the_whole_scan_a_block_at_a_time() {
    const LATEST: u64 = 100_000;
    let mut follower = Follower::new(Rules { finality: Finality::Confirmations(12), witnesses: 0 }, 0);
    let mut asked = 0;
    let machine = |question| match question {
        Question::Latest => Ok(Answer::Block(Some(long_block(LATEST)))),
        Question::Number(number) => Ok(Answer::Block(Some(long_block(number)))),
        Question::Hash(hash) => Ok(Answer::Block(Some(long_block(U256::from_be_bytes(hash.0).to::<u64>() - 1)))),
        Question::Events { .. } => {
            asked += 1;
            // "-32005 limit exceeded", for a second or two.
            if asked <= 10 { Err(Unanswered::Refused) } else { Ok(Answer::Events(Vec::new())) }
        }
        Question::EventsOf(_) => Ok(Answer::Events(Vec::new())),
        question => panic!("{question:?}"),
    };
    let mut machine = machine;
    // The first may fail; a look later the node is itself again.
    let done = (0..3).any(|_| look(&mut follower, &mut machine).is_ok());
    assert!(done && asked < 1_000, "{asked} questions for {LATEST} blocks");
}

/// The node that is asked for everything has gone to another fork, and stays there for a minute; the other ones that were named for
/// comparison still have the block that counted as final. That is no reason to end the game's process: nobody may be there to start it again.
#[test]
fn a_node_that_left_the_chain_is_not_believed_against_the_others() {
    let told = block(100, 8).block;
    let rules = Rules { finality: Finality::Confirmations(1), witnesses: 2 };
    for checkpoint in [Some(told), None] {
        let mut watcher = Watcher::new(rules, 5, checkpoint);
        let mut look = |fork, latest| -> Result<Option<Report>, Trouble> {
            let mut question = watcher.look(false);
            loop {
                let of = if matches!(question, Question::Witness { .. }) { 100 } else { fork };
                match watcher.answer(say(of, latest, 1, question))? {
                    Step::Ask(next) => question = next,
                    Step::Done(report) => return Ok(report),
                }
            }
        };
        if checkpoint.is_none() {
            look(100, 9).unwrap();
        }
        for latest in 10..20 {
            assert_eq!(look(0, latest), Err(Trouble::NodesDisagree(8)), "two nodes of three have the block");
        }
        // It comes back, and the game goes on.
        let report = look(100, 20).unwrap().unwrap();
        assert_eq!(report.last_final, Some(block(100, 19).block));
        assert!(!watcher.is_held());
    }
}

/// With nobody else to ask, or if the others say the same: however long it lasts, nothing is released, what was signed isn't sent again, and the
/// next look may find the known chain.
#[test]
fn a_chain_that_took_back_what_was_final_is_looked_at_until_it_is_the_known_one_again() {
    for witnesses in [0, 2] {
        let rules = Rules { finality: Finality::Confirmations(1), witnesses };
        let mut watcher = Watcher::new(rules, 5, Some(block(100, 8).block));
        for latest in (10..40).chain([41]) {
            let fork = if latest == 41 { 100 } else { 0 };
            let mut question = watcher.look(false);
            let looked = loop {
                match watcher.answer(say(fork, latest, 1, question)) {
                    Ok(Step::Ask(next)) => question = next,
                    Ok(Step::Done(report)) => break Ok(report.is_some()),
                    Err(trouble) => break Err(trouble),
                }
            };
            assert_eq!(looked, if fork == 100 { Ok(true) } else { Err(Trouble::Reorganised(8)) });
            assert_eq!(watcher.is_held(), fork == 0);
        }
    }
}

/// What the bloom rules out isn't asked for twice, nor what has come.
#[test]
fn only_what_may_have_been_missed_is_asked_for_again() {
    for (may_have_events, has_event, wanted) in [(false, false, 1), (true, false, 2), (true, true, 1)] {
        let mut follower = Follower::new(Rules { finality: Finality::Confirmations(3), witnesses: 0 }, 8);
        let (at, mut asked) = (block(0, 9).block, 0);
        for latest in 9..16 {
            let machine = |question| match question {
                Question::EventsOf(hash) if hash == at.hash => {
                    asked += 1;
                    Ok(Answer::Events(Vec::from_iter(Some(event_at(at)).filter(|_| has_event))))
                }
                question => Ok(match say(0, latest, 3, question)? {
                    Answer::Block(found) => Answer::Block(found.map(|found| Header { may_have_events, ..found })),
                    other => other,
                }),
            };
            look(&mut follower, machine).unwrap();
        }
        assert_eq!(asked, wanted, "{may_have_events} {has_event}");
    }
}

/// What an honest machine says of the long chain, in one block of which something happens. As many do, it answers ranges beyond its head with
/// what it has.
fn say_long(latest: u64, event: &Logged, question: Question) -> Result<Answer, Unanswered> {
    let block = |number: u64| Answer::Block((number <= latest).then(|| long_block(number)));
    let has = |from: u64, to: u64| (from..=to.min(latest)).contains(&event.block);
    let events = |is_there: bool| Answer::Events(Vec::from_iter(Some(event.clone()).filter(|_| is_there)));
    Ok(match question {
        Question::Latest => block(latest),
        Question::Number(number) => block(number),
        Question::Hash(hash) => block(U256::from_be_bytes(hash.0).saturating_to::<u64>() - 1),
        Question::Events { from, to } => events(has(from, to)),
        Question::EventsOf(hash) => events(hash == event.block_hash),
        question => panic!("{question:?}"),
    })
}

/// The number of the latest block is wrong, once: of another chain, by a machine that the address leads to for a moment. What was answered for
/// blocks that don't exist yet says nothing of them.
#[test]
fn one_wrong_head_does_not_blind_the_follower() {
    let event = event_at(long_block(130).block);
    for wrong in [400, 10_000] {
        let mut follower = Follower::new(Rules { finality: Finality::Confirmations(2), witnesses: 0 }, 100);
        assert_eq!(look(&mut follower, |question| say_long(120, &event, question)), Ok(Vec::new()));
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
                let news = News::Final(event.clone());
                assert!(told.contains(&news), "170 blocks later, after a wrong head of {wrong}: {told:?}");
            }
        }
    }
}

/// A node that has an answer to everything, and a head that no chain has: a look ends, and a later one that is told the truth finds all.
#[test]
fn a_head_that_no_chain_has_costs_some_questions_and_no_event() {
    let event = event_at(long_block(130).block);
    let mut follower = Follower::new(Rules { finality: Finality::Confirmations(2), witnesses: 0 }, 100);
    for head in [1 << 60, u64::MAX - 1] {
        let mut asked = 0;
        let lie = |question| {
            asked += 1;
            say_long(head, &event_at(long_block(0).block), question)
        };
        assert!(matches!(look(&mut follower, lie), Err(Trouble::FarBehind { .. })));
        assert!(asked < 2_000, "{asked} questions");
    }
    // Nothing is called final for long: nobody follows so many blocks one by one.
    let lie = |question| match question {
        Question::Finalized => Ok(Answer::Block(Some(long_block(99)))),
        question => say_long(1 << 60, &event, question),
    };
    let mut tagged = Follower::new(Rules { finality: Finality::Finalized, witnesses: 0 }, 100);
    assert!(matches!(look(&mut tagged, lie), Err(Trouble::FarBehind { .. })));
    let told = look(&mut follower, |question| say_long(300, &event, question));
    assert_eq!(told, Ok(vec![News::Final(event)]));
}

/// A game of many blocks is found in several looks, each of which goes on where the last one ended.
#[test]
fn a_long_way_back_is_gone_in_several_looks() {
    const LATEST: u64 = 3_000_000;
    let event = event_at(long_block(LATEST - 1_000).block);
    let mut follower = Follower::new(Rules { finality: Finality::Confirmations(2), witnesses: 0 }, 0);
    let mut ends = Vec::new();
    let told = loop {
        match look(&mut follower, |question| say_long(LATEST, &event, question)) {
            Ok(told) => break told,
            Err(Trouble::FarBehind { next, head }) => ends.push((next, head)),
            Err(trouble) => panic!("{trouble:?}"),
        }
        assert!(follower.has_advanced());
    };
    assert_eq!((told, ends), (vec![News::Final(event)], vec![(1_024_000, LATEST), (2_048_000, LATEST)]));
}

/// A look that failed half way was answered by a machine of another chain: what it had found is no part of the next one's.
#[test]
fn what_another_chain_has_told_is_forgotten() {
    let (event, other) = (event_at(long_block(1_000).block), event_at(BlockRef { number: 1_000, hash: B256::ZERO }));
    for (latest, fails_at) in [(9_000, 5_999), (9_000, 1_999), (200_000, 150_000)] {
        let mut follower = Follower::new(Rules { finality: Finality::Confirmations(2), witnesses: 0 }, 0);
        let foreign = |question| match question {
            Question::Number(number) if number >= fails_at => Err(Unanswered::Failed),
            Question::Number(number) => {
                let hash = B256::from(!U256::from(number));
                Ok(Answer::Block(Some(Header { block: BlockRef { number, hash }, ..long_block(number) })))
            }
            question => say_long(latest, &other, question),
        };
        assert_eq!(look(&mut follower, foreign), Err(Trouble::Unanswered));
        let told = look(&mut follower, |question| say_long(9_000, &event, question));
        assert_eq!(told, Ok(vec![News::Final(event.clone())]), "{latest} {fails_at}");
    }
}
