//! A short game between two runtimes in one process, over a real link and chain; then audit, replay and the stakes.
//! Protocol, section 1: at every moment each learns exactly what dark chess lets them see.

use fogmate_test::{Bout, Honest, SHORT_GAME, World, alone, prover, seed, wallet};
use game::audit::audit;
use game::replay::replay;
use game::{Action, Command, Notice, Outcome, View};
use libp2p::Multiaddr;
use rules::{Color, Position};

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
            Notice::Fault(fault) => {
                assert!(fault.may_be_honest(), "{color:?}: {fault}");
            }
            notice @ (Notice::Failed(_) | Notice::ChainRefused(_) | Notice::Refused(_)) => {
                panic!("{color:?}: {notice:?}")
            }
            _ => {}
        }
    }
}

/// Lets a player do something after the game, and waits for its transaction.
async fn carried_out(player: &mut Honest, command: Command, wanted: Action) {
    player.command(command);
    let mined = player.until("a transaction", |report| match report {
        Notice::Mined { action, .. } if *action == wanted => Some(()),
        _ => None,
    });
    mined.await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_runtimes_play_audit_and_replay_a_game() {
    let _alone = alone().await;
    let seed = seed(0x2e11);
    let world = World::new().await;
    let bout = Bout::open(&world, &wallet(seed, 0), &wallet(seed, 1)).await;
    let journals = tempfile::tempdir().expect("a temporary folder");
    let listen: Multiaddr = "/ip4/127.0.0.1/tcp/0".parse().expect("an address");
    let (game, folder) = (bout.game, journals.path());
    let mut white = Honest::start(
        &world,
        wallet(seed, 0),
        game,
        folder,
        listen.clone(),
        vec![],
    )
    .await;
    let address = white.address().await;
    let mut black =
        Honest::start(&world, wallet(seed, 1), game, folder, listen, vec![address]).await;

    let (white_sights, black_sights) = tokio::join!(
        play(&mut white, Color::White),
        play(&mut black, Color::Black)
    );
    // Both sights of every ply but the opening's first and the last move's second, which nobody waits for.
    for sight in [(2, 0), (4, 0)] {
        assert!(
            white_sights.contains(&sight),
            "White never saw {sight:?}: {white_sights:?}"
        );
    }
    assert!(black_sights.contains(&(3, 0)), "{black_sights:?}");

    let chain = &bout.desks[0].chain;
    let verify = |records: &[game::audit::Record]| {
        audit(game, records, |public, proof| {
            prover().turn().verify(public, proof)
        })
    };
    let records = chain
        .records(game.game_id)
        .await
        .expect("the game's records");
    let report = verify(&records);
    assert!(report.ok, "{:?}", report.findings);
    assert_eq!((report.plies, report.proofs), (5, 5));
    assert!(
        replay(game, &records).is_err(),
        "nothing can be replayed without view keys"
    );

    carried_out(&mut white, Command::PublishViewKey, Action::PublishViewKey).await;
    carried_out(&mut black, Command::PublishViewKey, Action::PublishViewKey).await;
    carried_out(&mut white, Command::Withdraw, Action::Withdraw).await;
    let records = chain
        .records(game.game_id)
        .await
        .expect("the game's records");
    let replayed = replay(game, &records).expect("both view keys");
    assert!(replayed.ok(), "{:?}", replayed.findings);
    assert_eq!(replayed.uci(), SHORT_GAME);
    assert!(replayed.pgn().contains("1-0"), "{}", replayed.pgn());
    let owed = chain.withdrawable(wallet(seed, 0).address()).await;
    assert!(owed.expect("a number").is_zero());
    white.stop().await;
    black.stop().await;
}
