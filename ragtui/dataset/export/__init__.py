"""Sets in the forms that other tools read: TREC, BEIR, ragas, Parquet, data frames."""
