//! Frames on libp2p's streams: reads exactly what a header announces, and nothing beyond the longest message.
//!
//! Not part of the protocol itself (section 6 says only what is sent). Bytes that are no message don't end the
//! stream: they come up as [`Packet::Malformed`], so that the sender is told and the seat learns what it was.

use std::io;

use alloy::primitives::B256;
use libp2p::StreamProtocol;
use libp2p::futures::executor::block_on;
use libp2p::futures::io::Cursor;
use libp2p::futures::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use libp2p::request_response;

use super::frame::{Ack, Frame, Frames, Header, decode_ack, encode_ack};
use super::pieces::Assembly;
use game::message::HEADER_BYTES;
use game::{Message, WireError};

/// The name under which peers negotiate these streams.
pub const PROTOCOL: StreamProtocol = StreamProtocol::new("/fogmate/link/1");

/// What a stream brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Packet {
    Frame(Frame),
    Malformed(WireError),
}

impl Packet {
    /// The bytes of a stream, for what stands for a network; none if it was malformed.
    pub fn to_bytes(&self, game: B256) -> Option<Vec<u8>> {
        match self {
            Self::Frame(frame) => Some(frame.encode(game)),
            Self::Malformed(_) => None,
        }
    }

    /// What the bytes of a whole stream are in a game with these frames.
    pub fn read(bytes: &[u8], game: B256, frames: Frames) -> Self {
        match block_on(Codec { game, frames }.read_stream(&mut Cursor::new(bytes))) {
            Ok(frame) => Self::Frame(frame),
            // Bytes in memory fail in no other way than by what they are.
            Err(error) => Self::Malformed(wire_error(&error).unwrap_or(WireError::Truncated)),
        }
    }
}

/// The codec of one game: a frame of another game, or that this game's engine hasn't, is malformed here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codec {
    pub(super) game: B256,
    pub(super) frames: Frames,
}

impl Codec {
    /// A frame; an error that [`wire_error`] knows is of its bytes, any other of the connection.
    async fn read_frame(self, io: &mut (impl AsyncRead + Unpin + Send)) -> io::Result<Frame> {
        let mut header = [0; HEADER_BYTES];
        read_exact(io, &mut header).await?;
        let header = Header::decode(&header, self.game, self.frames).map_err(malformed)?;
        let mut fixed = vec![0; header.fixed_len()];
        read_exact(io, &mut fixed).await?;
        let mut rest = vec![0; header.rest_len(&fixed, self.frames).map_err(malformed)?];
        read_exact(io, &mut rest).await?;
        header.frame(&fixed, rest).map_err(malformed)
    }

    /// A stream's one frame.
    async fn read_stream(self, io: &mut (impl AsyncRead + Unpin + Send)) -> io::Result<Frame> {
        let frame = self.read_frame(io).await;
        if frame.is_ok() {
            read_end(io).await?;
        }
        frame
    }
}

/// A message as the link sends it in a game, for what stands for a network: all its frames.
pub fn to_wire(message: &Message, game: B256) -> Vec<u8> {
    let frames = 0..u16::try_from(message.frames()).unwrap_or(u16::MAX);
    frames.flat_map(|number| Frame::of(message, number).encode(game)).collect()
}

/// A message as the link reads it in a game with these frames. A hello is none.
///
/// # Errors
/// What is wrong with the bytes.
pub fn from_wire(bytes: &[u8], game: B256, frames: Frames) -> Result<Message, WireError> {
    let (mut bytes, mut assembly) = (Cursor::new(bytes), Assembly::default());
    let message = loop {
        let frame = block_on(Codec { game, frames }.read_frame(&mut bytes));
        // Bytes in memory fail in no other way than by what they are.
        match frame.map_err(|error| wire_error(&error).unwrap_or(WireError::Truncated))? {
            Frame::Message(message) => break message,
            Frame::Hello(_) => return Err(WireError::Kind(0)),
            Frame::Piece(piece) => {
                if let Some(message) = assembly.take(piece)? {
                    break message;
                }
            }
        }
    };
    let ends = block_on(read_end(&mut bytes));
    ends.map(|()| message).map_err(|error| wire_error(&error).unwrap_or(WireError::Truncated))
}

