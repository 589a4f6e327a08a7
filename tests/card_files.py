"""A reference answer for tests of the widgets, in words that appear nowhere else."""

from agentrl_lite.answers import HEADINGS

SECRETS = {key: f"secret-{key}" for key in HEADINGS}


def write_answers(folder, question="q03"):
    folder.mkdir(exist_ok=True)
    parts = "\n".join(
        f"## {heading}\n\n{SECRETS[key]} about $p$.\n\n- [ ] {SECRETS[key]} one\n- [ ] two\n"
        for key, heading in HEADINGS.items()
    )
    (folder / f"{question}.md").write_text(f"# {question}\n\n{parts}", "utf-8")
