//! Notices as lines of JSON, the output of `fogmate play --json`: one object a line, with the version of the format as `v`, the notice's name as
//! `event`, its fields, and the sentence for a player as `text` where there is one. What a player's process writes there is that player's own view,
//! moves and boards included.

use super::Notice;
use crate::Phase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The version of the lines. Under one version events and fields may be added; none goes, and none gets another name or meaning.
pub const VERSION: u64 = 1;

impl Notice {
    /// The notice as a line of JSON, without the line's end. Serde's own way to write a name among the fields can't be read
    /// back where a dependency has switched on arbitrary precision for JSON numbers, as alloy does.
    ///
    /// # Errors
    ///
    /// If a measured number is no number.
    pub fn to_line(&self) -> serde_json::Result<String> {
        let tagged = serde_json::to_string(self)?;
        // {"name":{fields}}, or "name" where there are none.
        let inner = tagged.strip_prefix('{').and_then(|t| t.strip_suffix("}}"));
        let (name, mut fields) = match inner.and_then(|inner| inner.split_once(":{")) {
            Some((name, fields)) => (name, format!(",{fields}")),
            None => (&tagged[..], String::new()),
        };
        if let Some(text) = self.text().filter(|_| !fields.starts_with(",\"text\":")) {
            fields = format!("{fields},\"text\":{}", serde_json::to_string(&text)?);
        }
        Ok(format!("{{\"v\":{VERSION},\"event\":{name}{fields}}}"))
    }

    /// The notice of a line; none if the line has another form.
    pub fn from_line(line: &str) -> Option<Self> {
        let Ok(Value::Object(mut fields)) = serde_json::from_str(line) else {
            return None;
        };
        let name = fields.remove("event").filter(|_| fields.remove("v") == Some(VERSION.into()))?;
        let name = name.as_str()?;
        let of = |fields: serde_json::Map<String, Value>| {
            let tagged = match fields.is_empty() {
                true => name.into(),
                false => json!({ name: fields }),
            };
            serde_json::from_value(tagged).ok()
        };
        // A sentence is made of the other fields, or is the only one.
        match fields.remove("text") {
            Some(text) if fields.is_empty() => {
                of(fields).or_else(|| of([("text".to_owned(), text)].into_iter().collect()))
            }
            _ => of(fields),
        }
    }
}

/// A line that isn't any notice's, as the schema has it beside them.
#[derive(JsonSchema)]
#[schemars(tag = "event", rename_all = "snake_case")]
#[allow(dead_code, reason = "only its schema is used")]
enum Other {
    /// A line of the input can't be used; it was skipped.
    BadInput {
        /// Its number, from 1.
        line: u64,
        text: String,
    },
}

/// The JSON Schema of a line that is written and, as `input`, of a line that is read.
pub fn schema() -> Value {
    let mut generator = schemars::SchemaGenerator::default();
    let listed = [Notice::json_schema(&mut generator), Other::json_schema(&mut generator)];
    let commands = listed_with(&crate::Command::json_schema(&mut generator), &generator, |command| {
        command["properties"]["id"] = json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX });
    });
    let events = listed.iter().flat_map(|listed| {
        listed_with(listed, &generator, |event| {
            event["properties"]["v"] = json!({ "const": VERSION });
            event["properties"]["text"] = json!({ "type": "string" });
            if let Some(required) = event["required"].as_array_mut() {
                required.insert(0, "v".into());
            }
        })
    });
    let events: Vec<Value> = events.collect();
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A line that a game's process writes; `input` is a line that it reads",
        "oneOf": events,
        "input": { "oneOf": commands },
        "$defs": generator.definitions(),
    })
}

/// The alternatives of a schema, each an object with all its own fields, changed by `change`.
fn listed_with(
    schema: &schemars::Schema,
    generator: &schemars::SchemaGenerator,
    change: impl Fn(&mut Value),
) -> Vec<Value> {
    let mut listed = schema.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
    for alternative in &mut listed {
        let reference = alternative.as_object_mut().and_then(|object| object.remove("$ref"));
        let name = reference.as_ref().and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
        if let Some(shape) = name.and_then(|name| generator.definitions().get(name)) {
            for (field, of_field) in shape["properties"].as_object().into_iter().flatten() {
                alternative["properties"][field] = of_field.clone();
            }
            if let (Some(required), Some(more)) = (alternative["required"].as_array_mut(), shape["required"].as_array())
            {
                required.extend(more.iter().cloned());
            }
        }
        change(alternative);
    }
    listed
}

/// A phase as the time that it is before or after: the own move of the ply.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Phase")]
pub(crate) enum When {
    #[serde(rename = "before")]
    Pre,
    #[serde(rename = "after")]
    Post,
}
