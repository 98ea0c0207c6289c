"""Why a query fails: the causes people choose from, and rules that suggest one with its evidence."""
