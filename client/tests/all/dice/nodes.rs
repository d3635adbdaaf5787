//! Games over nodes that are late, disagree, or are down; and over one node from two processes.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use alloy::primitives::B256;
use alloy::providers::Provider as _;
use chain::{Classified as _, NodeError};
use client::chain::{ChainConfig, ChainError, Finality};
use client::contest::Chain;
use contest::Role;
use contest::dice::{Dice, Square};

use crate::dice::world::{DiceError, Player, STAKE, World, create, join, roll, wallet};
use crate::proxy::{Proxy, Trouble};

/// More blocks than a node is given to bring a receipt.
const BLOCKS: u32 = 8;

/// A node may have a game long before it has the receipt of its opening: a second opening would pay a second stake.
#[tokio::test]
async fn create_given_again_while_receipts_are_late_pays_no_second_stake() {
    let world = World::new().await;
    let (folder, proxy) = (tempfile::tempdir().unwrap(), Proxy::start(&world.anvil.rpc()));
    let provider = world.anvil.provider().unwrap();
    let transactions = Some(folder.path().to_owned());
    let config = ChainConfig { rpc: proxy.url.clone(), transactions, ..world.config() };
    let connect = async || Chain::<Dice>::connect(&config, Some(&wallet(1))).await.unwrap();
    let mined = async || provider.get_transaction_count(wallet(1).address()).await.unwrap();
    let terms = world.terms(STAKE).await;
    proxy.set(Trouble::NoReceipts);
    let (chain, alice) = (connect().await, wallet(1));
    // Stopped once its opening is in a block.
    tokio::select! {
        created = create(&chain, &alice, terms) => panic!("{created:?}"),
        () = async { while mined().await == 0 { tokio::time::sleep(Duration::from_millis(20)).await } } => {}
    }
    for _ in 0..BLOCKS {
        world.anvil.mine(1).await.unwrap();
        chain.look_after().await.unwrap();
    }
    let again = create(&connect().await, &wallet(1), terms).await;
    let games = world.chain(1).await.games_of(wallet(1).address()).await.unwrap();
    assert_eq!(games.len(), 1, "one command, one stake: {again:?}");
    assert!(matches!(again, Err(DiceError::LateReceipt(game)) if game == games[0].game), "{again:?}");
    proxy.set(Trouble::None);
    let found = create(&connect().await, &wallet(1), terms).await.unwrap();
    assert!(found.earlier && found.is_open && found.game == games[0].game, "{found:?}");
    // Who says so has another one, and the first is still found.
    let another = client::contest::create(&connect().await, &wallet(1), &(), terms, true).await.unwrap().0;
    assert!(!another.earlier && another.game != found.game, "{another:?}");
}

/// A command still runs: its own opening isn't what the contract refuses.
#[tokio::test]
async fn a_command_whose_receipt_is_late_tells_its_game() {
    let world = World::new().await;
    let terms = world.terms(STAKE).await;
    let (late, alice) = (late(&world, 1).await, wallet(1));
    let created = tokio::select! {
        created = create(&late, &alice, terms) => created,
        () = mine(&world) => panic!("it mines for ever"),
    };
    let games = world.chain(1).await.games_of(alice.address()).await.unwrap();
    assert!(matches!(created, Err(DiceError::LateReceipt(game)) if game == games[0].game), "{created:?}");
    assert_eq!(games.len(), 1);
}

/// Nor does the contract refuse who has joined already.
#[tokio::test]
async fn who_joins_while_receipts_are_late_has_joined() {
    let world = World::new().await;
    let game = create(&world.chain(1).await, &wallet(1), world.terms(STAKE).await).await.unwrap().game;
    let (late, bob) = (late(&world, 2).await, wallet(2));
    let joined = tokio::select! {
        joined = join(&late, &bob, game, STAKE) => joined,
        () = mine(&world) => panic!("it mines for ever"),
    };
    assert!(matches!(joined, Ok(None)), "{joined:?}");
    assert!(world.chain(1).await.latest(game).await.unwrap().is_joined_by(bob.address()));
}

/// A connection whose node has no receipts.
async fn late(world: &World, number: u8) -> Chain<Dice> {
    let proxy = Proxy::start(&world.anvil.rpc());
    proxy.set(Trouble::NoReceipts);
    let config = ChainConfig { rpc: proxy.url.clone(), ..world.config() };
    Chain::<Dice>::connect(&config, Some(&wallet(number))).await.unwrap()
}

/// Mines for ever, slowly enough for each block to be seen.
async fn mine(world: &World) {
    loop {
        tokio::time::sleep(Duration::from_millis(300)).await;
        world.anvil.mine(1).await.unwrap();
    }
}

