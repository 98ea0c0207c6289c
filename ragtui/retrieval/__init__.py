"""Makes runs: embedders, exact search, BM25, and the bench that times every query and writes the card."""
