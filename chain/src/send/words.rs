//! What a node's answer to a signed transaction means. JSON-RPC has no codes for it; the words are those of geth, Erigon, Nethermind,
//! Besu, reth and Anvil.

use super::Sending;
use alloy::transports::{RpcError, TransportError};

/// Words, without spaces and in small letters, and what they mean; the first that fit count.
const WORDS: [(&str, Sending); 21] = [
    ("alreadyknown", Sending::Accepted),
    ("knowntransaction", Sending::Accepted),
    ("alreadyimported", Sending::Accepted),
    ("existingtxwithsamehash", Sending::Accepted),
    ("noncetoolow", Sending::NonceUsed),
    ("oldnonce", Sending::NonceUsed),
    ("noncehasalreadybeenused", Sending::NonceUsed),
    ("underpriced", Sending::Underpriced),
    ("couldnotreplaceexistingtx", Sending::Underpriced),
    ("replacementnotallowed", Sending::Underpriced),
    ("feetoolow", Sending::Underpriced),
    ("feetoolowtocompete", Sending::Underpriced),
    ("gaspricetoolow", Sending::Underpriced),
    ("gaspricebelow", Sending::Underpriced),
    ("lessthanblockbasefee", Sending::Underpriced),
    ("feecaplessthanblock", Sending::Underpriced),
    ("minimumneeded", Sending::Underpriced),
    ("belowconfiguredminimum", Sending::Underpriced),
    ("insufficientfunds", Sending::CannotPay(String::new())),
    ("upfrontcostexceeds", Sending::CannotPay(String::new())),
    // Nor may anybody pay so much through this node.
    ("exceedstheconfiguredcap", Sending::CannotPay(String::new())),
];

/// What a failure to send means.
pub(super) fn meaning(error: &TransportError) -> Sending {
    let RpcError::ErrorResp(answer) = error else {
        return Sending::Unanswered;
    };
    let said: String = answer.message.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    match WORDS.iter().find(|(words, _)| said.contains(words)) {
        Some((_, Sending::CannotPay(_))) => Sending::CannotPay(answer.message.to_string()),
        Some((_, sending)) => sending.clone(),
        None => Sending::Unanswered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy::transports::TransportErrorKind;

    fn refusal(words: &str) -> TransportError {
        let answer = serde_json::json!({ "code": -32000, "message": words });
        RpcError::ErrorResp(serde_json::from_value(answer).expect("an error of JSON-RPC"))
    }

    #[test]
    fn nodes_are_understood() {
        let cases = [
            ("already known", Sending::Accepted),
            ("AlreadyKnown", Sending::Accepted),
            ("Known transaction", Sending::Accepted),
            ("nonce too low: next nonce 4, tx nonce 3", Sending::NonceUsed),
            ("OldNonce, Current nonce: 4, nonce of rejected tx: 3", Sending::NonceUsed),
            ("replacement transaction underpriced", Sending::Underpriced),
            ("transaction underpriced: gas tip cap 0, minimum needed 1", Sending::Underpriced),
            ("max fee per gas less than block base fee: address 0x…, maxFeePerGas: 1", Sending::Underpriced),
            ("Gas price below current base fee", Sending::Underpriced),
            ("FeeTooLow, MaxFeePerGas too low.", Sending::Underpriced),
            ("INTERNAL_ERROR: could not replace existing tx", Sending::Underpriced),
            ("rate limit exceeded", Sending::Unanswered),
            ("failed", Sending::Unanswered),
        ];
        for (words, meant) in cases {
            assert_eq!(meaning(&refusal(words)), meant, "{words}");
        }
        let dear = "tx fee (1.46 ether) exceeds the configured cap (1.00 ether)";
        for words in ["insufficient funds for gas * price + value: balance 1", dear] {
            assert_eq!(meaning(&refusal(words)), Sending::CannotPay(words.into()));
        }
        let busy = TransportErrorKind::http_error(429, "slow down".into());
        assert_eq!(meaning(&busy), Sending::Unanswered);
    }
}
