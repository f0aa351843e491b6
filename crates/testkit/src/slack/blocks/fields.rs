//! The fields of a block or an element, each of which is known or a fault.

use std::collections::BTreeSet;

use askd_core::present::Limit;
use serde_json::{Map, Value};

use super::{Faults, limits};

/// What a text object may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    Plain,
    Any,
}

/// An object, the fields of which are looked at one after the other.
pub(super) struct Fields<'a> {
    of: &'a Map<String, Value>,
    at: String,
    seen: BTreeSet<&'static str>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(object: &'a Value, at: &str, faults: &mut Faults) -> Option<Self> {
        let Value::Object(of) = object else {
            faults.add("must be an object", at);
            return None;
        };
        Some(Self {
            of,
            at: at.to_owned(),
            seen: BTreeSet::from(["type"]),
        })
    }

    pub(super) fn at(&self) -> &str {
        &self.at
    }

    pub(super) fn kind(&self) -> &'a str {
        self.of.get("type").and_then(Value::as_str).unwrap_or_default()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.of.contains_key(name)
    }

    pub(super) fn take(&mut self, name: &'static str) -> Option<&'a Value> {
        self.seen.insert(name);
        self.of.get(name)
    }

    fn below(&self, name: &str) -> String {
        format!("{}/{name}", self.at)
    }

    /// An id of 1-255 characters, if there is one.
    pub(super) fn id(&mut self, name: &'static str, faults: &mut Faults) -> Option<String> {
        let id = self.string(name, limits::ID, faults)?;
        if id.is_empty() {
            faults.add("must be more than 0 characters", &self.below(name));
        }
        Some(id)
    }

    /// A text, if there is one.
    pub(super) fn string(&mut self, name: &'static str, limit: Limit, faults: &mut Faults) -> Option<String> {
        let at = self.below(name);
        let value = self.take(name)?;
        let Value::String(text) = value else {
            faults.add("must be a string", &at);
            return None;
        };
        if text.chars().count() > limit.max {
            faults.add(format!("must be less than {} characters", limit.max + 1), &at);
        }
        Some(text.clone())
    }

    pub(super) fn switch(&mut self, name: &'static str, faults: &mut Faults) {
        let at = self.below(name);
        if self.take(name).is_some_and(|value| !value.is_boolean()) {
            faults.add("must be a boolean", &at);
        }
    }

    pub(super) fn number(
        &mut self,
        name: &'static str,
        min: usize,
        max: usize,
        faults: &mut Faults,
    ) -> Option<usize> {
        let at = self.below(name);
        let number = self.take(name)?.as_u64().and_then(|n| usize::try_from(n).ok());
        let fits = number.filter(|n| (min..=max).contains(n));
        if fits.is_none() {
            faults.add(format!("must be a whole number of {min} to {max}"), &at);
        }
        fits
    }

    pub(super) fn text(
        &mut self,
        name: &'static str,
        kind: Text,
        limit: Limit,
        required: bool,
        faults: &mut Faults,
    ) {
        let at = self.below(name);
        match self.take(name) {
            Some(object) => text_object(object, &at, kind, limit, faults),
            None if required => faults.add(format!("missing required field: {name}"), &self.at.clone()),
            None => {}
        }
    }

    /// A list of 1 to `most`.
    pub(super) fn array(
        &mut self,
        name: &'static str,
        most: usize,
        required: bool,
        faults: &mut Faults,
    ) -> &'a [Value] {
        let at = self.below(name);
        match self.take(name) {
            Some(Value::Array(items)) => {
                if items.is_empty() {
                    faults.add("must have more than 0 items", &at);
                }
                if items.len() > most {
                    faults.add(format!("no more than {most} items allowed"), &at);
                }
                items
            }
            Some(_) => {
                faults.add("must be an array", &at);
                &[]
            }
            None => {
                if required {
                    faults.add(format!("missing required field: {name}"), &self.at.clone());
                }
                &[]
            }
        }
    }

    /// Whatever has not been looked at is not known.
    pub(super) fn rest(self, faults: &mut Faults) {
        for name in self.of.keys().filter(|name| !self.seen.contains(name.as_str())) {
            faults.add(format!("invalid additional property: {name}"), &self.at);
        }
    }
}

/// A text object of 1 to `limit` characters.
pub(super) fn text_object(object: &Value, at: &str, kind: Text, limit: Limit, faults: &mut Faults) {
    let Some(mut fields) = Fields::of(object, at, faults) else {
        return;
    };
    let is_markup = fields.kind() == "mrkdwn";
    let fits = match kind {
        Text::Plain => fields.kind() == "plain_text",
        Text::Any => is_markup || fields.kind() == "plain_text",
    };
    if !fits {
        faults.add("failed to match all allowed schemas", at);
    }
    match fields.take("text") {
        Some(Value::String(text)) => {
            let length = limits::length(text, is_markup);
            faults.length += length;
            if length == 0 {
                faults.add("must be more than 0 characters", &format!("{at}/text"));
            }
            if length > limit.max {
                faults.add(
                    format!("must be less than {} characters", limit.max + 1),
                    &format!("{at}/text"),
                );
            }
        }
        Some(_) => faults.add("must be a string", &format!("{at}/text")),
        None => faults.add("missing required field: text", at),
    }
    fields.switch(if is_markup { "verbatim" } else { "emoji" }, faults);
    fields.rest(faults);
}
