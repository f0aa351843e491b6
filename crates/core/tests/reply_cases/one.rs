//! One question, one choice.

use askd_core::reply::read_own_words;

use super::{GROUPS, TARGETS, check, multi, one, question, render_answer, render_hint};

#[test]
fn exactly_a_label_is_that_option_before_anything_else() {
    check(
        &one(&["skip", "> 5 GB", "1, 2", "/skip"]),
        &[
            ("skip", "skip"),
            (" > 5 GB ", "> 5 GB"),
            ("1, 2", "1, 2"),
            ("/skip", "/skip"),
        ],
    );
    check(
        &one(&["**", "other: x", "ok", "no"]),
        &[("**", "**"), ("other: x", "other: x"), ("ok", "ok"), ("no", "no")],
    );
    check(
        &multi(&["all", "Ops; Dev", "Ops"]),
        &[("all", "all"), ("Ops; Dev", "Ops; Dev")],
    );
}

#[test]
fn labels_compare_after_clean_up() {
    check(
        &one(&TARGETS),
        &[
            ("Staging", "Staging (Recommended)"),
            ("staging (recommended)", "Staging (Recommended)"),
            ("STAGING!", "Staging (Recommended)"),
            ("staging (پیشنهادی)", "Staging (Recommended)"),
            ("  production  ", "Production"),
            ("“Production”", "Production"),
            ("«Production»", "Production"),
            ("„Production“", "Production"),
            ("「Production」", "Production"),
            ("`Production`", "Production"),
            ("**Production**", "Production"),
            ("_production_", "Production"),
            ("*_Production_*", "Production"),
            ("\"Production\".", "Production"),
            ("..production..", "Production"),
            ("Production。", "Production"),
            ("Production۔", "Production"),
            ("Ｐｒｏｄｕｃｔｉｏｎ", "Production"),
            ("Pro\u{200B}duc\u{AD}tion", "Production"),
            ("\u{2067}Production\u{2069}", "Production"),
            ("localonly", "Local only"),
            ("local\u{A0}only", "Local only"),
            ("local\nonly", "Local only"),
            ("> Where should this go?\nproduction", "Production"),
            ("production\n> Where should this go?", "Production"),
            // No prefix, no fuzzy matching, nothing around it.
            ("prod", "“prod”"),
            ("Productoin", "“Productoin”"),
            ("Production please", "“Production please”"),
            ("Production?", "“Production?”"),
            ("the staging", "“the staging”"),
            ("Staging (not recommended)", "“Staging (not recommended)”"),
            ("production\"", "“production\"”"),
            ("*production", "“*production”"),
        ],
    );
}

#[test]
fn arabic_and_persian_letters_are_one() {
    check(
        &one(&["محیط آزمایشی (توصیه‌شده)", "محیط اصلی", "کاری نکن"]),
        &[
            ("محيط اصلي", "محیط اصلی"),
            ("محیط‌اصلی", "محیط اصلی"),
            ("كاري نكن", "کاری نکن"),
            ("محیط آزمایشی", "محیط آزمایشی (توصیه‌شده)"),
            ("محیط آزمایشی (پیشنهادی)", "محیط آزمایشی (توصیه‌شده)"),
            ("محیط آزمایشی (Recommended)", "محیط آزمایشی (توصیه‌شده)"),
            ("«محیط اصلی»", "محیط اصلی"),
            ("محیط", "“محیط”"),
        ],
    );
}

#[test]
fn a_marker_is_that_option() {
    check(
        &one(&TARGETS),
        &[
            ("2", "Production"),
            ("02", "Production"),
            (" 2 ", "Production"),
            ("#2", "Production"),
            ("# 2", "Production"),
            ("№2", "Production"),
            ("2.", "Production"),
            ("2)", "Production"),
            ("2:", "Production"),
            ("2!", "Production"),
            ("(2)", "Production"),
            ("[2]", "Production"),
            ("( 2 )", "Production"),
            ("(#2)", "Production"),
            ("#2.", "Production"),
            ("option 2", "Production"),
            ("Option2", "Production"),
            ("option #2", "Production"),
            ("option (2)", "Production"),
            ("choice 2", "Production"),
            ("answer 2", "Production"),
            ("number 2", "Production"),
            ("no. 2", "Production"),
            ("No.2", "Production"),
            ("گزینه ۲", "Production"),
            ("گزینه‌ی ۲", "Production"),
            ("گزینهٔ ۲", "Production"),
            ("شماره ۲", "Production"),
            ("شماره۲", "Production"),
            ("\"2\"", "Production"),
            ("**2**", "Production"),
            ("`2`", "Production"),
            ("۲", "Production"),
            ("٢", "Production"),
            ("２", "Production"),
            ("२", "Production"),
            ("2️⃣", "Production"),
            ("②", "Production"),
            ("⑵", "Production"),
            ("⒉", "Production"),
            ("۲.", "Production"),
            ("（２）", "Production"),
            ("> Where?\n2", "Production"),
            // Nothing else is.
            ("2?", "“2?”"),
            ("2,", "“2,”"),
            ("two", "“two”"),
            ("no 2", "“no 2”"),
            ("(2", "“(2”"),
            ("[2)", "“[2)”"),
            ("2nd", "“2nd”"),
            ("v2", "“v2”"),
            ("question 2", "“question 2”"),
            ("b", "“b”"),
            ("2.5", "“2.5”"),
            ("2\"", "“2\"”"),
            ("12:30", "“12:30”"),
            ("2:30", "“2:30”"),
            ("2:1", "“2:1”"),
        ],
    );
}

