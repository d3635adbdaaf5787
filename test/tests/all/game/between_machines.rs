//! Games of mode `channel` on the real contract, whose plies the chain hasn't seen: audited by a stranger from a transcript, by the command and by what the page
//! asks; and looked after by a tower.

use alloy::primitives::Address;
use alloy::providers::Provider as _;
use client::backup::{Backup, Owner};
use client::journal::{Entry, KeptPly};
use client::tower::{Told, Tower};
use fogmate_test::{BetweenMachines, Machine, SHORT_GAME, TestChain, alone, seed, wallet};
use game::channel_transcript::Ply;
use game::{Outcome, SignedPly};
use rules::Color;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

async fn ask(test_chain: &TestChain, method: &'static str, params: Value) -> Value {
    let provider = test_chain.anvil.provider().expect("a connection");
    provider.raw_request(method.into(), params).await.expect("Anvil answers")
}

fn number(value: &Value) -> u64 {
    let text = value.as_str().expect("a number").trim_start_matches("0x");
    u64::from_str_radix(text, 16).expect("hexadecimal")
}

/// What the page fetches of a game, with a transcript.
async fn fetched(test_chain: &TestChain, played: &BetweenMachines, transcript: Option<&Path>) -> Value {
    let (game, contract) = (played.game.game.game_id, played.game.game.contract);
    let filter = json!({ "address": contract, "topics": [null, game], "fromBlock": "0x0", "toBlock": "latest" });
    let mut logs = Vec::new();
    for log in ask(test_chain, "eth_getLogs", json!([filter])).await.as_array().expect("logs") {
        let block = ask(test_chain, "eth_getBlockByNumber", json!([log["blockNumber"], false])).await;
        let transaction = ask(test_chain, "eth_getTransactionByHash", json!([log["transactionHash"]])).await;
        logs.push(json!({
            "topics": log["topics"], "data": log["data"], "time": number(&block["timestamp"]),
            "transaction": { "from": transaction["from"], "to": transaction["to"], "value": transaction["value"], "input": transaction["input"] },
        }));
    }
    let transcript = transcript.map(|path| std::fs::read_to_string(path).expect("a file"));
    json!({
        "chain_id": played.game.game.chain_id, "contract": contract, "game": game, "logs": logs, "transcript": transcript,
    })
}

/// The page's report and its rows, if all proofs hold but those of these rows.
fn page(mut question: Value, is_false: &[usize]) -> (Value, Vec<Value>) {
    let read = web::read(question.to_string().as_bytes()).expect("the page reads it");
    let rows = read["rows"].as_array().expect("rows").clone();
    let verdicts = rows
        .iter()
        .enumerate()
        .filter_map(|(number, row)| Some((row["verdict"].as_str()?.to_owned(), json!(!is_false.contains(&number)))));
    question["verdicts"] = Value::Object(verdicts.collect());
    question["keys"] = json!([]);
    let answer = web::audit(question.to_string().as_bytes()).expect("the page judges it");
    (answer["report"].clone(), rows)
}

fn write(played: &BetweenMachines, folder: &Path) -> PathBuf {
    let path = folder.join("transcript.json");
    std::fs::write(&path, played.transcript.to_json().expect("JSON")).expect("a file");
    path
}

