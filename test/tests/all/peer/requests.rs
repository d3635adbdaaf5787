//! Requests other than the one whose root went to the chain with the move (protocol, sections 5 and 7).

use super::{Target, request_id};
use fog::curve::CurveError;
use fog::engine::sight_lines::{RequestScalars, request::Request, request_key};
use fogmate_test::{Cheat, points_of};
use game::{Message, PeerFault};
use rules::{Color, PieceType};

fn request(points: Vec<u8>) -> Message {
    let points = points.into_boxed_slice().try_into();
    Message::Request { ply: 0, points: points.expect("4096 bytes") }
}

/// A point that is not on the curve, or is infinity, or has a coordinate that is no field element. Section 7: "the *sender* checks that
/// `B_s` is on the curve before computing `a·B_s`".
pub async fn off_curve(target: &mut Target, cheat: &Cheat) {
    let honest = points_of(&target.game.request_message(Color::White));
    let with = |change: &dyn Fn(&mut [u8])| {
        let mut points = honest.clone();
        change(&mut points[..64]);
        request(points)
    };
    let cases = [
        (with(&|point| point[63] ^= 1), CurveError::OffCurve),
        (with(&|point| point.fill(0)), CurveError::Infinity),
        (with(&|point| point[0] = 0xff), CurveError::CoordinateTooLarge),
    ];
    for (message, source) in cases {
        cheat.send(message).await;
        let id = request_id(0);
        target.victim.fault(PeerFault::BadPoint { id, source }).await;
    }
}

/// A well-formed request by which its maker would see with pieces that it doesn't have. Section 1: "a player can't see more than their
/// pieces see": the request is built inside the *turn* proof.
pub async fn wrong_root(target: &mut Target, cheat: &Cheat) {
    let white = &target.game.players[Color::White.index()];
    let key = target.game.play_state().fog_key(Color::Black).expect("a fog key");
    // A queen on every empty square of the third to the sixth rank.
    let mut side = white.own.side.clone();
    for square in 16..48 {
        side.pieces[square].get_or_insert(PieceType::Queen);
    }
    let scalars = RequestScalars::derive(&request_key(white.secrets.seed()), white.own.commitment, &key);
    let greedy = Request::make(&side, &scalars, &key).expect("a request");
    cheat.send(request(greedy.to_bytes())).await;
    let fault = PeerFault::RequestRoot(request_id(0));
    target.victim.fault(fault).await;
}
