//! What follows from the contract's events, and what can't follow: the table takes a game's events in their order and no others.

use alloy_primitives::{Address, B256};
use ff::Field;
use fog::curve::{FogKey, Point};
use game::chronicle::Chronicle;
use game::toss::{creator_is_white, toss_commitment};
use game::{
    ChainEvent, Demanded, Ending, GameRef, Hold, Mode, MoveFields, Opening, Outcome, Phase, PlayState, Position, Table,
    TableError, Terms,
};
use halo2curves::bn256::Fr;
use rules::Color;

const CONTRACT: Address = Address::repeat_byte(0xf0);
const CREATOR: Address = Address::repeat_byte(0xc1);
const JOINER: Address = Address::repeat_byte(0xc2);
const STRANGER: Address = Address::repeat_byte(0xc3);
const CREATORS: B256 = B256::repeat_byte(0x22);

fn opening(mode: Mode) -> Opening {
    let terms = Terms {
        mode,
        stake: 1,
        base: 600,
        increment: 5,
        delay: 60,
        window: 3_600,
        reveal: 120,
        expiry: 1_000,
        opponent: None,
    };
    let toss = toss_commitment(&CREATOR.into(), &CREATORS).into();
    Opening { creator: CREATOR, nonce: B256::ZERO, terms, toss, registration: FogKey(Point::generator()).to_bytes() }
}

fn game(mode: Mode) -> GameRef {
    GameRef { chain_id: 31337, contract: CONTRACT, game_id: opening(mode).game_id(31337, CONTRACT) }
}

/// A share of the joiner that makes the creator White.
fn joiners(mode: Mode) -> B256 {
    let id = game(mode).game_id;
    let mut shares = (0..=u8::MAX).map(B256::with_last_byte);
    shares.find(|share| creator_is_white(&CREATORS, share, &id)).expect("one share in two")
}

fn joined(mode: Mode) -> ChainEvent {
    let toss = toss_commitment(&JOINER.into(), &joiners(mode)).into();
    ChainEvent::Joined { joiner: JOINER, toss, registration: FogKey(-Point::generator()).to_bytes() }
}

/// What leads to a game in play, the creator being White.
fn beginning(mode: Mode) -> [ChainEvent; 4] {
    let revealed = ChainEvent::TossRevealed { share: CREATORS };
    [
        ChainEvent::Created(opening(mode)),
        joined(mode),
        revealed,
        ChainEvent::Started { white: CREATOR, share: joiners(mode) },
    ]
}

/// A game in play.
fn begun(mode: Mode) -> Table {
    let mut table = Table::new(game(mode));
    beginning(mode).iter().for_each(|event| table.apply(event).expect("a game begins so"));
    table
}

fn play(table: &Table) -> &PlayState {
    table.begun().expect("it has begun")
}

fn moved(ply: u16, answer_root: u64) -> ChainEvent {
    let fields = MoveFields {
        ply,
        next_commitment: Fr::from(100 + u64::from(ply)),
        next_request_root: Fr::from(200 + u64::from(ply)),
        answer_root: Fr::from(answer_root),
        capture: None,
        king_fell: false,
        offer_draw: false,
    };
    let player = if ply.is_multiple_of(2) { CREATOR } else { JOINER };
    ChainEvent::Moved { player, fields, basis: None, proof: None }
}

fn demanded(phase: Phase, ply: u16, receiver: Color, ctx: u64) -> Demanded {
    Demanded {
        phase,
        ply,
        receiver,
        pending_receiver: None,
        pending_sender: None,
        commitment: Fr::ONE,
        request_root: Fr::ONE,
        posted_root: Fr::ZERO,
        ctx: Fr::from(ctx),
    }
}

fn demand(demanded: Demanded, deadline: u64) -> ChainEvent {
    ChainEvent::SightDemanded { demanded, deadline, bond: 0, points: Vec::new() }
}

fn answered(ctx: u64, root: u64) -> ChainEvent {
    ChainEvent::SightAnswered { ctx: Fr::from(ctx), answer_root: Fr::from(root), paid: 0, elements: Vec::new() }
}

fn ended(winner: Option<Address>, outcome: Outcome) -> ChainEvent {
    ChainEvent::Ended { winner, outcome }
}

fn take(table: &mut Table, event: &ChainEvent) {
    assert!(!table.knows(event), "{} is new", event.name());
    table.apply(event).unwrap_or_else(|error| panic!("{}: {error}", event.name()));
    assert!(table.knows(event), "{} is known", event.name());
}

