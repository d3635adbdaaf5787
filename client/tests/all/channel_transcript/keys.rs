//! View keys, true and false, of a game between the machines.

use super::*;

#[test]
fn a_false_view_key_hides_no_true_one_and_is_told_where_there_is_none() {
    let played = Played::new(Mode::Channel);
    let key = |color: usize, of: usize| {
        let key = played.secrets[of].view_key().to_bytes();
        Record::of_chain(ChainEvent::ViewKeyPublished { player: played.address(color), key }, Some(2_000))
    };
    let told = |keys: &[Record]| {
        let records = [&played.won()[..played.won().len() - 2], keys].concat();
        let (audit, records) = audited(&records, &played.transcript);
        assert_eq!(audit.findings, []);
        (audit.false_keys, replay(played.game, &records).map(|replay| replay.ok()))
    };
    assert_eq!(told(&[key(0, 0), key(1, 1), key(0, 1)]), (Vec::new(), Ok(true)));
    let wrong = |color| Err(ReplayError::WrongViewKey(color));
    assert_eq!(told(&[key(0, 1), key(1, 1)]), (vec![Color::White], wrong(Color::White)));
    assert_eq!(told(&[key(0, 1)]), (vec![Color::White], wrong(Color::White)));
    assert_eq!(told(&[key(0, 0), key(1, 0)]), (vec![Color::Black], wrong(Color::Black)));
    assert_eq!(told(&[key(0, 1), key(1, 0)]), (Color::ALL.to_vec(), wrong(Color::White)));
    // Whoever publishes again and again crowds out only its own.
    let many = |count: usize| [vec![key(1, 1), key(0, 0)], vec![key(0, 1); count]].concat();
    assert_eq!(told(&many(15)), (Vec::new(), Ok(true)));
    assert_eq!(told(&many(16)), (vec![Color::White], wrong(Color::White)));
    assert_eq!(told(&[]), (Vec::new(), Err(ReplayError::NoViewKeys)));
}

/// Whoever hasn't published it has made an honest game, and nobody can replay it.
#[test]
fn a_view_key_that_opens_only_some_moves_makes_no_game_false() {
    let played = Played::opened_to(Mode::Channel, 2);
    let mut won = played.won();
    won[played.records.len()].sender = Some(played.address(0));
    let (audit, records) = audited(&won, &played.transcript);
    assert_eq!((audit.findings.len(), audit.false_keys.len(), audit.unknown_after(false)), (0, 0, None));
    let replayed = replay(played.game, &records);
    assert_eq!(replayed.as_ref().err(), Some(&ReplayError::WrongViewKey(Color::White)));
    assert_eq!(unknown(&audit, replayed.as_ref()), Some(Unknown::ViewKey(Color::White)));
}

#[test]
fn a_key_of_a_game_that_goes_on_makes_it_not_false() {
    let played = Played::new(Mode::Channel);
    let (_, records) = audited(&played.chain([]), &played.first(3));
    for color in 0..2 {
        let key = KeyFile::new(played.game, played.address(color), played.secrets[color].view_key());
        assert_eq!(key.record(played.game, &records).err(), Some(KeyFileError::NotOver));
    }
}
