//! Reading JSON as Discord does: everything that is wrong is found at once and named by its path.
//!
//! A `null` is a field that is missing, numbers may come as texts, and a field that this fake does not know is
//! refused. Sources: Discord docs, "API Reference", "Error Messages", and the notes of the API's description ("int-
//! parseable strings are accepted for integer fields").

use std::cell::RefCell;

use serde_json::{Map, Value, json};

use super::refusal::Refusal;

pub(crate) type Fields = Map<String, Value>;

/// What was found wrong so far.
#[derive(Debug, Default)]
pub(crate) struct Form {
    errors: RefCell<Map<String, Value>>,
    unknown: RefCell<Option<String>>,
}

/// Where in a body something stands.
#[derive(Clone, Debug)]
pub(crate) struct At<'f> {
    form: &'f Form,
    path: Vec<String>,
}

/// An object of a body.
#[derive(Clone, Debug)]
pub(crate) struct Object<'f> {
    pub(crate) at: At<'f>,
    fields: &'f Fields,
}

impl Form {
    /// The body itself.
    pub(crate) fn body<'f>(&'f self, fields: &'f Fields) -> Object<'f> {
        let at = At {
            form: self,
            path: Vec::new(),
        };
        Object { at, fields }
    }

    /// Whether all was right.
    pub(crate) fn finish(self) -> Result<(), Refusal> {
        if let Some(what) = self.unknown.into_inner() {
            return Err(Refusal::not_modelled(&what));
        }
        let errors = self.errors.into_inner();
        if errors.is_empty() {
            return Ok(());
        }
        Err(Refusal::form(Value::Object(errors)))
    }
}

impl At<'_> {
    pub(crate) fn field(&self, name: &str) -> Self {
        let mut path = self.path.clone();
        path.push(name.to_owned());
        Self { path, ..self.clone() }
    }

    pub(crate) fn index(&self, n: usize) -> Self {
        self.field(&n.to_string())
    }

    /// Notes a fault.
    pub(crate) fn wrong(&self, code: &str, message: impl Into<String>) {
        let mut errors = self.form.errors.borrow_mut();
        let mut here: &mut Map<String, Value> = &mut errors;
        for name in &self.path {
            let next = here.entry(name.as_str()).or_insert_with(|| json!({}));
            here = next.as_object_mut().expect("only objects are put there");
        }
        let list = here.entry("_errors").or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.push(json!({"code": code, "message": message.into()}));
        }
    }

    /// Notes something that this fake does not know.
    pub(crate) fn not_modelled(&self, what: &str) {
        let mut unknown = self.form.unknown.borrow_mut();
        unknown.get_or_insert_with(|| {
            let path = self.path.join(".");
            if path.is_empty() {
                what.to_owned()
            } else {
                format!("{what} at {path}")
            }
        });
    }

    fn required(&self) {
        self.wrong("BASE_TYPE_REQUIRED", "This field is required");
    }

    fn coerced(&self, value: &Value, to: &str) {
        let said = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.wrong("NUMBER_TYPE_COERCE", format!("Value \"{said}\" is not {to}."));
    }

    /// Checks a length in scalars, or in items.
    pub(crate) fn measure(&self, length: usize, min: usize, max: usize) {
        if length >= min && length <= max {
            return;
        }
        if min == 0 {
            let message = format!("Must be {max} or fewer in length.");
            self.wrong("BASE_TYPE_MAX_LENGTH", message);
        } else {
            let message = format!("Must be between {min} and {max} in length.");
            self.wrong("BASE_TYPE_BAD_LENGTH", message);
        }
    }

    /// Checks that a number is neither too small nor too large.
    pub(crate) fn range(&self, value: i64, min: i64, max: i64) {
        let code = match value {
            _ if value < min => "NUMBER_TYPE_MIN",
            _ if value > max => "NUMBER_TYPE_MAX",
            _ => return,
        };
        self.wrong(code, format!("int value should be between {min} and {max}."));
    }

    /// Checks that a number is one of a few.
    pub(crate) fn choose(&self, value: i64, choices: &[i64]) -> bool {
        let fits = choices.contains(&value);
        if !fits {
            let choices: Vec<String> = choices.iter().map(i64::to_string).collect();
            let message = format!("Value must be one of ({}).", choices.join(", "));
            self.wrong("BASE_TYPE_CHOICES", message);
        }
        fits
    }
}

