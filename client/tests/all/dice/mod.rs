//! Games of dice on a real local chain: played through, recovered, cheated at, withheld, reorganised; and with nodes that are late or disagree
//! ([`mod@nodes`]). What a roll must be is tested in `contest`, what the contract refuses in `contracts/test`; here both meet.

mod nodes;
mod world;

use std::time::Duration;

use alloy::consensus::Transaction as _;
use alloy::primitives::{B256, U256};
use alloy::providers::Provider as _;
use chain::SendError;
use client::chain::{ChainConfig, ChainError, Finality};
use client::contest::{Audited, Chain, What, name_of_call};
use contest::dice::{Dice, Die, Duty, Roll};
use contest::{Action, Opening, Outcome, Role, Terms};

use world::{DiceError, Player, STAKE, TURN, World, audit, better, create, join, roll, wallet};

/// The roll that a player owes, as its machine makes it, by the better die.
fn owed(player: &Player) -> Roll {
    assert_eq!(player.duty().unwrap(), Some(Duty::Roll));
    match player.side().choose(better(player), &()).unwrap() {
        Action::Move(roll) => roll,
        other => panic!("{other:?}"),
    }
}

fn refusal<T>(result: Result<T, DiceError>) -> String {
    result.err().expect("a refusal").to_string()
}

#[tokio::test]
async fn a_game_is_played_and_recovered_at_any_time() {
    let world = World::new().await;
    let game = world.joined().await;
    let mut players = [world.player(1, game).await, world.player(2, game).await];
    let mut rolls = 0;
    while !players[0].is_over() {
        let mover = rolls % 2;
        if rolls % 10 < 2 {
            // A bare machine with the wallet goes on with the game.
            players[mover] = world.player(mover as u8 + 1, game).await;
        }
        roll(&mut players[mover]).await.unwrap().expect("a receipt");
        rolls += 1;
        for player in &mut players {
            let news = player.look().await.unwrap();
            assert!(matches!(news[0].what, What::Said(Action::Move(_))), "{news:?}");
        }
        assert_eq!(players[0].side().table(), players[1].side().table());
        assert!(refusal(players[mover].choose(Die::ALL[0]).await).starts_with("not possible"), "out of turn");
    }
    let chain = world.chain(3).await;
    let found = audit(&chain, game).await;
    assert!(found.is_in_order(), "{found:?}");
    assert_eq!((found.table.rolls(), found.unshown), (rolls as u64, 0));
    assert!(!Audited { said: None, ..found }.is_in_order(), "the end was kept back");
    let mut transactions: Vec<B256> =
        chain.history(game).await.unwrap().told.iter().map(|told| told.transaction).collect();
    transactions.dedup();
    let (provider, mut rolled) = (world.anvil.provider().unwrap(), 0);
    for hash in transactions {
        let transaction = provider.get_transaction_by_hash(hash).await.unwrap().expect("a transaction");
        rolled += usize::from(name_of_call::<Dice>(transaction.input()) == Some("roll"));
    }
    assert_eq!(rolled, rolls);

    let winner = if rolls % 2 == 1 { 1 } else { 2 };
    let chain = world.chain(winner).await;
    assert_eq!(chain.withdrawable(wallet(winner).address()).await.unwrap(), U256::from(2 * STAKE));
    chain.withdraw().await.unwrap();
    assert_eq!(refusal(chain.withdraw().await), "the contract refuses: there is nothing to withdraw");
    let stranger = Player::open(world.chain(3).await, wallet(3), (), game).await;
    assert!(matches!(stranger.err(), Some(DiceError::NotPlayer(_))));
}

/// An opening that is on its way isn't signed a second time, also after its command was stopped, and one with other terms is refused.
#[tokio::test]
async fn an_opening_that_is_on_its_way_is_gone_on_with() {
    let world = World::new().await;
    let (folder, provider) = (tempfile::tempdir().unwrap(), world.anvil.provider().unwrap());
    let config = ChainConfig { transactions: Some(folder.path().to_owned()), ..world.config() };
    let connect = async || Chain::<Dice>::connect(&config, Some(&wallet(1))).await.unwrap();
    let signed = async || provider.get_transaction_count(wallet(1).address()).pending().await.unwrap();
    let terms = world.terms(STAKE).await;
    world.mines_at_once(false).await;
    let (chain, alice) = (connect().await, wallet(1));
    // Stopped once its opening is in the mempool.
    tokio::select! {
        created = create(&chain, &alice, terms) => panic!("{created:?}"),
        () = async { while signed().await == 0 { tokio::time::sleep(Duration::from_millis(20)).await } } => {}
    }
    let other = create(&connect().await, &wallet(1), Terms { stake: 0, ..terms }).await;
    let Err(DiceError::OtherOpening { game, stake: STAKE }) = other else { panic!("{other:?}") };
    assert_eq!(signed().await, 1, "nothing else is signed");
    let later = Terms { expiry: terms.expiry + 9, ..terms };
    let chain = connect().await;
    let mined = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        world.mines_at_once(true).await;
        world.anvil.mine(1).await.unwrap();
    };
    let (created, ()) = tokio::join!(create(&chain, &alice, later), mined);
    let created = created.unwrap();
    assert!(created.earlier && created.game == game && created.expiry + 9 == later.expiry);
    // The user may not have been told of it.
    let again = create(&connect().await, &wallet(1), later).await.unwrap();
    assert!(again.earlier && again.game == game && signed().await == 1);
    chain.acknowledge(again.id).await.unwrap();
    let new = create(&connect().await, &wallet(1), later).await.unwrap();
    assert!(!new.earlier && new.game != game && signed().await == 2);
    let listed = chain.games_of(wallet(2).address()).await.unwrap();
    assert_eq!(listed.iter().map(|listed| listed.game).collect::<Vec<_>>(), [game, new.game], "the invited one's");
    assert!(listed.iter().all(|listed| listed.latest.is_open && listed.latest.stake == STAKE));
}

