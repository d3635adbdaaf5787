//! A game whose moves have no proofs (mode `unproven`) by the client's way to a real contract: what is registered, refused in words, and
//! told, from the lobby to the end.

use alloy::primitives::B256;
use client::chain::{Chain, ChainError};
use client::lobby::{self, LobbyError};
use client::wallet::Wallet;
use fog::engine::{About, Claims, Trust};
use game::audit::audit;
use game::{ChainEvent, Mode, Outcome, Phase, Table, Terms, Transaction};

use crate::chain::test_chain::{TestChain, fields, terms};

const ENGINE: About =
    About { name: "dh-psi", trust: Trust::SemiHonest, caveat: "", claims: Claims::NONE, max_message: 0 };
const OTHER: About = About { name: "andos", ..ENGINE };

/// The game as its events tell it.
async fn table(test_chain: &TestChain, game: B256) -> Table {
    let mut table = Table::new(test_chain.creator.game_ref(game));
    for logged in test_chain.events(game).await {
        table.apply(&logged.event).unwrap();
    }
    table
}

/// Why the contract refuses an action.
async fn refusal(chain: &Chain, game: B256, transaction: Transaction) -> &'static str {
    let error = chain.carry_out(game, &transaction).await.unwrap_err();
    error.contract_error().unwrap_or_else(|| panic!("{error}")).name()
}

#[tokio::test]
async fn a_game_without_proofs_is_opened_played_and_ended() {
    let test_chain = TestChain::new().await;
    let (creator, joiner) = (&test_chain.creator, &test_chain.joiner);
    let wallets = [1, 2].map(|seed| Wallet::from_secret(&[seed; 32]).unwrap());
    let unproven = Terms { mode: Mode::Unproven, stake: 0, ..terms() };
    let announce = ["/ip4/127.0.0.1/tcp/4040".parse().unwrap()];
    let staked = Terms { stake: 1, ..unproven };
    let refused = lobby::create(creator, &wallets[0], &staked, Some(&ENGINE), &announce, false).await;
    assert!(matches!(refused, Err(LobbyError::StakeUnproven)));
    let refused = lobby::create(creator, &wallets[0], &unproven, None, &announce, false).await;
    assert!(matches!(refused, Err(LobbyError::EngineProves)));
    let created = lobby::create(creator, &wallets[0], &unproven, Some(&ENGINE), &announce, false).await.unwrap();
    let (invite, game) = (&created.invite, created.invite.game.game_id);

    let found = lobby::find(joiner, invite).await.unwrap();
    assert_eq!((found.terms.mode, found.engine.as_deref()), (Mode::Unproven, Some("dh-psi")));
    for engine in [Some(&OTHER), None] {
        let refused = lobby::join(joiner, &wallets[1], invite, engine, &found, 0).await;
        assert!(matches!(refused, Err(LobbyError::OtherEngine { .. })));
    }
    // Without the lobby the contract refuses it too.
    let secrets = wallets[1].game_secrets(&invite.game, found.creator, B256::ZERO);
    let other = joiner.join(game, 0, B256::ZERO, &secrets.seed().commitment(&OTHER)).await;
    assert!(other.unwrap_err().to_string().ends_with("the creator plays with another sight engine"));
    lobby::join(joiner, &wallets[1], invite, Some(&ENGINE), &found, 0).await.unwrap();

    let (_, committed) = table(&test_chain, game).await.to_reveal().unwrap();
    let opening = test_chain.events(game).await.remove(0).event;
    let ChainEvent::Created(opening) = opening else { panic!("a game begins with its opening") };
    let of_creator = wallets[0].game_secrets(&invite.game, opening.creator, opening.nonce);
    let share = of_creator.toss_secret().into();
    creator.carry_out(game, &Transaction::RevealCreator { share, joiner: committed }).await.unwrap();
    let share = secrets.toss_secret().into();
    joiner.carry_out(game, &Transaction::RevealJoiner { share }).await.unwrap();

    for ply in 0..4 {
        let table = table(&test_chain, game).await;
        let play = table.playing().unwrap();
        let is_creators = play.players[play.turn().index()] == opening.creator;
        let (mover, other) = if is_creators { (creator, joiner) } else { (joiner, creator) };
        let fields = fields(ply, None, false);
        let basis = play.basis(table.game(), &fields);
        let with = |proof| Transaction::Move { fields, basis, proof };
        assert_eq!(refusal(mover, game, with(vec![0])).await, "NoProofs");
        assert_eq!(refusal(other, game, with(Vec::new())).await, "NotYourTurn");
        let elsewhere = Transaction::Move { fields, basis: !basis, proof: Vec::new() };
        assert_eq!(refusal(mover, game, elsewhere).await, "WrongBasis");
        mover.carry_out(game, &with(Vec::new())).await.unwrap();
    }
    let points = vec![0; 4_096];
    let demand = Transaction::DemandSight { phase: Phase::Post, ply: 0, points, proof: vec![0; 96] };
    assert_eq!(refusal(creator, game, demand).await, "NoProofs");

    joiner.carry_out(game, &Transaction::Resign).await.unwrap();
    let ending = table(&test_chain, game).await.ending().unwrap();
    assert_eq!((ending.winner, ending.outcome), (Some(opening.creator), Outcome::Resigned));
    assert!(matches!(creator.withdraw().await, Err(ChainError::Refused(_))), "nothing is owed");
    let records = creator.records(game).await.unwrap();
    let audited = audit(invite.game, &records, |_, _| Err("no proof is asked for"));
    assert!(audited.ok, "{:?}", audited.findings);
    assert_eq!((audited.mode, audited.plies, audited.by_nobody), (Some(Mode::Unproven), 4, 4));
}