impl<'f> Object<'f> {
    /// The value as an object at this place, or a fault.
    pub(crate) fn read(value: &'f Value, at: At<'f>) -> Option<Self> {
        if let Value::Object(fields) = value {
            return Some(Self { at, fields });
        }
        at.wrong("DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType");
        None
    }

    /// Refuses fields that are not among these.
    pub(crate) fn only(&self, known: &[&str]) {
        for name in self.fields.keys().filter(|name| !known.contains(&name.as_str())) {
            self.at.not_modelled(&format!("the field `{name}`"));
        }
    }

    /// The field, unless it is missing or null.
    pub(crate) fn get(&self, name: &str) -> Option<&'f Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// Whether the field is there, be it null.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.fields.contains_key(name)
    }

    pub(crate) fn field(&self, name: &str) -> At<'f> {
        self.at.field(name)
    }

    /// A text, measured.
    pub(crate) fn text(&self, name: &str, min: usize, max: usize) -> Option<String> {
        let value = self.get(name)?;
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => {
                let message = "Could not interpret value as string.";
                self.field(name).wrong("STRING_TYPE_CONVERT", message);
                return None;
            }
        };
        self.field(name).measure(text.chars().count(), min, max);
        Some(text)
    }

    pub(crate) fn required_text(&self, name: &str, min: usize, max: usize) -> Option<String> {
        self.demand(name)?;
        self.text(name, min, max)
    }

    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        let value = self.get(name)?;
        let number = match value {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        };
        if number.is_none() {
            self.field(name).coerced(value, "int");
        }
        number
    }

    pub(crate) fn required_integer(&self, name: &str) -> Option<i64> {
        self.demand(name)?;
        self.integer(name)
    }

    pub(crate) fn snowflake(&self, name: &str) -> Option<u64> {
        let value = self.get(name)?;
        let id = snowflake(value);
        if id.is_none() {
            self.field(name).coerced(value, "snowflake");
        }
        id
    }

    pub(crate) fn required_snowflake(&self, name: &str) -> Option<u64> {
        self.demand(name)?;
        self.snowflake(name)
    }

    pub(crate) fn switch(&self, name: &str) -> Option<bool> {
        if let Value::Bool(on) = self.get(name)? {
            return Some(*on);
        }
        let message = "Must be either true or false.";
        self.field(name).wrong("BOOLEAN_TYPE_CONVERT", message);
        None
    }

    /// An array with so many items, and where they stand.
    pub(crate) fn array(&self, name: &str, min: usize, max: usize) -> Option<Vec<(&'f Value, At<'f>)>> {
        let value = self.get(name)?;
        let at = self.field(name);
        let Value::Array(items) = value else {
            at.wrong("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType");
            return None;
        };
        at.measure(items.len(), min, max);
        let places = (0..items.len()).map(|n| at.index(n));
        Some(items.iter().zip(places).collect())
    }

    pub(crate) fn object(&self, name: &str) -> Option<Self> {
        Self::read(self.get(name)?, self.field(name))
    }

    /// Notes it where a field is missing.
    fn demand(&self, name: &str) -> Option<()> {
        if self.get(name).is_none() {
            self.field(name).required();
            return None;
        }
        Some(())
    }
}

/// An id, as a text or a number.
pub(crate) fn snowflake(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => number.as_u64(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_faults_are_found_at_once_and_named_by_their_paths() {
        let body = json!({"a": "xxx", "b": [{"c": "no"}]});
        let fields = body.as_object().unwrap();
        let form = Form::default();
        let object = form.body(fields);

        object.text("a", 0, 2);
        for (value, at) in object.array("b", 1, 5).unwrap() {
            let item = Object::read(value, at).unwrap();
            item.integer("c");
            item.required_text("d", 1, 5);
        }

        let errors = form.finish().unwrap_err().errors.unwrap();
        assert_eq!(
            errors["a"]["_errors"][0]["message"],
            "Must be 2 or fewer in length."
        );
        assert_eq!(errors["b"]["0"]["c"]["_errors"][0]["code"], "NUMBER_TYPE_COERCE");
        assert_eq!(errors["b"]["0"]["d"]["_errors"][0]["code"], "BASE_TYPE_REQUIRED");
    }
}
