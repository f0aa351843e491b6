//! What Claude Code's question tool is called with, and what it takes for an answer. Pure.
//!
//! The tool knows a question by its text and an option by its label; an ask knows ids, and labels that were tidied. So
//! ids are made up here, and what comes back is told in the tool's own texts. Of the input nothing is dropped: what is
//! handed back is all of it, with the answers.
//!
//! Fields of a question that are not known here may change what it means, so they are doubtful; unknown fields beside
//! the questions are not.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::view::AskView;

/// What askd calls this client of its own.
pub(super) const CLIENT: &str = "claude-code";

/// Longest background of an ask. Unit: characters. Source: SPEC 1.
const CONTEXT: usize = 4000;

/// Longest title of a session. Unit: characters. Source: `askd_core::ask::validate`.
const TITLE: usize = 200;

/// Longest id that is made of a header, with room for a number behind it. Unit: characters. Source: SPEC 1 (64).
const ID: usize = 60;

/// Between the values of one question. Source: `sdk-tools.d.ts`, `AskUserQuestionOutput.answers`: "comma-separated".
const JOINT: &str = ", ";

/// Why a call is left to the terminal. Quotes nothing of it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotOurs {
    #[error("what came on stdin is not the input of a hook")]
    NoInput,
    #[error("the hook was called for something else than AskUserQuestion; set its matcher to that")]
    AnotherTool,
    #[error("a sub-agent asks, and only the main session may")]
    SubAgent,
    #[error("the call has answers already")]
    HasAnswers,
    #[error("the questions have a shape that this version of askd does not know")]
    UnknownShape,
    #[error("two questions have the same text, which is all that tells their answers apart")]
    SameText,
    #[error("the previews of the options are too long to be shown elsewhere")]
    LongPreviews,
}

/// A call of the tool that can be handed on.
#[derive(Debug)]
pub(super) struct Call {
    /// As it came.
    input: Map<String, Value>,
    questions: Vec<Asked>,
    session: String,
    /// The folder that the session works in.
    title: Option<String>,
    context: Option<String>,
    /// The call's id, where it fits an HTTP header; without one a second run asks again, which is still an answer.
    key: Option<String>,
}

/// One question under the id that it is asked by.
#[derive(Debug)]
struct Asked {
    id: String,
    question: Question,
}

/// The input of the hook, as far as it matters.
#[derive(Deserialize)]
struct Hooked {
    hook_event_name: String,
    tool_name: String,
    tool_input: Map<String, Value>,
    session_id: String,
    cwd: Option<String>,
    tool_use_id: Option<String>,
    /// There inside a sub-agent alone; its neighbour `agent_type` also where a main session runs as a named agent.
    agent_id: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Question {
    #[serde(rename = "question")]
    text: String,
    header: String,
    options: Vec<Choice>,
    #[serde(default)]
    multi_select: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    label: String,
    description: Option<String>,
    /// A mock-up, or code, that the terminal shows beside the options.
    preview: Option<String>,
}

impl Call {
    /// Reads the input of the hook. How long a text may be and which labels are too alike is the daemon's to say.
    pub(super) fn read(stdin: &str) -> Result<Self, NotOurs> {
        let input: Hooked = serde_json::from_str(stdin).map_err(|_| NotOurs::NoInput)?;
        if input.hook_event_name != "PreToolUse" || input.tool_name != "AskUserQuestion" {
            return Err(NotOurs::AnotherTool);
        }
        if input.agent_id.is_some() {
            return Err(NotOurs::SubAgent);
        }
        match input.tool_input.get("answers") {
            None => {}
            Some(Value::Object(answers)) if answers.is_empty() => {}
            Some(_) => return Err(NotOurs::HasAnswers),
        }
        let questions = input.tool_input.get("questions").cloned().unwrap_or_default();
        let questions: Vec<Question> =
            serde_json::from_value(questions).map_err(|_| NotOurs::UnknownShape)?;
        for (n, question) in questions.iter().enumerate() {
            if questions[..n].iter().any(|other| other.text == question.text) {
                return Err(NotOurs::SameText);
            }
        }
        let context = previews(&questions);
        if context
            .as_ref()
            .is_some_and(|text| text.chars().count() > CONTEXT)
        {
            return Err(NotOurs::LongPreviews);
        }
        let ids = ids(questions.iter().map(|question| question.header.as_str()));
        let questions = ids.into_iter().zip(questions);
        Ok(Self {
            input: input.tool_input,
            questions: questions.map(|(id, question)| Asked { id, question }).collect(),
            session: input.session_id,
            title: input.cwd.as_deref().and_then(folder),
            context,
            key: input.tool_use_id.filter(|id| fits_a_header(id)),
        })
    }

