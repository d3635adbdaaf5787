//! Games of tag on a real local chain: played through, recovered, withheld, reorganised, lied about; and with nodes that are late
//! or disagree ([`mod@nodes`]). The verifier accepts everything here, and statements
//! are checked natively in place of proofs: what a proof holds is tested in `circuits`, what the contract refuses in `contracts/test`, and a game
//! with real proofs in `cli/tests`.

// The generated functions have as many arguments as the events of the interface.
#![allow(clippy::too_many_arguments)]

mod nodes;
mod world;

use alloy::consensus::Transaction as _;
use alloy::network::TransactionBuilder as _;
use alloy::primitives::{Address, B256, U256};
use alloy::providers::Provider as _;
use alloy::rpc::types::TransactionRequest;
use alloy::sol_types::SolCall as _;
use chain::SendError;
use client::chain::{ChainConfig, ChainError, Finality};
use client::contest::{Chain, What, audit, create, join, name_of_call};
use contest::tag::{Duty, Move, OwnKing, Phase, Setup, Tag, Wrong};
use contest::{Action, Ending, Fault, Hand as _, Opening, Outcome, Role, Side, Status, Table, Terms};

use world::{Player, STAKE, TURN, TagError, World, refusal, settle, sights, square, wallet};

alloy::sol! {
    "../contracts/src/interfaces/Contests.sol"
}

/// A king of a wallet that has only this game.
fn king(number: u8) -> OwnKing {
    OwnKing::new(fog::engine::Seed::derive(&[number; 32], &[9; 32]).branch("tag"))
}

#[tokio::test]
async fn a_game_is_played_to_its_capture_and_recovered_at_any_time() {
    let world = World::new().await;
    let game = world.joined(world.offer(STAKE).await).await;
    let mut players = world.players(game).await;
    let before = world.made.count();
    let walk = ["b2", "e5", "c3", "d4"];
    for (ply, to) in walk.into_iter().enumerate() {
        let (mover, kept) = (ply % 2, world.made.count());
        // A bare machine with the wallet goes on with the game, and proves nothing of what is over.
        players[mover] = world.player(mover as u8 + 1, game).await;
        assert_eq!(world.made.count(), kept);
        assert_eq!(players[mover].duty().unwrap(), Some(Duty::Step));
        assert!(refusal(players[1 - mover].choose(square(to)).await).starts_with("not possible"), "out of turn");
        let far = refusal(players[mover].choose(square("a6")).await);
        assert!(far.contains("the king can't go there"), "{far}");
        let done = players[mover].choose(square(to)).await.unwrap().expect("a receipt");
        assert_eq!((done.name, done.turn, done.proven.proofs), ("step", ply as u64, 2));
        let is_last = ply == 3;
        let by_the_step = players[1 - mover].look().await.unwrap();
        assert_eq!(sights(&by_the_step), [is_last.then(|| square("d4"))], "the other sees by the step");
        // Also the other one forgets everything before it replies.
        players[1 - mover] = world.player(2 - mover as u8, game).await;
        let (kinds, told) = settle(&mut players).await;
        assert_eq!(kinds, [if is_last { "capture" } else { "reply" }], "ply {ply}");
        assert_eq!(
            sights(&told[mover]),
            [is_last.then(|| square("c3"))],
            "the mover sees by the reply, or by the capture"
        );
        assert_eq!(players[0].side().table(), players[1].side().table());
    }
    assert_eq!(world.made.count() - before, 4 * 3, "three proofs a ply, the last of which is the capture");
    let ending = Ending { winner: Some(Role::Creator), outcome: Outcome::Won };
    assert_eq!(players[0].side().table().status(), Status::Over(ending));

    let chain = world.chain(1).await;
    assert_eq!(chain.withdrawable(wallet(1).address()).await.unwrap(), U256::from(2 * STAKE));
    chain.withdraw().await.unwrap();
    assert_eq!(refusal(chain.withdraw().await), "the contract refuses: there is nothing to withdraw");
    let history = chain.history(game).await.unwrap();
    let found = audit(&world.chain(3).await, &world.prover, &history).await.unwrap();
    assert!(found.is_in_order() && found.unshown == 0, "{found:?}");
    assert_eq!((found.said, found.table), (Some(ending), players[0].side().table().clone()));
    let provider = world.anvil.provider().unwrap();
    for (told, name) in history.told.iter().zip(["create", "join", "step", "reply"]) {
        let transaction = provider.get_transaction_by_hash(told.transaction).await.unwrap().expect("a transaction");
        assert_eq!(name_of_call::<Tag>(transaction.input()), Some(name));
    }
    let listed = chain.games_of(wallet(1).address()).await.unwrap();
    assert_eq!((listed.len(), listed[0].game, listed[0].latest.outcome), (1, game, Some(Outcome::Won)));
    let stranger = Player::open(world.chain(3).await, wallet(3), world.prover.clone(), game).await;
    assert!(matches!(stranger.err(), Some(TagError::NotPlayer(_))));
    let unknown = world.chain(3).await.latest(B256::repeat_byte(9)).await;
    assert!(matches!(unknown, Err(TagError::NoGame { .. })));
}

