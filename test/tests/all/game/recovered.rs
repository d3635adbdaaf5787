//! A player loses its disk, twice in a game, and goes on with nothing but its wallet's file and a node: `fogmate games --chain` finds
//! the game, `fogmate recover` makes it this machine's, `fogmate play` says how it stands and plays on. The second time the link is cut
//! and a sight is demanded of the player that has lost everything: not given, the game is lost. Protocol, section 9: "wallet and chain
//! restore a game on a bare machine".

use client::chain::BlockRef;
use client::chain::Chain;
use client::journal::{Entry, Journal};
use fogmate_test::{Machine, Running, TestChain, alone, open_game, script};
use serde_json::{Value, json};

/// White gives up when it has seen its sight before the third ply.
const MOVES: [&str; 2] = ["e2e4", "f7f6"];
/// The ply before which the link is cut.
const CUT: &str = "2";

/// The machine that has nothing but the wallet of another, once it knows its game again; and the game as it is listed.
async fn recover(lost: &Machine, game: &str, color: &str) -> (Machine, Value) {
    let machine = lost.bare();
    let found = machine.ask(&["games", "--chain"]).await;
    assert_eq!((&found["game"], &found["wallet"]), (&json!(game), &json!(lost.address)));
    assert!(found["status"].as_str().is_some_and(|status| status.starts_with("in play, move ")), "{found}");
    let told = machine.ask(&["recover", "--game", game]).await;
    assert_eq!((&told["game"], &told["wallet"]), (&found["game"], &found["wallet"]));
    assert_eq!((&told["opponent"], &told["color"]), (&found["opponent"], &json!(color)));
    assert_eq!(machine.remembered(game)["wallet"], found["wallet"]);
    (machine, told)
}

/// What a process tells of the game that it goes on with: until when an open demand or claim stops the clocks, and the own moves.
async fn tells(player: &mut Running) -> [Value; 2] {
    let clocks = player.event("clocks", None).await;
    let history = player.event("history", None).await;
    let plies = history["plies"].as_array().expect("the moves so far").iter();
    let own_moves = plies.filter(|ply| ply["own"] == true).map(|ply| ply["move"].clone()).collect();
    [clocks["hold"].clone(), own_moves]
}

