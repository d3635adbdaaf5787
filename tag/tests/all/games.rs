//! Whole random games against the rules told a second time, which know both squares.

use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use tag::{
    Ending, Event, Fault, Outcome, Role, Size, Square, Status, statement::step::StepError, testing::NativeProofs,
};

use crate::pair::{Pair, TURN};

/// Files and ranks of both kings, and nothing of the crate's rules.
struct Oracle {
    side: i8,
    kings: [(i8, i8); 2],
}

impl Oracle {
    fn steps(&self, mover: usize) -> Vec<(i8, i8)> {
        let (file, rank) = self.kings[mover];
        let mut steps = Vec::new();
        for to in (-1..=1).flat_map(|f| (-1..=1).map(move |r| (file + f, rank + r))) {
            if to != (file, rank) && (0..self.side).contains(&to.0) && (0..self.side).contains(&to.1) {
                steps.push(to);
            }
        }
        steps
    }

    /// What a king sees.
    fn sight(&self, viewer: usize) -> Option<Square> {
        let [own, other] = [self.kings[viewer], self.kings[1 - viewer]];
        let near = (own.0 - other.0).abs().max((own.1 - other.1).abs()) <= 1;
        near.then(|| square(other))
    }
}

fn square((file, rank): (i8, i8)) -> Square {
    Square::new(file as u8, rank as u8).expect("on the grid")
}

/// A game of random steps; kings that hunt go toward the other half of the time, so that games end in both ways.
fn play(size: Size, plies: u16, seed: u64) -> (Ending, u16) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut pair = Pair::new(size, plies, seed);
    let last = size.side() as i8 - 1;
    let mut oracle = Oracle { side: size.side() as i8, kings: [(0, 0), (last, last)] };
    for ply in 0.. {
        let mover = usize::from(ply % 2 == 1);
        assert_eq!(pair.table().mover() as usize, mover);
        let mut steps = oracle.steps(mover);
        if rng.r#gen() {
            let target = oracle.kings[1 - mover];
            steps.sort_by_key(|to| (to.0 - target.0).abs().max((to.1 - target.1).abs()));
            steps.truncate(3);
        }
        let to = *steps.choose(&mut rng).expect("a king always has a step");
        oracle.kings[mover] = to;
        let before = pair.sights.each_ref().map(Vec::len);
        pair.go(square(to)).expect("a legal step");
        for viewer in [0, 1] {
            let told = &pair.sights[viewer][before[viewer]..];
            assert_eq!(told, [oracle.sight(viewer)], "ply {ply}: each sees once a ply, and exactly that");
            let role = if viewer == 0 { Role::Creator } else { Role::Joiner };
            assert_eq!(pair.square(role), square(oracle.kings[viewer]));
        }
        let captured = oracle.sight(mover).map(|_| if mover == 0 { Role::Creator } else { Role::Joiner });
        if let Status::Over(ending) = pair.table().status() {
            let expected = match captured {
                Some(winner) => Ending { winner: Some(winner), outcome: Outcome::Captured },
                None => Ending { winner: None, outcome: Outcome::Drawn },
            };
            assert_eq!(ending, expected);
            assert!(captured.is_some() || pair.table().ply() == plies);
            return (ending, pair.table().ply());
        }
        assert!(captured.is_none() && pair.waits_for_step());
    }
    unreachable!("plies are limited")
}

#[test]
fn whole_games_are_those_of_the_rules() {
    let seed = fog::testing::seed(31);
    for size in Size::ALL {
        let mut ended = [0; 2];
        for game in 0..4 {
            let (ending, _) = play(size, 24, seed + game);
            ended[usize::from(ending.outcome == Outcome::Captured)] += 1;
        }
        println!("{size:?}: {ended:?} drawn and captured");
        let (ending, ply) = play(size, 3, seed);
        assert_eq!((ending.outcome, ply), (Outcome::Drawn, 3), "nobody gets there in three plies");
    }
}

#[test]
fn who_comes_beside_the_other_has_caught_it() {
    let mut pair = Pair::new(Size::Six, 40, fog::testing::seed(32));
    // The joiner waits in its corner, and the creator walks up to it.
    let path = ["b2", "c3", "d4"];
    let [home, away] = ["f6", "f5"].map(|name| name.parse::<Square>().expect("a square"));
    for (number, to) in path.into_iter().enumerate() {
        pair.go(to.parse().expect("a square")).expect("a step");
        if number < 2 {
            pair.go(if number == 0 { away } else { home }).expect("a step");
        }
    }
    assert!(pair.waits_for_step(), "d4 doesn't see f6");
    pair.go("e5".parse().expect("a square")).expect("a step");
    let ending = Ending { winner: Some(Role::Joiner), outcome: Outcome::Captured };
    assert_eq!(pair.table().status(), Status::Over(ending), "the mover captures, not who was there");
    assert_eq!(pair.sights[1].last(), Some(&Some("d4".parse().expect("a square"))));
}

#[test]
fn no_king_leaves_the_grid_jumps_or_stays() {
    for size in Size::ALL {
        let mut pair = Pair::new(size, 9, fog::testing::seed(33));
        let refused = |pair: &mut Pair, name: &str| pair.step(name.parse().expect("a square"));
        assert_eq!(refused(&mut pair, "a1"), Err(Fault::IllegalStep(StepError::Step)));
        assert_eq!(refused(&mut pair, "c1"), Err(Fault::IllegalStep(StepError::Step)));
        pair.go("b1".parse().expect("a square")).expect("a step");
        let beyond = if size == Size::Six { "f7" } else { "g6" };
        let error = if size == Size::Six { StepError::Grid } else { StepError::Step };
        assert_eq!(refused(&mut pair, beyond), Err(Fault::IllegalStep(error)));
    }
}

/// Who withholds a step or a reply loses when its time is over, and not before; who is left with nothing to show after the last ply draws.
#[test]
fn withholding_loses() {
    let [creator, joiner] = [Role::Creator, Role::Joiner];
    let timed_out = |winner| Status::Over(Ending { winner: Some(winner), outcome: Outcome::TimedOut });
    let late = |pair: &mut Pair, claims: Role| {
        let deadline = pair.table().deadline();
        assert_eq!(deadline, pair.time + u64::from(TURN));
        for (now, expected) in [(deadline, 0), (deadline + 1, 1)] {
            let effects = pair.sides[claims as usize].on(&Event::Time(now), &NativeProofs).expect("time passes");
            assert_eq!(effects.len(), expected, "{now}");
            assert!(pair.sides[claims.other() as usize].on(&Event::Time(now), &NativeProofs) == Ok(vec![]));
        }
        assert_eq!(pair.say(claims, &tag::Action::ClaimTimeout), Err(Fault::StillInTime(deadline)));
        pair.time = deadline + 1;
        pair.say(claims, &tag::Action::ClaimTimeout).expect("time is over");
    };
    let seed = fog::testing::seed(34);
    let mut no_step = Pair::new(Size::Six, 9, seed);
    late(&mut no_step, joiner);
    assert_eq!(no_step.table().status(), timed_out(joiner));

    let mut no_reply = Pair::new(Size::Six, 9, seed);
    let step = no_reply.step("b2".parse().expect("a square")).expect("a step");
    no_reply.say(creator, &step).expect("proven");
    late(&mut no_reply, creator);
    assert_eq!(no_reply.table().status(), timed_out(creator));
    assert_eq!(no_reply.say(joiner, &tag::Action::Resign), Err(Fault::WrongStatus));
}
