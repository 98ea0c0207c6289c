"""An OpenAI-compatible server on loopback that takes its time: `python scripted_server.py SECONDS`.

It prints its port, then answers every chat completion after so many seconds with a verdict of 1, until its
standard input ends. It counts nothing and parses nothing, so that it takes little of the machine.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web

VERDICT = {"reason": "It states the year that was asked for.", "verdict": 1}


def reply() -> bytes:
    """A whole completion in OpenAI's shape."""
    message = {"role": "assistant", "content": json.dumps(VERDICT)}
    usage = {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    head = {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted"}
    return json.dumps({**head, "choices": choices, "usage": usage}).encode()


async def serve(seconds: float) -> None:
    """Answer until standard input ends."""
    body = reply()

    async def answer(request: web.Request) -> web.Response:
        await request.read()
        await asyncio.sleep(seconds)
        return web.Response(body=body, content_type="application/json")

    app = web.Application()
    app.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


@contextmanager
def serving(seconds: float) -> Iterator[str]:
    """Address of such a server in a process of its own, for as long as the block runs."""
    command = [sys.executable, __file__, str(seconds)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdin is None or process.stdout is None:
            raise OSError("no pipes")
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.stdin.close()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
