"""One module per question: its numbers and answers again, by means that are not the package's."""