/// A player whose chain compares its blocks with other nodes.
async fn compared(world: &World, number: u8, game: B256, cross_checks: &[&str]) -> Result<Player, DiceError> {
    let cross_checks = cross_checks.iter().map(ToString::to_string).collect();
    let config = ChainConfig { cross_checks, ..world.config() };
    let chain = Chain::<Dice>::connect(&config, Some(&wallet(number))).await?;
    Player::open(chain, wallet(number), (), game).await
}

#[tokio::test]
async fn while_nodes_disagree_nothing_is_released() {
    let world = World::new().await;
    let game = world.joined().await;
    let elsewhere = World::new().await;
    elsewhere.anvil.mine(50).await.unwrap();
    let other = Proxy::start(&elsewhere.anvil.rpc());
    // Else its first block would tell.
    let silent = Trouble::Busy("eth_getBlockByNumber", u32::MAX);
    other.set(silent);
    let mut player = compared(&world, 2, game, &[&other.url]).await.unwrap();
    player.look().await.unwrap();
    roll(&mut world.player(1, game).await).await.unwrap().expect("a receipt");
    other.set(Trouble::None);
    for _ in 0..2 {
        let doubted = player.look().await.unwrap_err();
        assert!(matches!(doubted, DiceError::Chain(ChainError::NodesDisagree(_))), "{doubted:?}");
        assert!(doubted.may_pass(), "it passes, and is borne");
    }
    assert_eq!(player.side().table().rolls(), 0);
    assert!(roll(&mut player).await.is_err(), "the roll that its own would follow isn't known");
    other.set(silent);
    player.look().await.unwrap();
    assert_eq!(player.side().table().rolls(), 1);
    roll(&mut player).await.unwrap().expect("a receipt");
}

/// One that agrees, one that is behind, one that isn't there and one that never answers: nothing speaks against it, and what can't be asked is told.
#[tokio::test]
async fn nodes_that_cannot_be_asked_hold_nothing_up() {
    let world = World::new().await;
    let game = world.joined().await;
    let behind = Proxy::start(&world.anvil.rpc());
    behind.set(Trouble::LateBlocks(3));
    let hung = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let hung = format!("http://{}", hung.local_addr().unwrap());
    let agrees = world.anvil.rpc();
    let start = Instant::now();
    let mut player = compared(&world, 1, game, &[&agrees, &behind.url, "http://127.0.0.1:1", &hung]).await.unwrap();
    player.look().await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    let notes = player.chain().take_notes();
    let told = |url: &str| notes.iter().any(|note| note.contains(url.trim_start_matches("http://")));
    assert!(notes.len() == 2 && told("http://127.0.0.1:1") && told(&hung), "{notes:?}");
    // Of a block that was compared nobody is asked again.
    let start = Instant::now();
    player.look().await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    roll(&mut player).await.unwrap().expect("a receipt");
    player.look().await.unwrap();
    assert_eq!(player.side().table().rolls(), 1);
    assert!(player.chain().take_notes().is_empty(), "it is told once");
}

#[tokio::test]
async fn a_node_of_another_chain_is_nothing_to_compare_with() {
    let (world, elsewhere) = (World::new().await, World::on(Some(1337)).await);
    let config = ChainConfig { cross_checks: vec![elsewhere.anvil.rpc()], ..world.config() };
    let refused = Chain::<Dice>::connect(&config, None).await.err().expect("a refusal");
    assert!(matches!(
        refused,
        DiceError::Chain(ChainError::Node(NodeError::OtherChain { expected: 31337, found: 1337, .. }))
    ));
    assert!(refused.is_of_the_user());
}

/// Only what the chain calls finalized counts, if that is said: two epochs here.
#[tokio::test]
async fn what_the_chain_calls_finalized_is_final() {
    let world = World::new().await;
    let game = world.joined().await;
    let config = ChainConfig { finality: Finality::Finalized, ..world.config() };
    let chain = Chain::<Dice>::connect(&config, None).await.unwrap();
    let early = chain.history(game).await;
    assert!(matches!(early, Err(DiceError::NoGame { .. })), "{early:?}");
    world.anvil.mine(70).await.unwrap();
    assert_eq!(chain.history(game).await.unwrap().told.len(), 2);
}

/// A player's machine behind a proxy that lies, once it has looked at a game that has begun.
async fn behind_a_proxy(world: &World) -> (Player, Proxy) {
    let (game, proxy) = (world.joined().await, Proxy::start(&world.anvil.rpc()));
    let config = ChainConfig { rpc: proxy.url.clone(), ..world.config() };
    let chain = Chain::<Dice>::connect(&config, Some(&wallet(2))).await.unwrap();
    let mut player = Player::open(chain, wallet(2), (), game).await.unwrap();
    player.look().await.unwrap();
    roll(&mut world.player(1, game).await).await.unwrap().expect("a receipt");
    (player, proxy)
}

