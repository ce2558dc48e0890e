import { assert, describe, it } from "@effect/vitest"
import { type RefusalSide, refusalOf } from "../../src/emails/Refusal.ts"

describe("refusals of mail servers", () => {
  it.each<readonly [RefusalSide, reply?: string, status?: string]>([
    // about the recipient
    ["recipient", "550 5.1.1 <typo@example.com>: Recipient address rejected: User unknown in virtual mailbox table"],
    ["recipient", "550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking"],
    [
      "recipient",
      "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient typo@example.com not found by SMTP address lookup",
    ],
    ["recipient", "550 5.4.1 Recipient address rejected: Access denied. AS(201806281)"],
    ["recipient", "550 5.1.2 Bad destination mailbox address: no such domain"],
    ["recipient", "550 5.1.3 Bad destination mailbox address syntax"],
    ["recipient", "550 5.1.6 Mailbox has moved"],
    ["recipient", "556 5.1.10 Domain does not accept mail (nullMX)"],
    ["recipient", "550 5.2.1 The email account that you tried to reach is disabled"],
    ["recipient", "550 5.5.0 Requested action not taken: mailbox unavailable"],
    ["recipient", "550 No such user here"],
    ["recipient", "550 no such user - ada"],
    ["recipient", "554 delivery error: dd This user doesn't have a yahoo.com account (typo@yahoo.com) [0]"],
    ["recipient", "550 Unrouteable address"],
    ["recipient", "550 sorry, no mailbox here by that name. (#5.1.1)"],
    ["recipient", "550 Invalid Recipient"],
    ["recipient", "551 <ada@example.com> user not found; please try another"],
    [
      "recipient",
      "Host or domain name not found. Name service error for name=typo.example type=AAAA: Host not found",
      "5.4.4",
    ],
    ["recipient", "unable to get mx info: failed to get IPs from PTR record: lookup <nil>: unrecognized address", ""],
    ["recipient", "", "5.1.1"],
    ["recipient", "550 5.1.1 Unknown user. Questions: see the proxy's page, rate limits and proofpoint"],
    ["recipient", "550 5.7.1 No such user!"],
    ["recipient", "550 Requested action not taken: mailbox unavailable"],
    ["recipient", "550 5.1.1 <ada@example.com>: user account does not exist"],
    // about this service
    ["sender", "550 5.7.27 <noreply@acme.example>: Sender address rejected: Domain acme does not accept mail (nullMX)"],
    ["sender", "550 5.7.27 Sender address has null MX"],
    ["sender", "550 Sender domain: no such host"],
    ["sender", "553 5.1.8 sender's domain: No such host"],
    ["sender", "550 Your account has been suspended due to unusual activity"],
    ["sender", "550 Your sending account is disabled"],
    ["sender", "535 Account suspended"],
    ["sender", "550 This account has been disabled"],
    ["sender", "550 Domain acme.example is not valid or not verified"],
    ["sender", "550 Requested action not taken: mailbox unavailable. invalid DNS MX or A/AAAA resource record"],
    ["sender", "550 Requested action not taken: mailbox unavailable. For explanation visit https://postmaster.gmx.net"],
    ["sender", "554 5.7.1 Relay access denied: no such user in the relay's domain list"],
    ["sender", "554 5.7.1 <ada@example.com>: Relay access denied"],
    ["sender", "550 5.7.1 Unable to relay"],
    ["sender", "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org"],
    ["sender", "550 5.7.1 Service unavailable, Client host [192.0.2.1] blocked using Spamhaus. To request removal see"],
    ["sender", "553 5.1.8 <jobs@acme.example>: Sender address rejected: Domain not found"],
    ["sender", "450 4.1.8 <jobs@acme.example>: Sender address rejected: Domain not found"],
    ["sender", "504 5.5.2 <app-7d4f>: Helo command rejected: need fully-qualified hostname"],
    [
      "sender",
      "550 5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders",
    ],
    ["sender", "550 5.7.25 The IP address sending this message does not have a PTR record setup"],
    ["sender", "550 5.7.23 The message was rejected because of Sender Policy Framework violation"],
    [
      "sender",
      "550-5.7.1 Our system has detected an unusual rate of unsolicited mail originating from your IP address",
    ],
    ["sender", "530 5.7.57 Client not authenticated to send mail"],
    ["sender", "550 5.4.5 Daily user sending limit exceeded"],
    ["sender", "452 4.5.3 Too many recipients: rate limit"],
    ["sender", "554 5.2.252 SendAsDenied; jobs@acme.example not allowed to send as"],
    ["sender", "550 5.7.501 Access denied, spam abuse detected"],
    ["sender", "550 5.1.1 Sender address rejected: not owned by user"],
    ["sender", "521 5.2.1 : (DNSBL) unresolvable RDNS"],
    ["sender", "550 Verification failed for <jobs@acme.example>: sender verify failed"],
    ["sender", "550 rejected because 192.0.2.1 is in a black list at b.barracudacentral.org"],
    // about the email, or unclear
    ["message", "552 5.2.2 User over quota"],
    ["message", "552 Mailbox full: user quota"],
    [
      "message",
      "450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages",
    ],
    ["message", "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional"],
    ["message", "550 Message from 5.1.10.22 rejected"],
    ["message", "552 5.2.2 <ada@example.com>: Recipient address rejected: mailbox full"],
    ["message", "452 4.2.2 The email account that you tried to reach is over quota"],
    ["message", "450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted, see postgrey"],
    ["message", "450 4.1.1 <ada@example.com>: Recipient address rejected: unverified address: no such user"],
    ["message", "552 5.3.4 Message size exceeds fixed limit"],
    ["message", "554 Transaction failed"],
    ["message", "550 Requested action not taken"],
    ["message", "550 5.6.0 Invalid message content"],
    ["message", "delivery temporarily suspended: connect to mx.example[192.0.2.1]:25: Connection timed out", "4.4.1"],
    // an address is not the server's statement
    ["message", "550 <no-such-user@unknown-recipient.example>: rejected"],
    ["message", ""],
  ])("%s: %s %s", (side, reply, status) => {
    assert.strictEqual(refusalOf(reply ?? "", status).side, side)
  })

  it("names what the operator has to correct", () => {
    const of = (reply: string) => refusalOf(reply).what
    assert.include(of("504 5.5.2 <app-7d4f>: Helo command rejected: need fully-qualified hostname"), "APP_URL")
    assert.include(of("553 5.1.8 <jobs@acme.example>: Sender address rejected"), "EMAIL_FROM")
    assert.include(of("554 5.7.1 <ada@example.com>: Relay access denied"), "relay")
    assert.include(of("550 5.7.26 This mail is unauthenticated; SPF and DKIM"), "SPF")
  })

  it("reads a long reply in linear time", () => {
    for (const text of ["recipient ".repeat(50_000), "<".repeat(200_000), "user limit ".repeat(50_000)]) refusalOf(text)
  })
})
