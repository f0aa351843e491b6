//! One question, several choices.

use super::{GROUPS, check, multi};

#[test]
fn several_options_may_be_chosen_where_several_may_hold() {
    check(
        &multi(&GROUPS),
        &[
            ("1", "Ops"),
            ("2, 1", "Ops + Developers"),
            ("1,2,4", "Ops + Developers + Q/A"),
            ("1;2", "Ops + Developers"),
            ("1؛ 2", "Ops + Developers"),
            ("۱، ۲", "Ops + Developers"),
            ("1、2", "Ops + Developers"),
            ("1；2", "Ops + Developers"),
            ("1\n2\n", "Ops + Developers"),
            ("1\r\n2", "Ops + Developers"),
            ("1 2", "Ops + Developers"),
            ("1  2   4", "Ops + Developers + Q/A"),
            ("1/2", "Ops + Developers"),
            ("1 + 2", "Ops + Developers"),
            ("1&2", "Ops + Developers"),
            ("1 and 2", "Ops + Developers"),
            ("1and2", "Ops + Developers"),
            ("1, 2, and 4", "Ops + Developers + Q/A"),
            ("۱ و ۲", "Ops + Developers"),
            ("۱و۲", "Ops + Developers"),
            ("ops AND developers", "Ops + Developers"),
            ("#1, option 2", "Ops + Developers"),
            ("2. Developers; 1) Ops", "Ops + Developers"),
            ("1, 1, ops, 1", "Ops"),
            (",1,,2;", "Ops + Developers"),
            ("1,", "Ops"),
            ("- Ops\n- Developers", "Ops + Developers"),
            ("- Ops", "Ops"),
            ("* 1\n• 2\n– 4", "Ops + Developers + Q/A"),
            ("> Who?\n1, 2", "Ops + Developers"),
            ("1 2 and 4", "Ops + Developers + Q/A"),
        ],
    );
}

#[test]
fn commas_semicolons_and_newlines_may_mix_options_with_own_words() {
    check(
        &multi(&GROUPS),
        &[
            ("1, the night shift", "Ops + “the night shift”"),
            ("the night shift; 1", "Ops + “the night shift”"),
            ("Bob, 2, Alice, 1", "Ops + Developers + “Bob” + “Alice”"),
            ("Bob, 1, Bob", "Ops + “Bob”"),
            ("1\nand tell Bob", "Ops + “and tell Bob”"),
            ("1, and tell Bob", "Ops + “and tell Bob”"),
            ("- Ops\n- Bob (on call)", "Ops + “Bob (on call)”"),
            ("1, *Bob*", "Ops + “*Bob*”"),
            ("1, 2?", "Ops + “2?”"),
            ("1, **", "Ops"),
        ],
    );
}

#[test]
fn weak_separators_separate_only_options() {
    check(
        &multi(&GROUPS),
        &[
            (
                "1, Ops and whoever is on call",
                "Ops + “Ops and whoever is on call”",
            ),
            ("1, b & c", "Ops + “b & c”"),
            ("ops and Bob", "“ops and Bob”"),
            ("candy", "“candy”"),
            ("1/7", "“1/7”"),
            ("1 or 2", "“1 or 2”"),
            ("1 7", "“1 7”"),
            ("1. 2.", "“1. 2.”"),
            ("ops developers", "“ops developers”"),
            ("-1 2", "“-1 2”"),
        ],
    );
}

#[test]
fn no_option_at_all_is_the_whole_text_as_one_value() {
    check(
        &multi(&GROUPS),
        &[
            ("Bob, Alice", "“Bob, Alice”"),
            ("- Bob\n- Alice", "“- Bob\n- Alice”"),
            ("all, but not on Sunday", "“all, but not on Sunday”"),
            ("yes, everybody", "“yes, everybody”"),
            ("> Who?\nBob; Alice", "“Bob; Alice”"),
        ],
    );
}

