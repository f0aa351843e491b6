### The prompt of a pending ask.

## Who asks, and in how many parts.

prompt-mark = ❓
# Last line of each message of a prompt that needs several.
prompt-part = (بخش { $part } از { $of })
# Below background that was cut.
prompt-more = ادامهٔ متن: { $link }

## Buttons.

prompt-other = پاسخ دیگر…
prompt-skip = رد کردن

## How to answer. $here is where one types the answer: direct (just here), group (as a reply to the message) or
## thread (in the thread below it).

# Behind a question with several answers.
prompt-choose-any = (یک یا چند مورد)

# With a button for each option. $markers is what stands before the options: numbers or letters.
prompt-how-tap =
    { $here ->
        [direct]
            { $markers ->
                [letters] دکمهٔ گزینهٔ خود را بزنید، یا حرف آن یا پاسخ دلخواهتان را بنویسید.
               *[numbers] دکمهٔ گزینهٔ خود را بزنید، یا شمارهٔ آن یا پاسخ دلخواهتان را بنویسید.
            }
        [thread]
            { $markers ->
                [letters] دکمهٔ گزینهٔ خود را بزنید، یا حرف آن یا پاسخ دلخواهتان را در رشتهٔ همین پیام بنویسید.
               *[numbers] دکمهٔ گزینهٔ خود را بزنید، یا شمارهٔ آن یا پاسخ دلخواهتان را در رشتهٔ همین پیام بنویسید.
            }
       *[group]
            { $markers ->
                [letters] دکمهٔ گزینهٔ خود را بزنید، یا در جواب همین پیام حرف آن یا پاسخ دلخواهتان را بنویسید.
               *[numbers] دکمهٔ گزینهٔ خود را بزنید، یا در جواب همین پیام شمارهٔ آن یا پاسخ دلخواهتان را بنویسید.
            }
    }

# Without buttons. $choices comes from prompt-either.
prompt-how-type =
    { $here ->
        [direct] { $choices } را بنویسید، یا پاسخ دلخواهتان را.
        [thread] در رشتهٔ همین پیام { $choices } را بنویسید، یا پاسخ دلخواهتان را.
       *[group] در جواب همین پیام { $choices } را بنویسید، یا پاسخ دلخواهتان را.
    }
prompt-either = { $some } یا { $last }

prompt-how-choose-any =
    { $here ->
        [direct] همهٔ انتخاب‌هایتان را بنویسید، مثلاً { $example }، یا پاسخ دلخواهتان را.
        [thread] در رشتهٔ همین پیام همهٔ انتخاب‌هایتان را بنویسید، مثلاً { $example }، یا پاسخ دلخواهتان را.
       *[group] در جواب همین پیام همهٔ انتخاب‌هایتان را بنویسید، مثلاً { $example }، یا پاسخ دلخواهتان را.
    }

# Several questions.
prompt-how-keyed =
    { $here ->
        [direct] این‌طور پاسخ دهید، در یک خط یا چند خط: { $example }. پاسخ دلخواه هم می‌توانید بنویسید.
        [thread] در رشتهٔ همین پیام این‌طور پاسخ دهید، در یک خط یا چند خط: { $example }. پاسخ دلخواه هم می‌توانید بنویسید.
       *[group] در جواب همین پیام این‌طور پاسخ دهید، در یک خط یا چند خط: { $example }. پاسخ دلخواه هم می‌توانید بنویسید.
    }

# Between markers, as typed.
prompt-between-options = {"، "}

# Where there is no button to skip.
prompt-how-skip = برای رد کردن، «{ $skip }» را بنویسید.

## Until when.

prompt-until = تا { $when } می‌توانید پاسخ دهید.
prompt-time-and-day = { $time } { $weekday } { $day } { $month }
prompt-weekday =
    { $weekday ->
        [1] دوشنبه
        [2] سه‌شنبه
        [3] چهارشنبه
        [4] پنجشنبه
        [5] جمعه
        [6] شنبه
       *[7] یکشنبه
    }
# Of the Solar Hijri calendar.
prompt-month =
    { $month ->
        [1] فروردین
        [2] اردیبهشت
        [3] خرداد
        [4] تیر
        [5] مرداد
        [6] شهریور
        [7] مهر
        [8] آبان
        [9] آذر
        [10] دی
        [11] بهمن
       *[12] اسفند
    }
