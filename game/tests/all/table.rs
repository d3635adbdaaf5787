//! What follows from the contract's events, and what can't follow: the table takes a game's events in their order and no others.

use alloy_primitives::{Address, B256};
use ff::Field;
use fog::curve::{FogKey, Point};
use game::audit::Record;
use game::chronicle::Chronicle;
use game::toss::{creator_is_white, toss_commitment};
use game::{
    ChainEvent, Demanded, Ending, GameRef, Hold, Mode, MoveFields, Opening, Outcome, Phase, PlayState, Position, Slot,
    Table, TableError, Terms,
};
use halo2curves::bn256::Fr;
use rules::Color;

const CONTRACT: Address = Address::repeat_byte(0xf0);
pub const CREATOR: Address = Address::repeat_byte(0xc1);
pub const JOINER: Address = Address::repeat_byte(0xc2);
const STRANGER: Address = Address::repeat_byte(0xc3);
const CREATORS: B256 = B256::repeat_byte(0x22);

pub fn opening(mode: Mode) -> Opening {
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

pub fn game(mode: Mode) -> GameRef {
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
pub fn beginning(mode: Mode) -> [ChainEvent; 4] {
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

pub fn moved(ply: u16, answer_root: u64) -> ChainEvent {
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

pub fn demanded(phase: Phase, ply: u16, receiver: Color, ctx: u64) -> Demanded {
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

pub fn demand(demanded: Demanded, deadline: u64) -> ChainEvent {
    ChainEvent::SightDemanded { demanded, deadline, bond: 0, points: Vec::new() }
}

pub fn answered(ctx: u64, root: u64) -> ChainEvent {
    ChainEvent::SightAnswered { ctx: Fr::from(ctx), answer_root: Fr::from(root), paid: 0, elements: Vec::new() }
}

pub fn claim(ply: u16, deadline: u64) -> ChainEvent {
    ChainEvent::FiftyClaimed { ply, deadline, bond: 0 }
}

/// A game of so many plies without a capture.
fn quiet(plies: u16) -> Table {
    let mut table = begun(Mode::Verified);
    (0..plies).for_each(|ply| take(&mut table, &moved(ply, ply.into())));
    table
}

pub fn ended(winner: Option<Address>, outcome: Outcome) -> ChainEvent {
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
            let entry = chronicle.tell(&Record::of_chain(event.clone(), None));
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

#[test]
fn a_game_between_the_machines_sleeps_until_it_is_woken_or_closed() {
    let mode = Mode::Channel;
    let after = |plies: u16| {
        let (mut table, mut position) = (begun(mode), Position::start(600));
        for ply in 0..plies {
            let event = moved(ply, u64::from(ply));
            let ChainEvent::Moved { fields, .. } = &event else { panic!("a move") };
            position = position.after(&game(mode), fields, 600);
            take(&mut table, &event);
        }
        (table, position)
    };
    let woken = |position| ChainEvent::Woken { position: Box::new(position), until: 9 };
    // A position doesn't say by which steps it was come to.
    let stepless = |table: &Table| {
        let mut play = play(table).clone();
        play.steps = Default::default();
        play
    };
    let (table, second) = after(2);
    assert!(table.is_asleep() && begun(mode).is_asleep() && !begun(Mode::Verified).is_asleep());
    assert_eq!((table.first_known_ply(), begun(mode).first_known_ply()), (Some(0), None));
    // Whoever doesn't know the plies takes the position as it is, for both have signed it; whoever knows them compares it.
    let mut stranger = begun(mode);
    take(&mut stranger, &woken(second));
    assert_eq!(
        (play(&stranger), stranger.first_known_ply(), stranger.is_asleep()),
        (&stepless(&table), Some(2), false)
    );
    take(&mut table.clone(), &woken(second));
    let other = Position { quiet_plies: 1, ..second };
    assert_eq!(refuse(&table, &woken(other)), TableError::OtherPosition(2));
    // An earlier one changes nothing, and a later one takes its place.
    let (mut third, later) = after(3);
    take(&mut third, &woken(second));
    assert_eq!(play(&third).ply, 3);
    take(&mut stranger, &woken(later));
    assert_eq!((play(&stranger), stranger.first_known_ply()), (&stepless(&third), Some(3)));
    assert!(stranger.knows(&woken(second)));
    let start = woken(Position::start(0));
    let mut woken_at_start = begun(mode);
    take(&mut woken_at_start, &start);
    assert_eq!(woken_at_start.first_known_ply(), Some(0));
    // A result that comes after the end is none.
    let mut over = woken_at_start.clone();
    let ends = |winner| ended(Some(winner), Outcome::TimedOut);
    assert!([CREATOR, JOINER].into_iter().any(|winner| over.apply(&ends(winner)).is_ok()));
    refuse(&over, &ChainEvent::Closed { last: B256::ZERO });
    refuse(&begun(Mode::Verified), &start);
    refuse(&begun(Mode::Verified), &ChainEvent::Closed { last: B256::ZERO });

    // Nothing ends it while it is asleep but what both have signed.
    for (winner, outcome) in [(Some(JOINER), Outcome::Resigned), (None, Outcome::DrawAgreed)] {
        assert!(matches!(refuse(&begun(mode), &ended(winner, outcome)), TableError::WrongOutcome(_)));
        let mut closed = begun(mode);
        take(&mut closed, &ChainEvent::Closed { last: B256::repeat_byte(1) });
        assert!(matches!(refuse(&closed, &ended(Some(JOINER), Outcome::TimedOut)), TableError::WrongOutcome(_)));
        take(&mut closed, &ended(winner, outcome));
        assert_eq!((closed.ending().map(|ending| ending.outcome), closed.first_known_ply()), (Some(outcome), None));
    }
    let mut unmoved = begun(mode);
    take(&mut unmoved, &ChainEvent::Closed { last: Position::start(600).digest(&game(mode)) });
    assert_eq!(unmoved.first_known_ply(), Some(0), "its end says that there was no ply");
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
    let mut claimed = quiet(100);
    take(&mut claimed, &demand(demanded(Phase::Post, 99, Color::Black, 2), 300));
    take(&mut claimed, &claim(100, 300));
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
    assert!(matches!(
        refuse(&table, &ChainEvent::AnswerFilled { ply: 2, answer_root: Fr::ZERO }),
        TableError::Unasked(_)
    ));
    // On a player's first move there is no sight.
    let mut opening = begun(Mode::Verified);
    assert!(matches!(refuse(&opening, &filled(0)), TableError::Unasked(_)));
    take(&mut opening, &moved(0, 0));
    assert!(matches!(refuse(&opening, &filled(1)), TableError::Unasked(_)));
    take(&mut table, &filled(2));
    assert_eq!(play(&table).answer_root, Fr::from(5));
    let other = ChainEvent::AnswerFilled { ply: 2, answer_root: Fr::from(6) };
    assert!(matches!(refuse(&table, &other), TableError::Unasked(_)));
}

#[test]
fn a_demanded_sight_has_the_root_that_was_posted() {
    let mut table = begun(Mode::Verified);
    [moved(0, 0), moved(1, 7)].iter().for_each(|event| take(&mut table, event));
    let posted = Demanded { posted_root: Fr::from(7), ..demanded(Phase::Pre, 2, Color::White, 1) };
    take(&mut table, &demand(posted, 500));
    assert!(matches!(refuse(&table, &answered(1, 8)), TableError::Unasked(_)));
    take(&mut table, &answered(1, 7));
}

#[test]
fn a_claim_of_fifty_moves_draws_or_fails_and_bars_the_next() {
    let mut table = quiet(100);
    let failed = ChainEvent::FiftyFailed { ply: 100, claims_from: 120, paid: 0 };
    assert!(matches!(refuse(&table, &failed), TableError::Unasked(_)));
    assert!(matches!(refuse(&table, &ended(None, Outcome::FiftyMoves)), TableError::WrongOutcome(_)));
    assert_eq!(refuse(&quiet(99), &claim(99, 100)), TableError::NoClaim(99));
    assert_eq!(refuse(&table, &claim(99, 100)), TableError::NoClaim(99));
    take(&mut table, &claim(100, 100));
    take(&mut table.clone(), &ended(None, Outcome::FiftyMoves));
    let won = ended(Some(CREATOR), Outcome::FiftyMoves);
    assert!(matches!(refuse(&table, &won), TableError::WrongOutcome(_)));
    take(&mut table, &failed);
    assert_eq!((play(&table).hold, play(&table).claims_from), (None, [120, 0]));
    // Told again after a restart it is no new claim.
    assert!(table.knows(&claim(100, 100)));
    assert_eq!(refuse(&table, &claim(100, 100)), TableError::NoClaim(100));
}

#[test]
fn an_open_demand_or_claim_holds_back_all_but_its_answer_and_the_capture_of_a_king() {
    let mut demanding = begun(Mode::Verified);
    for event in [moved(0, 0), moved(1, 0), demand(demanded(Phase::Pre, 2, Color::White, 1), 500)] {
        take(&mut demanding, &event);
    }
    let mut claiming = quiet(100);
    take(&mut claiming, &claim(100, 500));
    for (table, ply) in [(&demanding, 2), (&claiming, 100)] {
        let held_back = [
            moved(ply, 7),
            demand(demanded(Phase::Pre, ply, Color::White, 9), 500),
            ChainEvent::AnswerFilled { ply, answer_root: Fr::ONE },
            claim(ply, 500),
            ended(None, Outcome::NoMove),
        ];
        for event in held_back {
            assert_eq!(refuse(table, &event), TableError::OnHold(event.name()));
        }
        let ChainEvent::Moved { player, mut fields, basis, proof } = moved(ply, 7) else { unreachable!() };
        (fields.capture, fields.king_fell) = (rules::Square::new(60), true);
        take(&mut table.clone(), &ChainEvent::Moved { player, fields, basis, proof });
        take(&mut table.clone(), &ended(Some(JOINER), Outcome::Resigned));
    }
    // A sight after a move is demanded once at a time.
    let mut table = begun(Mode::Verified);
    for event in [moved(0, 0), moved(1, 7), demand(demanded(Phase::Post, 0, Color::White, 1), 500)] {
        take(&mut table, &event);
    }
    assert!(matches!(refuse(&table, &demand(demanded(Phase::Post, 0, Color::White, 2), 600)), TableError::Unasked(_)));
}

#[test]
fn only_a_bond_that_was_put_in_is_paid_out() {
    let put_in = |demanded| ChainEvent::SightDemanded { demanded, deadline: 500, bond: 8, points: Vec::new() };
    let paid = |paid| ChainEvent::SightAnswered { ctx: Fr::ONE, answer_root: Fr::ONE, paid, elements: Vec::new() };
    let back = |slot, player, bond| ChainEvent::BondReclaimed { slot, player, bond };
    let mut table = begun(Mode::Verified);
    for event in [moved(0, 0), moved(1, 7), put_in(demanded(Phase::Post, 0, Color::White, 1))] {
        take(&mut table, &event);
    }
    assert_eq!(refuse(&table, &paid(9)), TableError::WrongBond);
    let mut answered = table.clone();
    take(&mut answered, &paid(8));
    for table in [&mut table, &mut answered] {
        take(table, &ended(Some(JOINER), Outcome::Resigned));
        for wrong in [
            back(Slot::Hold, CREATOR, 8),
            back(Slot::BlackPost, CREATOR, 8),
            back(Slot::WhitePost, JOINER, 8),
            back(Slot::WhitePost, CREATOR, 9),
        ] {
            assert_eq!(refuse(table, &wrong), TableError::WrongBond);
        }
    }
    assert_eq!(refuse(&answered, &back(Slot::WhitePost, CREATOR, 8)), TableError::WrongBond);
    take(&mut table, &back(Slot::WhitePost, CREATOR, 8));
    assert_eq!(refuse(&table, &back(Slot::WhitePost, CREATOR, 8)), TableError::WrongBond, "a second time");
    let mut claimed = quiet(100);
    take(&mut claimed, &ChainEvent::FiftyClaimed { ply: 100, deadline: 500, bond: 8 });
    let failed = |paid| ChainEvent::FiftyFailed { ply: 100, claims_from: 120, paid };
    assert_eq!(refuse(&claimed, &failed(9)), TableError::WrongBond);
    take(&mut claimed.clone(), &ended(Some(JOINER), Outcome::Resigned));
    take(&mut claimed, &failed(8));
}

#[test]
fn who_opened_a_cancelled_game_may_publish_a_view_key() {
    let mut table = Table::new(game(Mode::Verified));
    for event in [ChainEvent::Created(opening(Mode::Verified)), ended(None, Outcome::Cancelled)] {
        take(&mut table, &event);
    }
    let publish = |player| ChainEvent::ViewKeyPublished { player, key: [1; 32] };
    take(&mut table, &publish(CREATOR));
    assert_eq!(refuse(&table, &publish(STRANGER)), TableError::NotAPlayer);
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

/// Who publishes one key after another keeps no more than its last 16 in the memory of those that watch.
#[test]
fn of_a_player_s_view_keys_only_the_last_are_kept() {
    let mut table = begun(Mode::Verified);
    take(&mut table, &ended(Some(JOINER), Outcome::Resigned));
    let publish = |player, key| ChainEvent::ViewKeyPublished { player, key: [key; 32] };
    take(&mut table, &publish(JOINER, 100));
    for key in 1..=16 {
        take(&mut table, &publish(CREATOR, key));
    }
    let is_kept = |table: &Table, key: u8| format!("{table:?}").contains(&format!("{:?}", [key; 32]));
    assert!(is_kept(&table, 1) && is_kept(&table, 16));
    take(&mut table, &publish(CREATOR, 17));
    assert!(!is_kept(&table, 1) && is_kept(&table, 2) && is_kept(&table, 17) && is_kept(&table, 100));
    assert_eq!((table.view_key(CREATOR), table.view_key(JOINER)), (Some([17; 32]), Some([100; 32])));
}