#[test]
fn a_marker_before_its_own_label_is_that_option() {
    check(
        &one(&TARGETS),
        &[
            ("2 Production", "Production"),
            ("2. Production", "Production"),
            ("2) production", "Production"),
            ("2: production", "Production"),
            ("2 - Production", "Production"),
            ("2 – Production", "Production"),
            ("2-Production", "Production"),
            ("2=Production", "Production"),
            ("(2) Production", "Production"),
            ("#2 Production", "Production"),
            ("option 2: Production", "Production"),
            ("گزینه ۲: production", "Production"),
            ("1. Staging", "Staging (Recommended)"),
            ("1 Production", "!OtherLabel"),
            ("3. staging", "!OtherLabel"),
            ("7. Production", "!OtherLabel"),
            ("2Production", "“2Production”"),
            ("2 Production please", "“2 Production please”"),
            ("2 - but only after 5pm", "“2 - but only after 5pm”"),
            ("2 weeks from now", "“2 weeks from now”"),
            ("Production 2", "“Production 2”"),
            ("2 > Production", "“2 > Production”"),
        ],
    );
}

#[test]
fn where_a_label_begins_with_another_number_letters_mark_and_a_number_is_a_label_or_a_value() {
    check(
        &one(&["3", "1"]),
        &[
            ("1", "1"),
            ("3", "3"),
            ("۱", "1"),
            ("2", "“2”"),
            ("2.", "“2.”"),
            ("-1", "“-1”"),
            ("7", "“7”"),
            ("a", "3"),
            ("B", "1"),
            ("b)", "1"),
            ("(b)", "1"),
            ("option b", "1"),
            ("B: 1", "1"),
            ("A: 1", "!OtherLabel"),
            ("C", "!NoSuchOption"),
            ("#2", "!NoSuchOption"),
            ("option 2", "!NoSuchOption"),
            (".3", "“.3”"),
        ],
    );
    check(
        &one(&["3 replicas", "5 replicas (Recommended)", "none"]),
        &[
            ("3 replicas", "3 replicas"),
            ("5replicas", "5 replicas (Recommended)"),
            ("3", "“3”"),
            ("2", "“2”"),
            ("4 replicas", "“4 replicas”"),
            ("b", "5 replicas (Recommended)"),
            ("c - none", "none"),
            ("a none", "!OtherLabel"),
            ("options", "“options”"),
        ],
    );
    check(
        &one(&["۳ نسخه", "هیچ"]),
        &[("b", "هیچ"), ("۲", "“۲”"), ("3نسخه", "۳ نسخه")],
    );
    check(
        &one(&["2", "B"]),
        &[("b", "B"), ("p", "2"), ("q", "B"), ("a", "!NoSuchOption")],
    );
    check(
        &one(&["#7", "#9"]),
        &[("#9", "#9"), ("9", "!NoSuchOption"), ("b", "#9")],
    );
}

#[test]
fn where_labels_begin_with_their_own_number_it_is_the_marker_and_another_a_value() {
    check(
        &one(&["1 GB", "2 GB"]),
        &[
            ("1 gb", "1 GB"),
            ("2", "2 GB"),
            ("2. 2 GB", "2 GB"),
            ("4", "“4”"),
            ("+4", "“+4”"),
            ("4 GB", "“4 GB”"),
            ("option 4", "!NoSuchOption"),
            ("a", "“a”"),
        ],
    );
}

