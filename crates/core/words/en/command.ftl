# What each command does, as platforms list them. At most 100 characters.

command-help = How to answer
command-pending = What is open here
command-skip = Decline the question
command-start = Say hello, or hand in a pairing code
# What may be put behind it.
command-start-code = The pairing code, if you have one