#[tokio::test]
async fn who_withholds_a_step_or_a_reply_is_claimed_against() {
    let world = World::new().await;
    // The joiner keeps its reply to itself.
    let game = world.joined(world.offer(STAKE).await).await;
    let mut players = world.players(game).await;
    players[0].choose(square("b1")).await.unwrap().expect("a receipt");
    players[0].look().await.unwrap();
    assert_eq!(players[0].act().await.unwrap(), None, "there is time left");
    let table = players[0].side().table();
    let early = refusal(players[0].chain().carry_out(table, &Action::ClaimTimeout).await);
    assert!(early.contains("the contract refuses: there is time left"), "{early}");
    world.anvil.pass_time(u64::from(TURN) + 1).await.unwrap();
    players[1].look().await.unwrap();
    assert_eq!(players[1].duty().unwrap(), Some(Duty::Reply));
    assert_eq!(players[1].act().await.unwrap(), None, "it is too late for a reply");
    let (kinds, _) = settle(&mut players).await;
    assert_eq!(kinds, ["claimTimeout"]);
    let timed_out = |winner| Status::Over(Ending { winner: Some(winner), outcome: Outcome::TimedOut });
    assert_eq!(players[1].side().table().status(), timed_out(Role::Creator));
    let owed = world.chain(1).await.withdrawable(wallet(1).address()).await.unwrap();
    assert_eq!(owed, U256::from(2 * STAKE));

    // The creator makes no step.
    let game = world.begun().await;
    let mut players = world.players(game).await;
    world.anvil.pass_time(u64::from(TURN) + 1).await.unwrap();
    players[0].look().await.unwrap();
    let late = refusal(players[0].choose(square("b1")).await);
    assert!(late.contains("the time for that is over"), "{late}");
    assert_eq!(settle(&mut players).await.0, ["claimTimeout"]);
    assert_eq!(players[0].side().table().status(), timed_out(Role::Joiner));

    // One resigns, and one isn't joined.
    let game = world.begun().await;
    let mut players = world.players(game).await;
    players[0].resign().await.unwrap().expect("a receipt");
    settle(&mut players).await;
    let resigned = Status::Over(Ending { winner: Some(Role::Joiner), outcome: Outcome::Resigned });
    assert_eq!(players[1].side().table().status(), resigned);
    let chain = world.chain(1).await;
    let game = create(&chain, &wallet(1), &world.prover, world.offer(0).await, false).await.unwrap().0.game;
    assert!(refusal(chain.cancel(game).await).contains("there is time left"));
    world.anvil.pass_time(86_401).await.unwrap();
    chain.cancel(game).await.unwrap();
    let closed = join(&world.chain(2).await, &wallet(2), &world.prover, game, 0).await;
    assert!(matches!(closed, Err(TagError::NotOpen)));
    let cancelled = world.player(1, game).await;
    assert_eq!(cancelled.side().table().status(), Status::Over(Ending { winner: None, outcome: Outcome::Cancelled }));
}

#[tokio::test]
async fn after_the_last_ply_the_game_is_settled() {
    let world = World::new().await;
    let offer = Terms { stake: STAKE, ..world.terms(1).await };
    let game = world.joined(offer).await;
    let mut players = world.players(game).await;
    players[0].choose(square("b2")).await.unwrap().expect("a receipt");
    assert_eq!(settle(&mut players).await.0, ["reply", "settle"]);
    let drawn = Status::Over(Ending { winner: None, outcome: Outcome::Drawn });
    assert_eq!(players[1].side().table().status(), drawn);
    for number in [1, 2] {
        let owed = world.chain(number).await.withdrawable(wallet(number).address()).await.unwrap();
        assert_eq!(owed, U256::from(STAKE));
    }
}

