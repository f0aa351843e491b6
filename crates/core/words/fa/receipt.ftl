# What a person is told about what they just did.

receipt-settled = ✅ سپاس. پاسخ شما: { $answer }
receipt-skipped = ⏭ رد شد. عامل بدون پاسخ شما ادامه می‌دهد.
receipt-kept = 📝 ثبت شد: { $answer }. هنوز باز است: { $missing }.
receipt-already-answered = شما پیش‌تر این را انتخاب کرده‌اید: { $answer }
receipt-already-skipped = شما پیش‌تر این پرسش را رد کرده‌اید.
receipt-over = این پرسش بسته است. { $outcome }
receipt-stored-late = شما به‌موقع پاسخ دادید، اما پاسخ پس از پایان مهلت به askd رسید و به کار نیامد. متأسفیم.
receipt-gone = این پرسش دیگر در دسترس نیست.

receipt-not-yours = شما از کسانی نیستید که می‌توانند به این پرسش پاسخ دهند. چیزی تغییر نکرد.
receipt-hidden = حساب شما اینجا پنهان است و این پاسخ به حساب نمی‌آید. لطفاً با حساب خودتان پاسخ دهید.
receipt-button-old = این دکمه دیگر کار نمی‌کند. چیزی تغییر نکرد.

receipt-write-own = ✏️ { $header }: لطفاً پاسخ خود را در جواب همین پیام بنویسید.
receipt-form-label = پاسخ شما
receipt-form-send = ارسال
receipt-several-open = چند پرسش اینجا باز است: { $asks }. لطفاً در جوابِ پیام همان پرسشی که منظورتان است بنویسید.
receipt-pending = { $count ->
    [one] یک پرسش اینجا باز است: { $asks }. زمان باقی‌مانده: { $minutes } دقیقه.
   *[other] { $count } پرسش اینجا باز است: { $asks }. نخستین آن‌ها تا { $minutes } دقیقهٔ دیگر بسته می‌شود.
}
receipt-on-its-way = پرسشی همین حالا در راه است. اگر این پاسخ شما بود، لطفاً چند لحظهٔ دیگر دوباره بفرستید.
receipt-reply-unknown = پیامی را که به آن پاسخ دادید نمی‌شناسم. لطفاً به خود پرسش پاسخ دهید، یا بدون پاسخ به پیامی بنویسید.
receipt-nothing-open = پرسشی اینجا باز نیست.
receipt-nothing-open-last = پرسشی اینجا باز نیست. آخرین پرسش: { $outcome }

receipt-edit = ویرایش شما چیزی را تغییر نمی‌دهد: پیام پیش‌تر خوانده شده است.
receipt-earlier = این را پیش از پرسش نوشته‌اید و پاسخ به شمار نیامد. اگر منظورتان پاسخ بود، لطفاً دوباره بفرستید.
receipt-attachment = فقط متن خوانده می‌شود. لطفاً پاسخ خود را بنویسید.
receipt-forwarded = پیام هدایت‌شده به حساب نمی‌آید. لطفاً پاسخ را خودتان بنویسید.
# Where a platform hands over texts in a group only if they mention us.
receipt-unreadable = متن شما را اینجا تنها وقتی می‌بینم که از من نام ببرید. لطفاً در پاسخ خود از من نام ببرید.
receipt-thread = اگر این پاسخ شماست، لطفاً از من نام ببرید یا در جوابِ خودِ پرسش بنویسید.
receipt-thread-buttons = اگر این پاسخ شماست، لطفاً از من نام ببرید یا «{ prompt-other }» را بزنید.
receipt-one-moment = ⏳ یک لحظه، در حال ذخیره …
receipt-not-taken = ⚠️ ذخیره نشد. لطفاً کمی بعد دوباره امتحان کنید.

receipt-value-no-question = چنین پرسشی اینجا نیست.
receipt-value-only-one = یکی از پرسش‌ها تنها یک مقدار می‌پذیرد.
receipt-value-nothing = یکی از پاسخ‌ها خالی است.

receipt-help =
    عامل‌ها اینجا از شما می‌پرسند. شماره، حرف یا متن یک گزینه، یا پاسخ دلخواهتان را بنویسید؛ اگر پرسش دکمه دارد، می‌توانید یکی را بزنید.
    «رد» پرسش را کنار می‌گذارد.
# Below it, where commands arrive.
receipt-help-commands = /pending پرسش‌های باز را نشان می‌دهد.
receipt-stranger = این حساب را نمی‌شناسم. از کسی که askd را اداره می‌کند کد اتصال بخواهید و آن را همین‌جا برایم بفرستید.
receipt-paired = 👋 سلام { $person }. این حساب اکنون از آنِ شماست؛ پرسش‌های شما همین‌جا می‌آیند.
receipt-code-burnt = کد اتصال را باید در گفت‌وگوی خصوصی با من بفرستید. دیگران این کد را دیده‌اند و دیگر کار نمی‌کند. لطفاً کد تازه‌ای بخواهید.
receipt-code-unknown = این کد کار نمی‌کند: نادرست است، به کار رفته، یا بیش از ده دقیقه از آن گذشته. لطفاً کد تازه‌ای بخواهید.
receipt-code-too-often = کدهای نادرست زیادی فرستادید. لطفاً ده دقیقه صبر کنید.
