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
settled-part = (بخش { $part } از { $of }) بسته شد. نتیجه در بخش آخر آمده است.

# Instead of an outcome, while there is none.
settled-not-yet = هنوز باز است

## How it ended. $who is a person; $where comes from settled-where.

# Behind what was chosen.
settled-by = { $who }، { $where }
# Below several questions with their answers.
settled-answered = پاسخ از { $who }، { $where }
# Where the words were written in another conversation.
settled-in-own-words = پاسخ دلخواه از { $who }، { $where }
# The same among chosen labels, or below one of several questions.
settled-own-words = پاسخ دلخواه
settled-skipped = رد شد از سوی { $who }، { $where }
settled-expired = بسته شد: تا پایان مهلت پاسخی نرسید
settled-cancelled = بسته شد: دیگر به پاسخ نیازی نیست
settled-undelivered = بسته شد: به دست هیچ‌کس نرسید

settled-where =
    { $channel ->
        [telegram] در تلگرام
        [discord] در دیسکورد
        [slack] در اسلک
        [http] در وب
        [panel] در وب
        [cli] در خط فرمان
       *[other] در { $channel }
    }

## Between values of one answer, and between answers.

settled-between-values = {"، "}
settled-between-answers = {"؛ "}
