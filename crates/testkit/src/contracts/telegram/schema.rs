//! Reading the document, and holding values against its types.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;
use serde_json::{Map, Value};

/// What a description says of a field that has one value only: `always "member"`, `must be chat`, `Always 0`.
static CONSTANT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"always ["“](\w+)["”]|Always (\d+)\.|must be (\w+)$"#).expect("a constant, and tested")
});

/// How much of a wrong value is shown. Unit: characters.
const SHOWN: usize = 80;

/// The document.
pub(super) struct Schema<'a> {
    document: &'a Value,
}

/// A field of a type, or a parameter of a method.
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) required: bool,
    types: Vec<String>,
    description: &'a str,
}

impl<'a> Schema<'a> {
    pub(super) fn new(document: &'a Value) -> Self {
        Self { document }
    }

    pub(super) fn version(&self) -> &'a str {
        self.document["version"].as_str().unwrap_or("of no version")
    }

    pub(super) fn has_method(&self, name: &str) -> bool {
        self.document["methods"][name].is_object()
    }

    /// What a method may answer.
    pub(super) fn returns(&self, method: &str) -> Vec<String> {
        texts(&self.document["methods"][method]["returns"])
    }

    /// The parameters of a method.
    pub(super) fn parameters(&self, method: &str) -> impl Iterator<Item = Field<'a>> + use<'a> {
        fields(&self.document["methods"][method])
    }

    /// The description of `owner.field`, where the owner is a method or a type.
    pub(super) fn description(&self, at: &str) -> Option<&'a str> {
        let (owner, name) = at.split_once('.')?;
        ["methods", "types"].into_iter().find_map(|kind| {
            let mut fields = fields(&self.document[kind][owner]);
            fields
                .find(|field| field.name == name)
                .map(|field| field.description)
        })
    }

    /// What is wrong with `value`, if it should be one of `types`. Notes the types that it is made of.
    pub(super) fn check(&self, value: &Value, types: &[String], seen: &mut BTreeSet<String>) -> Vec<String> {
        let fits = types.iter().map(|kind| {
            let mut found = BTreeSet::new();
            let faults = self.check_one(value, kind, &mut found);
            (faults, found, kind)
        });
        // Of several that do not fit, the one that fits best is most likely meant; of several that do, the narrowest.
        let best = fits.min_by_key(|(faults, _, kind)| {
            let definition = &self.document["types"][kind.as_str()];
            let other_shape = value.is_object() != definition.is_object();
            (
                other_shape && !faults.is_empty(),
                faults.len(),
                fields(definition).count(),
            )
        });
        let (faults, found) = best.map(|(faults, found, _)| (faults, found)).unwrap_or_default();
        seen.extend(found);
        faults
    }

    fn check_one(&self, value: &Value, kind: &str, seen: &mut BTreeSet<String>) -> Vec<String> {
        let wrong = || {
            let shown: String = value.to_string().chars().take(SHOWN).collect();
            vec![format!("should be {kind} and is {shown}")]
        };
        let fits = match kind {
            "Integer" => value.is_i64() || value.is_u64(),
            "String" => value.is_string(),
            "Boolean" => value.is_boolean(),
            "True" => *value == Value::Bool(true),
            "Float" => value.is_number(),
            _ => {
                return match (kind.strip_prefix("Array of "), value) {
                    (Some(of), Value::Array(values)) => {
                        let of = [of.to_owned()];
                        let faults = values.iter().map(|value| self.check(value, &of, seen));
                        faults.collect::<Vec<_>>().concat()
                    }
                    (None, Value::Object(object)) => self.check_object(object, kind, seen),
                    _ => wrong(),
                };
            }
        };
        if fits { Vec::new() } else { wrong() }
    }

    fn check_object(
        &self,
        object: &Map<String, Value>,
        kind: &str,
        seen: &mut BTreeSet<String>,
    ) -> Vec<String> {
        let definition = &self.document["types"][kind];
        if !definition.is_object() {
            return vec![format!("the type {kind} is not documented")];
        }
        let subtypes = texts(&definition["subtypes"]);
        if !subtypes.is_empty() {
            return self.check(&Value::Object(object.clone()), &subtypes, seen);
        }
        seen.insert(kind.to_owned());
        let known: Vec<Field<'_>> = fields(definition).collect();
        let mut faults = Vec::new();
        for field in &known {
            let at = format!("{kind}.{}", field.name);
            match object.get(field.name) {
                None if field.required => faults.push(format!("{at} is missing")),
                None => {}
                Some(value) => {
                    let other = field.not_the_constant(value);
                    faults.extend(
                        other.map(|constant| format!("{at} should always be {constant} and is {value}")),
                    );
                    let inside = self.check(value, &field.types, seen);
                    // A fault deeper down names its own type.
                    faults.extend(
                        inside
                            .into_iter()
                            .map(|fault| match fault.strip_prefix("should") {
                                Some(rest) => format!("{at} should{rest}"),
                                None => fault,
                            }),
                    );
                }
            }
        }
        let unknown = object
            .keys()
            .filter(|name| !known.iter().any(|field| field.name == *name));
        faults.extend(unknown.map(|name| format!("{kind}.{name} is not documented")));
        faults
    }
}

