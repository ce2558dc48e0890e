/**
 * The one story that all examples tell: Nordlicht looks for a backend engineer, invites three candidates, one of them
 * answers, and is evaluated.
 */

export const urls = { app: "https://app.interviews.example" }

export const organization = { id: 42, name: "Nordlicht" }

export const ids = {
  apiKey: "01a1e3a1-5850-7233-bc63-4e2eea769688",
  member: "01a1e39f-2b40-7c0e-a5d8-3f6b1c9e7a52",
  project: "01a1e3a5-9548-7cfc-bce6-f8e9a55b4e46",
  jobPost: "01a1e3a5-f93e-7e8c-bb1c-9e236dc5cd4f",
  set: "01a207a2-5dac-7a52-8f9a-f965feb89787",
  based: "01a207a2-5dac-7abb-b21b-17393e68f8be",
  service: "01a207a2-5dac-7624-b0b8-8fdefd97ecf0",
  typescript: "01a207a2-5dac-728f-88d8-cf8ca305006f",
  postgres: "01a207a2-5dac-712d-9b2e-8afc7cd37e6f",
  mentoring: "01a207a2-5dac-7705-a63a-980a0a9ec5b8",
  access: "01a207a2-5dac-7815-9f85-544b9aaa1774",
  ada: "01a207a6-8d9a-7aff-85a1-7978b66cb697",
  adaInvitation: "01a207a6-8d9a-733f-b0d0-584314ebf067",
  adaSubmission: "01a207a6-8d9a-7f29-b911-199b1f1e3728",
  charles: "01a207a6-8d9a-71aa-8607-d69cbf84de05",
  charlesInvitation: "01a207a6-8d9a-7c58-88f6-a8b05f25da3a",
  charlesSubmission: "01a207a6-8d9a-7ca5-bfad-a6c817d4ae34",
  graceSubmission: "01a207a6-8d9a-743c-a103-2fe3641ce9f9",
  failed: "01a207a6-8d9c-7b31-b1bd-f5909d91f2a2",
  delivered: "01a207a6-93d2-7bf4-a696-fc139d0cce3d",
  completed: "01a20cd4-e2b5-719d-99a4-631e740e7dce",
  evaluated: "01a20cd4-f087-78e8-8a80-1c3420a5f624",
  tested: "01a20ce2-0b3c-782a-9f05-2a176df76d12",
}

/** The candidate's id in the hiring system. */
export const atsAda = "7c9a1f0e-52d4-4b1c-9f3a-6f2f0d6f6a11"

export const setRef = { id: ids.set, title: "Backend Engineer" }

export const adaRef = { id: ids.ada, ats_candidate_id: atsAda, email: "ada@example.com", name: "Ada Lovelace" }

const link = (token: string) => `${urls.app}/i/${token}`
export const adaLink = link("AQGiB6aOGnM_sNBYQxTr8GcPjW0p5cB2mQf7yXn4kLeV")
export const charlesLink = link("AQGiB6aOGnxYiPaosF8l2jqTz1o9dHrKc6uWb3xNs0Ya")

export const submissionUrl = `${urls.app}/submissions/${ids.adaSubmission}`

export const times = {
  keyMade: "2026-11-16T09:12:44.368Z",
  keyUsed: "2026-11-23T09:04:31.113Z",
  projectMade: "2026-11-16T09:17:22.120Z",
  jobPostMade: "2026-11-16T09:17:47.710Z",
  setMade: "2026-11-23T09:00:11.052Z",
  invited: "2026-11-23T09:04:45.466Z",
  sent: "2026-11-23T09:04:46.870Z",
  delivered: "2026-11-23T09:04:47.058Z",
  opened: "2026-11-24T08:51:02.377Z",
  initiated: "2026-11-24T08:52:40.914Z",
  started: "2026-11-24T08:54:03.260Z",
  completed: "2026-11-24T09:13:27.989Z",
  evaluated: "2026-11-24T09:13:31.527Z",
  overridden: "2026-11-25T13:40:08.615Z",
  expires: "2026-12-23T09:04:45.466Z",
  extended: "2026-12-30T17:00:00.000Z",
}
