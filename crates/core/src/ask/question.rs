//! The parts of a question, valid by construction.

use serde::{Deserialize, Serialize};

use crate::id::QuestionId;

/// One question with its declared choices. Made by [`validate`](super::validate) only, which upholds every limit of
/// SPEC 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The answer's key.
    pub id: QuestionId,
    /// A short label: 1-12 grapheme clusters.
    pub header: Header,
    /// The question itself: 1-2000 characters.
    #[serde(rename = "question")]
    pub text: String,
    /// 2-4 choices with distinct labels.
    #[serde(rename = "options")]
    pub choices: Vec<Choice>,
    /// Whether several choices may hold at once.
    #[serde(rename = "multiSelect")]
    pub multi_select: bool,
}

/// A declared option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What is shown, typed and returned: 1-200 characters, one line.
    pub label: String,
    /// What it means: at most 1000 characters.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
}

/// A short label, at most [`Header::MAX`] grapheme clusters and [`Header::LONGEST`] characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Header(String);

impl Header {
    /// Longest header. Unit: grapheme clusters. Source: SPEC 1.
    pub const MAX: usize = 12;

    /// Longest header. Unit: characters (Unicode scalar values). A cluster has no end: marks without number may stand on
    /// one letter. Twelve families of emoji have 84.
    pub const LONGEST: usize = 120;

    /// Cuts `text` to [`Header::MAX`] clusters, and those to [`Header::LONGEST`] characters, removes the space the cut may
    /// have left at its end, and says whether anything was lost. `text` must be trimmed and not blank.
    #[must_use]
    pub fn cut(text: &str) -> (Self, bool) {
        use unicode_segmentation::UnicodeSegmentation as _;
        let most = text
            .char_indices()
            .nth(Self::LONGEST)
            .map_or(text.len(), |(at, _)| at);
        let clusters = text[..most].grapheme_indices(true).nth(Self::MAX);
        let end = clusters.map(|(at, _)| at).or((most < text.len()).then_some(most));
        match end {
            Some(end) => (Self(text[..end].trim_end().to_owned()), true),
            None => (Self(text.to_owned()), false),
        }
    }

    /// The label.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The questions of one ask: 1 to [`Questions::MAX`], with distinct ids.
///
/// The core holds four, because one entrance (a coding agent's built-in question tool) sends up to four; every
/// other entrance refuses the fourth (`validate::Rules::max_questions`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Questions(Vec<Question>);

impl Questions {
    /// Most questions an ask can hold.
    pub const MAX: usize = 4;

    /// `None` unless there are 1 to [`Questions::MAX`] with distinct ids.
    #[must_use]
    pub fn new(questions: Vec<Question>) -> Option<Self> {
        let count = (1..=Self::MAX).contains(&questions.len());
        let distinct = questions
            .iter()
            .enumerate()
            .all(|(n, q)| questions[..n].iter().all(|p| p.id != q.id));
        (count && distinct).then_some(Self(questions))
    }

    /// In the declared order; never empty.
    #[must_use]
    pub fn as_slice(&self) -> &[Question] {
        &self.0
    }

    /// In the declared order.
    pub fn iter(&self) -> std::slice::Iter<'_, Question> {
        self.0.iter()
    }

    /// The question of this id.
    #[must_use]
    pub fn get(&self, id: &QuestionId) -> Option<&Question> {
        self.0.iter().find(|q| q.id == *id)
    }

    /// The only question, where there is exactly one.
    #[must_use]
    pub fn only(&self) -> Option<&Question> {
        match self.0.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    /// How many; at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl<'a> IntoIterator for &'a Questions {
    type Item = &'a Question;
    type IntoIter = std::slice::Iter<'a, Question>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