/// Refused, and nothing has changed.
fn refuse(table: &Table, event: &ChainEvent) -> TableError {
    let mut other = table.clone();
    let error = other.apply(event).expect_err(event.name());
    assert_eq!(other, *table);
    error
}

#[test]
fn a_game_is_what_its_id_says() {
    let table = Table::new(game(Mode::Verified));
    let mut other = opening(Mode::Verified);
    other.terms.window -= 1;
    assert_eq!(refuse(&table, &ChainEvent::Created(other)), TableError::WrongId);
    assert_eq!(refuse(&table, &ChainEvent::Created(opening(Mode::Unproven))), TableError::WrongId);
}

#[test]
fn a_game_is_told_by_its_players_colors_and_its_end_in_one_way() {
    let told = |winner: Option<Address>, outcome: Outcome| {
        let mut chronicle = Chronicle::new(game(Mode::Verified));
        let events = [&beginning(Mode::Verified)[..], &[moved(0, 0), ended(winner, outcome)]].concat();
        let told = events.iter().map(|event| {
            let entry = chronicle.tell(event, None);
            chronicle.sentence(&entry)
        });
        told.collect::<Vec<_>>()
    };
    let lines = told(Some(CREATOR), Outcome::Resigned);
    assert_eq!(lines[0], format!("{CREATOR:#x} offers the game"), "nobody has a color yet");
    assert_eq!(
        lines[3..],
        ["Black reveals its share of the coin toss: the game begins", "White moves", "White has won: resignation"]
    );
    let ending = |color, outcome| Ending { color, outcome, winner: None };
    let won = ending(Some(Color::Black), Outcome::KingCaptured);
    assert_eq!(
        Color::ALL.map(|you| won.told(Some(you))),
        ["You have lost: king captured", "You have won: king captured"]
    );
    assert_eq!(ending(None, Outcome::DrawAgreed).told(None), "Drawn by agreement");
    assert_eq!(ending(None, Outcome::FiftyMoves).told(Some(Color::White)), "Drawn: fifty moves");
    assert_eq!(ending(None, Outcome::Cancelled).told(None), "Not played: cancelled");
}

/// Of a game between the machines the chain has what wakes it and what closes it. Neither comes in a game of another mode.
#[test]
fn a_game_between_the_machines_stands_where_it_was_woken_and_ends_as_it_was_signed() {
    let at = |ply| {
        let mut position = Position { ply, quiet_plies: 3, draw_offered: true, ..Position::start(60) };
        (position.states, position.answer_root) = ([Fr::from(7), Fr::from(8)], Fr::from(9));
        ChainEvent::Woken { position: Box::new(position), until: 5 }
    };
    let closed = ChainEvent::Closed { last: B256::repeat_byte(3) };
    let won = ended(Some(CREATOR), Outcome::KingCaptured);
    let verified = begun(Mode::Verified);
    for event in [&at(4), &closed, &won] {
        refuse(&verified, event);
    }
    let mut table = begun(Mode::Channel);
    assert!(table.is_channel());
    refuse(&table, &won);
    take(&mut table, &at(4));
    assert!(table.knows(&at(4)) && table.knows(&at(2)) && !table.knows(&at(6)));
    let play = table.playing().expect("in play");
    assert_eq!((play.ply, play.quiet_plies, play.draw_offered), (4, 3, true));
    assert_eq!((play.commitments, play.answer_root), ([Fr::from(7), Fr::from(8)], Fr::from(9)));
    take(&mut table, &closed);
    assert!(table.knows(&closed));
    take(&mut table, &won);
    assert_eq!(
        table.ending().map(|ending| (ending.winner, ending.outcome)),
        Some((Some(CREATOR), Outcome::KingCaptured))
    );
    assert_eq!(table.closed_at(), Some(B256::repeat_byte(3)));
}

