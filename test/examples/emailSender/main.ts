import { run } from "interview-invitations"
import * as EmlFiles from "./EmlFiles.ts"

run({ emailSender: EmlFiles.layer(process.env["MAIL_DIR"] ?? "mails", "jobs@acme.example") })