fn malformed(error: WireError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// What is wrong with the bytes that were read, if it was they.
fn wire_error(error: &io::Error) -> Option<WireError> {
    error.get_ref()?.downcast_ref().cloned()
}

async fn read_exact(io: &mut (impl AsyncRead + Unpin), buffer: &mut [u8]) -> io::Result<()> {
    let read = io.read_exact(buffer).await;
    read.map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => malformed(WireError::Truncated),
        _ => error,
    })
}

/// A stream carries one frame and then ends.
async fn read_end(io: &mut (impl AsyncRead + Unpin)) -> io::Result<()> {
    match io.read(&mut [0]).await? {
        0 => Ok(()),
        _ => Err(malformed(WireError::Oversized)),
    }
}

impl request_response::Codec for Codec {
    type Protocol = StreamProtocol;
    type Request = Packet;
    type Response = Ack;

    async fn read_request<T>(&mut self, _: &StreamProtocol, io: &mut T) -> io::Result<Packet>
    where
        T: AsyncRead + Unpin + Send,
    {
        match self.read_stream(io).await {
            Ok(frame) => Ok(Packet::Frame(frame)),
            Err(error) => wire_error(&error).map(Packet::Malformed).ok_or(error),
        }
    }

    async fn read_response<T>(&mut self, _: &StreamProtocol, io: &mut T) -> io::Result<Ack>
    where
        T: AsyncRead + Unpin + Send,
    {
        let mut byte = [0];
        read_exact(io, &mut byte).await?;
        read_end(io).await?;
        decode_ack(byte[0]).map_err(malformed)
    }

    async fn write_request<T>(&mut self, _: &StreamProtocol, io: &mut T, packet: Packet) -> io::Result<()>
    where
        T: AsyncWrite + Unpin + Send,
    {
        match packet {
            Packet::Frame(frame) => io.write_all(&frame.encode(self.game)).await,
            Packet::Malformed(e) => Err(io::Error::new(io::ErrorKind::InvalidInput, e)),
        }
    }

