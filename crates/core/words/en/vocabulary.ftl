# Words that people type. Alternatives are separated by `|`; the first is the one askd shows. Every language's words
# are recognised whatever the reader's language; they compare as labels do: case, blanks and outer dots do not count.

# Declines the whole ask.
word-skip = skip
# Chooses every option of a multi-select question.
word-all = all
# Between two options.
word-and = and
# Before the number or letter of an option.
word-option = option | choice | answer | number | no.
# Chooses the only option that is itself one of these words.
word-yes = yes | y | yep | yeah | yup | ok | okay | 👍
word-no = no | n | nope | nah | 👎
# Before own words; also what no option may be called.
word-other = other
# At the end of a label; not part of what must be typed.
word-recommended = (Recommended)
