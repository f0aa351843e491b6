### The web panel. What it says of answers and ends is in receipt.ftl and settled.ftl.

panel-title = askd
panel-title-waiting = ({ $count }) askd

## The page and its parts.

panel-language = زبان
panel-close = بستن
panel-sessions = نشست‌ها
panel-all-sessions = همهٔ پرسش‌ها
panel-no-session = بدون نشست
panel-open-count = { $count } پرسش باز
panel-timeline = پرسش‌ها و پاسخ‌ها
panel-older = نمایش پرسش‌های پیشین
panel-empty = هنوز پرسشی نیست
panel-empty-more = هر وقت عاملی چیزی بپرسد، پرسش اینجا می‌آید. می‌توانید در پایانهٔ دستگاهی که askd روی آن اجرا می‌شود امتحان کنید:

## An open question.

# Name of the region, for screen readers.
panel-of = پرسش { $agent }
panel-background = توضیح بیشتر
panel-choose-any = یک یا چند مورد
panel-own-words = پاسخ دلخواه شما
panel-own-idle = فرستاده نمی‌شود: گزینه‌ای در بالا انتخاب شده است.
panel-too-long = { $count ->
    [one] یک نویسه بیش از اندازه است.
   *[other] { $count } نویسه بیش از اندازه است.
}
panel-choose-one = یک گزینه را انتخاب کنید یا پاسخ دلخواهتان را بنویسید.
panel-choose-some = یک یا چند گزینه را انتخاب کنید یا پاسخ دلخواهتان را بنویسید.
panel-step = { $step } از { $of }
panel-left = زمان باقی‌مانده: { $minutes } دقیقه
panel-last-minute = برای پاسخ به { $agent } یک دقیقه مانده است.
panel-back = بازگشت
panel-next = بعدی
panel-submit = ارسال پاسخ
panel-sending = در حال ارسال…
panel-fold = جمع کردن پرسش
panel-unfold = باز کردن پرسش:
panel-open-asks = پرسش‌های باز
panel-previous-ask = پرسش قبلی
panel-next-ask = پرسش بعدی

# Declining, in two steps.
panel-skip-sure = { $count ->
    [one] عامل بدون پاسخ شما ادامه می‌دهد.
   *[other] هر { $count } پرسش رد می‌شود و عامل بدون پاسخ شما ادامه می‌دهد.
}
panel-skip-keep = باز بماند
panel-skip-confirm = رد شود

## The message box.

panel-composer = پاسخ
panel-reply-to = پاسخ به { $agent }: { $header }
panel-send = ارسال
panel-nothing-open = پرسشی باز نیست، پس چیزی برای پاسخ دادن نیست.
panel-open-elsewhere = { $count ->
    [one] اینجا پرسشی باز نیست. یک پرسش در جای دیگری باز است.
   *[other] اینجا پرسشی باز نیست. { $count } پرسش در جاهای دیگر باز است.
}
panel-show-all = نمایش همه

## In the timeline.

panel-waits-below = در پایین منتظر پاسخ شماست
panel-answer-this = پاسخ دادن
# Where it is not known who did.
panel-skipped = رد شد

## What happened. Also read out by screen readers.

panel-says-new = { $agent } می‌پرسد: { $question }
panel-not-sent = ارسال نشد: askd در دسترس نیست. آنچه وارد کردید نگه داشته شد.
panel-not-taken = ارسال نشد: askd نتوانست آن را بپذیرد. آنچه وارد کردید نگه داشته شد.
panel-retry = تلاش دوباره
panel-unsent = آنچه نوشته بودید
panel-lost = ارتباط قطع شد. در حال تلاش دوباره…
panel-offline = به شبکه وصل نیستید. نوشتهٔ شما نگه داشته می‌شود.
panel-try-now = همین حالا
panel-offline-start = askd در دسترس نیست. در حال تلاش دوباره…

## One question on its own page.

panel-to-all = همهٔ پرسش‌ها
panel-no-ask = این پرسش اینجا نیست
panel-no-ask-more = این پرسش دیگر در دسترس نیست، یا برای شما نیست.

## Signing in and out.

panel-sign-in = ورود
panel-expired = لطفاً دوباره وارد شوید
panel-sign-in-how = برای ورود به یک پیوند یک‌بارمصرف نیاز دارید. روی دستگاهی که askd روی آن اجرا می‌شود، این فرمان یک پیوند می‌دهد:
panel-sign-in-person = اگر کس دیگری askd را اداره می‌کند، پیوندتان را از او بخواهید. هر پیوند یک بار و تا ده دقیقه کار می‌کند.
panel-code = پیوند یا کد
panel-hand-in = ورود
panel-signing-in = در حال ورود…
panel-code-wrong = این پیوند یا کد کار نمی‌کند: نادرست است، به کار رفته، یا بیش از ده دقیقه از آن گذشته. لطفاً پیوند تازه‌ای بگیرید.
panel-code-too-often = کدهای نادرست زیادی فرستادید. لطفاً یک دقیقه صبر کنید.
panel-not-reached = askd در دسترس نیست. لطفاً دوباره تلاش کنید.
panel-sign-out = خروج
panel-signed-in-as = با نام { $name } وارد شده‌اید

## Notifications on this device. A notification says no more than these two lines.

panel-push = اعلان‌ها
panel-push-on = پرسش‌های تازه به این دستگاه خبر داده می‌شود.
panel-push-off = دیگر به این دستگاه خبر داده نمی‌شود.
panel-push-denied = مرورگر اجازهٔ اعلان نمی‌دهد. می‌توانید آن را در تنظیمات مرورگر برای این صفحه تغییر دهید.
panel-push-failed = نشد. لطفاً دوباره تلاش کنید.
panel-push-title = askd
panel-push-body = پرسشی منتظر پاسخ شماست.
