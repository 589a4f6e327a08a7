"""X6 by other means than the package's: masks in plain lists, counts by hand."""

from __future__ import annotations

# prompt, prompt, three of the policy, two of the tool, two of the policy
WHO = "ppuuuttuu"


def digits(who):
    return int("1" + "".join(str(int(w == "u")) for w in who), 2)


SECOND_WAY = {"x6-shift": lambda: len(WHO) - len(WHO[1:])}

RIGHT = {
    "x6-expected": lambda: digits(WHO[1:]),
    "x6-shifts": lambda: 0,
    "x6-faults": lambda: 0,
    # A prompt of two and a word; a prompt of one, a pair of words, tool, word, tool.
    "x6-smallest": lambda: len("ppu") + len("puutut"),
}
WRONG = {
    "x6-expected": {
        digits(WHO[:-1]): "wrote the token before",
        digits(WHO[1:]) - 2**8: "digits are right",
        digits(WHO): "for each token of ids",
        digits(WHO[2:] + "p"): "wrote the token after",
        0b1_10001100: "upside down",
    },
    "x6-shifts": {6: "every fault", 1: "Is it the first"},
    "x6-faults": {
        19: "every fault",
        6: "second trajectory",
        2: "What else",
        1: "Is it the first",
    },
    "x6-smallest": {
        8: "prompt",
        7: "longest",
        14: "padding",
        10: "One too many",
        25: "batch of the solution",
    },
}
