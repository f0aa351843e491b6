# What each command does, as platforms list them. At most 100 characters.

command-help = راهنمای پاسخ دادن
command-pending = پرسش‌هایی که اینجا باز است
command-skip = رد کردن پرسش
command-start = سلام کردن، یا فرستادن کد اتصال
# What may be put behind it.
command-start-code = کد اتصال، اگر دارید