/// What the game waits for, skipping what it waits for before that.
async fn waits_for(player: &mut Running, what: &str) -> Value {
    loop {
        let awaited = player.event("awaiting", None).await;
        if awaited["what"] == what {
            return awaited;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_that_has_lost_everything_but_its_wallet_goes_on() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let moves = script(folder.path(), &MOVES);
    let (alice, bob) = (Machine::new(&test_chain).await, Machine::new(&test_chain).await);
    let game = open_game(&alice, &bob).await;
    let start = |machine: &Machine, dial: Option<&str>| {
        let dial = dial.iter().flat_map(|address| ["--dial", *address]);
        machine.play(&game, &moves, &["--cut-link", CUT].into_iter().chain(dial).collect::<Vec<_>>())
    };
    let address = |listening: Value| listening["addresses"][0].as_str().expect("an address").to_owned();
    let mut of_alice = start(&alice, None);
    let at_alice = address(of_alice.event("listening", None).await);
    let of_bob = start(&bob, Some(&at_alice));
    let is_white = of_alice.event("playing", None).await["color"] == "white";
    let ((white, mut of_white), (black, mut of_black)) = match is_white {
        true => ((alice, of_alice), (bob, of_bob)),
        false => ((bob, of_bob), (alice, of_alice)),
    };

    // White loses its disk while Black is to move, and finds Black at the address that Black listens at.
    let at_black = if is_white { address(of_black.event("listening", None).await) } else { at_alice };
    of_white.event("moved", Some(0)).await;
    of_white.kill().await;
    let (white, told) = recover(&white, &game, "white").await;
    assert!(told["ply"] == 1 || told["ply"] == 2, "{told}");
    let mut of_white = start(&white, Some(&at_black));
    assert_eq!(tells(&mut of_white).await, [Value::Null, json!(["e2e4"])]);

    // From here on the link is cut. Black loses its disk with a demand open that it must answer.
    of_black.event("moved", Some(1)).await;
    of_black.kill().await;
    assert_eq!(waits_for(&mut of_white, "sight").await["who"], "opponent", "nothing of the sight was remembered");
    let demanded = of_white.event("sight_demanded", Some(2)).await;
    assert_eq!((&demanded["when"], &demanded["own"]), (&json!("before"), &json!(true)));
    forked(&test_chain, &black, &game).await;
    let (black, told) = recover(&black, &game, "black").await;
    assert_eq!((&told["ply"], &told["status"]), (&json!(2), &json!("in play, move 2, white to move")));
    let mut of_black = start(&black, None);
    assert_eq!(tells(&mut of_black).await, [demanded["deadline"].clone(), json!(["f7f6"])]);
    let awaited = waits_for(&mut of_black, "demand").await;
    assert_eq!((&awaited["who"], &awaited["until"]), (&json!("machine"), &demanded["deadline"]));
    of_white.event("sight_answered", Some(2)).await;
    ends(&mut of_white, &mut of_black).await;
    refusals(&test_chain, &black, &game).await;
}

/// A machine whose journal knows a final block that the chain hasn't got goes on only if it is told to.
async fn forked(test_chain: &TestChain, machine: &Machine, game: &str) {
    let chain = Chain::connect(test_chain.config(&test_chain.deployment), None).await.expect("a connection");
    let (reference, genesis) = (chain.game_ref(game.parse().expect("an id")), chain.genesis().await.expect("a block"));
    let open =
        || Journal::open(&machine.home().join("journals"), machine.address, &reference, genesis).expect("a journal");
    let (journal, before) = open();
    let last = before.checkpoint.expect("a final block");
    journal.set_checkpoint(&BlockRef { hash: reference.game_id, ..last }).expect("written");
    drop(journal);
    let (code, complaint) = machine.complaint(&["recover", "--game", game]).await;
    let words = format!("block {} was final when this machine last played, and is no longer on the chain", last.number);
    assert!(code == Some(2) && complaint.lines().count() == 1 && complaint.contains(&words), "{complaint}");
    machine.ask(&["recover", "--game", game, "--taken-back"]).await;
    let (_, after) = open();
    assert_eq!((after.checkpoint, after.born), (None, None));
    let signed = |entries: &[Entry]| entries.iter().filter(|entry| matches!(entry, Entry::Signed { .. })).count();
    assert_eq!(signed(&after.entries), signed(&before.entries));
    let is_choice = |entry: &Entry| matches!(entry, Entry::Chosen { .. });
    assert!(before.entries.iter().any(is_choice) && !after.entries.iter().any(is_choice));
}

/// White has no move left and resigns.
async fn ends(of_white: &mut Running, of_black: &mut Running) {
    for player in [of_white, of_black] {
        let over = player.event("over", None).await;
        assert_eq!((&over["winner"], &over["reason"]), (&json!("black"), &json!("resignation")));
        let (status, complaints) = player.end().await;
        assert!(status.success(), "{complaints}");
    }
}

/// What can't be recovered is refused in a sentence, with exit code 2, or 4 if there is no such game.
async fn refusals(test_chain: &TestChain, player: &Machine, game: &str) {
    let refused = async |machine: &Machine, game: &str, words: &str| {
        let (code, complaint) = machine.complaint(&["recover", "--game", game]).await;
        assert!(complaint.lines().count() == 1 && complaint.contains(words), "{complaint}");
        assert_eq!(code, Some(if words.starts_with("there is no game") { 4 } else { 2 }), "{complaint}");
    };
    let stranger = Machine::new(test_chain).await;
    refused(&stranger, game, &format!("the wallet {:#x} is not a player of the game {game}", stranger.address)).await;
    refused(player, game, "the game is over: Black has won: resignation; nothing is to be recovered").await;
    let other = format!("0x{}", "9a".repeat(32));
    refused(player, &other, &format!("there is no game {other} at the contract ")).await;

    // The same contracts on another chain, where somebody takes the node for the game's.
    test_chain.change_id(1337).await;
    refused(player, game, "the node is on chain 1337, not on chain 31337").await;
}
