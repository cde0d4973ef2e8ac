"""A Dask worker that lies: preloaded, it gives every match to the first seat."""

import json

from tournaments.cluster import worker
from tournaments.cluster.wire import pack, unpack


def forged(head, records):
    """Swap the winner and the first seat, in the result and in the record's end."""
    said, blobs = unpack(pack(head, records))
    reports = []
    for report in said.reports:
        if report.tag == "finished" and report.result.places is not None:
            scores = [900, *report.result.scores[1:]]
            lie = {"scores": scores, "places": [1, 2, 3]}
            result = report.result.model_copy(update=lie)
            report = report.model_copy(update={"result": result})
            *lines, last = blobs[report.match].decode().splitlines()
            end = json.dumps(json.loads(last) | lie, separators=(",", ":"))
            blobs[report.match] = "\n".join([*lines, end, ""]).encode()
        reports.append(report)
    sizes = {match: len(blob) for match, blob in blobs.items()}
    said = said.model_copy(update={"reports": tuple(reports), "sizes": sizes})
    return pack(said, list(blobs.values()))


setattr(worker, "pack", forged)  # noqa: B010 -- it is no name of that module's own
