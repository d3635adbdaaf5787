//! Games from their creation to every end that needs no proof, and back from the chain's events.

use alloy::primitives::{B256, U256};
use client::chain::{Chain, Reach, Status};
use client::lobby::{self, LobbyError};
use game::{ChainEvent, MoveFields, Opening, Outcome, Phase, Slot, Terms, Transaction};
use rules::{Color, Square};

use crate::chain::test_chain::{
    PROOF_BYTES, STAKE, TestChain, basis_of, create, fields, fog_key, make_move, opening, terms, toss,
};

/// Makes the moves of a game in which the king falls at ply 3; what was declared, with what it rests on.
async fn play(game: B256, players: [&Chain; 2]) -> Vec<(MoveFields, B256)> {
    let e4 = "e4".parse::<Square>().unwrap();
    let mut plies = Vec::new();
    for (ply, capture, king_fell) in [(0, None, false), (1, None, false), (2, Some(e4), false), (3, Some(e4), true)] {
        let mover = players[Color::of_ply(ply.into()).index()];
        let fields = fields(ply, capture, king_fell);
        let basis = basis_of(mover, game, &fields).await;
        assert!(make_move(mover, game, &fields).await.unwrap() > 96);
        plies.push((fields, basis));
    }
    plies
}

/// The events of such a game, once both view keys are published.
async fn check_events(test_chain: &TestChain, game: B256, plies: &[(MoveFields, B256)]) {
    let events = test_chain.events(game).await;
    let names: Vec<_> = events.iter().map(|logged| logged.event.name()).collect();
    let start = [
        "a new game",
        "a second player",
        "the creator's share of the coin toss",
        "the joiner's share of the coin toss",
    ];
    let end = ["the end of the game", "a view key", "a view key"];
    assert_eq!(names, [&start[..], &["a move"; 4], &end].concat());
    for (logged, (fields, basis)) in events[4..8].iter().zip(plies) {
        let ChainEvent::Moved { fields: seen, .. } = &logged.event else { panic!("{logged:?}") };
        assert_eq!(seen, fields);
        let declared = test_chain.creator.declared_in(logged.transaction).await;
        let declared = declared.unwrap();
        let found = (declared.game, declared.fields, declared.basis);
        assert_eq!(found, (game, *fields, *basis));
        assert_eq!(declared.proof.len(), PROOF_BYTES as usize);
    }
}

#[tokio::test]
async fn a_whole_game_goes_to_the_chain_and_comes_back() {
    let test_chain = TestChain::new().await;
    let (game, white, black) = test_chain.playing().await;
    let state = test_chain.state(game).await;
    let found = (state.status, state.ply, state.pending, state.terms.stake);
    assert_eq!(found, (Status::Playing, 0, None, STAKE));

    let plies = play(game, [white, black]).await;
    let state = test_chain.state(game).await;
    let found = (state.status, state.outcome, state.winner);
    let king_fell = Some(Outcome::KingCaptured);
    assert_eq!(found, (Status::Over, king_fell, black.account()));
    for (chain, key) in [(white, [7; 32]), (black, [8; 32])] {
        let publish = Transaction::PublishViewKey { key, transcript: Vec::new() };
        chain.carry_out(game, &publish).await.unwrap();
    }
    let owed = black.withdrawable(black.account().unwrap()).await.unwrap();
    assert_eq!(owed, U256::from(2 * STAKE));
    black.withdraw().await.unwrap();
    check_events(&test_chain, game, &plies).await;
}

/// The latest comes first; what was opened long ago, or can't be joined any more, isn't there.
#[tokio::test]
async fn open_games_are_found_newest_first_as_far_back_as_is_asked() {
    let test_chain = TestChain::new().await;
    let (creator, joiner) = (&test_chain.creator, &test_chain.joiner);
    let [old, cancelled] = [
        create(creator, &opening(creator, 1, B256::repeat_byte(5))).await,
        create(creator, &opening(creator, 2, B256::repeat_byte(5))).await,
    ];
    creator.cancel(cancelled).await.unwrap();
    // More blocks than are looked through at once.
    test_chain.anvil.mine(2_100).await.unwrap();
    let between = creator.block_time().await.unwrap();
    let terms = Terms { opponent: joiner.account(), ..terms() };
    let new = create(creator, &Opening { terms, ..opening(creator, 3, B256::repeat_byte(5)) }).await;
    let found = async |now, reach| -> Vec<B256> {
        joiner.open_games(now, reach).await.unwrap().iter().map(|open| open.game).collect()
    };
    let all = Reach { since: 0, games: 9 };
    let now = creator.block_time().await.unwrap();
    assert_eq!(found(now, all).await, [new, old]);
    assert_eq!(found(now, Reach { games: 1, ..all }).await, [new]);
    assert_eq!(found(now, Reach { since: between, ..all }).await, [new]);
    assert_eq!(found(terms.expiry, all).await.len(), 2);
    assert!(found(terms.expiry + 1, all).await.is_empty());
    let [one, other] = [creator, joiner].map(|chain| chain.account().unwrap());
    let between = joiner.games_between(one, other, 0).await.unwrap();
    assert_eq!(between.iter().map(|open| open.game).collect::<Vec<_>>(), [new]);
    assert!(joiner.games_between(other, one, 0).await.unwrap().is_empty());
}

