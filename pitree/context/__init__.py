"""What the model gets: context, LLM messages, tokens. Pure, but for the counting process."""