#[tokio::test]
async fn every_cheat_is_refused_and_a_withheld_reveal_loses() {
    let world = World::new().await;
    let game = world.joined().await;
    let chains = [world.chain(1).await, world.chain(2).await];
    let mut first = world.player(1, game).await;
    let honest = owed(&first);
    let absent = Die::ALL.into_iter().find(|die| !honest.dice.contains(die)).expect("of six sides");
    let table = first.side().table().clone();
    let stale = "the contract refuses: the game has changed since these dice were thrown: they don't count";
    let tried = [
        ("biased", 0, Roll { revealed: honest.revealed ^ U256::from(1), ..honest.clone() }, "is not the one promised"),
        ("wrong order", 1, honest.clone(), "it is the opponent's turn"),
        ("other head", 0, Roll { head: B256::ZERO, ..honest.clone() }, stale),
        ("a die that is not there", 0, Roll { chosen: absent, ..honest.clone() }, "and another was chosen"),
    ];
    for (what, sender, roll, why) in tried {
        let refused = refusal(chains[sender].carry_out(&table, &Action::Move(roll)).await);
        assert!(refused.ends_with(why), "{what}: {refused}");
    }
    let early = refusal(chains[1].carry_out(&table, &Action::ClaimTimeout).await);
    assert!(early.contains("there is time left"), "{early}");
    let own = first.choose(absent).await;
    assert!(refusal(own).contains(&format!("and neither {absent}")), "its own machine sends no such roll");
    roll(&mut first).await.unwrap().expect("a receipt");
    let mut second = world.player(2, game).await;
    roll(&mut second).await.unwrap().expect("a receipt");
    let replayed = Roll { head: second.chain().latest(game).await.unwrap().state.head, ..honest };
    let refused = refusal(chains[0].carry_out(&table, &Action::Move(replayed)).await);
    assert!(refused.contains("is not the one promised"), "replayed: {refused}");

    // The creator keeps its second roll to itself.
    world.anvil.pass_time(u64::from(TURN) + 1).await.unwrap();
    first.look().await.unwrap();
    let late = refusal(roll(&mut first).await);
    assert!(late.contains("the time for that is over"), "{late}");
    second.look().await.unwrap();
    assert_eq!(second.act().await.unwrap().map(|done| done.name), Some("claimTimeout"));
    second.look().await.unwrap();
    let ending = second.side().table().ending().expect("an end");
    assert_eq!((ending.winner, ending.outcome), (Some(Role::Joiner), Outcome::TimedOut));
    assert!(audit(&chains[0], game).await.is_in_order());
}

/// A chain that makes a block only where somebody sends has none after the deadline: what is overdue is claimed all the same.
#[tokio::test]
async fn what_is_overdue_is_claimed_on_a_chain_without_blocks() {
    let world = World::new().await;
    let terms = Terms { turn: 2, ..world.terms(0).await };
    let created = create(&world.chain(1).await, &wallet(1), terms).await.unwrap();
    join(&world.chain(2).await, &wallet(2), created.game, 0).await.unwrap();
    let mut second = world.player(2, created.game).await;
    second.look().await.unwrap();
    assert!(!second.is_late());
    tokio::time::sleep(Duration::from_secs(4)).await;
    second.look().await.unwrap();
    assert!(second.is_late());
    assert_eq!(second.act().await.unwrap().map(|done| done.name), Some("claimTimeout"));
    second.look().await.unwrap();
    assert!(second.is_over());
}

