"""Made-up gold and runs of the size of a benchmark, the same at every call."""

from __future__ import annotations

from pathlib import Path

import numpy as np

QUERIES, DEPTH, CHUNKS, JUDGED = 10_000, 100, 1_000_000, 20
METRICS = [
    "ndcg@5",
    "ndcg@10",
    "ndcg",
    "map",
    "mrr",
    "precision@1",
    "precision@5",
    "precision@10",
    "recall@10",
    "recall@100",
    "hit@5",
    "hit@10",
]
OF_TREC_EVAL = {"ndcg_cut.5,10", "ndcg", "map", "recip_rank", "P.1,5,10", "recall.10,100", "success.5,10"}
IN_TREC_EVAL = [
    "ndcg_cut_5",
    "ndcg_cut_10",
    "ndcg",
    "map",
    "recip_rank",
    "P_1",
    "P_5",
    "P_10",
    "recall_10",
    "recall_100",
    "success_5",
    "success_10",
]
OF_RANX = [
    "ndcg@5",
    "ndcg@10",
    "ndcg",
    "map",
    "mrr",
    "precision@1",
    "precision@5",
    "precision@10",
    "recall@10",
    "recall@100",
    "hit_rate@5",
    "hit_rate@10",
]


def write(folder: Path) -> tuple[Path, Path, Path]:
    """Qrels, a run whose lists are in order of score, and the same run with every list in disorder."""
    rng = np.random.default_rng(0)
    gold, ordered, shuffled = (folder / name for name in ("qrels.trec", "ordered.trec", "shuffled.trec"))
    with gold.open("w") as of_gold, ordered.open("w") as in_order, shuffled.open("w") as in_disorder:
        for query in range(QUERIES):
            judged = rng.choice(CHUNKS, JUDGED, replace=False)
            grades = rng.integers(0, 4, JUDGED)
            of_gold.writelines(
                f"q{query} 0 doc{chunk:07d} {grade}\n" for chunk, grade in zip(judged, grades, strict=True)
            )
            others = np.setdiff1d(rng.integers(0, CHUNKS, 2 * DEPTH), judged)
            listed = np.concatenate([judged[: JUDGED // 2], rng.permutation(others)])[:DEPTH]
            listed = rng.permutation(listed)
            scores = np.sort(rng.random(DEPTH))[::-1] * 30
            lines = [
                f"q{query} Q0 doc{chunk:07d} {rank} {score:.6f} made-up\n"
                for rank, (chunk, score) in enumerate(zip(listed, scores, strict=True), start=1)
            ]
            in_order.writelines(lines)
            in_disorder.writelines(lines[place] for place in rng.permutation(DEPTH))
    return gold, ordered, shuffled
