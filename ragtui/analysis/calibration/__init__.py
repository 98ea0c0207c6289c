"""When to say "I do not know": scores of queries, thresholds by rule, what they cost, policies."""
