//! HMAC_DRBG with SHA-256 (NIST SP 800-90A Rev. 1, section 10.1.2): the generator behind the dice. Without reseeding, additional input and
//! limits on requests, none of which dice need. RFC 6979 uses the same generator and publishes its outputs; the tests take those.
//!
//! Its seed is public once a roll is made: it spreads a seed evenly, and keeps no secret.

use hmac::{Hmac, Mac as _};
use sha2::Sha256;

pub struct HmacDrbg {
    key: [u8; 32],
    value: [u8; 32],
}

impl HmacDrbg {
    /// Instantiates it with entropy input, nonce and personalization string, in this order.
    pub fn new(seed_material: &[&[u8]]) -> Self {
        let mut drbg = Self { key: [0; 32], value: [1; 32] };
        drbg.update(0, seed_material);
        drbg.update(1, seed_material);
        drbg
    }

    /// One request: fills the output.
    pub fn generate(&mut self, output: &mut [u8]) {
        for block in output.chunks_mut(32) {
            self.value = self.mac(&[&self.value]);
            block.copy_from_slice(&self.value[..block.len()]);
        }
        self.update(0, &[]);
    }

    /// Half of the standard's update function; the other half has separator 1 and is for given data only.
    fn update(&mut self, separator: u8, data: &[&[u8]]) {
        self.key = self.mac(&[&[&self.value[..], &[separator]], data].concat());
        self.value = self.mac(&[&self.value]);
    }

    fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("HMAC takes keys of any length");
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::Digest as _;

    fn bytes(text: &str) -> Vec<u8> {
        hex::decode(text).expect("hexadecimal digits")
    }

    /// RFC 6979, A.2.5: curve P-256 with SHA-256, whose first outputs are accepted.
    #[test]
    fn outputs_are_those_of_rfc_6979_for_p_256() {
        let key = bytes("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721");
        for (message, k) in [
            ("sample", "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60"),
            ("test", "D16B6AE827F17175E040871A1C7EC3500192C4C92677336EC2537ACAEE0008E0"),
        ] {
            let mut output = [0; 32];
            HmacDrbg::new(&[&key, &Sha256::digest(message)]).generate(&mut output);
            assert_eq!(output[..], bytes(k), "{message}");
        }
    }

    /// RFC 6979, A.1.2: curve K-163 with SHA-256, whose third output is the first one below the order. Outputs have 21 bytes, of which
    /// the last five bits are cut off.
    #[test]
    fn the_third_request_is_that_of_rfc_6979_for_k_163() {
        let key = bytes("009A4D6792295A7F730FC3F2B49CBC0F62E862272F");
        let hash = bytes("01795EDF0D54DB760F156D0DAC04C0322B3A204224");
        let mut drbg = HmacDrbg::new(&[&key, &hash]);
        let [first, second, third] = [(); 3].map(|()| {
            let mut output = [0; 21];
            drbg.generate(&mut output);
            let mut carry = 0;
            output.map(|byte| {
                let shifted = carry << 3 | byte >> 5;
                carry = byte & 31;
                shifted
            })
        });
        let order: [u8; 21] = bytes("04000000000000000000020108A2E0CC0D99F8A5EF").try_into().expect("21 bytes");
        assert!(first >= order && second >= order && third < order);
        assert_eq!(third[..], bytes("023AF4074C90A02B3FE61D286D5C87F425E6BDD81B"));
    }

    #[test]
    fn long_outputs_are_made_of_several_blocks() {
        let (mut long, mut short) = ([0; 70], [0; 32]);
        HmacDrbg::new(&[b"seed"]).generate(&mut long);
        HmacDrbg::new(&[b"seed"]).generate(&mut short);
        assert_eq!(long[..32], short);
        assert!(long[32..64] != short && long[64..] != short[..6]);
    }
}
