#!/usr/bin/env python3
"""A revalidator without the SDK: datarim/approved.json says where each task goes.

    {"TUNE-0254": {"command": "/dr-design TUNE-0254", "by": "ann"}}

The request comes as JSON on standard input; one JSON object is the answer.
"""
import datetime
import hashlib
import json
import pathlib
import sys

FILE = "datarim/approved.json"


def judge(request):
    """Return what the answer holds beside schema and task_id."""
    try:
        approved = json.loads((pathlib.Path(request["root"]) / FILE).read_text("utf-8"))
    except FileNotFoundError:
        approved = {}
    entry = approved.get(request["task_id"])
    if entry is None:
        refusal = {"code": "not-approved", "path": FILE, "detail": "nobody has approved the task's next step"}
        return {"verdict": "refused", "refusals": [refusal]}
    # The same approval gives the same token, any change another.
    digest = hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()
    token = {"type": "advance", "value": f"approved:{entry['by']}:{digest[:12]}"}
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    return {"verdict": "fresh", "route": {"command": entry["command"], "token": token}, "checked_at": now}


request = json.load(sys.stdin)
json.dump({"schema": "stagehook.route/1", "task_id": request["task_id"], **judge(request)}, sys.stdout)
