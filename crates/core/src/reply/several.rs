//! Reading a reply to several questions.
//!
//! In this order (SPEC 4): skip, keyed lines, by position, the answer to the only question left, else a hint. What
//! one question's answer is, [`single`] says; this module finds out which part of the text answers which question.
//!
//! Where SPEC 4 leaves it open, nothing is taken that could have been meant otherwise:
//!
//! * A skip word that is also a label of any of the questions skips nothing; `/skip` always does.
//! * A text that answers all questions by position, and also the only one left by itself ("1, 2" where several may
//!   be chosen), is a hint.

pub(super) mod keys;

use std::ops::Range;

use self::keys::{Found, Keys};
use super::{
    Asked, OWN_WORDS, Reading,
    clean::{Folded, tidy, without_quotes, word_key},
    hint::{Hint, Slip},
    known,
    multi::{is_comma, is_semicolon, is_sure_separator, lines},
    options::Options,
    single::{self, One, is_skip_command},
};
use crate::{answer::Answer, ask::Question, id::QuestionId};

/// Longest reply to one ask of several questions, in characters for each question: an answer, its key, and room.
const PER_QUESTION: usize = OWN_WORDS + 400;

/// Reads `typed` as a reply to an ask of more than one question.
pub(super) fn read(typed: &str, asked: &Asked<'_>) -> Reading {
    let own = without_quotes(typed);
    if own.chars().count() > PER_QUESTION * asked.questions.len() {
        return Reading::Hint(Hint::One(Slip::TooLong { limit: OWN_WORDS }));
    }
    let reply = Folded::new(&own);
    let several = Several::new(&reply, asked);
    let word = word_key(tidy(reply.text()));
    let is_label = several.options.iter().any(Options::have_skip_label);
    let is_command = is_skip_command(&word) && several.exact_anywhere(&own).is_none();
    if is_command || (known::is_skip(&word) && !is_label) {
        return Reading::Skip;
    }
    if word.is_empty() {
        return Reading::Hint(Hint::One(Slip::NothingLeft));
    }
    several
        .keyed()
        .or_else(|| several.by_position())
        .or_else(|| several.only_one_left())
        .unwrap_or(Reading::Hint(Hint::Unread))
}

/// Whether `typed` has an answer that names its question.
pub(super) fn is_keyed(typed: &str, asked: &Asked<'_>) -> bool {
    let own = without_quotes(typed);
    own.chars().count() <= PER_QUESTION * asked.questions.len()
        && Several::new(&Folded::new(&own), asked).keyed().is_some()
}

/// A reply and the questions it may answer.
struct Several<'a> {
    reply: &'a Folded<'a>,
    options: Vec<Options<'a>>,
    keys: Keys,
    /// Positions of the questions without an answer.
    open: Vec<usize>,
}

/// An answer to the question at a position, or why it is none.
type Answered = (usize, Result<Answer, Slip>);

impl<'a> Several<'a> {
    fn new(reply: &'a Folded<'a>, asked: &Asked<'a>) -> Self {
        let questions = asked.questions.as_slice();
        let others = |n: usize| {
            questions
                .iter()
                .enumerate()
                .filter(move |(m, _)| *m != n)
                .map(|(_, q)| q)
        };
        let is_open = |q: &Question| asked.answered.get(&q.id).is_none();
        Self {
            reply,
            options: questions
                .iter()
                .enumerate()
                .map(|(n, q)| Options::new(q, others(n)))
                .collect(),
            keys: Keys::of(questions),
            open: (0..questions.len()).filter(|&n| is_open(&questions[n])).collect(),
        }
    }

    fn exact_anywhere(&self, typed: &str) -> Option<usize> {
        self.options
            .iter()
            .position(|options| options.exact(typed).is_some())
    }