/// What the command says of a game: its exit code, its report, and what it complains of.
async fn audit(
    stranger: &Machine,
    played: &BetweenMachines,
    transcript: Option<&Path>,
) -> (Option<i32>, Value, String) {
    let id = played.game.game.game_id.to_string();
    let mut args = vec!["audit", &id, "--json"];
    args.extend(transcript.into_iter().flat_map(|path| ["--transcript", path.to_str().expect("UTF-8")]));
    let (code, said, complaint) = stranger.said(&args).await;
    let mut report: Value = serde_json::from_str(&said).unwrap_or(Value::Null);
    if let Some(report) = report.as_object_mut() {
        report.retain(|name, _| !["account", "course"].contains(&name.as_str()));
    }
    (code, report, complaint)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_audits_a_closed_game_from_its_transcript() {
    let _alone = alone().await;
    let (seed, test_chain) = (seed(0x2e71), TestChain::new().await);
    let folder = tempfile::tempdir().expect("a folder");
    let stranger = Machine::new(&test_chain).await;
    let mut played = BetweenMachines::open(&test_chain, &wallet(seed, 0), &wallet(seed, 1)).await;
    SHORT_GAME.iter().for_each(|mv| played.play(mv));
    played.close(&test_chain, Some(Color::White), Outcome::KingCaptured).await;
    let file = write(&played, folder.path());
    let id = played.game.game.game_id.to_string();

    // Proofs are enough for legality by the posted answers; there are no view keys yet.
    let (code, report, complaint) = audit(&stranger, &played, Some(&file)).await;
    assert_eq!(code, Some(0), "{complaint}");
    let counts = ["plies", "proofs", "signed", "by_chain", "by_nobody"].map(|name| report[name].clone());
    assert_eq!(counts, [5, 5, 5, 0, 0].map(|count| json!(count)), "{report}");
    assert_eq!((&report["ok"], &report["unknown"]), (&json!(true), &Value::Null));
    let (code, report, complaint) = audit(&stranger, &played, None).await;
    assert_eq!((code, &report["plies"], &report["ok"]), (Some(5), &json!(0), &json!(true)), "{complaint}");
    assert!(complaint.contains("without a transcript nobody can say which moves were made"), "{complaint}");
    let (code, complaint) = stranger.complaint(&["replay", &id]).await;
    assert!(code == Some(5) && complaint.contains("--transcript names its file"), "{complaint}");

    played.publish().await;
    let (_, report, _) = audit(&stranger, &played, Some(&file)).await;
    assert_eq!(report["replay"]["moves"], json!(SHORT_GAME), "{report}");
    let (from_page, rows) = page(fetched(&test_chain, &played, Some(&file)).await, &[]);
    assert_eq!(from_page, report);
    assert_eq!(rows.iter().filter(|row| row["log"].is_null()).count(), 5);
    let (_, without, _) = audit(&stranger, &played, None).await;
    assert_eq!(page(fetched(&test_chain, &played, None).await, &[]).0, without);
    let path = file.to_str().expect("UTF-8");
    let (code, said, complaint) = stranger.said(&["replay", &id, "--transcript", path, "--uci"]).await;
    assert_eq!((code, said.split_whitespace().collect::<Vec<_>>()), (Some(0), SHORT_GAME.to_vec()), "{complaint}");
    // What replays well is not yet the game.
    let cut = folder.path().join("cut.json");
    let mut first = played.transcript.clone();
    first.plies.truncate(3);
    std::fs::write(&cut, first.to_json().expect("JSON")).expect("a file");
    let args = ["replay", &id, "--transcript", cut.to_str().expect("UTF-8"), "--uci"];
    let (code, said, complaint) = stranger.said(&args).await;
    assert_eq!((code, said.split_whitespace().count()), (Some(5), 3), "{complaint}");
    assert!(complaint.contains("doesn't lead to the position that the result is of"), "{complaint}");
    let (code, said, _) = stranger.said(&["audit", &id, "--transcript", path]).await;
    assert_eq!(code, Some(0));
    let line = said.lines().find(|line| line.starts_with("   2.  ")).expect("White's second move");
    assert_eq!(line, "   2.  between the machines  White moves; proven: here; clocks 59:58 and 59:59");

    // A proof of another ply, a move of another game, and a file that is none.
    let proof = played.transcript.plies[1].proof.clone();
    let right = std::mem::replace(&mut played.transcript.plies[2].proof, proof);
    let (code, report, _) = audit(&stranger, &played, Some(&write(&played, folder.path()))).await;
    assert_eq!((code, &report["ok"], &report["proofs"]), (Some(3), &json!(false), &json!(4)));
    assert!(report["findings"][0].as_str().expect("a finding").starts_with("White's move 2: the turn proof is wrong"));
    let false_row = 4 + 2;
    let (from_page, _) = page(fetched(&test_chain, &played, Some(&file)).await, &[false_row]);
    assert_eq!((&from_page["proofs"], &from_page["ok"]), (&json!(4), &json!(false)));
    played.transcript.plies[2].proof = right;
    played.transcript.plies[0].clock += 1;
    let (code, report, _) = audit(&stranger, &played, Some(&write(&played, folder.path()))).await;
    assert_eq!(code, Some(3), "{report}");
    assert_eq!(page(fetched(&test_chain, &played, Some(&file)).await, &[]).0, report);
    std::fs::write(&file, "e2e4").expect("a file");
    let (code, complaint) = stranger.complaint(&["audit", &id, "--transcript", path]).await;
    assert!(code == Some(2) && complaint.contains(path) && complaint.contains("it is no transcript"), "{complaint}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_woken_game_is_audited_from_the_transcript_and_the_chain() {
    let _alone = alone().await;
    let (seed, test_chain) = (seed(0x2e72), TestChain::new().await);
    let folder = tempfile::tempdir().expect("a folder");
    let stranger = Machine::new(&test_chain).await;
    let mut played = BetweenMachines::open(&test_chain, &wallet(seed, 0), &wallet(seed, 1)).await;
    SHORT_GAME[..3].iter().for_each(|mv| played.play(mv));
    played.wake(Color::Black, 1).await;
    played.wake(Color::White, 3).await;
    ask(&test_chain, "evm_increaseTime", json!([3_601])).await;
    ask(&test_chain, "evm_mine", json!([])).await;
    for mv in &SHORT_GAME[3..] {
        played.game.play(mv).await;
    }
    played.publish().await;
    let file = write(&played, folder.path());
    let (code, report, complaint) = audit(&stranger, &played, Some(&file)).await;
    assert_eq!((code, &report["findings"]), (Some(0), &json!([])), "{complaint}");
    let counts = ["plies", "proofs", "signed", "by_chain"].map(|name| report[name].clone());
    assert_eq!(counts, [5, 5, 3, 2].map(|count| json!(count)), "{report}");
    assert_eq!(report["replay"]["moves"], json!(SHORT_GAME), "{report}");
    assert_eq!(page(fetched(&test_chain, &played, Some(&file)).await, &[]).0, report);
    let (code, report, complaint) = audit(&stranger, &played, None).await;
    assert_eq!((code, &report["plies"], &report["proofs"]), (Some(5), &json!(2), &json!(2)), "{complaint}");
    assert!(complaint.contains("its moves before Black's move 2 went from machine to machine"), "{complaint}");
    assert_eq!(page(fetched(&test_chain, &played, None).await, &[]).0, report);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_whose_transcript_was_posted_is_audited_from_the_chain_alone() {
    let _alone = alone().await;
    let (seed, test_chain) = (seed(0x2e74), TestChain::new().await);
    let stranger = Machine::new(&test_chain).await;
    let mut played = BetweenMachines::open(&test_chain, &wallet(seed, 0), &wallet(seed, 1)).await;
    SHORT_GAME.iter().for_each(|mv| played.play(mv));
    played.close(&test_chain, Some(Color::White), Outcome::KingCaptured).await;
    let posted = played.transcript.to_posted();
    let mut other = played.transcript.clone();
    other.plies[1].clock += 1;
    let id = played.game.game.game_id.to_string();

    // What isn't the game's is as if it were not there.
    for not_it in [other.to_posted(), posted[1..].to_vec(), [&posted[..], &[0]].concat()] {
        played.publish_with([&[], &not_it]).await;
        let (code, report, _) = audit(&stranger, &played, None).await;
        assert_eq!((code, &report["plies"], &report["ok"]), (Some(5), &json!(0), &json!(true)));
    }
    played.publish_with([&posted, &[]]).await;
    let (code, report, complaint) = audit(&stranger, &played, None).await;
    let counts = ["plies", "proofs", "by_nobody"].map(|name| report[name].clone());
    assert_eq!((code, counts), (Some(0), [5, 0, 5].map(|count| json!(count))), "{complaint}{report}");
    assert_eq!(report["replay"]["moves"], json!(SHORT_GAME), "{report}");
    assert_eq!(page(fetched(&test_chain, &played, None).await, &[]).0, report);
    let (code, said, complaint) = stranger.said(&["replay", &id, "--uci"]).await;
    assert_eq!((code, said.split_whitespace().collect::<Vec<_>>()), (Some(0), SHORT_GAME.to_vec()), "{complaint}");
}

/// Writes plies into White's backup, as its machine does.
fn keep(backup: &Backup, plies: &[Ply]) {
    for ply in plies {
        let mover = usize::from(ply.fields.ply % 2);
        let (fields, proof) = (ply.fields, ply.proof.clone().expect("a proof"));
        let [signature, other] = [mover, 1 - mover].map(|of| ply.signatures[of].expect("signed").0);
        let signed = SignedPly { fields, clock: ply.clock, signature, proof, points: Box::new([0; 4_096]) };
        backup.keep(&Entry::Ply(Box::new(KeptPly { own: mover == 0, at: 0, signed }))).expect("kept");
        backup.keep(&Entry::Countersigned { ply: fields.ply, signature: other }).expect("kept");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tower_puts_the_later_position_in_the_place_of_an_old_one() {
    let _alone = alone().await;
    let (seed, test_chain) = (seed(0x2e73), TestChain::new().await);
    let folder = tempfile::tempdir().expect("a folder");
    let mut played = BetweenMachines::open(&test_chain, &wallet(seed, 0), &wallet(seed, 1)).await;
    SHORT_GAME[..4].iter().for_each(|mv| played.play(mv));
    let (game, id) = (played.game.game, played.game.game.game_id);

    // White's backup, as its machine writes it.
    let of_tower = test_chain.connect(&wallet(seed, 9)).await;
    let owner = |account: Address, genesis| Owner { account, game, genesis };
    let genesis = of_tower.genesis().await.expect("a chain");
    let (backup, _) = Backup::open(folder.path(), owner(wallet(seed, 0).address(), genesis)).expect("a backup");
    keep(&backup, &played.transcript.plies[..2]);
    // One of a chain that is no more, and one that is none.
    Backup::open(folder.path(), owner(Address::ZERO, Default::default())).expect("a backup");
    std::fs::write(folder.path().join("other.backup"), "e2e4").expect("a file");
    let mut tower = Tower::new(of_tower, folder.path()).await.expect("a tower");
    let told = tower.look().await.expect("a look");
    let watches = Told::Watches { game: id, plies: 2 };
    assert!(told.contains(&watches) && told.len() == 2, "{told:?}");
    assert!(told.iter().any(|told| matches!(told, Told::Trouble { path, .. } if path.ends_with("other.backup"))));
    assert_eq!(tower.look().await.expect("a look"), [], "told once");

    // Black wakes at what the backup has, and then the machine has written more.
    played.wake(Color::Black, 2).await;
    let told = tower.look().await.expect("a look");
    assert!(matches!(told[..], [Told::NothingLater { contest, .. }] if contest.ply == 2), "{told:?}");
    keep(&backup, &played.transcript.plies[2..]);
    let told = tower.look().await.expect("a look");
    let [Told::Shown { ply: 4, contest, receipt, .. }] = &told[..] else { panic!("{told:?}") };
    assert!(contest.ply == 2 && receipt.gas_used < 120_000, "{receipt:?}");
    let chain = &played.game.players[0].chain;
    assert_eq!(chain.contest(id).await.expect("a game").map(|contest| contest.ply), Some(4));
    assert_eq!(chain.contest(id).await.expect("a game").map(|found| found.until), Some(contest.until), "once a window");
    assert_eq!(tower.look().await.expect("a look"), [], "what it has shown itself is no news");

    // From there the game goes on with the same proof.
    ask(&test_chain, "evm_increaseTime", json!([3_601])).await;
    ask(&test_chain, "evm_mine", json!([])).await;
    assert_eq!(tower.look().await.expect("a look"), []);
    played.game.play(SHORT_GAME[4]).await;
    assert_eq!(tower.look().await.expect("a look"), [Told::Over { game: id }]);
    assert_eq!(tower.look().await.expect("a look"), []);
}

/// Two games are woken, and no block comes: both transactions wait for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_tower_shows_one_game_while_another_waits_for_its_block() {
    let _alone = alone().await;
    let (seed, test_chain) = (seed(0x2e74), TestChain::new().await);
    let folder = tempfile::tempdir().expect("a folder");
    let of_tower = test_chain.connect(&wallet(seed, 9)).await;
    let genesis = of_tower.genesis().await.expect("a chain");
    for number in [0, 2] {
        let white = wallet(seed, number);
        let mut played = BetweenMachines::open(&test_chain, &white, &wallet(seed, number + 1)).await;
        SHORT_GAME[..2].iter().for_each(|mv| played.play(mv));
        let owner = Owner { account: white.address(), game: played.game.game, genesis };
        let (backup, _) = Backup::open(folder.path(), owner).expect("a backup");
        keep(&backup, &played.transcript.plies);
        played.wake(Color::Black, 0).await;
    }
    let mut tower = Tower::new(of_tower, folder.path()).await.expect("a tower");
    ask(&test_chain, "evm_setAutomine", json!([false])).await;
    let look = tokio::spawn(async move { tower.look().await.expect("a look") });
    let both_wait = async {
        while number(&ask(&test_chain, "txpool_status", json!([])).await["pending"]) < 2 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), both_wait).await.expect("both are sent before a block comes");
    ask(&test_chain, "evm_setAutomine", json!([true])).await;
    ask(&test_chain, "evm_mine", json!([])).await;
    let told = look.await.expect("a look");
    let shown = told.iter().filter(|told| matches!(told, Told::Shown { ply: 2, .. })).count();
    assert_eq!(shown, 2, "{told:?}");
}
