"""Creates an interview set, invites a candidate and receives a webhook, with requests."""
import os, uuid
import requests
from receiver import Receiver

base = os.environ.get("API_URL", "http://localhost:8080") + "/company/integration"
api = requests.Session()
api.headers["X-API-Key"] = os.environ["API_KEY"]

def call(method: str, path: str, body: dict | None = None) -> dict:
    headers = {"Idempotency-Key": str(uuid.uuid4())} if method == "POST" else {}
    # another server would get the API key in a redirected request
    response = api.request(method, base + path, json=body, headers=headers, timeout=30, allow_redirects=False)
    if response.status_code >= 300:  # docs/errors.md lists the codes
        raise SystemExit(f"{response.status_code} {response.reason}: {response.text}")
    return response.json()["results"]

print("organization:", call("GET", "/me/v1")["organization"]["name"])

receiver = Receiver(int(os.environ.get("RECEIVER_PORT", "9000")))
endpoint = call("POST", "/webhooks/v1", {"name": "Quickstart", "url": receiver.url})
receiver.listen(endpoint["secret"])
try:
    interview_set = call("POST", "/interview/set/v1", {
        "title": "Platform Engineer",
        "iai_questions": [{"title": "A service you built", "question_mode": "interview", "question_type": "text"}],
        "iai_requirements": [{"title": "PostgreSQL", "cfg_importance_id": 273}],
    })
    [result] = call("POST", "/interview/candidate/invite/v1", {
        "com_interview_set_id": interview_set["id"],
        "candidates": [{"email": "ada@example.com", "name": "Ada Lovelace"}],
    })
    if result.get("error_message"):
        raise SystemExit(result["error_message"])
    submission = result["submission"]["id"]
    print("interview:", result["submission"]["interview_url"])

    detail = call("GET", f"/hiring/submissions/{submission}/detail/v1")
    print("submission:", detail["status_text"], "score:", detail["score"])

    event = receiver.next_event(submission)
    print("verified:", event["event_type"], event["data"].get("status") or event["data"]["score_status"])
finally:
    call("DELETE", f"/webhooks/v1/{endpoint['id']}")
