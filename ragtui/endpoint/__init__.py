"""Models behind an endpoint: embeddings and completions, with timeouts, retries in one place, and redaction.

Only `library` imports litellm, with the first request and never at start-up: it takes seconds.
"""

from ragtui.endpoint.asking import Patience as Patience
from ragtui.endpoint.completions import Completion as Completion
from ragtui.endpoint.completions import CompletionEndpoint as CompletionEndpoint
from ragtui.endpoint.completions import label_of as label_of
from ragtui.endpoint.embeddings import EmbeddingEndpoint as EmbeddingEndpoint
from ragtui.endpoint.failures import EndpointBusy as EndpointBusy
from ragtui.endpoint.failures import EndpointError as EndpointError
from ragtui.endpoint.failures import EndpointUnusable as EndpointUnusable
from ragtui.endpoint.failures import RequestFailed as RequestFailed
from ragtui.endpoint.failures import redact as redact
from ragtui.endpoint.library import ModelFacts as ModelFacts
from ragtui.endpoint.library import facts_of as facts_of
from ragtui.endpoint.library import missing_keys as missing_keys
