### An ask that is over.

# Before the name of who asked; says from afar that nothing is left to do. One character, no longer in any unit than
# prompt-mark, whose place it takes.
settled-mark =
    { $end ->
        [answered] ✅
        [skipped] ⏩
        [expired] ⌛
       *[other] ❌
    }
# Last line of each earlier message of a prompt that needed several.
settled-part = ({ $part }/{ $of }) Closed. The last part says how it ended.

# Instead of an outcome, while there is none.
settled-not-yet = Still open

## How it ended. $who is a person; $where comes from settled-where.

# Behind what was chosen.
settled-by = { $who }, { $where }
# Below several questions with their answers.
settled-answered = Answered by { $who }, { $where }
# Where the words were written in another conversation.
settled-in-own-words = Answered in own words by { $who }, { $where }
# The same among chosen labels, or below one of several questions.
settled-own-words = in own words
settled-skipped = Skipped by { $who }, { $where }
settled-expired = Closed: no answer came in time
settled-cancelled = Closed: no answer is needed any more
settled-undelivered = Closed: it could not be delivered to anybody

settled-where =
    { $channel ->
        [telegram] on Telegram
        [discord] on Discord
        [slack] on Slack
        [http] on the web
        [panel] on the web
        [cli] on the command line
       *[other] on { $channel }
    }

## Between values of one answer, and between answers.

settled-between-values = {", "}
settled-between-answers = {"; "}
