//! The session driver alone, with parties that follow a script: this side's failures, panics and breaches of the public shape.

use fog::engine::{BoxedParty, Fault, MessageSize, Party, Received, Session, Step};
use std::collections::VecDeque;

/// What a scripted step does.
#[derive(Clone, Copy)]
enum Act {
    Wait,
    Send(usize),
    Output,
    SendAndOutput(usize),
    Fail,
    Refuse,
    Panic,
}

struct Script {
    sizes: Vec<MessageSize>,
    acts: VecDeque<Act>,
    steps: u64,
}

impl Party for Script {
    type Output = u64;

    fn shape(&self) -> Vec<MessageSize> {
        self.sizes.clone()
    }

    fn step(&mut self, _: Option<&[u8]>) -> Result<Step<u64>, Fault> {
        self.steps += 1;
        match self.acts.pop_front().expect("the script goes on") {
            Act::Wait => Ok(Step::WAIT),
            Act::Send(bytes) => Ok(Step::send(vec![0; bytes])),
            Act::Output => Ok(Step::output(self.steps)),
            Act::SendAndOutput(bytes) => Ok(Step::send(vec![0; bytes]).with_output(self.steps)),
            Act::Fail => Err(Fault::internal("out of memory")),
            Act::Refuse => Err(Fault::Malformed { index: 0, cause: "on purpose".into() }),
            Act::Panic => panic!("a defect, on purpose"),
        }
    }
}

fn script(sizes: &[usize], acts: &[Act]) -> BoxedParty<u64> {
    Box::new(Script {
        sizes: sizes.iter().copied().map(MessageSize::of).collect(),
        acts: acts.iter().copied().collect(),
        steps: 0,
    })
}

#[test]
fn a_first_step_that_fails_is_run_again() {
    let acts = [Act::Fail, Act::Panic, Act::Send(3), Act::Output];
    let (mut session, job) = Session::start(script(&[3, 2], &acts), true);
    assert!(session.awaits().is_none() && session.retry().is_none());
    assert!(session.finish(job.run()).expect_err("it fails").is_own());
    assert!(matches!(session.receive(1, &[1, 2]), Ok(Received::Held)));
    let job = session.retry().expect("it may be run again");
    assert!(session.retry().is_none());
    let fault = session.finish(job.run()).expect_err("it panics");
    assert!(fault.is_own() && fault.to_string().contains("panicked"));
    assert!(session.awaits().is_none() && session.resume().expect("nothing yet").is_none());
    let job = session.retry().expect("it may be run again");
    assert_eq!(session.finish(job.run()).expect("it opens"), Some(0));
    let job = session.resume().expect("the held one").expect("it is due");
    assert_eq!(session.finish(job.run()).expect("the end"), None);
    assert_eq!(session.output(), Some(&4));
    assert!(session.is_over() && session.resume().expect("the end").is_none());
    assert_eq!(session.messages(), [vec![0; 3], vec![1, 2]]);
}

/// A message that makes this side fail is looked at again if it comes again, with the proof that it came with. No other takes its place.
#[test]
fn a_message_that_this_side_fails_at_may_come_again_and_no_other() {
    let acts = [Act::Wait, Act::Panic, Act::Fail, Act::Output];
    let sizes = vec![MessageSize { content: 1, proof: 1 }];
    let party = Script { sizes, acts: acts.into(), steps: 0 };
    let (mut session, job) = Session::start(Box::new(party), false);
    session.finish(job.run()).expect("it waits");
    for proof in [7, 8, 9] {
        assert_eq!(session.awaits(), Some(0));
        let Ok(Received::Job(job)) = session.receive(0, &[1, proof]) else {
            panic!("the message is due");
        };
        assert!(matches!(session.receive(0, &[2, 7]), Ok(Received::Held)));
        let finished = session.finish(job.run());
        assert!(session.retry().is_none());
        assert_eq!(finished.is_ok(), session.is_over());
        for _ in 0..2 {
            let other = session.resume().err().or_else(|| session.receive(0, &[2, 7]).err());
            assert!(matches!(other, Some(Fault::NotDue(0) | Fault::Contradiction(0))));
        }
    }
    assert_eq!((session.messages(), session.output()), (&[vec![1, 7]][..], Some(&4)));
}

