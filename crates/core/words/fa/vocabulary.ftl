# Words that people type. Alternatives are separated by `|`; the first is the one askd shows. Every language's words
# are recognised whatever the reader's language; they compare as labels do: case, blanks and outer dots do not count.

# Declines the whole ask.
word-skip = رد | رد کردن
# Chooses every option of a multi-select question.
word-all = همه
# Between two options.
word-and = و
# Before the number or letter of an option.
word-option = گزینه | گزینه‌ی | گزینهٔ | گزینۀ | شماره | شماره‌ی | شمارهٔ | شمارۀ
# Chooses the only option that is itself one of these words.
word-yes = بله | بلی | آره | باشه | اوکی
word-no = نه | خیر | نخیر
# Before own words; also what no option may be called.
word-other = پاسخ دیگر | سایر | غیره
# At the end of a label; not part of what must be typed.
word-recommended = (توصیه‌شده) | (پیشنهادی)
