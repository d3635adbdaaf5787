//! Games from their creation to every end that needs no proof, and back from the chain's events.

use alloy::primitives::{B256, U256};
use client::chain::Status;
use game::{ChainEvent, Outcome, Transaction};
use halo2curves::bn256::Fr;
use rules::{Color, Square};

use crate::test_chain::{
    PROOF_BYTES, STAKE, TestChain, expected_context, fields, fog_key, make_move, terms, toss,
};

#[tokio::test]
async fn a_whole_game_goes_to_the_chain_and_comes_back() {
    let test_chain = TestChain::new().await;
    let next = test_chain
        .creator
        .next_game_id(test_chain.creator.account().unwrap())
        .await
        .unwrap();
    let (game, white, black) = test_chain.playing().await;
    assert_eq!(game, next);
    let state = test_chain.state(game).await;
    assert_eq!(
        (state.status, state.ply, state.pending),
        (Status::Playing, 0, None)
    );
    assert_eq!(state.terms.stake, STAKE);

    let zero = Fr::from(0);
    assert!(
        make_move(white, game, &fields(0, None, false), &zero)
            .await
            .unwrap()
            > 96
    );
    let e4 = "e4".parse::<Square>().unwrap();
    let mut plies = vec![(fields(0, None, false), zero)];
    for (ply, capture, king_fell) in [(1, None, false), (2, Some(e4), false), (3, Some(e4), true)] {
        let mover = [white, black][Color::of_ply(ply.into()).index()];
        let fields = fields(ply, capture, king_fell);
        // The context is asked for the wrong way first: the refusal names the right one.
        let ctx = expected_context(make_move(mover, game, &fields, &Fr::from(9)).await);
        make_move(mover, game, &fields, &ctx).await.unwrap();
        plies.push((fields, ctx));
    }

    let state = test_chain.state(game).await;
    assert_eq!(
        (state.status, state.outcome),
        (Status::Over, Some(Outcome::KingCaptured))
    );
    assert_eq!(state.winner, black.account());
    for (chain, key) in [(white, [7; 32]), (black, [8; 32])] {
        chain
            .carry_out(game, &Transaction::PublishViewKey { key })
            .await
            .unwrap();
    }
    assert_eq!(
        black.withdrawable(black.account().unwrap()).await.unwrap(),
        U256::from(2 * STAKE)
    );
    black.withdraw().await.unwrap();

    let events = test_chain.events(game).await;
    let names: Vec<_> = events.iter().map(|logged| logged.event.name()).collect();
    let expected = [
        "a new game",
        "a second player",
        "the opening of the coin toss",
        "a move",
        "a move",
        "a move",
        "a move",
        "the end of the game",
        "a view key",
        "a view key",
    ];
    assert_eq!(names, expected);
    for (logged, (fields, ctx)) in events[3..7].iter().zip(&plies) {
        let ChainEvent::Moved { fields: seen, .. } = &logged.event else {
            panic!("{logged:?}")
        };
        assert_eq!(seen, fields);
        let declared = test_chain
            .creator
            .declared_in(logged.transaction)
            .await
            .unwrap();
        assert_eq!(
            (declared.game, declared.fields, declared.ctx_next),
            (game, *fields, *ctx)
        );
        assert_eq!(declared.proof.len() as u64, PROOF_BYTES);
    }
}

#[tokio::test]
async fn games_end_in_every_way_that_needs_no_proof() {
    let test_chain = TestChain::new().await;
    let r1 = B256::repeat_byte(5);
    // Cancelled.
    let (game, _) = test_chain
        .creator
        .create(&terms(), toss(&test_chain.creator, r1), &fog_key(1))
        .await
        .unwrap();
    test_chain.creator.cancel(game).await.unwrap();
    assert_eq!(
        test_chain.state(game).await.outcome,
        Some(Outcome::Cancelled)
    );
    // Unrevealed.
    let (game, _) = test_chain
        .creator
        .create(&terms(), toss(&test_chain.creator, r1), &fog_key(1))
        .await
        .unwrap();
    test_chain
        .joiner
        .join(game, STAKE, B256::ZERO, &fog_key(2))
        .await
        .unwrap();
    let early = test_chain
        .joiner
        .carry_out(game, &Transaction::ClaimTimeout)
        .await
        .unwrap_err();
    assert_eq!(early.contract_error().unwrap().name(), "StillInTime");
    let deadline = test_chain.joiner.clocks(game).await.unwrap().deadline;
    let now = test_chain.joiner.block_time().await.unwrap();
    test_chain
        .anvil
        .pass_time(deadline - now + 2)
        .await
        .unwrap();
    test_chain
        .joiner
        .carry_out(game, &Transaction::ClaimTimeout)
        .await
        .unwrap();
    let state = test_chain.state(game).await;
    assert_eq!(
        (state.outcome, state.winner),
        (Some(Outcome::Unrevealed), test_chain.joiner.account())
    );
    // Resigned.
    let (game, white, black) = test_chain.playing().await;
    white.carry_out(game, &Transaction::Resign).await.unwrap();
    let state = test_chain.state(game).await;
    assert_eq!(
        (state.outcome, state.winner),
        (Some(Outcome::Resigned), black.account())
    );
    // Timed out.
    let (game, white, black) = test_chain.playing().await;
    let clocks = black.clocks(game).await.unwrap();
    assert_eq!(clocks.left, [600, 600]);
    test_chain.anvil.pass_time(10_000).await.unwrap();
    black
        .carry_out(game, &Transaction::ClaimTimeout)
        .await
        .unwrap();
    assert_eq!(
        test_chain.state(game).await.outcome,
        Some(Outcome::TimedOut)
    );
    // A draw, offered with ply 1.
    let _ = white;
    let (game, white, black) = test_chain.playing().await;
    make_move(white, game, &fields(0, None, false), &Fr::from(0))
        .await
        .unwrap();
    let no_offer = black
        .carry_out(game, &Transaction::AcceptDraw)
        .await
        .unwrap_err();
    assert_eq!(no_offer.contract_error().unwrap().name(), "NoDrawOffer");
    let offer = fields(1, None, false);
    let ctx = expected_context(make_move(black, game, &offer, &Fr::from(9)).await);
    make_move(black, game, &offer, &ctx).await.unwrap();
    assert!(test_chain.state(game).await.draw_offered);
    white
        .carry_out(game, &Transaction::AcceptDraw)
        .await
        .unwrap();
    let state = test_chain.state(game).await;
    assert_eq!(
        (state.outcome, state.winner),
        (Some(Outcome::DrawAgreed), None)
    );
}