    async fn write_response<T>(&mut self, _: &StreamProtocol, io: &mut T, ack: Ack) -> io::Result<()>
    where
        T: AsyncWrite + Unpin + Send,
    {
        io.write_all(&[encode_ack(ack)]).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Phase;
    use game::message::{
        ELEMENTS, HELLO_BYTES, MAX_PROOF_BYTES, PIECE_BYTES, PLY_BYTES, POINTS_BYTES, SIGNATURE_BYTES,
    };
    use game::{GameResult, MoveFields, Outcome, SessionId, SignedPly};
    use halo2curves::bn256::Fr;
    use rules::Square;

    const GAME: B256 = B256::repeat_byte(0x11);

    const SESSIONS: Frames = Frames::Sessions { max_message: 3 * PIECE_BYTES };

    fn read(bytes: &[u8]) -> Result<Frame, WireError> {
        read_as(bytes, Frames::Answers)
    }

    fn read_as(bytes: &[u8], frames: Frames) -> Result<Frame, WireError> {
        let frame = block_on(Codec { game: GAME, frames }.read_stream(&mut Cursor::new(bytes)));
        frame.map_err(|error| wire_error(&error).unwrap_or_else(|| panic!("{error}")))
    }

    fn frames() -> Vec<Frame> {
        let elements: Vec<Fr> = (0..ELEMENTS as u64).map(|i| -Fr::from(i)).collect();
        let answer = |phase, proof| {
            let elements = elements.clone();
            let ply = 511;
            Frame::Message(Message::Answer { ply, phase, elements, proof })
        };
        vec![
            Frame::Hello(Box::new([0xab; HELLO_BYTES])),
            Frame::Message(Message::Request { ply: 7, points: Box::new([0xcd; POINTS_BYTES]) }),
            answer(Phase::Pre, Vec::new()),
            answer(Phase::Post, vec![0xef; MAX_PROOF_BYTES]),
            Frame::Message(Message::Want { ply: 9, phase: Phase::Post }),
        ]
    }

    #[test]
    fn frames_read_back_and_have_their_length() {
        for frame in frames() {
            let bytes = frame.encode(GAME);
            assert_eq!(read(&bytes), Ok(frame.clone()));
            if let Frame::Message(message) = &frame {
                assert_eq!(bytes.len(), message.wire_len());
                assert_eq!(message.check(), Ok(()));
            }
        }
    }

    #[test]
    fn every_truncation_and_any_excess_is_refused() {
        for frame in frames() {
            let mut bytes = frame.encode(GAME);
            for len in (0..bytes.len()).step_by(17).chain([bytes.len() - 1]) {
                assert_eq!(read(&bytes[..len]), Err(WireError::Truncated), "{len}");
            }
            bytes.push(0);
            assert_eq!(read(&bytes), Err(WireError::Oversized));
        }
    }

    #[test]
    fn each_field_of_the_header_is_checked() {
        let hello = frames()[0].encode(GAME);
        let answer = frames()[3].encode(GAME);
        let with = |bytes: &[u8], at: usize, value: u8| {
            let mut bytes = bytes.to_vec();
            bytes[at] = value;
            read(&bytes)
        };
        assert_eq!(with(&hello, 0, 2), Err(WireError::Version(2)));
        assert_eq!(with(&hello, 1, 4), Err(WireError::Kind(4)));
        let mut other = GAME;
        other.0[0] = 0x12;
        assert_eq!(with(&hello, 2, 0x12), Err(WireError::WrongGame(other)));
        assert_eq!(with(&hello, 35, 1), Err(WireError::Ply(1)));
        assert_eq!(with(&hello, 36, 1), Err(WireError::Phase(1)));
        assert_eq!(with(&answer, 36, 2), Err(WireError::Phase(2)));
        let length_at = answer.len() - MAX_PROOF_BYTES - 2;
        assert_eq!(with(&answer, length_at, 0x41), Err(WireError::ProofTooLong(0x4100)));
        // Element 1 is r − 1; a larger first byte is above r.
        assert_eq!(with(&answer, HEADER_BYTES + 32, 0xff), Err(WireError::Element(1)));
    }

    #[test]
    fn a_long_proof_is_not_sent() {
        let Frame::Message(Message::Answer { ply, phase, elements, .. }) = frames().remove(3) else {
            unreachable!("the last frame is an answer");
        };
        let proof = vec![0; MAX_PROOF_BYTES + 1];
        let short = elements[1..].to_vec();
        let long = Message::Answer { ply, phase, elements, proof };
        assert_eq!(long.check(), Err(WireError::ProofTooLong(MAX_PROOF_BYTES + 1)));
        let proof = Vec::new();
        let short = Message::Answer { ply, phase, elements: short, proof };
        assert_eq!(short.check(), Err(WireError::Truncated));
    }

    fn of_sessions() -> Vec<Message> {
        let exchange = SessionId::Exchange { ply: 300, phase: Phase::Post };
        vec![
            Message::Session { session: SessionId::SetUp, index: 0, bytes: Vec::new() },
            Message::Session { session: exchange, index: 258, bytes: vec![0xa5; 40_000] },
            Message::Session { session: exchange, index: 3, bytes: (0..3 * PIECE_BYTES).map(|i| i as u8).collect() },
            Message::WantSession { session: SessionId::SetUp, index: 5 },
            Message::WantSession { session: exchange, index: 258 },
        ]
    }

    #[test]
    fn messages_of_sessions_read_back_and_have_their_length() {
        for message in of_sessions() {
            let bytes = to_wire(&message, GAME);
            assert_eq!(bytes.len(), message.wire_len());
            assert_eq!(from_wire(&bytes, GAME, SESSIONS), Ok(message.clone()));
            assert_eq!(from_wire(&[&bytes[..], &[0]].concat(), GAME, SESSIONS), Err(WireError::Oversized));
            for len in (0..bytes.len()).step_by(4_999).chain([bytes.len() - 1]) {
                assert_eq!(from_wire(&bytes[..len], GAME, SESSIONS), Err(WireError::Truncated), "{len}");
            }
        }
    }

    #[test]
    fn a_game_has_the_frames_of_its_engine_only() {
        let [set_up, .., want] = &of_sessions()[..] else { panic!("several") };
        for (message, kind) in [(set_up, 4), (want, 7)] {
            assert_eq!(from_wire(&to_wire(message, GAME), GAME, Frames::Answers), Err(WireError::Kind(kind)));
        }
        for (frame, kind) in frames().iter().skip(1).zip([1, 2, 2, 3]) {
            assert_eq!(read_as(&frame.encode(GAME), SESSIONS), Err(WireError::Kind(kind)));
        }
        assert_eq!(read_as(&frames()[0].encode(GAME), SESSIONS), Ok(frames().remove(0)));
    }

    #[test]
    fn a_message_longer_than_any_of_the_engine_is_not_read() {
        let len = 3 * PIECE_BYTES + 1;
        let long = Message::Session { session: SessionId::SetUp, index: 0, bytes: vec![0; len] };
        assert_eq!(from_wire(&to_wire(&long, GAME), GAME, SESSIONS), Err(WireError::MessageTooLong(len)));
        let mut bytes = to_wire(&of_sessions()[1], GAME);
        bytes[HEADER_BYTES + 3] = 1;
        assert_eq!(read_as(&bytes, SESSIONS), Err(WireError::Piece), "a piece after the last");
        let mut bytes = to_wire(&of_sessions()[0], GAME);
        bytes[35] = 1;
        assert_eq!(read_as(&bytes, SESSIONS), Err(WireError::Ply(1)));
    }

    fn of_a_channel() -> Vec<Message> {
        let fields = MoveFields {
            ply: 300,
            next_commitment: Fr::from(1),
            next_request_root: -Fr::from(2),
            answer_root: Fr::from(3),
            capture: Square::new(63),
            king_fell: false,
            offer_draw: true,
        };
        let ply = |proof: usize| {
            let (signature, points) = ([0x5a; SIGNATURE_BYTES], Box::new([0xcd; POINTS_BYTES]));
            Message::Ply(Box::new(SignedPly { fields, clock: 65_537, signature, points, proof: vec![7; proof] }))
        };
        let result = |creator_won, outcome| {
            let result = GameResult { creator_won, outcome, last: B256::repeat_byte(9) };
            Message::Result { result, signature: [0xa5; SIGNATURE_BYTES] }
        };
        vec![
            ply(0),
            ply(MAX_PROOF_BYTES),
            Message::Countersigned { ply: 258, signature: [1; SIGNATURE_BYTES] },
            result(Some(true), Outcome::KingCaptured),
            result(Some(false), Outcome::Resigned),
            result(None, Outcome::DrawAgreed),
            Message::Have { plies: 513 },
        ]
    }

    #[test]
    fn what_is_signed_between_machines_reads_back_and_has_its_length() {
        for message in of_a_channel() {
            let bytes = to_wire(&message, GAME);
            assert_eq!((bytes.len(), message.check()), (message.wire_len(), Ok(())));
            assert_eq!(from_wire(&bytes, GAME, Frames::Channel), Ok(message.clone()));
            assert_eq!(from_wire(&[&bytes[..], &[0]].concat(), GAME, Frames::Channel), Err(WireError::Oversized));
            for len in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
                assert_eq!(from_wire(&bytes[..len], GAME, Frames::Channel), Err(WireError::Truncated), "{len}");
            }
            for frames in [Frames::Answers, SESSIONS] {
                assert_eq!(from_wire(&bytes, GAME, frames), Err(WireError::Kind(bytes[1])), "{}", message.id());
            }
        }
        for frame in frames() {
            assert_eq!(read_as(&frame.encode(GAME), Frames::Channel), Ok(frame));
        }
    }

