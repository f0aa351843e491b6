### The web panel. What it says of answers and ends is in receipt.ftl and settled.ftl.

panel-title = askd
panel-title-waiting = ({ $count }) askd

## The page and its parts.

panel-language = Language
panel-close = Close
panel-sessions = Sessions
panel-all-sessions = All questions
panel-no-session = No session
panel-open-count = { $count } open
panel-timeline = Questions and answers
panel-older = Show earlier questions
panel-empty = No questions yet
panel-empty-more = When an agent asks, the question appears here. Try it from a terminal on the machine where askd runs:

## An open question.

# Name of the region, for screen readers.
panel-of = Question from { $agent }
panel-background = Background
panel-choose-any = Choose any
panel-own-words = Your own words
panel-own-idle = Will not be sent: an option is chosen above.
panel-too-long = { $count ->
    [one] One character too many.
   *[other] { $count } characters too many.
}
panel-choose-one = Choose an option, or write your own words.
panel-choose-some = Choose one or more options, or write your own words.
panel-step = { $step } of { $of }
panel-left = Time left: { $minutes } min
panel-last-minute = One minute left for the question from { $agent }.
panel-back = Back
panel-next = Next
panel-submit = Send answer
panel-sending = Sending…
panel-fold = Fold the question
panel-unfold = Open the question:
panel-open-asks = Open questions
panel-previous-ask = Previous question
panel-next-ask = Next question

# Declining, in two steps.
panel-skip-sure = { $count ->
    [one] The agent goes on without your answer.
   *[other] All { $count } questions are skipped, and the agent goes on without your answers.
}
panel-skip-keep = Keep open
panel-skip-confirm = Skip

## The message box.

panel-composer = Reply
panel-reply-to = Reply to { $agent }: { $header }
panel-send = Send
panel-nothing-open = No question is open, so there is nothing to answer.
panel-open-elsewhere = { $count ->
    [one] No question is open here. One is open elsewhere.
   *[other] No question is open here. { $count } are open elsewhere.
}
panel-show-all = Show all

## In the timeline.

panel-waits-below = Waits for your answer below
panel-answer-this = Answer
# Where it is not known who did.
panel-skipped = Skipped

## What happened. Also read out by screen readers.

panel-says-new = { $agent } asks: { $question }
panel-not-sent = Not sent: askd cannot be reached. What you entered is kept.
panel-not-taken = Not sent: askd could not take it. What you entered is kept.
panel-retry = Try again
panel-unsent = What you had written
panel-lost = Connection lost. Trying again…
panel-offline = You are offline. What you write is kept.
panel-try-now = Try now
panel-offline-start = askd cannot be reached. Trying again…

## One question on its own page.

panel-to-all = All questions
panel-no-ask = This question is not here
panel-no-ask-more = It is no longer known, or it is not for you.

## Signing in and out.

panel-sign-in = Sign in
panel-expired = Please sign in again
panel-sign-in-how = To sign in you need a one-time link. On the machine where askd runs, this prints one:
panel-sign-in-person = If somebody else runs askd, ask them for your link. It works once, for ten minutes.
panel-code = Link or code
panel-hand-in = Sign in
panel-signing-in = Signing in…
panel-code-wrong = This link or code does not work: it is wrong, used, or older than ten minutes. Please get a new one.
panel-code-too-often = Too many wrong codes. Please wait a minute.
panel-not-reached = askd cannot be reached. Please try again.
panel-sign-out = Sign out
panel-signed-in-as = Signed in as { $name }

## Notifications on this device. A notification says no more than these two lines.

panel-push = Notify me
panel-push-on = This device is notified of new questions.
panel-push-off = This device is no longer notified.
panel-push-denied = The browser does not allow notifications. You can change that in its settings for this page.
panel-push-failed = That did not work. Please try again.
panel-push-title = askd
panel-push-body = A question is waiting for you.