impl Field<'_> {
    /// The only value it may have, if it has another.
    fn not_the_constant(&self, value: &Value) -> Option<String> {
        let captures = CONSTANT.captures(self.description)?;
        let constant = captures.iter().flatten().nth(1)?.as_str().to_owned();
        let says = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        (says != constant).then_some(constant)
    }
}

fn fields(owner: &Value) -> impl Iterator<Item = Field<'_>> {
    let fields = owner["fields"].as_array().into_iter().flatten();
    fields.map(|field| Field {
        name: field["name"].as_str().unwrap_or_default(),
        required: field["required"] == true,
        types: texts(&field["types"]),
        description: field["description"].as_str().unwrap_or_default(),
    })
}

fn texts(array: &Value) -> Vec<String> {
    let texts = array.as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn faults(value: &Value, kind: &str) -> Vec<String> {
        let field = |name: &str, kind: &str, required: bool, says: &str| json!({"name": name, "types": [kind], "required": required, "description": says});
        let document = json!({"types": {
            "Animal": {"subtypes": ["Cat", "Dog"]},
            "Cat": {"fields": [field("type", "String", true, "Type of the animal, always \"cat\"")]},
            "Dog": {"fields": [
                field("type", "String", true, "Type of the animal, must be dog"),
                field("age", "Integer", true, "Years"), field("puppies", "Array of Dog", false, "Optional"),
            ]},
            "Gone": {"fields": [field("date", "Integer", true, "Always 0. The field tells it apart")]},
            "Empty": {},
        }});
        Schema::new(&document).check(value, &[kind.to_owned()], &mut BTreeSet::new())
    }

    #[test]
    fn a_value_is_held_against_its_type_down_to_its_parts() {
        for (value, kind, expected) in [
            (json!({"type": "cat"}), "Animal", vec![]),
            (json!({"type": "dog", "age": 3}), "Animal", vec![]),
            (json!({}), "Empty", vec![]),
            (json!([1, 2]), "Array of Integer", vec![]),
            (json!(1.5), "Integer", vec!["should be Integer and is 1.5"]),
            (json!(null), "String", vec!["should be String and is null"]),
            (json!(false), "True", vec!["should be True and is false"]),
            (json!({"type": "dog"}), "Dog", vec!["Dog.age is missing"]),
            (
                json!({"type": "dog", "age": 3, "x": 1}),
                "Dog",
                vec!["Dog.x is not documented"],
            ),
            (
                json!({"type": "dog", "age": 3, "puppies": [{"type": "dog", "age": "0"}]}),
                "Dog",
                vec!["Dog.age should be Integer and is \"0\""],
            ),
            (
                json!({"type": "fox"}),
                "Cat",
                vec!["Cat.type should always be cat and is \"fox\""],
            ),
            (
                json!({"date": 5}),
                "Gone",
                vec!["Gone.date should always be 0 and is 5"],
            ),
            (json!({}), "Bird", vec!["the type Bird is not documented"]),
        ] {
            assert_eq!(faults(&value, kind), expected, "{value} as {kind}");
        }
    }
}
