"""ragtui: read a retrieval evaluation set query by query and leave with numbers that can be defended.

The notebook door: `ragtui.open(path)` gives a workspace, `ragtui.evaluate(gold, runs)` a table of metrics.
For production: `ragtui.should_refuse(scores, policy)`, which imports nothing heavy.
Names are resolved when they are first used, so that `import ragtui` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragtui.analysis.calibration.policy import should_refuse as should_refuse
    from ragtui.errors import RagtuiError as RagtuiError
    from ragtui.metrics.notebook import evaluate as evaluate
    from ragtui.metrics.notebook import per_query as per_query
    from ragtui.workspace import Workspace as Workspace
    from ragtui.workspace import open_workspace as open  # noqa: A004 - `ragtui.open` is the name of the door

__version__ = "0.1.0"

_HOMES = {
    "RagtuiError": ("ragtui.errors", "RagtuiError"),
    "Workspace": ("ragtui.workspace", "Workspace"),
    "evaluate": ("ragtui.metrics.notebook", "evaluate"),
    "open": ("ragtui.workspace", "open_workspace"),
    "per_query": ("ragtui.metrics.notebook", "per_query"),
    "should_refuse": ("ragtui.analysis.calibration.policy", "should_refuse"),
}

__all__ = ["RagtuiError", "Workspace", "__version__", "evaluate", "open", "per_query", "should_refuse"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ragtui' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
