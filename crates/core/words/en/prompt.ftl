### The prompt of a pending ask.

## Who asks, and in how many parts.

prompt-mark = ❓
# Last line of each message of a prompt that needs several.
prompt-part = ({ $part }/{ $of })
# Below background that was cut.
prompt-more = Read on: { $link }

## Buttons.

prompt-other = Other…
prompt-skip = Skip

## How to answer. $here is where one types the answer: direct (just here), group (as a reply to the message) or
## thread (in the thread below it).

# Behind a question with several answers.
prompt-choose-any = (choose any)

# With a button for each option. $markers is what stands before the options: numbers or letters.
prompt-how-tap =
    { $here ->
        [direct]
            { $markers ->
                [letters] Tap your choice, or reply with its letter or your own words.
               *[numbers] Tap your choice, or reply with its number or your own words.
            }
        [thread]
            { $markers ->
                [letters] Tap your choice, or reply in thread with its letter or your own words.
               *[numbers] Tap your choice, or reply in thread with its number or your own words.
            }
       *[group]
            { $markers ->
                [letters] Tap your choice, or reply to this message with its letter or your own words.
               *[numbers] Tap your choice, or reply to this message with its number or your own words.
            }
    }

# Without buttons. $choices comes from prompt-either.
prompt-how-type =
    { $here ->
        [direct] Reply with { $choices }, or in your own words.
        [thread] Reply in thread with { $choices }, or in your own words.
       *[group] Reply to this message with { $choices }, or in your own words.
    }
prompt-either = { $some } or { $last }

prompt-how-choose-any =
    { $here ->
        [direct] Reply with all you choose, such as { $example }, or in your own words.
        [thread] Reply in thread with all you choose, such as { $example }, or in your own words.
       *[group] Reply to this message with all you choose, such as { $example }, or in your own words.
    }

# Several questions.
prompt-how-keyed =
    { $here ->
        [direct] Reply like this, on one line or several: { $example }. Your own words are fine too.
        [thread] Reply in thread like this, on one line or several: { $example }. Your own words are fine too.
       *[group] Reply to this message like this, on one line or several: { $example }. Your own words are fine too.
    }

# Between markers, as typed.
prompt-between-options = {", "}

# Where there is no button to skip.
prompt-how-skip = To decline, reply { $skip }.

## Until when.

prompt-until = Open until { $when }.
prompt-time-and-day = { $time } on { $weekday }, { $day } { $month }
prompt-weekday =
    { $weekday ->
        [1] Monday
        [2] Tuesday
        [3] Wednesday
        [4] Thursday
        [5] Friday
        [6] Saturday
       *[7] Sunday
    }
prompt-month =
    { $month ->
        [1] January
        [2] February
        [3] March
        [4] April
        [5] May
        [6] June
        [7] July
        [8] August
        [9] September
        [10] October
        [11] November
       *[12] December
    }
