#!/usr/bin/env python3
"""The smallest complete adapter: a StatefulSet controller in Python behind Ordeal's protocol (../PROTOCOL.md).

Copy it, and put your own controller where `Controller` is. It keeps few promises: it makes the pods that are missing, in
order, deletes those beyond the replicas, and counts. It knows no claims, no updates and no adoption.
"""

import json
import sys
import traceback


class Died(Exception):
    """The process we play has died in a call; the harness wrote `message` instead of an answer."""

    def __init__(self, message):
        self.message = message


class Failed(Exception):
    """The API server refused a call."""

    def __init__(self, reply):
        super().__init__(reply["body"].get("message", "refused"))
        self.status, self.reason = reply["status"], reply["body"].get("reason", "")


def read():
    line = sys.stdin.readline()
    return json.loads(line) if line else None


def write(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


class Client:
    """What a Kubernetes client is to a controller."""

    def __init__(self, sync):
        self.sync = sync

    def call(self, method, path, body=None):
        made = {"method": method, "path": path}
        if body is not None:
            made["body"] = body
        write({"type": "calls", "id": self.sync, "calls": [made]})
        answer = read()
        if answer is None or answer["type"] != "replies":
            raise Died(answer)
        reply = answer["replies"][0]
        if reply["status"] >= 400:
            raise Failed(reply)
        return reply["body"]


class Controller:
    """One process of the controller: its caches, and whatever it would remember."""

    def __init__(self, gates):
        self.gates = gates
        self.cache = {}

    def take(self, event, thing):
        place = (thing["kind"], thing["metadata"]["namespace"], thing["metadata"]["name"])
        if event == "DELETED":
            self.cache.pop(place, None)
        else:
            self.cache[place] = thing

    def pods_of(self, owner):
        def is_owned(pod):
            owners = pod["metadata"].get("ownerReferences", [])
            return any(o.get("controller") and o["uid"] == owner["metadata"]["uid"] for o in owners)

        pods = [thing for (kind, _, _), thing in sorted(self.cache.items()) if kind == "Pod" and is_owned(thing)]
        return {ordinal_of(pod): pod for pod in pods}

    def sync(self, key, client):
        ns, name = key.split("/")
        owner = self.cache.get(("StatefulSet", ns, name))
        if owner is None or "deletionTimestamp" in owner["metadata"]:
            return
        wanted, pods = owner["spec"].get("replicas", 1), self.pods_of(owner)
        pods_path = f"/api/v1/namespaces/{ns}/pods"
        for ordinal in range(wanted):
            pod = pods.get(ordinal)
            if pod is None:
                client.call("POST", pods_path, make_pod(owner, ordinal))
                break
            if not is_ready(pod):
                break
        else:
            beyond = [o for o in sorted(pods, reverse=True) if o >= wanted]
            if beyond and "deletionTimestamp" not in pods[beyond[0]]["metadata"]:
                client.call("DELETE", f"{pods_path}/{name}-{beyond[0]}")
        self.write_status(owner, pods, client)

    def write_status(self, owner, pods, client):
        ready = sum(1 for pod in pods.values() if is_ready(pod))
        status = {
            "observedGeneration": owner["metadata"]["generation"],
            "replicas": len(pods),
            "readyReplicas": ready,
            "availableReplicas": ready,
        }
        held = owner.get("status", {})
        if any(held.get(field, 0) != value for field, value in status.items()):
            meta = owner["metadata"]
            path = f"/apis/apps/v1/namespaces/{meta['namespace']}/statefulsets/{meta['name']}/status"
            client.call("PUT", path, {**owner, "status": status})


def ordinal_of(pod):
    tail = pod["metadata"]["name"].rpartition("-")[2]
    return int(tail) if tail.isdigit() else -1


def is_ready(pod):
    conditions = pod.get("status", {}).get("conditions", [])
    return any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)


def make_pod(owner, ordinal):
    meta, template = owner["metadata"], owner["spec"]["template"]
    name = f"{meta['name']}-{ordinal}"
    labels = {**template["metadata"].get("labels", {}), "statefulset.kubernetes.io/pod-name": name}
    reference = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": meta["name"], "uid": meta["uid"]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            **template["metadata"],
            "name": name,
            "namespace": meta["namespace"],
            "labels": labels,
            "ownerReferences": [{**reference, "controller": True, "blockOwnerDeletion": True}],
        },
        "spec": {**template["spec"], "hostname": name, "subdomain": owner["spec"].get("serviceName", "")},
    }


def run_sync(controller, message):
    """One sync; returns the message that came instead of an answer, if the process died."""
    done = {"type": "done", "id": message["id"]}
    try:
        controller.sync(message["key"], Client(message["id"]))
    except Died as death:
        return death.message
    except Failed as failure:
        done.update(error=str(failure), status=failure.status, reason=failure.reason)
    except Exception as bug:  # a controller that crashes breaks a promise; told like this, it does so in a story
        traceback.print_exc()
        done["died"] = repr(bug)
    write(done)
    return None


def main():
    controller = None
    message = read()
    while message is not None:
        kind, instead = message["type"], None
        if kind == "hello":
            write({"type": "hello", "protocol": 1, "name": "example"})
        elif kind == "reset":
            controller = Controller(message["gates"])
        elif kind == "sync":
            instead = run_sync(controller, message)
        else:
            controller.take(kind, message["object"])
        message = instead or read()


main()
