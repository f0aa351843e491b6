# Why a reply did not count, and what would. Shown as one short message; nothing here may speak of buttons, numbers or
# letters unless the prompt has them.

# What was wrong.
hint-no-such-option = There is no option “{ $typed }”: the options run from { $first } to { $last }.
hint-no-such-range = “{ $typed }” is not a range of the options: they run from { $first } to { $last }.
hint-several-choices = Only one option can be chosen here.
hint-other-label = “{ $typed }” names two different options.
hint-yes-or-no = “{ $typed }” does not say which option you mean.
hint-other-question = “{ $typed }” is an option of “{ $header }”.
hint-skip-part = “{ $skip }” declines everything, so it must stand alone.
hint-own-words-missing = Write your own words after “{ $other }:”.
hint-nothing-left = There was no answer in your message.
hint-too-long = An answer can have at most { $limit } characters.

# What to do instead, for one question.
hint-reply-number = Reply with a number or a label.
hint-reply-numbers = Reply with one or more numbers or labels.
hint-reply-letter = Reply with a letter or a label.
hint-reply-letters = Reply with one or more letters or labels.
hint-or-tap = You can also tap a button.
hint-own-words = If these are your own words, write “{ $example }”.

# For several questions.
hint-of-question = { $number }. { $header }: { $hint }
hint-remains = Not understood: “{ $text }”.
hint-example = Begin each answer with the number of its question, like this: { $example }
