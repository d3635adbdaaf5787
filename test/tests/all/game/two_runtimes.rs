//! A short game between two runtimes in one process, over a real link and chain; then audit, replay and the stakes.
//! Protocol, section 1: at every moment each learns exactly what dark chess lets them see.

use fogmate_test::{Honest, SHORT_GAME, TestChain, TestGame, alone, prover, seed, wallet};
use game::audit::{Record, audit};
use game::replay::replay;
use game::{Action, Command, GameRef, Notice, Outcome, View};
use libp2p::Multiaddr;
use rules::{Color, Position};
use std::path::Path;

/// The position that a view is of.
fn position_of(view: &View) -> Position {
    let plies = usize::from(view.ply) + view.phase as usize;
    let mut position = Position::start();
    for mv in &SHORT_GAME[..plies] {
        let played = position.play(&mv.parse().expect("a move"));
        played.expect("a legal game");
    }
    position
}

/// Plays one side to the end of the game; gives the plies and phases of the sights it had.
async fn play(player: &mut Honest, color: Color) -> Vec<(u16, u8)> {
    let mut sights = Vec::new();
    loop {
        match player.next("the end of the game").await {
            Notice::View(view) => {
                if let Some(sight) = &view.sight {
                    let seen = rules::board::line(&view.side, sight);
                    let at = (view.ply, view.phase as u8);
                    assert_eq!(seen, position_of(&view).board_string(color), "{at:?}");
                    if !sights.contains(&at) {
                        sights.push(at);
                    }
                }
                if !view.legal.is_empty() {
                    let mv = SHORT_GAME[usize::from(view.ply)];
                    let mut legal = position_of(&view).legal_moves();
                    let mut offered = view.legal.clone();
                    legal.sort_by_key(ToString::to_string);
                    offered.sort_by_key(ToString::to_string);
                    assert_eq!(offered, legal, "ply {}", view.ply);
                    player.play(mv);
                }
            }
            Notice::Over(ending) => {
                assert_eq!(ending.outcome, Outcome::KingCaptured);
                assert_eq!(ending.color, Some(Color::White));
                return sights;
            }
            Notice::Fault { fault } => {
                assert!(fault.may_be_honest(), "{color:?}: {fault}");
            }
            notice @ (Notice::Failed { .. } | Notice::ChainRefused { .. } | Notice::Refused { .. }) => {
                panic!("{color:?}: {notice:?}")
            }
            _ => {}
        }
    }
}

/// Lets a player do something after the game, and waits for its transaction.
async fn carried_out(player: &mut Honest, command: Command, wanted: Action) {
    player.command(command);
    let mined = player.until("a transaction", |notice| match notice {
        Notice::Mined { action, .. } if *action == wanted => Some(()),
        _ => None,
    });
    mined.await;
}

/// The game's records on chain.
async fn records(game: &TestGame) -> Vec<Record> {
    let records = game.players[0].chain.records(game.game.game_id).await;
    records.expect("the game's records")
}

/// Plays the game by two runtimes over a link; both are still there when it is over.
async fn play_both(test_chain: &TestChain, game: GameRef, seed: u64, journals: &Path) -> [Honest; 2] {
    let listen: Multiaddr = "/ip4/127.0.0.1/tcp/0".parse().expect("an address");
    let start = |index, dial| {
        let wallet = wallet(seed, index);
        Honest::start(test_chain, wallet, game, journals, listen.clone(), dial)
    };
    let mut white = start(0, vec![]).await;
    let address = white.address().await;
    let mut black = start(1, vec![address]).await;
    let (white_sights, black_sights) = tokio::join!(play(&mut white, Color::White), play(&mut black, Color::Black));
    // Both sights of every ply but the opening's first and the last move's second, which nobody waits for.
    for sight in [(2, 0), (4, 0)] {
        assert!(white_sights.contains(&sight), "White never saw {sight:?}: {white_sights:?}");
    }
    assert!(black_sights.contains(&(3, 0)), "{black_sights:?}");
    [white, black]
}

#[tokio::test(flavor = "multi_thread")]
async fn two_runtimes_play_audit_and_replay_a_game() {
    let _alone = alone().await;
    let seed = seed(0x2e11);
    let test_chain = TestChain::new().await;
    let test_game = TestGame::open(&test_chain, &wallet(seed, 0), &wallet(seed, 1)).await;
    let game = test_game.game;
    let journals = tempfile::tempdir().expect("a temporary folder");
    let [mut white, mut black] = play_both(&test_chain, game, seed, journals.path()).await;

    let found = records(&test_game).await;
    let audit = audit(game, &found, |statement, proof| statement.verify(&*prover(), proof));
    assert!(audit.ok, "{:?}", audit.findings);
    assert_eq!((audit.plies, audit.proofs), (5, 5));
    let replayed = replay(game, &found);
    assert!(replayed.is_err(), "a replay needs both view keys");

    carried_out(&mut white, Command::PublishViewKey, Action::PublishViewKey).await;
    carried_out(&mut black, Command::PublishViewKey, Action::PublishViewKey).await;
    carried_out(&mut white, Command::Withdraw, Action::Withdraw).await;
    let replayed = replay(game, &records(&test_game).await).expect("both view keys");
    assert!(replayed.ok(), "{:?}", replayed.findings);
    assert_eq!(replayed.uci(), SHORT_GAME);
    assert!(replayed.pgn().contains("1-0"), "{}", replayed.pgn());
    let account = wallet(seed, 0).address();
    let owed = test_game.players[0].chain.withdrawable(account).await;
    assert!(owed.expect("a number").is_zero());
    white.stop().await;
    black.stop().await;
}
