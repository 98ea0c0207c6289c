"""The one door: a set opened with its runs, results and view; each computed once, when it is asked for."""

from ragtui.workspace.view_state import ViewState as ViewState
from ragtui.workspace.workspace import Workspace as Workspace

open_workspace = Workspace.open

__all__ = ["ViewState", "Workspace", "open_workspace"]
