"""The REST routes that the Qdrant adapter uses, over the real engine (qdrant_edge).

Prints its port, and exits when its stdin is closed.

    python3 qdrant-shim.py FOLDER_OF_THE_LIBRARY FOLDER_OF_THE_DATA PORT
"""

import json
import os
import re
import shutil
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, sys.argv[1])
import qdrant_edge as q  # noqa: E402

ROOT = sys.argv[2]
LOCK = threading.Lock()
COLLECTIONS = {}


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Collection:
    def __init__(self, name, body):
        self.path = os.path.join(ROOT, name)
        os.makedirs(self.path)
        self.vectors = body.get("vectors") or {}
        sparse = body.get("sparse_vectors") or {}
        self.shard = q.EdgeShard.create(
            self.path,
            q.EdgeConfig(
                vectors={name: q.EdgeVectorParams(v["size"], q.Distance.Cosine) for name, v in self.vectors.items()},
                sparse_vectors={
                    name: q.EdgeSparseVectorParams(modifier=q.Modifier.Idf if s.get("modifier") == "idf" else None)
                    for name, s in sparse.items()
                },
                max_search_threads=1,
                wal_enabled=False,
            ),
        )

    def drop(self):
        self.shard.close()
        shutil.rmtree(self.path)


def existing(name):
    if name not in COLLECTIONS:
        raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
    return COLLECTIONS[name]


def native(vector):
    return q.SparseVector(vector["indices"], vector["values"]) if isinstance(vector, dict) else vector


def native_filter(body):
    conditions = (body or {}).get("must")
    if not conditions:
        return None
    return q.Filter(must=[q.FieldCondition(c["key"], match=q.MatchAny(c["match"]["any"])) for c in conditions])


def root(_match, _body):
    return {"title": "qdrant - vector search engine", "version": "1.19.0"}


def list_collections(_match, _body):
    return {"collections": [{"name": name} for name in COLLECTIONS]}


def describe(match, _body):
    return {"status": "green", "config": {"params": {"vectors": existing(match["name"]).vectors}}}


def create(match, body):
    if match["name"] in COLLECTIONS:
        raise Refused(409, f"Wrong input: Collection `{match['name']}` already exists!")
    COLLECTIONS[match["name"]] = Collection(match["name"], body)
    return True


def drop(match, _body):
    collection = COLLECTIONS.pop(match["name"], None)
    if collection:
        collection.drop()
    return collection is not None


def create_field_index(match, body):
    schema = {"keyword": q.PayloadSchemaType.Keyword}[body["field_schema"]]
    existing(match["name"]).shard.update(q.UpdateOperation.create_field_index(body["field_name"], schema))
    return {"operation_id": 0, "status": "completed"}


def create_vector(match, body):
    collection = existing(match["name"])
    if match["vector"] in collection.vectors:
        raise Refused(409, "Wrong input: the vector already exists")
    size = body["dense"]["size"]
    collection.shard.update(q.UpdateOperation.create_dense_vector(match["vector"], size, q.Distance.Cosine))
    collection.vectors[match["vector"]] = body["dense"]
    return {"operation_id": 0, "status": "completed"}


def drop_vector(match, _body):
    collection = existing(match["name"])
    if collection.vectors.pop(match["vector"], None) is None:
        raise Refused(400, "Wrong input: the vector does not exist")
    collection.shard.update(q.UpdateOperation.delete_vector_name(match["vector"]))
    return {"operation_id": 0, "status": "completed"}


def update_vectors(match, body):
    shard = existing(match["name"]).shard
    ids = [p["id"] for p in body["points"]]
    found = {str(record.id) for record in shard.retrieve(ids, False, False)}
    for missing in (i for i in ids if i not in found):
        raise Refused(404, f"Not found: No point with id {missing} found")
    points = [q.PointVectors(p["id"], p["vector"]) for p in body["points"]]
    shard.update(q.UpdateOperation.update_vectors(points))
    return {"operation_id": 0, "status": "completed"}


def retrieve(match, body):
    records = existing(match["name"]).shard.retrieve(body["ids"], False, False)
    return [{"id": str(record.id)} for record in records]


def upsert(match, body):
    points = [
        q.Point(p["id"], {name: native(v) for name, v in p["vector"].items()}, p.get("payload")) for p in body["points"]
    ]
    existing(match["name"]).shard.update(q.UpdateOperation.upsert_points(points))
    return {"operation_id": 0, "status": "completed"}


def delete(match, body):
    operation = q.UpdateOperation.delete_points_by_filter(native_filter(body["filter"]))
    existing(match["name"]).shard.update(operation)
    return {"operation_id": 0, "status": "completed"}


def search(collection, body):
    params = q.SearchParams(hnsw_ef=(body.get("params") or {}).get("hnsw_ef"))
    found = collection.shard.query(
        q.QueryRequest(
            limit=body["limit"],
            query=q.Query.Nearest(native(body["query"]), using=body["using"]),
            filter=native_filter(body.get("filter")),
            with_payload=True,
            params=params,
        )
    )
    return {"points": [{"id": str(p.id), "version": 0, "score": p.score, "payload": p.payload} for p in found]}


def query_batch(match, body):
    collection = existing(match["name"])
    return [search(collection, one) for one in body["searches"]]


def scroll(match, body):
    request = q.ScrollRequest(offset=body.get("offset"), limit=body["limit"], with_payload=True)
    points, following = existing(match["name"]).shard.scroll(request)
    return {
        "points": [{"id": str(p.id), "payload": p.payload} for p in points],
        "next_page_offset": None if following is None else str(following),
    }


NAME = r"/collections/(?P<name>[\w-]+)"
ROUTES = [
    ("GET", r"/", root),
    ("GET", r"/collections", list_collections),
    ("GET", NAME, describe),
    ("PUT", NAME, create),
    ("DELETE", NAME, drop),
    ("PUT", NAME + r"/index", create_field_index),
    ("PUT", NAME + r"/vectors/(?P<vector>[\w-]+)", create_vector),
    ("DELETE", NAME + r"/vectors/(?P<vector>[\w-]+)", drop_vector),
    ("PUT", NAME + r"/points", upsert),
    ("POST", NAME + r"/points", retrieve),
    ("PUT", NAME + r"/points/vectors", update_vectors),
    ("POST", NAME + r"/points/delete", delete),
    ("POST", NAME + r"/points/query/batch", query_batch),
    ("POST", NAME + r"/points/scroll", scroll),
]


def answer(method, path, body):
    for verb, pattern, handle in ROUTES:
        match = re.fullmatch(pattern, path)
        if verb == method and match:
            with LOCK:
                return handle(match.groupdict(), body)
    raise Refused(404, f"No route {method} {path}")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # sends head and body in one packet: a second packet would wait 40 ms for an acknowledgement

    def respond(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            result = answer(self.command, self.path.split("?")[0], json.loads(raw) if raw else {})
            self.send(200, {"result": result, "status": "ok", "time": 0})
        except Refused as refused:
            self.send(refused.status, {"status": {"error": str(refused)}, "time": 0})
        except Exception as error:  # the server returns 400 to whatever the engine refuses
            self.send(400, {"status": {"error": str(error)}, "time": 0})

    def send(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_args):
        pass

    do_GET = do_PUT = do_POST = do_DELETE = respond


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[3])), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