#[test]
fn the_longest_label_is_tried_first() {
    check(
        &multi(&["Red", "Red, green", "C++", "Q/A"]),
        &[
            ("Red, green", "Red, green"),
            ("red,green", "Red, green"),
            ("red, green, red", "Red + Red, green"),
            ("Red, red, green", "Red + Red, green"),
            ("2. red, green; 1", "Red + Red, green"),
            ("C++ and Q/A", "C++ + Q/A"),
            ("c++, q/a", "C++ + Q/A"),
            ("Q/A/Red", "Red + Q/A"),
            ("Red, yellow", "Red + “yellow”"),
            ("green", "“green”"),
            ("C+", "“C+”"),
        ],
    );
    check(
        &multi(&["Rock and Roll", "Roll", "Rock"]),
        &[
            ("rock and roll", "Rock and Roll"),
            ("rock and rock and roll", "Rock and Roll + Rock"),
            ("roll and rock", "Roll + Rock"),
        ],
    );
}

#[test]
fn all_is_every_option_unless_it_is_a_label() {
    check(
        &multi(&["Ops", "Developers"]),
        &[
            ("all", "Ops + Developers"),
            ("ALL!", "Ops + Developers"),
            ("همه", "Ops + Developers"),
            ("all of them", "“all of them”"),
        ],
    );
    check(
        &multi(&["All (Recommended)", "None"]),
        &[("all", "All (Recommended)"), ("همه", "All (Recommended) + None")],
    );
}

#[test]
fn a_range_runs_over_the_shown_markers() {
    check(
        &multi(&GROUPS),
        &[
            ("1-3", "Ops + Developers + Red, green"),
            ("1 - 2", "Ops + Developers"),
            ("1–2", "Ops + Developers"),
            ("۱-۲", "Ops + Developers"),
            ("1-2, 4", "Ops + Developers + Q/A"),
            ("1-2 and 4", "Ops + Developers + Q/A"),
            ("2-2", "Developers"),
            ("3-1", "!NoSuchRange"),
            ("2-7", "!NoSuchRange"),
            ("0-2", "!NoSuchRange"),
            ("1, 3-1", "!NoSuchRange"),
            ("1-3 days", "“1-3 days”"),
            ("1--3", "“1--3”"),
            ("a-b", "“a-b”"),
        ],
    );
    check(
        &multi(&["3 days", "5 days", "7 days"]),
        &[
            ("a-b", "3 days + 5 days"),
            ("A–C", "3 days + 5 days + 7 days"),
            ("c-a", "!NoSuchRange"),
            ("b-d", "!NoSuchRange"),
            ("3-5", "“3-5”"),
            ("a, 4", "3 days + “4”"),
            ("a b", "3 days + 5 days"),
            ("3 days, b", "3 days + 5 days"),
        ],
    );
}

#[test]
fn any_slip_among_the_parts_is_a_hint() {
    check(
        &multi(&GROUPS),
        &[
            ("5", "!NoSuchOption"),
            ("1, 5", "!NoSuchOption"),
            ("1, Bob, 0", "!NoSuchOption"),
            ("1, #9", "!NoSuchOption"),
            ("1, -2", "!NoSuchOption"),
            ("1\n2 Ops", "!OtherLabel"),
            ("2 Ops", "!OtherLabel"),
            ("1, skip", "!SkipPart"),
            ("ok", "!YesOrNo"),
            ("no", "!YesOrNo"),
            ("", "!NothingLeft"),
            ("other", "!OwnWordsMissing"),
        ],
    );
    check(
        &multi(&["Yes", "Maybe"]),
        &[("y", "Yes"), ("👍", "Yes"), ("n", "!YesOrNo")],
    );
}

#[test]
fn the_word_other_makes_own_words_of_all_that_follows() {
    check(
        &multi(&GROUPS),
        &[
            ("other: 1, 2", "“1, 2”"),
            ("1, other: 2, 3", "Ops + “2, 3”"),
            (
                "2\nother: call Bob, then wait\nor not",
                "Developers + “call Bob, then wait\nor not”",
            ),
            ("1, other: Developers", "Ops + Developers"),
            ("1, other:", "!OwnWordsMissing"),
            ("1, another: 2", "Ops + “another: 2”"),
        ],
    );
}