/// Between the game's first block and a false number there may be 2⁶⁴ blocks, of which a node has no logs, one range after the other.
#[tokio::test]
async fn a_false_number_of_the_latest_block_is_not_read_up_to() {
    let world = World::new().await;
    let (mut player, proxy) = behind_a_proxy(&world).await;
    proxy.set(Trouble::FalseHead(u64::MAX - 1));
    let looked = tokio::time::timeout(Duration::from_secs(10), player.look()).await.expect("an end");
    assert!(matches!(looked, Err(DiceError::Chain(ChainError::Behind))), "{looked:?}");
    proxy.set(Trouble::None);
    player.look().await.unwrap();
    assert_eq!(player.side().table().rolls(), 1);
}

/// By a false time a roll came too late, which the contract would have refused.
#[tokio::test]
async fn a_block_with_a_false_time_ends_no_game() {
    let world = World::new().await;
    let (mut player, proxy) = behind_a_proxy(&world).await;
    proxy.set(Trouble::FalseTimes);
    let doubted = player.look().await.unwrap_err();
    assert!(matches!(doubted, DiceError::NotInOrder { .. }) && doubted.may_pass(), "{doubted:?}");
    proxy.set(Trouble::None);
    player.look().await.unwrap();
    assert_eq!(player.side().table().rolls(), 1);
    roll(&mut player).await.unwrap().expect("a receipt");
}

/// Two processes of one wallet share the record of its transactions, and one roll is signed.
#[tokio::test]
async fn a_game_that_is_played_twice_at_once_is_rolled_in_once() {
    let (world, folder) = (World::new().await, tempfile::tempdir().unwrap());
    let game = world.joined().await;
    let transactions = Some(folder.path().to_owned());
    let config = ChainConfig { transactions, ..world.config() };
    let seat = async || {
        let chain = Chain::<Dice>::connect(&config, Some(&wallet(1))).await.unwrap();
        let mut player = Player::open(chain, wallet(1), (), game).await.unwrap();
        player.look().await.unwrap();
        player
    };
    let (mut first, mut second) = (seat().await, seat().await);
    let tried = tokio::join!(roll(&mut first), roll(&mut second));
    let signed = world.anvil.provider().unwrap().get_transaction_count(wallet(1).address()).await.unwrap();
    assert_eq!(signed, 2, "the opening and one roll: {tried:?}");
    for player in [&mut first, &mut second] {
        player.look().await.unwrap();
        assert_eq!(player.side().table().rolls(), 1);
    }
}

/// One die is chosen, and its roll waits in the mempool: another process of the wallet signs no roll by the other die, though its node has not seen the
/// first and would take both.
#[tokio::test]
async fn a_second_choice_is_not_signed_while_the_first_may_count() {
    let (world, folder) = (World::new().await, tempfile::tempdir().unwrap());
    let proxy = Proxy::start(&world.anvil.rpc());
    let seat = async |rpc: String, game: B256| {
        let config = ChainConfig { rpc, transactions: Some(folder.path().to_owned()), ..world.config() };
        let chain = Chain::<Dice>::connect(&config, Some(&wallet(1))).await.unwrap();
        let mut player = Player::open(chain, wallet(1), (), game).await.unwrap();
        player.look().await.unwrap();
        player
    };
    let (game, mut first, dice) = loop {
        let game = world.joined().await;
        let player = seat(world.anvil.rpc(), game).await;
        let dice = player.side().hand().dice(player.side().table());
        if dice[0] != dice[1] {
            break (game, player, dice);
        }
    };
    let mut second = seat(proxy.url.clone(), game).await;
    let provider = world.anvil.provider().unwrap();
    let signed = async || provider.get_transaction_count(wallet(1).address()).pending().await.unwrap();
    let before = signed().await;
    world.mines_at_once(false).await;
    // Stopped once its roll is in the mempool.
    tokio::select! {
        chosen = first.choose(dice[0]) => panic!("{chosen:?}"),
        () = async { while signed().await == before { tokio::time::sleep(Duration::from_millis(20)).await } } => {}
    }
    proxy.set(Trouble::LateState(0));
    let other = second.choose(dice[1]).await;
    assert!(matches!(other, Ok(None)), "a roll is on its way: {other:?}");
    assert_eq!(signed().await, before + 1, "nothing else is signed");
    world.mines_at_once(true).await;
    world.anvil.mine(1).await.unwrap();
    second.look().await.unwrap();
    let table = second.side().table();
    assert_eq!((table.rolls(), table.square(Role::Creator)), (1, Square::START.after(dice[0])));
}