    fn typed(&self, range: Range<usize>) -> &'a str {
        self.reply.typed(range)
    }

    /// One answer of several.
    fn one(&self, question: usize, typed: &str) -> Result<Answer, Slip> {
        match single::read(typed, &self.options[question])? {
            One::Answer(answer) => Ok(answer),
            One::Skip => Err(Slip::SkipPart),
        }
    }

    /// The same where a separator may be left over at the end ("1: 2;").
    fn one_before_separator(&self, question: usize, typed: &str) -> Result<Answer, Slip> {
        let without = typed.trim_end_matches(|c| is_sure_separator(c) || c.is_whitespace());
        match self.one(question, without) {
            Ok(answer) if without.len() < typed.len() && !answer.has_own_words() => Ok(answer),
            read if without.len() == typed.len() => read,
            _ => self.one(question, typed),
        }
    }

    fn reading(&self, answered: Vec<Answered>, remains: Vec<String>) -> Reading {
        let mut answers = Vec::new();
        let mut slips = Vec::new();
        for (question, read) in answered {
            let id: QuestionId = self.options[question].question().id.clone();
            match read {
                Ok(answer) => answers.push((id, answer)),
                Err(slip) => slips.push((id, slip)),
            }
        }
        let hint = (!slips.is_empty() || !remains.is_empty()).then_some(Hint::Several { slips, remains });
        match hint {
            Some(hint) if answers.is_empty() => Reading::Hint(hint),
            hint => Reading::Answers { answers, hint },
        }
    }

    /// The answers whose question is named.
    fn keyed(&self) -> Option<Reading> {
        let text = self.reply.text();
        let lines: Vec<Range<usize>> = lines(text).collect();
        let found: Vec<Option<Found>> = lines.iter().map(|line| self.key_of(line)).collect();
        let are_all_keyed = lines.len() > 1 && found.iter().all(Option::is_some);
        let mut answered: Vec<Option<Range<usize>>> = vec![None; self.options.len()];
        let mut remains = Vec::new();
        for (line, found) in lines.into_iter().zip(found) {
            let first = found.filter(|found| are_all_keyed || !found.is_list_number);
            for segment in self.segments(line, first) {
                match segment.question {
                    Some(question) => answered[question] = Some(segment.range),
                    None => remains.push(self.typed(segment.range).to_owned()),
                }
            }
        }
        let answered: Vec<Answered> = answered
            .into_iter()
            .enumerate()
            .filter_map(|(question, range)| {
                Some((question, self.one_before_separator(question, self.typed(range?))))
            })
            .collect();
        (!answered.is_empty())
            .then(|| self.reading(answered, remains.into_iter().filter(|r| !r.is_empty()).collect()))
    }

    /// The key at the beginning of a line that is not itself exactly a label.
    fn key_of(&self, line: &Range<usize>) -> Option<Found> {
        let found = self.keys.at_line_start(self.reply.text(), line.clone())?;
        let question = found.question?;
        let value = self.typed(found.value..line.end);
        let says_an_option = || matches!(self.one(question, value), Ok(answer) if !answer.has_own_words());
        let is_key = self.exact_anywhere(self.typed(line.clone())).is_none()
            && (!found.may_be_a_compound || says_an_option());
        is_key.then_some(found)
    }

    /// Cuts a line before each key in it. `first` is the key it begins with.
    fn segments(&self, line: Range<usize>, first: Option<Found>) -> Vec<Segment> {
        let text = self.reply.text();
        let begin = first.as_ref().map_or(line.start, |found| found.value);
        let mut question = first.and_then(|found| found.question);
        let whole = || self.typed(begin..line.end);
        if question.is_some_and(|question| self.options[question].exact(whole()).is_some()) {
            return vec![Segment {
                question,
                range: begin..line.end,
            }];
        }
        let mut segments = Vec::new();
        let mut start = begin;
        for cut in self.keys.cuts(text, begin..line.end) {
            segments.push(Segment {
                question,
                range: start..cut.end,
            });
            (question, start) = (cut.question, cut.value);
        }
        segments.push(Segment {
            question,
            range: start..line.end,
        });
        segments
    }

    /// The answers in the order of the questions.
    fn by_position(&self) -> Option<Reading> {
        let text = self.reply.text();
        let lines: Vec<Range<usize>> = lines(text).collect();
        if lines.len() > 1 {
            return self.assigned(&lines, false);
        }
        let line = lines.into_iter().next()?;
        // "1. 2" could be the second option of the first question, or the first of one and the second of another.
        let may_be_keyed = self.keys.at_line_start(text, line.clone()).is_some();
        let split = |is_cut: fn(char) -> bool| pieces(text, line.clone(), is_cut);
        self.assigned(&split(is_semicolon), false)
            .or_else(|| self.assigned(&split(is_comma), true))
            .or_else(|| {
                self.assigned(&split(char::is_whitespace), true)
                    .filter(|_| !may_be_keyed)
            })
    }

    /// Gives the pieces to the questions without an answer, or else to all, if there are as many. At least one, or
    /// `all`, must say exactly an option.
    fn assigned(&self, pieces: &[Range<usize>], all: bool) -> Option<Reading> {
        let every: Vec<usize> = (0..self.options.len()).collect();
        let targets = [&self.open, &every]
            .into_iter()
            .find(|targets| targets.len() > 1 && targets.len() == pieces.len())?;
        let answered: Vec<Answered> = targets
            .iter()
            .zip(pieces)
            .map(|(&question, piece)| {
                (
                    question,
                    self.one_before_separator(question, self.typed(piece.clone())),
                )
            })
            .collect();
        let says_option = |(_, read): &Answered| matches!(read, Ok(answer) if !answer.has_own_words());
        let counts = if all {
            answered.iter().all(says_option)
        } else {
            answered.iter().any(says_option)
        };
        if !counts {
            return None;
        }
        // Where one question is left, the same text may be its answer.
        let whole = 0..self.reply.text().len();
        let is_also_one = self.open.len() == 1
            && matches!(self.one(self.open[0], self.typed(whole)), Ok(answer) if !answer.has_own_words());
        Some(if is_also_one {
            Reading::Hint(Hint::Unread)
        } else {
            self.reading(answered, Vec::new())
        })
    }

    /// The whole text as the answer to the only question without one.
    fn only_one_left(&self) -> Option<Reading> {
        let [question] = self.open[..] else { return None };
        let read = self.one(question, self.typed(0..self.reply.text().len()));
        Some(self.reading(vec![(question, read)], Vec::new()))
    }
}

/// A part of a line: the answer to a question, or what has no key.
struct Segment {
    question: Option<usize>,
    range: Range<usize>,
}

/// The parts of `line` between the characters that `is_cut`; blank parts are left out.
fn pieces(text: &str, line: Range<usize>, is_cut: fn(char) -> bool) -> Vec<Range<usize>> {
    let mut start = line.start;
    let mut pieces = Vec::new();
    for part in text[line].split(is_cut) {
        if !part.trim().is_empty() {
            pieces.push(start..start + part.len());
        }
        start += part.len();
        start += text[start..].chars().next().map_or(0, char::len_utf8);
    }
    pieces
}
