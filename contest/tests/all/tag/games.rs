//! Whole random games against the rules told a second time, which know both squares. Who wins is in a sentence of ZheroTag's description: "If a player
//! can see the opponent when it is their turn, they win." After a step both see anew, and then it is the other's turn.

use contest::tag::{Duty, Move, Phase, Size, Square, Wrong, statement::Unmet};
use contest::{Action, Ending, Fault, Outcome, Role, Status};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};

use crate::tag::pair::{PROOFS, Pair, TURN, account};

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
        let next = 1 - mover;
        let captured = oracle.sight(next).map(|_| [Role::Creator, Role::Joiner][next]);
        if let Status::Over(ending) = pair.table().status() {
            let expected = match captured {
                Some(winner) => Ending { winner: Some(winner), outcome: Outcome::Won },
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
        for game in 0..2 {
            let (ending, _) = play(size, 24, seed + game);
            ended[usize::from(ending.outcome == Outcome::Won)] += 1;
        }
        println!("{size:?}: {ended:?} drawn and captured");
        // A ply brings two kings that start in opposite corners nearer by one at most.
        let plies = u16::from(size.side()) - 3;
        let (ending, ply) = play(size, plies, seed);
        assert_eq!((ending.outcome, ply), (Outcome::Drawn, plies), "nobody gets there in as many plies");
    }
}

#[test]
fn who_comes_beside_the_other_is_caught() {
    let mut pair = Pair::new(Size::Six, 40, fog::testing::seed(32));
    // The joiner goes to and fro in its corner, and the creator walks up to it.
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
    let ending = Ending { winner: Some(Role::Creator), outcome: Outcome::Won };
    assert_eq!(pair.table().status(), Status::Over(ending), "the joiner has stepped beside who is to move");
    let last = pair.sights.each_ref().map(|sights| sights.last().copied().flatten());
    assert_eq!(last, ["e5", "d4"].map(|name| name.parse().ok()), "both learn of it");
}

#[test]
fn no_king_leaves_the_grid_jumps_or_stays() {
    for size in Size::ALL {
        let mut pair = Pair::new(size, 9, fog::testing::seed(33));
        let refused = |pair: &mut Pair, name: &str| pair.step(name.parse().expect("a square"));
        assert_eq!(refused(&mut pair, "a1"), Err(Fault::Rule(Wrong::IllegalStep(Unmet::Step))));
        assert_eq!(refused(&mut pair, "c1"), Err(Fault::Rule(Wrong::IllegalStep(Unmet::Step))));
        pair.go("b1".parse().expect("a square")).expect("a step");
        // From the last square a rank more is off the grid, of which the largest has none, and two ranks less are no step.
        let last = size.side() - 1;
        for (rank, error) in [(last + 1, Unmet::Grid), (last - 2, Unmet::Step)] {
            let refused = Square::new(last, rank).map(|square| pair.step(square));
            assert!(refused.is_none_or(|refused| refused == Err(Fault::Rule(Wrong::IllegalStep(error)))), "{size:?}");
        }
    }
}

/// Who withholds a step or a reply loses one second after its time, and not before; until then it may act.
#[test]
fn withholding_loses() {
    let [creator, joiner] = [Role::Creator, Role::Joiner];
    let timed_out = |winner| Status::Over(Ending { winner: Some(winner), outcome: Outcome::TimedOut });
    let late = |pair: &mut Pair, claims: Role| {
        let deadline = pair.table().deadline();
        assert_eq!(deadline, pair.time + u64::from(TURN));
        let [waiting, late] = [claims, claims.other()].map(|role| &pair.sides[role as usize]);
        assert!(!waiting.is_overdue(deadline) && waiting.is_overdue(deadline + 1));
        assert!(!late.is_overdue(deadline + 1), "nobody claims against itself");
        pair.time = deadline;
        assert_eq!(pair.say(claims, &Action::ClaimTimeout), Err(Fault::StillInTime(deadline)));
        let mut in_time = pair.table().clone();
        in_time.apply(account(claims.other()), &Action::Resign, deadline, PROOFS).expect("the last second");
        pair.time = deadline + 1;
        for late in [Action::Resign, Action::Move(Move::Capture { place: 0, proof: vec![0; 9] })] {
            assert_eq!(pair.say(claims.other(), &late), Err(Fault::OutOfTime), "{}", late.name());
        }
        pair.say(claims, &Action::ClaimTimeout).expect("time is over");
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
    assert_eq!(no_reply.say(joiner, &Action::Resign), Err(Fault::WrongStatus));
}

/// The last word after the last ply is of the player whose turn it would be; if it doesn't come in time the game is drawn.
#[test]
fn a_game_without_a_capture_is_drawn_by_who_would_be_to_move() {
    for plies in [1, 2] {
        let mut pair = Pair::new(Size::Six, plies, fog::testing::seed(35));
        for (to, _) in ["b2", "e5"].into_iter().zip(0..plies) {
            let (mover, step) = (pair.table().mover(), pair.step(to.parse().expect("a square")).expect("a step"));
            pair.say(mover, &step).expect("proven");
            let (other, reply) = pair.next();
            pair.say(other, &reply).expect("proven");
        }
        let next = Role::of_turn(plies.into());
        assert_eq!((pair.table().status(), pair.table().phase()), (Status::Playing, Phase::Last));
        assert_eq!(pair.due(), Some((next, Duty::Settle)));
        assert_eq!(pair.say(next.other(), &Action::Move(Move::Settle)), Err(Fault::NotYourTurn));
        let drawn = Status::Over(Ending { winner: None, outcome: Outcome::Drawn });
        let (mut silent, late) = (pair.table().clone(), pair.table().deadline() + 1);
        silent.apply(account(next), &Action::ClaimTimeout, late, PROOFS).expect("anybody");
        pair.settle();
        assert_eq!([silent.status(), pair.table().status()], [drawn; 2]);
    }
}
