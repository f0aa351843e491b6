# What a person is told about what they just did.

receipt-settled = ✅ Thank you. Your answer: { $answer }
receipt-skipped = ⏩ Skipped. The agent goes on without your answer.
receipt-kept = 📝 Noted: { $answer }. Still open: { $missing }.
receipt-already-answered = You already chose: { $answer }
receipt-already-skipped = You already skipped this question.
receipt-over = This question is no longer open. { $outcome }
receipt-stored-late = You were in time, but this reached askd after the deadline, so it could not be used. Sorry.
receipt-gone = This question is no longer known.

receipt-not-yours = You are not one of the people who may answer this question. Nothing has changed.
receipt-hidden = Your account is hidden here, so this does not count. Please try again as yourself.
receipt-button-old = This button does not work any more. Nothing has changed.

receipt-write-own = ✏️ { $header }: please reply to this message with your answer.
receipt-form-label = Your answer
receipt-form-send = Send
receipt-several-open = Several questions are open here: { $asks }. Please reply to the message of the one you mean.
receipt-pending = { $count ->
    [one] One question is open here: { $asks }. Time left: { $minutes } min.
   *[other] { $count } questions are open here: { $asks }. The first one closes in { $minutes } min.
}
receipt-on-its-way = A question is just on its way to you. If this was your answer, please send it again in a moment.
receipt-reply-unknown = I do not know the message you replied to. Please reply to the question itself, or write without replying.
receipt-nothing-open = No question is open here.
receipt-nothing-open-last = No question is open here. The last one: { $outcome }

receipt-edit = Your edit does not change anything: the message was already read.
receipt-earlier = You wrote this before the question was asked, so it was not used as an answer. Please send it again if you meant it.
receipt-attachment = Only text can be read. Please write your answer.
receipt-forwarded = A forwarded message does not count. Please write your answer yourself.
# Where a platform hands over texts in a group only if they mention us.
receipt-unreadable = I cannot read your text here unless it mentions me. Please mention me in your answer.
receipt-thread = If this is meant as your answer, please mention me or reply to the question itself.
receipt-thread-buttons = If this is meant as your answer, please mention me or use “{ prompt-other }”.
receipt-one-moment = ⏳ One moment…
receipt-not-taken = ⚠️ This was not saved. Please try again in a moment.

receipt-value-no-question = There is no such question here.
receipt-value-only-one = One of the questions takes only one answer.
receipt-value-nothing = An answer is missing or empty.

receipt-help =
    Agents ask you questions here. Answer with the number or letter of an option, its label, or your own words; where a question has buttons, you can tap one.
    “skip” declines a question.
# Below it, where commands arrive.
receipt-help-commands = { $command } shows what is open.
receipt-stranger = I do not know this account. Ask the person who runs askd for a pairing code, and send it to me here.
receipt-paired = 👋 Hello { $person }. I know this account now; questions for you will come here.
receipt-code-burnt = A pairing code belongs in a private chat with me. This one has been seen by others and does not work any more. Please ask for a new one.
receipt-code-unknown = This code does not work: it is wrong, used, or older than ten minutes. Please ask for a new one.
receipt-code-too-often = Too many wrong codes. Please wait ten minutes.