/// Nothing is done upon what isn't final, and a step that was taken back comes again.
#[tokio::test]
async fn only_what_is_final_is_replied_to() {
    let world = World::new().await;
    let game = world.begun().await;
    let mut players = world.players(game).await;
    players[0].choose(square("b2")).await.unwrap().expect("a receipt");
    let careful = ChainConfig { finality: Finality::Confirmations(2), ..world.config() };
    let careful = Chain::<Tag>::connect(&careful, Some(&wallet(2))).await.unwrap();
    world.anvil.mine(1).await.unwrap();
    let mut careful = Player::open(careful, wallet(2), world.prover.clone(), game).await.unwrap();
    let made = world.made.count();
    careful.look().await.unwrap();
    assert_eq!((careful.duty().unwrap(), careful.act().await.unwrap()), (None, None), "the step isn't final");
    assert_eq!(world.made.count(), made);
    world.anvil.mine(1).await.unwrap();
    careful.look().await.unwrap();
    assert_eq!(careful.duty().unwrap(), Some(Duty::Reply));
    assert_eq!(careful.act().await.unwrap().map(|done| done.name), Some("reply"));
    careful.look().await.unwrap();
    assert_eq!(careful.duty().unwrap(), Some(Duty::Reply), "its reply isn't final");
    assert_eq!(careful.act().await.unwrap(), None, "and is on the chain: it isn't made again");

    settle(&mut players).await;
    players[1].choose(square("e5")).await.unwrap().expect("a receipt");
    players[1].look().await.unwrap();
    assert_eq!(players[1].side().table().phase(), Phase::Reply);
    world.anvil.reorganise(1).await.unwrap();
    let news = players[1].look().await.unwrap();
    assert_eq!((&news[0].what, players[1].duty().unwrap()), (&What::TakenBack, Some(Duty::Step)));
    // Another step isn't signed, while the one that was signed may come back.
    let other = players[1].choose(square("e6")).await;
    assert!(matches!(other, Err(TagError::Chain(ChainError::Send(SendError::Contradicts)))), "{other:?}");
    let mut stepped = None;
    for _ in 0..20 {
        stepped = stepped.or(players[1].look().await.unwrap().pop());
        world.anvil.mine(1).await.unwrap();
    }
    let stepped = stepped.expect("news");
    assert!(matches!(stepped.what, What::Said(Action::Move(Move::Step { .. }))) && stepped.turn == 1, "{stepped:?}");
    assert_eq!(players[1].side().hand().square(), Some(square("e5")));
}

#[tokio::test]
async fn stakes_are_agreed_to_and_stay_on_local_chains() {
    let world = World::on(None).await;
    // With the real verifier what proves nothing is refused, by the other interface's error.
    let refused = refusal(create(&world.chain(1).await, &wallet(1), &world.prover, world.offer(0).await, false).await);
    assert_eq!(refused, "the contract refuses: the verifier rejects the proof");
    let other = ChainConfig { chain_id: 1337, ..world.config() };
    let other = Chain::<Tag>::connect(&other, None).await;
    assert!(matches!(other.err(), Some(TagError::Chain(ChainError::WrongChain { expected: 1337, found: 31337 }))));
    world.accept_all().await;
    let chains = [world.chain(1).await, world.chain(2).await];
    let invited = Terms { opponent: Some(wallet(3).address()), ..world.terms(40).await };
    let offer = Terms { stake: STAKE, ..invited };
    let game = create(&chains[0], &wallet(1), &world.prover, offer, false).await.unwrap().0.game;
    let other = join(&chains[1], &wallet(2), &world.prover, game, 0).await;
    assert!(matches!(other, Err(TagError::OtherStake(STAKE))));
    assert!(refusal(join(&chains[1], &wallet(2), &world.prover, game, STAKE).await).contains("another opponent"));
    assert!(refusal(join(&chains[0], &wallet(1), &world.prover, game, STAKE).await).contains("against themselves"));
    let no_plies = Terms { setup: Setup { plies: 0, ..invited.setup }, ..invited };
    for terms in [Terms { turn: u32::MAX, ..invited }, no_plies, Terms { turn: 0, ..invited }] {
        let unfit = create(&chains[0], &wallet(1), &world.prover, terms, false).await;
        assert!(matches!(unfit, Err(TagError::BadTerms(_))));
    }

    let world = World::on(Some(11_155_111)).await;
    world.accept_all().await;
    let refused = create(&world.chain(1).await, &wallet(1), &world.prover, world.offer(STAKE).await, false).await;
    assert!(matches!(refused, Err(TagError::StakesNotYet)));
    // Opened by another program: this one doesn't join it.
    let (chain, terms, creator) = (world.chain(1).await, world.offer(STAKE).await, wallet(1).address());
    let entry = king(1).entry(creator, &terms.setup, &*world.made).unwrap();
    let ChainConfig { chain_id, contract, .. } = world.config();
    let opening = Opening { chain_id, contract, creator, nonce: B256::ZERO, terms, entry };
    chain.create(&opening).await.unwrap();
    world.anvil.mine(12).await.unwrap();
    let refused = join(&world.chain(2).await, &wallet(2), &world.prover, opening.game_id(), STAKE).await;
    assert!(matches!(refused, Err(TagError::StakesNotYet)), "{refused:?}");
}

