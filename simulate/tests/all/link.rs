//! The players' links in deep worlds: each promise is broken on purpose, and the world says which.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use simulate::draw::{PATIENT, QUICK, link_weather};
use simulate::run::watched;
use simulate::world::{Course, LinkDefect, LinkWeather, Mischief, NodeWeather, Tally, World, short};

fn begin(seed: u64, link_weather: LinkWeather) -> World {
    let course = Course {
        terms: QUICK,
        config: PATIENT,
        node_weather: Some(NodeWeather::clear()),
        link_weather,
        ..Course::new(seed, short()).open()
    };
    let mut world = course.join();
    (world.longest_tick, world.autoplay) = (64, true);
    world
}

fn finish(world: &mut World) {
    while !world.is_over_for_honest() {
        world.step();
    }
    world.check_ending();
    world.check_senders();
    world.check_settlement();
    world.check_link();
}

/// What the world says to both players' defect, in the first of some games that shows it. Their players take their time to begin.
fn found(link_weather: LinkWeather, defect: LinkDefect) -> String {
    let said = (7..17).find_map(|seed| {
        let mut world = begin(seed, link_weather);
        world.link.as_mut().expect("a deep world").defect = defect;
        let said = watched(|| {
            (0..200).for_each(|_| world.tick(1));
            finish(&mut world);
        });
        said.err()
    });
    said.expect("the world finds something")
}

fn expect(said: &str, wanted: &str) {
    assert!(said.contains(wanted), "{said}");
}

/// Strangers as often as they like.
fn crowded() -> LinkWeather {
    LinkWeather { strangers: 1000, ..LinkWeather::clear() }
}

#[test]
fn without_a_defect_nothing_is_found() {
    let mut faults = Tally::default();
    for seed in 0..24 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let weather = LinkWeather { breaks: 6, dead: 50, strangers: 60, ..link_weather(&mut rng) };
        let mut world = begin(seed, weather);
        assert_eq!(watched(|| finish(&mut world)), Ok(()), "seed {seed}");
        faults += world.faults.clone();
    }
    for kind in [
        "connections broken",
        "connections gone dead",
        "second connections",
        "packets lost",
        "packets overtaken",
        "strangers that knocked",
        "packets of strangers",
        "dials that came to nothing",
    ] {
        assert!(faults.of(kind) > 0, "no {kind}: {faults}");
    }
}

#[test]
fn a_message_that_is_acknowledged_and_not_handed_on_is_found() {
    expect(
        &found(LinkWeather::clear(), LinkDefect { swallows: true, ..LinkDefect::default() }),
        " arrives before the ",
    );
}

#[test]
fn a_message_that_is_never_sent_is_found() {
    expect(&found(LinkWeather::clear(), LinkDefect { is_mute: true, ..LinkDefect::default() }), "never arrives");
}

#[test]
fn a_message_that_isn_t_sent_again_when_its_connection_breaks_is_found() {
    let weather = LinkWeather { breaks: 20, ..LinkWeather::clear() };
    let said = found(weather, LinkDefect { sends_once: true, ..LinkDefect::default() });
    assert!(said.contains("never arrives") || said.contains("wait for ever"), "{said}");
}

#[test]
fn a_message_to_a_stranger_is_found() {
    expect(&found(crowded(), LinkDefect { leaks: true, ..LinkDefect::default() }), "is sent to a stranger");
}

#[test]
fn strangers_that_keep_the_opponent_out_are_found() {
    let weather = LinkWeather { breaks: 20, ..crowded() };
    expect(&found(weather, LinkDefect { lets_strangers_sit: true, ..LinkDefect::default() }), "is kept out");
}

#[test]
fn a_link_that_keeps_every_stranger_is_found() {
    expect(&found(crowded(), LinkDefect { has_no_gate: true, ..LinkDefect::default() }), "keeps too much");
}

#[test]
fn damaged_packets_of_a_cheat_are_refused_by_name() {
    let mut world = begin(7, LinkWeather { corrupt: 30, ..LinkWeather::clear() });
    world.players[0].mischief = Some(Mischief::new(|effect| vec![effect]));
    assert_eq!(watched(|| finish(&mut world)), Ok(()));
    assert!(world.faults.of("messages corrupted") > 0, "{}", world.faults);
}