    /// What makes a second run of the hook for this call find the first ask.
    pub(super) fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// The ask.
    pub(super) fn body(&self, timeout: u32) -> Value {
        let questions: Vec<Value> = self.questions.iter().map(Asked::body).collect();
        let mut body = json!({
            "questions": questions,
            "timeoutSeconds": timeout,
            "session": { "id": self.session },
        });
        if let Some(title) = &self.title {
            body["session"]["title"] = json!(title);
        }
        if let Some(context) = &self.context {
            body["context"] = json!(context);
        }
        body
    }

    /// What the hook prints; `None` unless every question was answered.
    pub(super) fn output(&self, ask: &AskView) -> Option<Value> {
        let answers = &ask.result.as_ref()?.answers.as_ref()?.answers;
        let told = self.questions.iter().map(|asked| {
            let values = answers.get(&asked.id).filter(|values| !values.is_empty())?;
            let values: Vec<&str> = values.iter().map(|value| asked.told(value, ask)).collect();
            Some((asked.question.text.clone(), Value::from(values.join(JOINT))))
        });
        let told: Map<String, Value> = told.collect::<Option<_>>()?;
        let mut input = self.input.clone();
        input.insert("answers".to_owned(), Value::Object(told));
        Some(json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": input,
        }}))
    }
}

impl Asked {
    fn body(&self) -> Value {
        let options: Vec<Value> = self
            .question
            .options
            .iter()
            .map(|choice| match &choice.description {
                Some(description) => json!({ "label": choice.label, "description": description }),
                None => json!({ "label": choice.label }),
            })
            .collect();
        json!({
            "id": self.id,
            "header": self.question.header,
            "question": self.question.text,
            "options": options,
            "multiSelect": self.question.multi_select,
        })
    }

    /// A value as the tool knows it: an option by the label that was sent in, own words as they are.
    fn told<'v>(&'v self, value: &'v str, ask: &AskView) -> &'v str {
        let asked = ask
            .questions
            .iter()
            .find(|question| question.id.as_str() == self.id);
        let choices = asked.map_or(&[][..], |question| &question.choices);
        let at = choices.iter().position(|choice| choice.label == value);
        at.and_then(|at| self.question.options.get(at))
            .map_or(value, |choice| &choice.label)
    }
}

/// What the terminal would show beside the options.
fn previews(questions: &[Question]) -> Option<String> {
    let choices = questions.iter().flat_map(|question| &question.options);
    let shown: Vec<String> = choices
        .filter_map(|choice| Some((&choice.label, choice.preview.as_deref()?.trim_end())))
        .filter(|(_, preview)| !preview.trim().is_empty())
        .map(|(label, preview)| format!("{label}:\n{preview}"))
        .collect();
    (!shown.is_empty()).then(|| shown.join("\n\n"))
}

/// Distinct ids in the order of the questions: the header in `snake_case` where it has a Latin letter.
fn ids<'q>(headers: impl Iterator<Item = &'q str>) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for (n, header) in headers.enumerate() {
        let word = snake_case(header).unwrap_or_else(|| format!("question_{}", n + 1));
        let copies = (2..).map(|copy| format!("{word}_{copy}"));
        let free = std::iter::once(word.clone())
            .chain(copies)
            .find(|id| !ids.contains(id));
        ids.extend(free);
    }
    ids
}

fn snake_case(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let id = words.join("_");
    let id = id.trim_start_matches(|c: char| !c.is_ascii_lowercase());
    // Of ASCII alone, so every byte is a character.
    (!id.is_empty()).then(|| id[..id.len().min(ID)].to_owned())
}

/// The last part of a path, for people.
fn folder(cwd: &str) -> Option<String> {
    let name = Path::new(cwd).file_name()?.to_str()?;
    let name: String = name.chars().filter(|c| !c.is_control()).take(TITLE).collect();
    Some(name).filter(|name| !name.trim().is_empty())
}

/// What an idempotency key may be. Source: the HTTP API.
fn fits_a_header(id: &str) -> bool {
    (1..=255).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests;