/// Resigned and cancelled games are in order too, as far as records go.
#[tokio::test]
async fn games_that_end_otherwise_are_in_order() {
    let world = World::new().await;
    for resigns in [1, 2] {
        let game = world.joined().await;
        world.player(resigns, game).await.resign().await.unwrap().expect("a receipt");
        let found = audit(&world.chain(3).await, game).await;
        let winner = if resigns == 1 { Role::Joiner } else { Role::Creator };
        assert_eq!(found.said.unwrap().winner, Some(winner));
        assert!(found.is_in_order());
    }
    let game = create(&world.chain(1).await, &wallet(1), world.terms(0).await).await.unwrap().game;
    let early = refusal(world.chain(1).await.cancel(game).await);
    assert!(early.contains("there is time left"), "{early}");
    world.anvil.pass_time(86_401).await.unwrap();
    world.chain(1).await.cancel(game).await.unwrap();
    let found = audit(&world.chain(3).await, game).await;
    assert_eq!(found.said.map(|said| said.winner), Some(None));
    assert!(found.is_in_order());
    let closed = join(&world.chain(2).await, &wallet(2), game, 0).await;
    assert!(matches!(closed, Err(DiceError::NotOpen)));
    let unknown = join(&world.chain(2).await, &wallet(2), B256::repeat_byte(9), 0).await;
    assert!(matches!(unknown, Err(DiceError::NoGame { .. })));
}

#[tokio::test]
async fn a_reorganisation_takes_rolls_back_and_the_game_goes_on() {
    let world = World::new().await;
    let game = world.joined().await;
    let mut players = [world.player(1, game).await, world.player(2, game).await];
    let before = owed(&players[0]);
    roll(&mut players[0]).await.unwrap().expect("a receipt");
    players[0].look().await.unwrap();
    assert_eq!(players[0].side().table().rolls(), 1);
    world.anvil.reorganise(1).await.unwrap();
    players[0].look().await.unwrap();
    assert_eq!(players[0].side().table().rolls(), 0, "the roll is gone");
    assert_eq!(owed(&players[0]), before, "it follows the same head, and is the same again");
    // No second one is signed, by this die or the other, while the one that was signed may come back; and it does.
    let again = roll(&mut players[0]).await;
    assert!(matches!(again, Err(DiceError::Chain(ChainError::Send(SendError::Contradicts)))), "{again:?}");
    for _ in 0..20 {
        players[0].look().await.unwrap();
        world.anvil.mine(1).await.unwrap();
    }
    assert_eq!(players[0].side().table().rolls(), 1, "it is there again");
    for mover in [1, 0, 1] {
        players[mover].look().await.unwrap();
        roll(&mut players[mover]).await.unwrap().expect("a receipt");
    }
    // With confirmations nothing is shown that isn't final.
    let mut careful = Player::open(
        Chain::<Dice>::connect(
            &ChainConfig { finality: Finality::Confirmations(2), ..world.config() },
            Some(&wallet(1)),
        )
        .await
        .unwrap(),
        wallet(1),
        (),
        game,
    )
    .await
    .unwrap();
    careful.look().await.unwrap();
    assert_eq!(careful.side().table().rolls(), 2);
    assert!(roll(&mut careful).await.unwrap().is_none(), "its roll is under way, and no other is made");
    for _ in 0..2 {
        world.anvil.pass_time(100).await.unwrap();
    }
    assert!((200..300).contains(&careful.chain().finality_time().await.unwrap()));
    assert_eq!(players[0].chain().finality_time().await.unwrap(), 0);
    careful.look().await.unwrap();
    assert_eq!(careful.side().table().rolls(), 4);
    roll(&mut careful).await.unwrap().expect("a receipt");
}

#[tokio::test]
async fn stakes_are_agreed_to_and_stay_on_local_chains() {
    let world = World::new().await;
    let game = create(&world.chain(1).await, &wallet(1), world.terms(STAKE).await).await.unwrap().game;
    let other = join(&world.chain(2).await, &wallet(2), game, 0).await;
    assert!(matches!(other, Err(DiceError::OtherStake(STAKE))));
    let open = Terms { opponent: None, ..world.terms(STAKE).await };
    assert!(matches!(create(&world.chain(1).await, &wallet(1), open).await, Err(DiceError::NoOpponent)));

    let world = World::on(Some(11_155_111)).await;
    let refused = create(&world.chain(1).await, &wallet(1), world.terms(STAKE).await).await;
    assert!(matches!(refused, Err(DiceError::StakesNotYet)));
    // Opened by another program: this one doesn't join it.
    let terms = world.terms(STAKE).await;
    let ChainConfig { chain_id, contract, .. } = world.config();
    let (creator, nonce, promised) = (wallet(1).address(), B256::ZERO, B256::ZERO);
    let opening = Opening { chain_id, contract, creator, nonce, terms, entry: promised };
    world.chain(1).await.create(&opening).await.unwrap();
    world.anvil.mine(12).await.unwrap();
    let refused = join(&world.chain(2).await, &wallet(2), opening.game_id(), STAKE).await;
    assert!(matches!(refused, Err(DiceError::StakesNotYet)), "{refused:?}");
    create(&world.chain(1).await, &wallet(1), world.terms(0).await).await.unwrap();
    let terms = Terms { turn: u32::MAX, ..world.terms(0).await };
    assert!(matches!(create(&world.chain(1).await, &wallet(1), terms).await, Err(DiceError::BadTerms(_))));
}
