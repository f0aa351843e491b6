# Why a reply did not count, and what would. Shown as one short message; nothing here may speak of buttons, numbers or
# letters unless the prompt has them.

# What was wrong.
hint-no-such-option = گزینهٔ «{ $typed }» وجود ندارد؛ گزینه‌ها از { $first } تا { $last } هستند.
hint-no-such-range = بازهٔ «{ $typed }» درست نیست؛ گزینه‌ها از { $first } تا { $last } هستند.
hint-several-choices = اینجا فقط یک گزینه را می‌توان انتخاب کرد.
hint-other-label = نوشتهٔ «{ $typed }» به دو گزینهٔ متفاوت اشاره می‌کند.
hint-yes-or-no = از «{ $typed }» معلوم نیست کدام گزینه را می‌خواهید.
hint-other-question = گزینهٔ «{ $typed }» از پرسش «{ $header }» است.
hint-skip-part = «{ $skip }» همه را یک‌جا رد می‌کند، پس باید تنها نوشته شود.
hint-own-words-missing = پاسخ خود را پس از «{ $other }:» بنویسید.
hint-nothing-left = در پیام شما پاسخی نبود.
hint-too-long = هر پاسخ حداکثر { $limit } نویسه می‌تواند داشته باشد.

# What to do instead, for one question.
hint-reply-number = با یک شماره یا متن یک گزینه پاسخ دهید.
hint-reply-numbers = با شماره یا متن یک یا چند گزینه پاسخ دهید.
hint-reply-letter = با یک حرف یا متن یک گزینه پاسخ دهید.
hint-reply-letters = با حرف یا متن یک یا چند گزینه پاسخ دهید.
hint-or-tap = می‌توانید یکی از دکمه‌ها را هم بزنید.
hint-own-words = اگر پاسخ خودتان همین است، بنویسید «{ $example }».

# For several questions.
hint-of-question = پرسش { $number }، { $header }: { $hint }
hint-remains = فهمیده نشد: «{ $text }».
hint-example = هر پاسخ را با شمارهٔ پرسش آن آغاز کنید، مانند: { $example }
