"""Numbers from ranked lists: one grade matrix per run, one kernel per metric, one table per run."""
