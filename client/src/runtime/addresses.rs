//! Addresses on their way between link, user and what is remembered. The seat knows of none.

use super::executor::{Addresses, Runtime};
use super::{AddressNews, RuntimeError};
use crate::link::AddressRecord;
use game::Notice;

impl Addresses {
    pub fn tell(&self, news: AddressNews) {
        if let Some(sender) = &self.news {
            // Nobody may be listening any more.
            let _ = sender.send(news);
        }
    }
}

impl Runtime {
    /// Tells where this machine listens now.
    pub fn tell_addresses(&self) {
        if let Some(link) = &self.link {
            let addresses = link.addresses();
            self.notify(Notice::Listening { addresses: addresses.iter().map(ToString::to_string).collect() });
            self.addresses.tell(AddressNews::Listening(addresses));
        }
    }

    /// The opponent has told where it is now, or somebody says so.
    pub async fn on_record(&mut self, record: &AddressRecord) -> Result<(), RuntimeError> {
        let (Some(link), Some(opponent)) = (&self.link, self.addresses.opponent) else {
            return Ok(());
        };
        if let Err(refusal) = record.check(&self.addresses.game, opponent, self.addresses.heard) {
            return self.trouble(refusal.to_string());
        }
        if let Err(error) = link.look_at(record.addresses.clone()).await {
            return self.trouble(error.to_string());
        }
        self.addresses.heard = record.number;
        self.addresses.places.clone_from(&record.addresses);
        self.addresses.tell(AddressNews::Heard(record.number));
        Ok(())
    }
}
