//! TLS for `https` nodes: rustls with ring's arithmetic, and the authorities that the system trusts.
//!
//! Not part of the protocol. The configuration is made here and handed to reqwest, which is built without a TLS of its
//! own choice: a client that is made anywhere else would panic, so `clippy.toml` forbids making one.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore, crypto::ring};

use crate::NodeError;

/// What a client speaks TLS with. Where `https` isn't spoken nobody is trusted, and no certificates need to be there.
pub fn config(https: bool) -> Result<ClientConfig, NodeError> {
    let roots = match https {
        true => trusted()?,
        false => RootCertStore::empty(),
    };
    let versions =
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider())).with_safe_default_protocol_versions();
    let config = versions.expect("ring has the ciphers of TLS 1.2 and 1.3");
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// The system's authorities, or those in `SSL_CERT_FILE` and `SSL_CERT_DIR`. Single certificates that can't be used are
/// left out, as everywhere: stores of systems have some.
fn trusted() -> Result<RootCertStore, NodeError> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let why = found.errors.first().map(ToString::to_string);
        return Err(NodeError::Tls(why.unwrap_or_else(|| {
            "no certificates of authorities are installed, nor named with SSL_CERT_FILE".to_owned()
        })));
    }
    Ok(roots)
}
