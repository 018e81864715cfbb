#!/usr/bin/python3
"""Reviewed is a revalidator in Python that speaks the plugin protocol itself: after
some stages work goes on only when datarim/reviews/TASK.md is there.

On Debian, with the checkout of stagehook in $STAGEHOOK:

    apt-get install python3-grpcio python3-protobuf protobuf-compiler libprotobuf-dev
    cd "$STAGEHOOK/examples/grpc-python"
    protoc -I "$STAGEHOOK/sdk/proto/stagehook/v1" -I . --python_out=. plugin.proto status.proto

The last line generates plugin_pb2.py and status_pb2.py beside this file. The first
line of this file names Debian's Python, which has these packages, since another one
may come first in PATH.
"""
import json
import os
import pathlib
import re
import signal
import sys
import threading
from concurrent import futures

DESCRIPTION = {"name": "reviewed", "version": "1.0.0", "kinds": ["revalidator"], "stateless": True}
SCHEMA = {
    "type": "object",
    "properties": {
        "folder": {"type": "string", "description": "folder of the reviews, from the root"},
        "stages": {"type": "array", "items": {"type": "string"}, "description": "stages after which a review is needed"},
    },
    "additionalProperties": False,
}
COOKIE = "a5c6f7b2-stage-exit-resume-archive"
DEFAULT_PATTERN = "[A-Z][A-Z0-9-]+-[0-9]{4,5}"
MAX_MESSAGE = 32 << 20  # bytes; the library stops at 4 MiB

if sys.argv[-1] == "describe":  # needs no package
    print(json.dumps({**DESCRIPTION, "protocols": [1], "settings": SCHEMA}, indent=2))
    sys.exit()
if os.environ.get("STAGEHOOK_PLUGIN") != COOKIE:
    sys.exit('reviewed is a stagehook plugin: name it in stagehook\'s configuration, or run it with the argument "describe"')
if "1" not in os.environ["PLUGIN_PROTOCOL_VERSIONS"].split(","):
    sys.exit("reviewed speaks version 1 of the protocol only")
if os.environ.get("PLUGIN_CLIENT_CERT"):
    sys.exit("reviewed does not support mtls: leave it out of the plugin's entry")

import grpc
from google.protobuf import any_pb2

import plugin_pb2
import status_pb2

settings = {"folder": "datarim/reviews", "stages": ["plan", "do"]}
ended = threading.Event()


def refuse(context, message):
    """End the call with a failure that the host understands: a value is wrong."""
    code = grpc.StatusCode.INVALID_ARGUMENT
    detail = any_pb2.Any()
    detail.Pack(plugin_pb2.Failure(code="argument", message=message))
    status = status_pb2.Status(code=code.value[0], message=message, details=[detail])
    context.set_trailing_metadata([("grpc-status-details-bin", status.SerializeToString())])
    context.abort(code, message)


def configure(request, context):
    try:
        given = json.loads(request.settings or b"{}")
    except ValueError as err:
        refuse(context, f"settings: {err}")
    if not isinstance(given, dict):
        refuse(context, "settings: must be an object")
    for key, value in given.items():
        if key not in settings:
            wrong = f'unknown key "{key}"; there are: {" ".join(settings)}'
        elif key == "folder" and not isinstance(value, str):
            wrong = "folder: must be a string"
        elif key == "stages" and not (isinstance(value, list) and all(isinstance(s, str) for s in value)):
            wrong = "stages: must be a list of strings"
        else:
            continue
        refuse(context, f"settings: {wrong}")
    settings.update(given)
    return plugin_pb2.ConfigureResponse(**DESCRIPTION)


def revalidate(request, context):
    # The ID becomes part of a path.
    if not re.fullmatch(request.task.rules.task_id_pattern or DEFAULT_PATTERN, request.task.id):
        refuse(context, "task_id: does not match the pattern")
    response = plugin_pb2.RevalidateResponse()
    review = pathlib.PurePosixPath(settings["folder"], request.task.id + ".md")
    needed = not request.HasField("snapshot") or request.snapshot.stage in settings["stages"]
    if needed and not pathlib.Path(request.task.root, review).is_file():
        response.freshness = plugin_pb2.FRESHNESS_REFUSED
        response.refusals.add(code="not-reviewed", path=str(review), detail="nobody has reviewed the last stage")
    else:  # no route: what the snapshot recommends is confirmed
        response.freshness = plugin_pb2.FRESHNESS_FRESH
        response.checked_at.GetCurrentTime()
    return response


def shutdown(request, context):
    ended.set()
    return b""  # a message without fields


def check_health(request, context):
    return b"\x08\x01"  # grpc.health.v1.HealthCheckResponse with the status SERVING


def wait_for_host():
    """End when standard input does: the host is gone, however it died."""
    while os.read(0, 4096):
        pass
    ended.set()


def service(name, method, answer, request=None, response=None):
    """Return a service of one method. Without a class it gets and returns bytes."""
    handler = grpc.unary_unary_rpc_method_handler(
        answer,
        request_deserializer=request and request.FromString,
        response_serializer=response and response.SerializeToString,
    )
    return grpc.method_handlers_generic_handler(name, {method: handler})


def main():
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: ended.set())
    server = grpc.server(
        futures.ThreadPoolExecutor(),
        options=[("grpc.max_receive_message_length", MAX_MESSAGE), ("grpc.max_send_message_length", MAX_MESSAGE)],
    )
    server.add_generic_rpc_handlers([
        service("stagehook.v1.Plugin", "Configure", configure, plugin_pb2.ConfigureRequest, plugin_pb2.ConfigureResponse),
        service("stagehook.v1.Revalidator", "Revalidate", revalidate, plugin_pb2.RevalidateRequest, plugin_pb2.RevalidateResponse),
        service("plugin.GRPCController", "Shutdown", shutdown),
        service("grpc.health.v1.Health", "Check", check_health),
    ])
    socket = os.path.join(os.environ["PLUGIN_UNIX_SOCKET_DIR"], "plugin")
    server.add_insecure_port("unix:" + socket)
    server.start()
    print(f"1|1|unix|{socket}|grpc", flush=True)
    if os.environ.get("STAGEHOOK_PLUGIN_LIFELINE") == "stdin":
        threading.Thread(target=wait_for_host, daemon=True).start()
    ended.wait()
    server.stop(grace=1).wait()  # 1 second for the calls that it is in


main()
