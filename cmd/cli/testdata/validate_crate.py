"""Validates the RO-Crate in a folder against the requirements of RO-Crate 1.1 and loads it with ro-crate-py.

Usage: validate_crate.py FOLDER [SEVERITY]

It needs no network: the JSON-LD context is that in ro-crate-py. It prints each problem and exits with 1 if there is
one, else it prints the title and the number of files.
"""

import sys
from pathlib import Path

import requests
import rocrate
from rocrate.rocrate import ROCrate
from rocrate_validator import services
from rocrate_validator.models import Severity
from rocrate_validator.utils.http import HttpRequester

CONTEXT = "https://w3id.org/ro/crate/1.1/context"


def answer(requester, address, **options):
    """Answers a request for the JSON-LD context of RO-Crate 1.1, and no other."""
    if address != CONTEXT:
        raise requests.ConnectionError(f"{address} would need the network")
    response = requests.Response()
    response.status_code, response.url = 200, address
    response.headers["Content-Type"] = "application/ld+json"
    response._content = (Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld").read_bytes()
    if response.json()["@id"] != CONTEXT:
        sys.exit(f"this ro-crate-py has the context {response.json()['@id']}")
    return response


HttpRequester.get = answer

folder = sys.argv[1]
severity = Severity[sys.argv[2] if len(sys.argv) > 2 else "REQUIRED"]
result = services.validate(
    services.ValidationSettings(rocrate_uri=folder, profile_identifier="ro-crate-1.1", requirement_severity=severity)
)
for issue in result.get_issues():
    print(f"{issue.severity.name} {issue.check.identifier}: {issue.message}")
crate = ROCrate(folder)
print(crate.name, "-", len(crate.data_entities), "files")
sys.exit(0 if result.passed(severity) else 1)
