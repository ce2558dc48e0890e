import { Redacted } from "effect"
import { run } from "interview-invitations"
import * as Portal from "./Portal.ts"

const secret = process.env["PORTAL_SECRET"]
if (secret === undefined) throw new Error("PORTAL_SECRET is required")

run({ signIn: Portal.layer("https://portal.acme.example/vouch", Redacted.make(secret)) })
