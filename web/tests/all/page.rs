//! A game of the simulator as a page fetches it.

use alloy_primitives::Address;
use events::calldata;
use game::audit::{Record, audit};
use game::replay::replay;
use game::report::report;
use game::statement::Statement;
use game::{ChainEvent, Outcome, Table, Transaction};
use serde_json::{Value, json};
use simulate::world::World;

/// What the page has of each log: topics, data, time, and the transaction where one is read.
pub fn fetched(world: &World) -> Value {
    let game = world.chain.game;
    let mut table = Table::new(game);
    let mut logs = Vec::new();
    for logged in &world.chain.log {
        let transaction = transaction(&table, &logged.event, logged.carried.clone().unwrap_or_default());
        let input =
            transaction.map(|transaction| calldata(game.game_id, game.contract, &transaction).expect("calldata"));
        logs.push(json!({
            "topics": logged.log.topics(), "data": logged.log.data.data, "time": logged.time,
            "transaction": input.map(|input| json!({ "from": actor(&table, &logged.event), "to": game.contract, "input": input })),
        }));
        table.apply(&logged.event).expect("events of the contract");
    }
    json!({ "chain_id": game.chain_id, "contract": game.contract, "game": game.game_id, "logs": logs, "transcript": null })
}

/// Who has sent it.
fn actor(table: &Table, event: &ChainEvent) -> Option<Address> {
    let play = table.begun()?;
    let color = match event {
        ChainEvent::Moved { .. } | ChainEvent::FiftyClaimed { .. } => play.turn(),
        ChainEvent::SightDemanded { demanded, .. } => demanded.receiver,
        ChainEvent::SightAnswered { ctx, .. } => !play.demand_for(*ctx)?.demanded.receiver,
        _ => !play.turn(),
    };
    Some(play.players[color.index()])
}

/// The transaction that an event comes of, if the page reads anything in it.
fn transaction(table: &Table, event: &ChainEvent, proof: Vec<u8>) -> Option<Transaction> {
    let ply = table.begun()?.ply;
    Some(match event {
        ChainEvent::Moved { fields, basis, proof, .. } => {
            Transaction::Move { fields: *fields, basis: (*basis)?, proof: proof.clone()? }
        }
        ChainEvent::SightDemanded { demanded, points, .. } => {
            Transaction::DemandSight { phase: demanded.phase, ply, points: points.clone(), proof }
        }
        ChainEvent::SightAnswered { ctx, answer_root, elements, .. } => {
            let demanded = table.begun()?.demand_for(*ctx)?.demanded;
            Transaction::AnswerSight { demanded, answer_root: *answer_root, elements: elements.clone(), proof }
        }
        ChainEvent::FiftyClaimed { ply, .. } => Transaction::ClaimFifty { ply: *ply, proof },
        ChainEvent::FiftyFailed { .. } => Transaction::RespondFifty { at_least_fifty: false, proof },
        ChainEvent::Ended { outcome: Outcome::FiftyMoves, .. } if !proof.is_empty() => {
            Transaction::RespondFifty { at_least_fifty: true, proof }
        }
        _ => return None,
    })
}

/// What the page reads.
pub fn read(question: &Value) -> Result<Value, String> {
    web::read(question.to_string().as_bytes())
}

/// What the page finds, with the oracle's verdict on each proof.
pub fn judged(world: &World, question: &Value) -> Value {
    let mut question = question.clone();
    question["verdicts"] = verdicts(world);
    question["keys"] = json!([]);
    web::audit(question.to_string().as_bytes()).expect("the page judges it")
}

/// The oracle's verdicts on a game's proofs.
pub fn verdicts(world: &World) -> Value {
    let mut verdicts = serde_json::Map::new();
    let mut table = Table::new(world.chain.game);
    for record in world.records() {
        if let Some((statement, proof)) = record.proven(&table) {
            verdicts.insert(statement.key(proof), json!(statement.verify(&world.oracle, proof).is_ok()));
        }
        table.apply(&record.event).expect("events of the contract");
    }
    Value::Object(verdicts)
}

/// What an audit on this machine says.
pub fn audited(world: &World) -> Value {
    let game = world.chain.game;
    let mut table = Table::new(game);
    let sent = |record: Record| {
        let transaction = transaction(&table, &record.event, record.carried.clone().unwrap_or_default());
        let sender = transaction.and_then(|_| actor(&table, &record.event));
        table.apply(&record.event).expect("events of the contract");
        Record { sender, ..record }
    };
    let records: Vec<Record> = world.records().into_iter().map(sent).collect();
    let found = audit(game, &records, |statement: &Statement, proof: &[u8]| statement.verify(&world.oracle, proof));
    report(&found, replay(game, &records).as_ref())
}