#[test]
fn the_skip_word_alone_skips_unless_a_label_is_that_word() {
    check(
        &one(&TARGETS),
        &[
            ("skip", "skip"),
            ("SKIP", "skip"),
            ("Skip.", "skip"),
            ("“skip”", "skip"),
            ("/skip", "skip"),
            ("/Skip", "skip"),
            ("رد", "skip"),
            ("رد کردن", "skip"),
            ("رد‌کردن", "skip"),
            ("رد كردن", "skip"),
            ("skip it", "“skip it”"),
            ("skip, please", "“skip, please”"),
            ("skip?", "“skip?”"),
            ("/skip it", "“/skip it”"),
            ("//skip", "“//skip”"),
        ],
    );
    check(
        &one(&["Skip (Recommended)", "Keep"]),
        &[
            ("skip", "Skip (Recommended)"),
            ("SKIP!", "Skip (Recommended)"),
            ("/skip", "skip"),
        ],
    );
    check(&one(&["/skip", "Keep"]), &[("/skip", "/skip"), ("skip", "skip")]);
    check(
        &multi(&GROUPS),
        &[("skip", "skip"), ("/skip", "skip"), ("رد", "skip")],
    );
}

#[test]
fn yes_and_no_words_choose_the_only_option_that_says_so() {
    check(
        &one(&["Yes (Recommended)", "No", "Later"]),
        &[
            ("y", "Yes (Recommended)"),
            ("yep", "Yes (Recommended)"),
            ("ok", "Yes (Recommended)"),
            ("OK!", "Yes (Recommended)"),
            ("👍", "Yes (Recommended)"),
            ("👍🏽", "Yes (Recommended)"),
            ("بله", "Yes (Recommended)"),
            ("آره", "Yes (Recommended)"),
            ("n", "No"),
            ("nope", "No"),
            ("👎🏿", "No"),
            ("خیر", "No"),
            ("نه", "No"),
            ("yes please", "“yes please”"),
            ("yes, but later", "“yes, but later”"),
            ("no way", "“no way”"),
            ("not now", "“not now”"),
            ("🤷", "“🤷”"),
        ],
    );
    check(
        &one(&["بله", "نه"]),
        &[("ok", "بله"), ("no", "نه"), ("خير", "نه")],
    );
    check(
        &one(&["Yes", "OK"]),
        &[("yes", "Yes"), ("y", "!YesOrNo"), ("n", "!YesOrNo"), ("ok", "OK")],
    );
    check(
        &one(&TARGETS),
        &[
            ("yes", "!YesOrNo"),
            ("ok", "!YesOrNo"),
            ("Okay.", "!YesOrNo"),
            ("no", "!YesOrNo"),
            ("👍", "!YesOrNo"),
            ("بله", "!YesOrNo"),
            ("yes indeed", "“yes indeed”"),
            ("yes and no", "“yes and no”"),
        ],
    );
}

#[test]
fn a_number_that_no_option_has_is_a_hint() {
    check(
        &one(&TARGETS),
        &[
            ("0", "!NoSuchOption"),
            ("4", "!NoSuchOption"),
            ("99", "!NoSuchOption"),
            ("007", "!NoSuchOption"),
            ("99999999999999999999999999", "!NoSuchOption"),
            ("-1", "!NoSuchOption"),
            ("+2", "!NoSuchOption"),
            ("−3", "!NoSuchOption"),
            ("۹", "!NoSuchOption"),
            ("#4", "!NoSuchOption"),
            ("4.", "!NoSuchOption"),
            ("(4)", "!NoSuchOption"),
            ("option 4", "!NoSuchOption"),
            ("🔟", "!NoSuchOption"),
            ("2.0", "“2.0”"),
            ("10 000", "“10 000”"),
            ("5pm", "“5pm”"),
            ("5 GB", "“5 GB”"),
        ],
    );
}

#[test]
fn two_picks_on_a_single_choice_are_a_hint() {
    check(
        &one(&TARGETS),
        &[
            ("1, 2", "!SeveralChoices"),
            ("1 2", "!SeveralChoices"),
            ("1,2", "!SeveralChoices"),
            ("1; 3", "!SeveralChoices"),
            ("1\n2", "!SeveralChoices"),
            ("1/2", "!SeveralChoices"),
            ("1 + 2", "!SeveralChoices"),
            ("1 & 2", "!SeveralChoices"),
            ("1 and 2", "!SeveralChoices"),
            ("۱ و ۲", "!SeveralChoices"),
            ("۱، ۲", "!SeveralChoices"),
            ("1、2", "!SeveralChoices"),
            ("1，2", "!SeveralChoices"),
            ("staging, production", "!SeveralChoices"),
            ("Staging and 2", "!SeveralChoices"),
            ("- Staging\n- Production", "!SeveralChoices"),
            ("1. Staging\n2. Production", "!SeveralChoices"),
            ("1-2", "!SeveralChoices"),
            ("3-1", "!SeveralChoices"),
            ("1, 2, 7", "!SeveralChoices"),
            // With anything else they are own words.
            ("1 or 2", "“1 or 2”"),
            ("1 and then 2", "“1 and then 2”"),
            ("1, 2?", "“1, 2?”"),
            ("1, but only later", "“1, but only later”"),
            (
                "staging first, production later",
                "“staging first, production later”",
            ),
            ("24/7", "“24/7”"),
            ("1/7", "“1/7”"),
            ("1,5", "“1,5”"),
            ("1,000", "“1,000”"),
            ("1,000,000", "“1,000,000”"),
            ("3-4 hours", "“3-4 hours”"),
            ("10-12", "“10-12”"),
            ("all", "“all”"),
        ],
    );
}

