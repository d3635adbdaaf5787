//! The link over loopback (protocol, section 6): every message both ways, reconnection, and everything that must be refused
//! by name. Peers here are real (TCP, Noise, Yamux); the hostile one speaks the link's protocol name but writes whatever
//! bytes the test gives it.

mod addresses;
mod crowd;
mod delivery;
mod golden;
mod interface;
mod peer;
mod relayed;
mod restart;
mod strangers;
mod transports;
mod work;
