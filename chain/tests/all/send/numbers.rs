//! Numbers of a node and of the ledger's file that are as high as they can be: nothing is signed by them that can't be, and nothing panics.

use super::{Answer, Facts, Ledger, Owner, Priority, RULES, a_move, action, facts};
use serde_json::Value;

/// The numbers of a JSON value, each by the way to it.
fn numbers(value: &Value, way: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(way.to_owned()),
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(i, value)| numbers(value, &format!("{way}/{i}"), found))
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| numbers(value, &format!("{way}/{name}"), found))
        }
        _ => {}
    }
}

#[test]
fn an_account_without_a_nonce_left_waits() {
    let mut owner = Owner::default();
    let last = facts(5, 100, u64::MAX);
    for byte in 0..3 {
        owner.want(&action(byte, Priority::Normal), &last);
    }
    assert_eq!(owner.want(&action(9, Priority::Normal), &last), Answer::Wait);
    owner.block(&Facts { block: u64::MAX, ..last });
}

#[test]
fn a_ledger_with_any_number_is_looked_after() {
    let mut owner = Owner::default();
    for (request, base_fee) in
        [(a_move(4, 1), 100), (action(2, Priority::Normal), 100), (action(3, Priority::Urgent), 500)]
    {
        owner.assigned(&request, &facts(1, base_fee, 7));
    }
    owner.block(&facts(9, 4_000, 8));
    let whole = serde_json::to_value(&owner.ledger).expect("a ledger");
    let mut ways = Vec::new();
    numbers(&whole, "", &mut ways);
    assert!(ways.len() > 20, "{ways:?}");
    for way in ways {
        for highest in [Value::from(u64::MAX), Value::from(u32::MAX), Value::from(u16::MAX), Value::from(0)] {
            let mut bent = whole.clone();
            *bent.pointer_mut(&way).expect("a number") = highest.clone();
            // A number that is too high for its place isn't read at all.
            let Ok(mut ledger) = serde_json::from_value::<Ledger>(bent) else { continue };
            // As whoever opens a ledger does.
            ledger.count_from(1 << 32);
            for (block, mined) in [(0, 0), (10, 8), (u64::MAX, 9), (u64::MAX, u64::MAX)] {
                let facts = Facts { refused: vec![(8, "no".to_owned())], ..facts(block, u128::MAX, mined) };
                let mut owner = Owner { ledger: ledger.clone(), ..Owner::default() };
                owner.block(&facts);
                owner.ledger.questions(&RULES, &facts);
                owner.want(&a_move(5, 9), &facts);
                owner.want(&action(9, Priority::Urgent), &Facts { pending_nonce: u64::MAX, ..facts });
            }
        }
    }
}