#[test]
fn nothing_left_after_clean_up_is_a_hint() {
    check(
        &one(&TARGETS),
        &[
            ("", "!NothingLeft"),
            ("   \n ", "!NothingLeft"),
            ("**", "!NothingLeft"),
            ("\"\"", "!NothingLeft"),
            ("\u{200B}\u{FEFF}", "!NothingLeft"),
        ],
    );
}

#[test]
fn anything_else_is_own_words_as_typed() {
    check(
        &one(&TARGETS),
        &[
            ("which is cheaper?", "“which is cheaper?”"),
            ("/srv/data", "“/srv/data”"),
            ("https://example.org/?a=1;b=2", "“https://example.org/?a=1;b=2”"),
            ("  Use  *both*, ask me_later  ", "“Use  *both*, ask me_later”"),
            ("“first staging”, he said", "““first staging”, he said”"),
            ("two\n\nlines", "“two\n\nlines”"),
            ("> Where?\nneither\n> Really?", "“neither”"),
            ("> 5 GB", "“> 5 GB”"),
            (">_<", "“>_<”"),
            ("به\u{200C}زودی ي", "“به\u{200C}زودی ي”"),
            ("Target: Production", "“Target: Production”"),
            ("Q2", "“Q2”"),
            ("1: 2", "“1: 2”"),
        ],
    );
}

#[test]
fn own_words_have_at_most_4000_characters() {
    let longest = "ک".repeat(4000);
    let too_long = format!("{longest}x");
    let quoted = format!("> {too_long}\n{longest}");

    check(
        &one(&TARGETS),
        &[
            (&longest, &format!("“{longest}”")),
            (&too_long, "!TooLong"),
            (&quoted, &format!("“{longest}”")),
            (
                &format!("{}2{}", " ".repeat(9000), "\n".repeat(9000)),
                "Production",
            ),
        ],
    );
}

#[test]
fn the_word_other_makes_own_words_of_what_follows() {
    check(
        &one(&TARGETS),
        &[
            ("other: 5", "“5”"),
            ("Other: 2", "“2”"),
            ("other : skip", "“skip”"),
            ("other： 2", "“2”"),
            ("سایر: ۲", "“۲”"),
            ("غیره: 1, 2", "“1, 2”"),
            ("other: production", "“production”"),
            ("other: Production", "Production"),
            ("other: first\nsecond", "“first\nsecond”"),
            ("other", "!OwnWordsMissing"),
            ("Other:", "!OwnWordsMissing"),
            ("other 5", "“other 5”"),
            ("another: 5", "“another: 5”"),
            ("the other: 5", "“the other: 5”"),
        ],
    );
}

#[test]
fn text_typed_into_other_is_own_words_unless_it_is_exactly_a_label() {
    let question = question("target", "Target", &TARGETS, false);
    let long = "x".repeat(4001);
    for (typed, expected) in [
        ("2", "“2”"),
        (" 2 weeks ", "“2 weeks”"),
        ("skip", "“skip”"),
        ("/skip", "“/skip”"),
        ("ok", "“ok”"),
        ("1, 2", "“1, 2”"),
        ("production", "“production”"),
        ("Production", "Production"),
        (" Staging (Recommended)\n", "Staging (Recommended)"),
        ("Staging", "“Staging”"),
        ("other: 5", "“other: 5”"),
        ("> Where?\nhere", "“here”"),
        ("> here", "“> here”"),
        ("**", "“**”"),
        (" \u{200B} ", "!NothingLeft"),
        ("", "!NothingLeft"),
        (long.as_str(), "!TooLong"),
    ] {
        let found = match read_own_words(typed, &question) {
            Ok(answer) => render_answer(&answer, &question),
            Err(hint) => render_hint(&hint),
        };
        assert_eq!(found, expected, "{typed:?}");
    }
}