    #[test]
    fn what_is_signed_says_nothing_that_can_t_be() {
        let with = |message: usize, at: usize, value: u8| {
            let mut bytes = to_wire(&of_a_channel()[message], GAME);
            bytes[at] = value;
            from_wire(&bytes, GAME, Frames::Channel)
        };
        let flags = HEADER_BYTES + 3 * 32;
        let wrong = [(0, HEADER_BYTES, 0xff), (0, flags, 65), (0, flags + 1, 2), (0, flags + 2, 2)];
        for (message, at, value) in wrong.into_iter().chain([(3, HEADER_BYTES, 3), (3, HEADER_BYTES + 1, 10)]) {
            assert_eq!(with(message, at, value), Err(WireError::Meaningless), "byte {at} of message {message}");
        }
        assert_eq!(with(3, 35, 1), Err(WireError::Ply(1)));
        assert_eq!(with(0, 36, 1), Err(WireError::Phase(1)));
        let length_at = HEADER_BYTES + PLY_BYTES;
        assert_eq!(with(1, length_at, 0x41), Err(WireError::ProofTooLong(0x4100)));
    }

    #[test]
    fn acknowledgements_read_back() {
        for byte in 0..5 {
            assert_eq!(encode_ack(decode_ack(byte).unwrap()), byte);
        }
        assert_eq!(decode_ack(5), Err(WireError::Acknowledgement));
    }
}