#[tokio::test]
async fn games_end_before_they_begin() {
    let test_chain = TestChain::new().await;
    let (creator, joiner) = (&test_chain.creator, &test_chain.joiner);
    let game = create(creator, &opening(creator, 1, B256::repeat_byte(5))).await;
    creator.cancel(game).await.unwrap();
    let state = test_chain.state(game).await;
    assert_eq!(state.outcome, Some(Outcome::Cancelled));

    // The creator doesn't reveal, and each has its stake back; then the joiner doesn't, and loses.
    for (number, reveals) in [(2, false), (3, true)] {
        let share = B256::repeat_byte(5);
        let game = create(creator, &opening(creator, number, share)).await;
        let committed = toss(joiner, B256::repeat_byte(6));
        joiner.join(game, STAKE, committed, &fog_key(2)).await.unwrap();
        if reveals {
            let reveal = Transaction::RevealCreator { share, joiner: committed };
            creator.carry_out(game, &reveal).await.unwrap();
        }
        let claim = Transaction::ClaimTimeout;
        let early = joiner.carry_out(game, &claim).await.unwrap_err();
        assert_eq!(early.contract_error().unwrap().name(), "StillInTime");
        let deadline = joiner.clocks(game).await.unwrap().deadline;
        let now = joiner.block_time().await.unwrap();
        test_chain.anvil.pass_time(deadline - now + 2).await.unwrap();
        joiner.carry_out(game, &claim).await.unwrap();
        let state = test_chain.state(game).await;
        let winner = creator.account().filter(|_| reveals);
        assert_eq!((state.outcome, state.winner), (Some(Outcome::Unrevealed), winner));
    }
}

#[tokio::test]
async fn games_end_by_resignation_time_and_agreement() {
    let test_chain = TestChain::new().await;
    let (game, white, black) = test_chain.playing().await;
    white.carry_out(game, &Transaction::Resign).await.unwrap();
    let state = test_chain.state(game).await;
    let resigned = Some(Outcome::Resigned);
    assert_eq!((state.outcome, state.winner), (resigned, black.account()));

    let (game, _, black) = test_chain.playing().await;
    let clocks = black.clocks(game).await.unwrap();
    assert_eq!(clocks.left, [600, 600]);
    test_chain.anvil.pass_time(10_000).await.unwrap();
    let claim = Transaction::ClaimTimeout;
    black.carry_out(game, &claim).await.unwrap();
    let state = test_chain.state(game).await;
    assert_eq!(state.outcome, Some(Outcome::TimedOut));

    // A draw, offered with ply 1.
    let (game, white, black) = test_chain.playing().await;
    let first = fields(0, None, false);
    make_move(white, game, &first).await.unwrap();
    let first_commitment = first.next_commitment;
    let accept = Transaction::AcceptDraw { ply: 1, commitment: first_commitment };
    let no_offer = black.carry_out(game, &accept).await.unwrap_err();
    assert_eq!(no_offer.contract_error().unwrap().name(), "NoDrawOffer");
    let offer = fields(1, None, false);
    make_move(black, game, &offer).await.unwrap();
    assert!(test_chain.state(game).await.draw_offered);
    let elsewhere = Transaction::AcceptDraw { ply: 2, commitment: first_commitment };
    let other_position = white.carry_out(game, &elsewhere).await.unwrap_err();
    assert_eq!(other_position.contract_error().unwrap().name(), "OtherPosition");
    let accept = Transaction::AcceptDraw { ply: 2, commitment: offer.next_commitment };
    white.carry_out(game, &accept).await.unwrap();
    let state = test_chain.state(game).await;
    let agreed = Some(Outcome::DrawAgreed);
    assert_eq!((state.outcome, state.winner), (agreed, None));
}

#[tokio::test]
async fn a_bond_that_nobody_earned_comes_with_what_is_won() {
    let test_chain = TestChain::new().await;
    let (game, white, black) = test_chain.playing().await;
    make_move(white, game, &fields(0, None, false)).await.unwrap();
    let reply = fields(1, None, false);
    make_move(black, game, &reply).await.unwrap();
    let (points, proof) = (vec![0; 4_096], vec![0; PROOF_BYTES as usize]);
    let demand = Transaction::DemandSight { phase: Phase::Pre, ply: 2, points, proof };
    white.carry_out(game, &demand).await.unwrap();
    let [bond] = white.bonds(game).await.unwrap()[..] else { panic!("one bond") };
    assert_eq!((bond.slot, Some(bond.owner)), (Slot::Hold, white.account()));

    // Neither while the game lasts nor before it can be said that nobody has earned it.
    assert!(matches!(lobby::withdraw(white, &[game]).await, Err(LobbyError::NothingOwed)));
    test_chain.anvil.pass_time(u64::from(terms().window) + 2).await.unwrap();
    white.carry_out(game, &Transaction::ClaimTimeout).await.unwrap();
    assert_eq!(test_chain.state(game).await.winner, white.account());
    let unknown = B256::repeat_byte(9);
    // The opponent has no part in it.
    assert!(matches!(lobby::withdraw(black, &[game]).await, Err(LobbyError::NothingOwed)));
    // A machine that remembers nothing finds the game on the chain.
    let found = white.games_of(white.account()).await.unwrap();
    let games: Vec<B256> = [unknown].into_iter().chain(found.into_iter().map(|(game, _)| game)).collect();
    assert!(games.contains(&game));
    let (owed, _) = lobby::withdraw(white, &games).await.unwrap();
    assert!(owed > U256::from(2 * STAKE), "{owed}");
    assert_eq!(white.bonds(game).await.unwrap(), []);
    assert!(matches!(lobby::withdraw(white, &[game]).await, Err(LobbyError::NothingOwed)));
}
