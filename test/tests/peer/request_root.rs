//! A well-formed request other than the one whose root went to the chain with the move: its maker would see with pieces
//! that it doesn't have. Protocol, section 1 ("a player can't see more than their pieces see": the request is built inside
//! the *turn* proof) and section 5.

use super::{Stage, request_id};
use fog::engine::sight_lines::request::Request;
use fogmate_test::Cheat;
use game::Message;
use game::PeerFault;
use rules::{Color, PieceType};

pub async fn attack(stage: &mut Stage, cheat: &Cheat) {
    let bout = &stage.bout;
    let desk = &bout.desks[Color::White.index()];
    let key = bout.board().fog_keys[Color::Black.index()];
    // A queen on every empty square of the third to the sixth rank.
    let mut side = desk.own.side.clone();
    for square in 16..48 {
        side.pieces[square].get_or_insert(PieceType::Queen);
    }
    let scalars = desk.secrets.request_scalars(desk.own.commitment, &key);
    let greedy = Request::make(&side, &scalars, &key).expect("a request");
    let points = greedy.to_bytes().into_boxed_slice().try_into();
    let points = points.expect("4096 bytes");
    cheat.send(Message::Request { ply: 0, points }).await;
    stage
        .victim
        .fault(PeerFault::RequestRoot(request_id(0)))
        .await;
}
