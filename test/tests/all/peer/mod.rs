//! Attacks on an honest client by its opponent and by strangers, over a real link with real proofs. Each
//! is told apart by name and refused, the honest player loses nothing, and when the right thing comes the ply is completed.
//!
//! Protocol, section 1 ("a player can't lie about what stands there"), section 6, step 2 ("only after the proof has verified
//! and the root matches the chain") and section 7. All attacks meet one game in which the honest client is Black; what it
//! gives in return is held against the same answers made natively.

mod answers;
mod frames;
mod requests;
mod strangers;

use fogmate_test::{Cheat, Honest, SHORT_GAME, TestChain, TestGame, alone, listen_again, seed, wallet};
use game::{MessageId, MessageKind, Phase};
use game::{Notice, Outcome};
use libp2p::Multiaddr;
use rules::Color;
use tempfile::TempDir;

/// What the attacks meet.
struct Target {
    seed: u64,
    test_chain: TestChain,
    game: TestGame,
    /// The honest client, Black.
    victim: Honest,
    address: Multiaddr,
    journals: TempDir,
}

fn answer_id(ply: u16, phase: Phase) -> MessageId {
    let kind = MessageKind::Answer;
    MessageId::new(kind, ply, phase)
}

fn request_id(ply: u16) -> MessageId {
    let (phase, kind) = (Phase::Pre, MessageKind::Request);
    MessageId::new(kind, ply, phase)
}

impl Target {
    async fn new() -> Self {
        let seed = seed(0x9ee5);
        let test_chain = TestChain::new().await;
        let game = TestGame::open(&test_chain, &wallet(seed, 0), &wallet(seed, 1)).await;
        let journals = tempfile::tempdir().expect("a temporary folder");
        let listen: Multiaddr = "/ip4/127.0.0.1/tcp/0".parse().expect("an address");
        let mut victim = Honest::start(&test_chain, wallet(seed, 1), game.game, journals.path(), listen, vec![]).await;
        let address = victim.address().await;
        Self { seed, test_chain, game, victim, address, journals }
    }

    /// The dishonest opponent's link.
    async fn cheat(&self) -> Cheat {
        let (white, black) = (wallet(self.seed, 0), wallet(self.seed, 1));
        Cheat::dial(&white, &self.game.game, black.address(), &self.address).await
    }

    /// Ends the honest client and starts it again where it was.
    async fn restart(self) -> Self {
        self.victim.stop().await;
        let journals = self.journals.path();
        let listen = listen_again(&self.address).await;
        let own = wallet(self.seed, 1);
        let victim = Honest::start(&self.test_chain, own, self.game.game, journals, listen, vec![]).await;
        Self { victim, ..self }
    }

    /// The opponent moves on chain; the honest client hears of it.
    async fn opponent_plays(&mut self, ply: u16) {
        self.game.play(SHORT_GAME[usize::from(ply)]).await;
        self.victim.opponent_moved(ply).await;
    }

    /// The honest client moves.
    async fn victim_plays(&mut self, ply: u16) {
        self.victim.play(SHORT_GAME[usize::from(ply)]);
        self.victim.moved(ply).await;
        self.game.sync().await;
    }

    /// The honest client shows a proven sight, and it is the true one.
    async fn victim_sees(&mut self, ply: u16, phase: Phase, position: &rules::Position) {
        let view = self
            .victim
            .until("a proven sight", |notice| match notice {
                Notice::View(view) if view.ply == ply && view.phase == phase && view.sight.is_some() => {
                    Some(view.clone())
                }
                _ => None,
            })
            .await;
        let sight = view.sight.as_ref().expect("a sight");
        let seen = rules::board::line(&view.side, sight);
        assert_eq!(seen, position.board_string(Color::Black));
    }

    /// The honest client gives its opponent the answer that it owes: the one it has posted, with a proof that holds.
    async fn victim_answers(&self, cheat: &mut Cheat, ply: u16, phase: Phase) {
        let wanted = answer_id(ply, phase);
        let heard = cheat.hear("an honest answer", |message| message.id() == wanted).await;
        let sight = self.game.open_answer(&heard).expect("an honest answer");
        assert_eq!(sight, self.game.true_sight(phase));
    }

    /// The opponent captures the king, and the honest client says so.
    async fn ends(mut self) {
        self.game.play(SHORT_GAME[4]).await;
        let over = self.victim.until("the end", |notice| match notice {
            Notice::Over(ending) => Some(*ending),
            _ => None,
        });
        let ending = over.await;
        assert_eq!((ending.outcome, ending.color), (Outcome::KingCaptured, Some(Color::White)));
        self.victim.stop().await;
    }
}

/// The position after some plies of the game.
fn after(plies: usize) -> rules::Position {
    let mut position = rules::Position::start();
    for mv in &SHORT_GAME[..plies] {
        let played = position.play(&mv.parse().expect("a move"));
        played.expect("a legal game");
    }
    position
}

#[tokio::test(flavor = "multi_thread")]
async fn every_attack_is_named_and_the_honest_player_goes_on() {
    let _alone = alone().await;
    let mut target = Target::new().await;
    println!("attacks: who speaks, and in which bytes");
    strangers::impostors(&mut target).await;
    frames::garbage(&mut target).await;
    frames::truncated(&mut target).await;
    frames::oversized(&mut target).await;

    let mut cheat = target.cheat().await;
    target.victim.connected().await;
    target.opponent_plays(0).await;
    println!("attacks: requests");
    requests::off_curve(&mut target, &cheat).await;
    requests::wrong_root(&mut target, &cheat).await;
    cheat.send(target.game.request_message(Color::White)).await;
    target.victim_answers(&mut cheat, 0, Phase::Post).await;
    target.victim_plays(1).await;
    target.victim_answers(&mut cheat, 2, Phase::Pre).await;

    let honest = tokio::task::block_in_place(|| target.game.answer_message(Phase::Post));
    println!("attacks: answers");
    answers::wrong_elements(&mut target, &cheat, &honest).await;
    answers::wrong_proof(&mut target, &cheat, &honest).await;
    cheat.send(honest.clone()).await;
    target.victim_sees(1, Phase::Post, &after(2)).await;
    answers::second_answer(&mut target, &cheat, &honest).await;
    // What the link of the opponent repeats after a reconnection is from here on the right one.
    cheat.send(honest.clone()).await;

    let first_request = target.game.request_message(Color::White);
    target.opponent_plays(2).await;
    let mut target = target.restart().await;
    println!("attacks: messages of other plies");
    answers::replayed(&mut target, &cheat, &first_request, &honest).await;
    answers::wrong_root(&mut target, &cheat, &honest).await;
    cheat.send(target.game.request_message(Color::White)).await;
    let right = tokio::task::block_in_place(|| target.game.answer_message(Phase::Pre));
    cheat.send(right).await;
    target.victim_sees(3, Phase::Pre, &after(3)).await;
    target.victim_plays(3).await;
    target.ends().await;
}