#[test]
fn what_was_held_is_looked_at_in_order_and_the_first_counts() {
    let acts = [Act::Wait, Act::Send(1), Act::Output];
    let (mut session, job) = Session::start(script(&[1, 1, 1], &acts), false);
    for (index, byte) in [(2, 8), (0, 5)] {
        assert!(matches!(session.receive(index, &[byte]), Ok(Received::Held)));
        assert!(matches!(session.receive(index, &[byte]), Ok(Received::Held)));
        assert!(matches!(session.receive(index, &[byte + 1]), Err(Fault::NotDue(i)) if i == index));
    }
    assert!(matches!(session.receive(1, &[0]), Err(Fault::NotDue(1))));
    assert!(matches!(session.receive(0, &[0, 0]), Err(Fault::Length { index: 0, got: 2, expected: 1 })));
    session.finish(job.run()).expect("it waits");
    let job = session.resume().expect("message 0").expect("it is due");
    assert!(matches!(session.receive(0, &[7]), Ok(Received::Held)));
    assert_eq!(session.finish(job.run()).expect("a reply"), Some(1));
    assert!(matches!(session.resume(), Err(Fault::Contradiction(0))));
    let job = session.resume().expect("message 2").expect("it is due");
    session.finish(job.run()).expect("the end");
    assert_eq!(session.messages(), [[5], [0], [8]]);
    assert!(matches!(session.receive(2, &[9]), Err(Fault::Contradiction(2))));
}

/// What the peer sent after it isn't about the message that takes its place.
#[test]
fn what_was_held_behind_a_refused_message_goes_with_it() {
    let acts = [Act::Wait, Act::Refuse, Act::Send(1), Act::Output];
    let (mut session, job) = Session::start(script(&[1, 1, 1], &acts), false);
    session.finish(job.run()).expect("it waits");
    let Ok(Received::Job(job)) = session.receive(0, &[5]) else { panic!("the message is due") };
    for message in [(0, 6), (2, 8)] {
        assert!(matches!(session.receive(message.0, &[message.1]), Ok(Received::Held)));
    }
    assert!(session.finish(job.run()).is_err_and(|fault| !fault.is_own()));
    let job = session.resume().expect("the other message 0").expect("it is due");
    assert_eq!(session.finish(job.run()).expect("a reply"), Some(1));
    assert!(session.resume().expect("nothing is left").is_none());
    let Ok(Received::Job(job)) = session.receive(2, &[9]) else { panic!("the message is due") };
    session.finish(job.run()).expect("the end");
    assert_eq!(session.messages(), [[6], [0], [9]]);
}

#[test]
fn this_side_keeps_to_the_public_shape() {
    let cases: [(&[usize], &[Act], bool); 6] = [
        (&[3], &[Act::Send(2)], true),
        (&[3], &[Act::Wait], true),
        (&[3], &[Act::Send(3)], true),
        (&[3], &[Act::Send(3)], false),
        (&[], &[Act::SendAndOutput(0)], true),
        (&[], &[Act::Wait], true),
    ];
    for (sizes, acts, opens) in cases {
        let (mut session, job) = Session::start(script(sizes, acts), opens);
        let fault = session.finish(job.run()).expect_err("a breach");
        assert!(fault.is_own(), "{fault}");
    }
    let (mut session, job) = Session::start(script(&[3], &[Act::SendAndOutput(3)]), true);
    assert_eq!(session.finish(job.run()).expect("as it should be"), Some(0));
    let (mut session, job) = Session::start(script(&[], &[Act::Output]), true);
    assert_eq!(session.finish(job.run()).expect("as it should be"), None);
    assert!(session.is_over());
}

#[test]
fn a_step_that_breaks_the_shape_changes_nothing() {
    let (mut session, job) = Session::start(script(&[4], &[Act::SendAndOutput(3), Act::SendAndOutput(4)]), true);
    assert!(session.finish(job.run()).is_err_and(|fault| fault.is_own()));
    assert!(session.output().is_none() && session.messages().is_empty());
    let again = session.retry().expect("the first step can be run again");
    assert_eq!(session.finish(again.run()).expect("of the right size"), Some(0));
    assert!(session.output().is_some() && session.is_over());
}
