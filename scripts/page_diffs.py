"""Changes that a page of the manual describes: blocks of code behind a line that says what they are.

    In `FILE`:                  lines that stay (space), go (-), come (+), as ```diff; those that stay or go must stand in FILE together
    <!-- new file FILE -->      the whole file
    <!-- run -->                commands of a shell
"""
import re

DIFF = re.compile(r"^In `([^`\s]+)`:\n\n```diff\n(.*?)^```", re.DOTALL | re.MULTILINE)
NEW = re.compile(r"<!-- new file (\S+) -->\n```\w*\n(.*?)```", re.DOTALL)
RUN = re.compile(r"<!-- run -->\n```\w*\n(.*?)```", re.DOTALL)


def before_and_after(diff):
    lines = diff.splitlines()
    before = "".join(line[1:] + "\n" for line in lines if line[:1] in " -")
    after = "".join(line[1:] + "\n" for line in lines if line[:1] in " +")
    return before, after


def changes(page):
    """(file, text before, text after) of each difference of a page's text, in order."""
    return [(path, *before_and_after(diff)) for path, diff in DIFF.findall(page)]
