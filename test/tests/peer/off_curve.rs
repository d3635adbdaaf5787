//! A request with a point that is not on the curve, or is infinity, or has a coordinate that is no field element. Protocol,
//! section 7: "the *sender* checks that `B_s` is on the curve before computing `a·B_s`".

use super::{Stage, request_id};
use fog::curve::CurveError;
use fogmate_test::{Cheat, points_of};
use game::Message;
use game::PeerFault;
use rules::Color;

pub async fn attack(stage: &mut Stage, cheat: &Cheat) {
    let honest = points_of(&stage.bout.request_message(Color::White));
    let with = |change: &dyn Fn(&mut [u8])| {
        let mut points = honest.clone();
        change(&mut points[..64]);
        let points = points.into_boxed_slice().try_into();
        Message::Request {
            ply: 0,
            points: points.expect("4096 bytes"),
        }
    };
    let cases = [
        (with(&|point| point[63] ^= 1), CurveError::OffCurve),
        (with(&|point| point.fill(0)), CurveError::Infinity),
        (
            with(&|point| point[0] = 0xff),
            CurveError::CoordinateTooLarge,
        ),
    ];
    for (message, source) in cases {
        cheat.send(message).await;
        let id = request_id(0);
        stage.victim.fault(PeerFault::BadPoint { id, source }).await;
    }
}
