//! Bob's lies about what Alice sees.

use circuits::ChainAnswerCircuit;
use client::link::Frames;
use deploy::{Statement, key_code};
use eyre::{OptionExt as _, Result, bail};
use fog::engine::sight_lines::answer::Answer;
use fog::word::from_word;
use game::{ChainEvent, Demanded, Message, Notice, Phase, PlayState, Transaction};
use prover::Verifier;
use rules::{Color, Side, Sight};

use super::alice::{Alice, Line};
use super::ground::Ground;
use super::hand::{Hand, due, in_bytes};
use super::pairing::Pairing;
use super::report::SceneReport;
use super::scene::Scene;
use super::who::Who;
use crate::boards::side_by_side;
use crate::output::say;

const ALICE_MOVES: &str = "e2e4";
const BOB_MOVES: &str = "e7e5";

/// What Bob can say of his board after his move.
struct Said {
    /// The game after his move.
    play: PlayState,
    true_answer: Answer,
    /// Of his board before his move, so that Alice doesn't see what stands in her pawn's way.
    lie: Answer,
    request: Vec<u8>,
}

/// Alice moves, and Bob. He has posted the root of the truth or, with `binds_himself`, that of the lie; then he tells the lie over the link. Her machine
/// refuses it, and demands the sight through the chain.
async fn demanded(ground: &Ground, scene: Scene, binds_himself: bool) -> Result<(Pairing<'_>, Alice, Said, Demanded)> {
    let (mut pairing, mut alice, address) = Pairing::begin(ground, scene, Color::Black).await?;
    let mut line = Line::dial(&pairing.machines, pairing.bob.game, &address, Frames::Answers).await?;
    pairing.story.tell("Alice", "moves from e2 to e4.")?;
    alice.moves(&mut pairing.story, 0, ALICE_MOVES).await?;
    let request = line.request(0).await?;
    let bob = &mut pairing.bob;
    *bob = Hand::sit(ground, &pairing.machines[1], bob.game).await?;
    let declared = bob.declare(BOB_MOVES, Some(&request))?;
    let (mut fields, next) = (declared.fields, declared.next.clone());
    let play = bob.play.after(&fields);
    let true_answer = bob.answer_of(&next.side, &play, &request)?;
    let lie = bob.answer_of(&Side::start(Color::Black), &play, &request)?;
    if binds_himself {
        fields.answer_root = lie.root();
    }
    let proof = bob.prove(declared).await?;
    pairing.story.tell("Bob", "moves from e7 to e5.")?;
    pairing.story.taken(BOB_MOVES, &bob.send_move(fields, proof).await?)?;
    bob.advance(&fields, Some(next));
    let said = Said { play: bob.play.clone(), true_answer, lie, request };

    pairing.story.tell("Bob", "tells Alice's machine that nothing stands on e5, with a proof that he has made up.")?;
    let keys = ground.keys.answer().ok_or_eyre("there are no keys")?;
    let made_up = vec![0; keys.verifier().proof_bytes()];
    line.say(Message::Answer { ply: 2, phase: Phase::Pre, elements: said.lie.to_wire(), proof: made_up }).await?;
    let asked = |notice: &Notice| matches!(notice, Notice::SightDemanded { own: true, .. }).then_some(());
    alice.until(&mut pairing.story, "a demand", asked).await?;
    let records = ground.chain.records(pairing.bob.game.game_id).await?;
    let demanded = records.iter().find_map(|record| match &record.event {
        ChainEvent::SightDemanded { demanded, .. } => Some(*demanded),
        _ => None,
    });
    Ok((pairing, alice, said, demanded.ok_or_eyre("the chain has no demand")?))
}

/// Bob lies through the chain as well, is refused, and gives the sight truly: the game goes on.
pub async fn lie(ground: &Ground) -> Result<SceneReport> {
    let (mut pairing, mut alice, said, demanded) = demanded(ground, Scene::Lie, false).await?;
    let (bob, story) = (&pairing.bob, &mut pairing.story);
    let (exchange, own, request) = (due(&said.play)?, bob.own.committed(), said.request.clone());
    let published = bob.prove_for_chain(move |keys| keys.prove_answer(&exchange, &own, &request)).await?;
    let answer_root = from_word(&published.digest).ok_or_eyre("the answer's digest is not reduced")?;
    let answer =
        |elements| Transaction::AnswerSight { demanded, answer_root, elements, proof: published.proof.clone() };
    story.tell("Bob", "tells the chain that nothing stands on e5, with the proof of what does.")?;
    story.refused(Who::Bob, "the lie", &bob.send(&answer(in_bytes(&said.lie))).await?, "InvalidProof")?;
    story.tell("Bob", "gives the sight as it is, before the time for it is over.")?;
    story.taken("the truth", &bob.send(&answer(published.content.clone())).await?)?;
    let seen = alice.until(story, "her sight", |notice| match notice {
        Notice::View(view) if view.ply == 2 && view.sight.is_some() => Some((view.side.clone(), view.board()?)),
        _ => None,
    });
    let (side, seen) = seen.await?;
    let wished = rules::board::line(&side, &Sight::between(&side, &Side::start(Color::Black), true));
    if seen == wished {
        bail!("Alice's machine shows what Bob wants her to see");
    }
    story.tell("Alice", "sees that something is in her pawn's way, as is true.\n")?;
    say!("{}", side_by_side(("Bob's lie", &wished), ("What Alice is shown", &seen)))?;
    alice.leave().await;
    pairing.end(None).await
}

/// Bob has bound himself to his lie: he can neither prove it nor tell the truth any more, and the time for it runs out.
pub async fn withheld(ground: &Ground) -> Result<SceneReport> {
    let (mut pairing, alice, said, demanded) = demanded(ground, Scene::Withheld, true).await?;
    let (bob, story) = (&pairing.bob, &mut pairing.story);
    let made_up =
        vec![0; Verifier::<ChainAnswerCircuit>::of_code(key_code(Statement::ChainAnswer, true))?.proof_bytes()];
    let answer = |said: &Answer| Transaction::AnswerSight {
        demanded,
        answer_root: said.root(),
        elements: in_bytes(said),
        proof: made_up.clone(),
    };
    story.tell(
        "Bob",
        "has bound himself to the lie with his move. He tells it to the chain, too, with a proof that he has made up.",
    )?;
    story.refused(Who::Bob, "the lie", &bob.send(&answer(&said.lie)).await?, "InvalidProof")?;
    story.tell("Bob", "tries the truth.")?;
    story.refused(Who::Bob, "the truth", &bob.send(&answer(&said.true_answer)).await?, "WrongRoot")?;
    ground.let_deadline_pass(bob.game.game_id).await?;
    story.tell("Chain", "waits for the hour that he has for it.")?;
    let ending = alice.ends(story).await?;
    pairing.end(Some(ending)).await
}