#[test]
fn the_toss_is_what_both_have_committed_to() {
    let mode = Mode::Verified;
    let mut table = Table::new(game(mode));
    take(&mut table, &ChainEvent::Created(opening(mode)));
    assert_eq!(table.to_reveal(), None);
    take(&mut table, &joined(mode));
    assert_eq!(table.to_reveal().map(|(who, _)| who), Some(CREATOR));
    let wrong = ChainEvent::TossRevealed { share: B256::ZERO };
    assert_eq!(refuse(&table, &wrong), TableError::WrongToss);
    // Nobody wins by the creator's silence, and only the creator by the joiner's.
    assert!(matches!(refuse(&table, &ended(Some(JOINER), Outcome::Unrevealed)), TableError::WrongOutcome(_)));
    let mut silent = table.clone();
    take(&mut silent, &ended(None, Outcome::Unrevealed));
    take(&mut table, &ChainEvent::TossRevealed { share: CREATORS });
    assert_eq!(table.to_reveal().map(|(who, _)| who), Some(JOINER));
    for winner in [None, Some(JOINER), Some(STRANGER)] {
        assert!(matches!(refuse(&table, &ended(winner, Outcome::Unrevealed)), TableError::WrongOutcome(_)));
    }
    let mut silent = table.clone();
    take(&mut silent, &ended(Some(CREATOR), Outcome::Unrevealed));
    let share = joiners(mode);
    for (white, share) in [(JOINER, share), (CREATOR, B256::repeat_byte(9)), (STRANGER, share)] {
        assert_eq!(refuse(&table, &ChainEvent::Started { white, share }), TableError::WrongToss);
    }
    take(&mut table, &ChainEvent::Started { white: CREATOR, share });
    assert_eq!((play(&table).players, table.to_reveal()), ([CREATOR, JOINER], None));
}

#[test]
fn events_come_in_their_order() {
    let mode = Mode::Verified;
    let events = [
        ChainEvent::Created(opening(mode)),
        joined(mode),
        ChainEvent::TossRevealed { share: CREATORS },
        ChainEvent::Started { white: CREATOR, share: joiners(mode) },
        moved(0, 0),
    ];
    let mut table = Table::new(game(mode));
    for next in 0..events.len() {
        for (place, event) in events.iter().enumerate().filter(|(place, _)| *place > next) {
            let error = refuse(&table, event);
            assert!(matches!(error, TableError::OutOfOrder { .. }), "{place} at {next}: {error}");
        }
        take(&mut table, &events[next]);
    }
    assert_eq!(refuse(&table, &moved(0, 0)), TableError::WrongPly { expected: 1, got: 0 });
    for early in [answered(1, 1), ChainEvent::AnswerFilled { ply: 1, answer_root: Fr::ONE }] {
        assert!(matches!(refuse(&Table::new(game(mode)), &early), TableError::OutOfOrder { .. }));
    }
}

#[test]
fn a_demand_before_the_move_is_a_hold_until_it_is_answered() {
    let mut table = begun(Mode::Verified);
    for event in [moved(0, 0), moved(1, 7)] {
        take(&mut table, &event);
    }
    let pre = demanded(Phase::Pre, 2, Color::White, 1);
    take(&mut table, &demand(pre, 500));
    assert!(matches!(play(&table).hold, Some(Hold::Sight(open)) if open.demanded == pre && open.deadline == 500));
    assert!(play(&table).pre_demanded);
    assert!(matches!(refuse(&table, &answered(2, 9)), TableError::Unasked(_)));
    // Who demanded wins if it isn't answered.
    let lost = ended(Some(JOINER), Outcome::Unanswered);
    assert!(matches!(refuse(&table, &lost), TableError::WrongOutcome(_)));
    take(&mut table.clone(), &ended(Some(CREATOR), Outcome::Unanswered));
    take(&mut table, &answered(1, 9));
    let now = play(&table);
    assert_eq!((now.hold, now.answer_root, now.pre_demanded), (None, Fr::from(9), true));
    assert!(matches!(refuse(&table, &answered(1, 9)), TableError::Unasked(_)));
    take(&mut table, &moved(2, 8));
    assert!(!play(&table).pre_demanded);
}

#[test]
fn demands_after_a_move_outlive_it_and_the_game() {
    let mut table = begun(Mode::Verified);
    for event in [moved(0, 0), moved(1, 7), demand(demanded(Phase::Post, 0, Color::White, 1), 500), moved(2, 8)] {
        take(&mut table, &event);
    }
    take(&mut table, &demand(demanded(Phase::Post, 1, Color::Black, 2), 400));
    let now = play(&table);
    assert_eq!(now.posts.map(|post| post.map(|demand| demand.deadline)), [Some(500), Some(400)]);
    // White may demand the sight after its newer move once the older is given.
    assert_eq!(now.post_demanded, [false, true]);
    assert_eq!(now.hold, None);
    take(&mut table, &ended(Some(JOINER), Outcome::Resigned));
    take(&mut table, &answered(2, 9));
    assert_eq!(play(&table).posts.map(|post| post.is_some()), [true, false]);
    // It is of another board than the one to move by.
    assert_eq!(play(&table).answer_root, Fr::from(8));
    assert!(matches!(
        refuse(&table, &demand(demanded(Phase::Pre, 3, Color::Black, 3), 1)),
        TableError::OutOfOrder { .. }
    ));
}

