//! Messages about the wrong ply or phase, and wishes that can't be granted.

use super::{faults, id, intercept, world};
use client::seat::Event;
use game::PeerFault;
use game::message::POINTS_BYTES;
use game::{Message, MessageKind, Phase};
use rules::Color;
use simulate::world::finish;

#[test]
fn wrong_plies_phases_and_wishes_are_refused_by_name() {
    let mut world = world();
    let (victim, honest) = intercept(&mut world, Color::White, id(MessageKind::Answer, 4, Phase::Pre));
    let answer = |ply, phase| {
        let Message::Answer { elements, proof, .. } = honest.clone() else { panic!("an answer") };
        Event::Received(Message::Answer { ply, phase, elements, proof })
    };
    let of = |ply, phase| id(MessageKind::Answer, ply, phase);
    let mut check = |event, fault| assert_eq!(faults(&mut world, victim, event), [fault]);
    check(answer(5, Phase::Pre), PeerFault::WrongPly(of(5, Phase::Pre)));
    check(answer(0, Phase::Pre), PeerFault::WrongPly(of(0, Phase::Pre)));
    check(answer(2, Phase::Pre), PeerFault::Stale(of(2, Phase::Pre)));
    check(answer(0, Phase::Post), PeerFault::Stale(of(0, Phase::Post)));
    check(answer(6, Phase::Pre), PeerFault::TooEarly(of(6, Phase::Pre)));
    check(answer(40, Phase::Post), PeerFault::TooEarly(of(40, Phase::Post)));
    let want = |ply, phase| Event::Received(Message::Want { ply, phase });
    let wish = |ply, phase| id(MessageKind::Want, ply, phase);
    check(want(9, Phase::Pre), PeerFault::NotToBeHad(wish(9, Phase::Pre)));
    check(want(0, Phase::Pre), PeerFault::NotToBeHad(wish(0, Phase::Pre)));
    check(want(4, Phase::Post), PeerFault::WrongPly(wish(4, Phase::Post)));
    // The opponent's next sight isn't made yet, and wouldn't be released before one's own move is final.
    check(want(5, Phase::Pre), PeerFault::NotToBeHad(wish(5, Phase::Pre)));
    check(
        Event::Received(Message::Request { ply: 1, points: Box::new([0; POINTS_BYTES]) }),
        PeerFault::Stale(id(MessageKind::Request, 1, Phase::Pre)),
    );
    assert_eq!(faults(&mut world, victim, Event::Received(honest)), []);
    finish(&mut world);
}