/// An opening that its opener doesn't know of is gone on with, and takes no proof.
#[tokio::test]
async fn an_opening_is_gone_on_with_until_its_opener_knows_of_it() {
    let world = World::new().await;
    let (chain, offer) = (world.chain(1).await, world.offer(STAKE).await);
    let (first, proven) = create(&chain, &wallet(1), &world.prover, offer, false).await.unwrap();
    assert!(!first.earlier && proven.proofs == 1);
    let later = Terms { expiry: offer.expiry + 9, ..offer };
    let (again, proven) = create(&chain, &wallet(1), &world.prover, later, false).await.unwrap();
    assert_eq!((again.game, again.receipt.transaction), (first.game, first.receipt.transaction));
    assert!(again.earlier && proven.proofs == 0);
    // Another one, because its terms are others, and one more, because the first one is known.
    let longer = Terms { setup: Setup { plies: 41, ..offer.setup }, ..offer };
    let (longer, _) = create(&chain, &wallet(1), &world.prover, longer, false).await.unwrap();
    chain.acknowledge(first.id).await.unwrap();
    let (new, _) = create(&chain, &wallet(1), &world.prover, offer, false).await.unwrap();
    assert!(!longer.earlier && !new.earlier && new.game != first.game && longer.game != first.game);
    assert_eq!(chain.ids_of(wallet(1).address()).await.unwrap(), [first.game, longer.game, new.game]);
}

/// What the chain shows is verified here too; what went through another contract, by whose calldata nothing can be verified, is believed because
/// the contract of the game has verified it.
#[tokio::test]
async fn a_false_proof_is_noticed_and_one_that_is_not_shown_holds_nothing_up() {
    let world = World::new().await;
    let [first, second] = [world.chain(1).await, world.chain(2).await];
    let created = create(&first, &wallet(1), &world.prover, world.offer(0).await, false).await.unwrap().0;
    first.acknowledge(created.id).await.unwrap();
    let game = created.game;
    let place =
        |account, table: Table<Tag>| Side::new(account, king(2), table).unwrap().acceptance(&*world.made).unwrap();
    let mut player = world.seated(1, game).await;
    let mut placement = place(wallet(2).address(), player.side().table().clone());
    placement.proof[1] ^= 1;
    second.join(game, 0, &placement).await.unwrap();
    let noticed = refusal(player.look().await);
    assert_eq!(noticed, "the chain's record 1 of this game is not in order: the step is not proven");
    let found = audit(&first, &world.prover, &first.history(game).await.unwrap()).await.unwrap();
    assert_eq!(found.fault, Some((0, Fault::Rule(Wrong::StepProof))));

    // A contract that passes on what it is called with, as a player.
    let game = create(&first, &wallet(1), &world.prover, world.offer(0).await, false).await.unwrap().0.game;
    let forwarder = Address::repeat_byte(0x77);
    let to = world.config().contract;
    let code = [
        &[0x36, 0x5f, 0x5f, 0x37, 0x5f, 0x5f, 0x36, 0x5f, 0x34, 0x73][..],
        to.as_slice(),
        &[0x5a, 0xf1, 0x60, 0x26, 0x57, 0x5f, 0x5f, 0xfd, 0x5b, 0],
    ];
    world.set_code(forwarder, code.concat().into()).await;
    let mut player = world.seated(1, game).await;
    let placement = place(forwarder, player.side().table().clone());
    let word = |value: &fog::F| U256::from_be_bytes(fog::word::to_word(value));
    let set = &placement.set;
    let placed = ITagGame::Placement {
        commitment: word(&placement.commitment),
        setHash: word(&set.hash()),
        set: set.0.each_ref().map(word),
    };
    let call = ITagGame::joinCall { gameId: game, placement: placed, proof: placement.proof.into() };
    let provider = chain::connect(&world.anvil.rpc(), Some(wallet(2).signer())).unwrap();
    let request = TransactionRequest::default().with_to(forwarder).with_input(call.abi_encode());
    let receipt = provider.send_transaction(request).await.unwrap().get_receipt().await.unwrap();
    assert!(receipt.status());
    let news = player.look().await.unwrap();
    assert!(matches!(news[0].what, What::Said(Action::Join(_))) && !news[0].is_shown, "{news:?}");
    assert_eq!(player.duty().unwrap(), Some(Duty::Step));
    let found = audit(&first, &world.prover, &first.history(game).await.unwrap()).await.unwrap();
    assert!(found.is_in_order() && found.unshown == 1, "{found:?}");
}