#[test]
fn the_earliest_deadline_decides_and_of_equal_ones_the_holds_then_whites_then_blacks() {
    let mut table = begun(Mode::Verified);
    for event in [moved(0, 0), moved(1, 7)] {
        take(&mut table, &event);
    }
    // White is to move; by the clock Black wins.
    assert_eq!(play(&table).decided_by(100), Some(Color::Black));
    take(&mut table, &demand(demanded(Phase::Post, 1, Color::Black, 2), 300));
    take(&mut table, &demand(demanded(Phase::Post, 0, Color::White, 1), 300));
    assert_eq!(play(&table).decided_by(300), Some(Color::White));
    let mut claimed = table.clone();
    take(&mut claimed, &ChainEvent::FiftyClaimed { ply: 2, deadline: 300, bond: 0 });
    assert_eq!(play(&claimed).decided_by(300), None);
    take(&mut table, &answered(1, 5));
    assert_eq!(play(&table).decided_by(300), Some(Color::Black));
    take(&mut table, &demand(demanded(Phase::Pre, 2, Color::White, 3), 300));
    assert_eq!(play(&table).decided_by(300), Some(Color::White));
}

#[test]
fn a_missing_root_is_posted_once() {
    let mut table = begun(Mode::Verified);
    for event in [moved(0, 0), moved(1, 0)] {
        take(&mut table, &event);
    }
    let filled = |ply| ChainEvent::AnswerFilled { ply, answer_root: Fr::from(5) };
    assert!(matches!(refuse(&table, &filled(3)), TableError::Unasked(_)));
    take(&mut table, &filled(2));
    assert_eq!(play(&table).answer_root, Fr::from(5));
    let other = ChainEvent::AnswerFilled { ply: 2, answer_root: Fr::from(6) };
    assert!(matches!(refuse(&table, &other), TableError::Unasked(_)));
}

#[test]
fn a_claim_of_fifty_moves_draws_or_fails_and_bars_the_next() {
    let mut table = begun(Mode::Verified);
    let failed = ChainEvent::FiftyFailed { ply: 0, claims_from: 20, paid: 0 };
    assert!(matches!(refuse(&table, &failed), TableError::Unasked(_)));
    assert!(matches!(refuse(&table, &ended(None, Outcome::FiftyMoves)), TableError::WrongOutcome(_)));
    let claimed = ChainEvent::FiftyClaimed { ply: 0, deadline: 100, bond: 0 };
    take(&mut table, &claimed);
    take(&mut table.clone(), &ended(None, Outcome::FiftyMoves));
    let won = ended(Some(CREATOR), Outcome::FiftyMoves);
    assert!(matches!(refuse(&table, &won), TableError::WrongOutcome(_)));
    take(&mut table, &failed);
    assert_eq!((play(&table).hold, play(&table).claims_from), (None, [20, 0]));
    // Told again after a restart it is no new claim.
    assert!(table.knows(&claimed));
}

#[test]
fn a_move_that_no_rules_allow_is_refused() {
    let ChainEvent::Moved { player, mut fields, basis, proof } = moved(0, 0) else { unreachable!() };
    fields.capture = rules::Square::new(12);
    let captures = ChainEvent::Moved { player, fields, basis, proof };
    assert!(matches!(refuse(&begun(Mode::Verified), &captures), TableError::Impossible { .. }));
}

#[test]
fn a_published_view_key_is_corrected_by_its_owner_alone() {
    let mut table = begun(Mode::Verified);
    take(&mut table, &ended(Some(JOINER), Outcome::Resigned));
    let publish = |player, key| ChainEvent::ViewKeyPublished { player, key: [key; 32] };
    take(&mut table, &publish(CREATOR, 1));
    take(&mut table, &publish(JOINER, 2));
    assert!(table.knows(&publish(CREATOR, 1)), "told again");
    take(&mut table, &publish(CREATOR, 3));
    assert_eq!((table.view_key(CREATOR), table.view_key(JOINER)), (Some([3; 32]), Some([2; 32])));
}
