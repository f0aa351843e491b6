# What each command does, as platforms list them. At most 100 characters.

command-help = راهنمای پاسخ دادن
command-pending = پرسش‌های باز اینجا
command-skip = رد کردن پرسش
command-start = سلام، یا دادن کد اتصال
# What may be put behind it.
command-start-code = کد اتصال، اگر دارید
