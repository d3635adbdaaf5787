//! An opponent that withholds, lies and is honest as the dice will: whatever it does, the honest player loses only by the capture
//! of its king, or by giving up. The simulator plays many more such games (`make simulate`); two here are played with sight-lines.

use super::{corrupt, course, run_for};
use fogmate_test::seed;
use game::Outcome;
use rules::Color;
use simulate::world::{Course, Dice, Players, lies};

fn play(course: &Course, honest: Color, dice: Dice) {
    let mut world = course.begin();
    world.longest_tick = 64;
    let cheat = corrupt(&mut world, !honest, lies(course.seed, dice));
    let ending = run_for(&mut world, 1 - cheat);
    let plies = world.chain.ply();
    println!("{honest:?} is honest, {dice:?}: {} after {plies} plies, won by {:?}", ending.outcome, ending.color);
    if ending.color == Some(!honest) {
        assert!(matches!(ending.outcome, Outcome::KingCaptured | Outcome::Resigned), "{}", ending.outcome);
    }
    let drawn = ending.winner.is_none();
    assert!(!drawn, "nobody has claimed or accepted a draw");
}

#[test]
fn an_honest_player_loses_to_no_mischief() {
    let seed = seed(371);
    let mild = Dice { lost_messages: 30, lost_transactions: 10, wrong: 2 };
    let mute = Dice { lost_messages: 100, lost_transactions: 10, wrong: 3 };
    let wild = Dice { lost_messages: 50, lost_transactions: 40, wrong: 25 };
    for (number, dice) in (0..).zip([mild, mute, wild, wild, wild]) {
        for honest in Color::ALL {
            let course = course(seed + number, Players::Random { plies: 24 });
            play(&course.clone().open(), honest, dice);
            if number == 2 && honest == Color::White {
                play(&course, honest, dice);
            }
        }
    }
}
