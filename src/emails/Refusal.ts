/**
 * What a mail server's reply says, and about whom. Used for replies to RCPT TO and DATA (SmtpEmailSender.ts), SendGrid's
 * reports and bounce reports (EmailEventProcessor.ts). Without a reply they decide themselves: an address that SMTP or SendGrid's
 * API cannot express is a bounce, and so is a report of a bounce without a reason.
 *
 * Only a statement about the recipient is a bounce, because hiring systems then ask the candidate for another address. All
 * other refusals are retried, and end as dropped.
 *
 * Sources:
 * - Enhanced status codes: RFC 3463, the IANA registry of SMTP Enhanced Status Codes, RFC 7372 (5.7.20 to 5.7.26), RFC 7505
 *   (null MX: 5.1.10, 5.7.27).
 * - Replies without such a code: RFC 5321, 4.2.2. A 550 there is a missing mailbox as well as a policy, so words decide.
 * - Gmail, "SMTP error reference": 5.1.1 missing account, 5.2.1 disabled or receiving too fast, 5.4.5 and 5.7.0 limits, 5.7.1
 *   and 5.7.26 to 5.7.30 reputation and authentication, 5.7.25 reverse DNS.
 * - Exchange Online, "Email non-delivery reports": 5.1.1, 5.1.10 and "5.4.1 Recipient address rejected: Access denied"
 *   missing recipient, 5.1.8 and 5.7.5xx blocked sender, 5.7.129 restricted recipient.
 * - Postfix, access(5) and postconf(5): 504 5.5.2 HELO name, 553 and 5.1.8 sender's domain, 554 5.7.1 relaying and lists.
 * - SendGrid, "Event Webhook reference": `type` of a bounce is bounce or blocked; `status` and `reason` are the server's.
 */

/** `sender`: this service, its host, addresses or account. `message`: this email, or neither says. */
export type RefusalSide = "recipient" | "sender" | "message"

export interface Refusal {
  readonly side: RefusalSide
  /** Logs and /health/ready show it of refusals of the sender, after "the mail server refuses emails: ". */
  readonly what: string
}

interface Row extends Refusal {
  readonly code?: RegExp
  /** Both must match when both are given. */
  readonly words?: RegExp
}

/** The first row that matches decides. */
const rows: ReadonlyArray<Row> = [
  { words: /^unable to get mx info/, side: "recipient", what: "the domain of the address does not receive email" },
  // a statement about the recipient, unless the reply names the sender; links and notes may follow
  {
    code: /^5\.1\.(?:1|10)$/,
    words: /^(?![\s\S]*(?:sender|helo|relay))[\s\S]*(?:unknown user|user unknown|no such user|not exist)/,
    side: "recipient",
    what: "the address does not exist",
  },
  // limits of the recipient's mailbox, whose words are those of an account's limits
  { code: /^[45]\.2\.2$/, side: "message", what: "the recipient's mailbox is full" },
  {
    words: /receiving (?:mail|messages) (?:at a rate|too)|mailbox (?:is )?full|over ?quota/,
    side: "message",
    what: "the recipient's server does not accept this email",
  },
  // statements about the sender come before codes: servers use codes of recipients for them too
  {
    words:
      /\brelay(?:ing)?\b.{0,30}(?:denied|not permitted|prohibited|not allowed)|unable to relay|not permitted to relay/,
    side: "sender",
    what: "it does not relay for this service",
  },
  {
    words: /\b(?:helo|ehlo)\b/,
    side: "sender",
    what: "it refuses the name that this service greets with (the host of APP_URL)",
  },
  {
    words:
      /block(?:ed)?[ -]?list|black ?list|\bblocked (?:using|by|because)|\b(?:rbl|dnsbl|spamhaus|barracuda|proofpoint|spamcop|sorbs)\b|poor reputation|\breputation\b|banned/,
    side: "sender",
    what: "the address of this service's mail server is on a block list",
  },
  {
    words: /\b(?:spf|dkim|dmarc|arc)\b|unauthenticated email|authentication (?:checks?|information)/,
    side: "sender",
    what: "SPF, DKIM or DMARC of the domain of EMAIL_FROM does not allow this service to send",
  },
  {
    words: /reverse dns|\bptr\b|no (?:a|mx|ptr) record|cannot find your (?:reverse )?hostname/,
    side: "sender",
    what: "the mail server's address has no matching name in DNS",
  },
  {
    words:
      /sender(?:'s)? (?:address|domain|verify|is not|not|denied|refused|rejected)|mail from|from address|sender identity|sendasdenied|not verified/,
    side: "sender",
    what: "it refuses the address in EMAIL_FROM",
  },
  {
    words: /invalid dns|postmaster\./,
    side: "sender",
    what: "a rule of the recipient's server refuses this service",
  },
  {
    words:
      /\byour (?:\w+ )?(?:account|domain)\b|\bthis account\b|\bsending (?:account|domain)\b|^(?:\d{3}[ -])?account (?:is )?\w+$/,
    side: "sender",
    what: "the account of SMTP_URL is suspended",
  },
  {
    words: /authentication (?:is )?(?:required|failed|unsuccessful)|log ?in (?:denied|failed)|credentials/,
    side: "sender",
    what: "it refuses the user or the password of SMTP_URL",
  },
  {
    words:
      /(?:sending|daily|hourly|messages|submission).{0,30}(?:quota|limit)|submissionquota|too many|rate[- ]?limit|unusual rate/,
    side: "sender",
    what: "a limit of this service's account is reached",
  },
  { code: /^5\.(?:1\.[78]|7\.27)$/, side: "sender", what: "it refuses the address in EMAIL_FROM" },
  { code: /^5\.4\.5$/, side: "sender", what: "a limit of this service's account is reached" },
  { code: /^5\.5\.[0-9]*[1-9]$/, side: "sender", what: "it refuses the commands of this service" },

  // of Postfix and SendGrid, for a domain that does not exist
  {
    words: /host or domain name not found(?!.*try again)|no such host|null ?mx|does not accept mail/,
    side: "recipient",
    what: "the domain of the address does not receive email",
  },
  { code: /^5\.1\.(?:1|2|3|6|10)$/, side: "recipient", what: "the address does not exist" },
  { code: /^5\.2\.1$/, side: "recipient", what: "the mailbox is disabled" },
  {
    code: /^5\.4\.1$/,
    words: /recipient address rejected: access denied/,
    side: "recipient",
    what: "the address does not exist",
  },
  // full mailboxes, greylisting and policies name the recipient too, so the codes above and these come first
  { code: /^5\.2\.[34]$/, side: "message", what: "the mailbox does not accept it" },
  { code: /^5\.3\.4$/, side: "message", what: "the email is too large" },
  // Yandex
  { code: /^5\.7\.1$/, words: /no such user/, side: "recipient", what: "the address does not exist" },
  {
    code: /^5\.7\.(?:1|[2-9]|[1-9]\d+)$/,
    side: "sender",
    what: "a rule of the recipient's server refuses this service",
  },
  {
    words: /quota exceeded|greylist|temporar|try again|spam|virus|policy|too large|too big|size limit/,
    side: "message",
    what: "the recipient's server does not accept this email",
  },
  {
    words:
      /no such (?:user|recipient|mailbox|address|person|account|domain|local user)|(?:user|recipient|mailbox|address|email account)\b.{0,60}?\b(?:unknown|not found|does(?:n.t| not) exist|not exist|no longer (?:exists|available|valid)|disabled|inactive|deactivated|suspended|closed|is invalid|not valid)|unknown (?:user|recipient|mailbox|address|local part)|unrouteable address|invalid (?:recipient|mailbox|address)|no mailbox|mailbox unavailable|doesn.t have an? \S+ account|user doesn.t exist|not a valid (?:mailbox|recipient|address)|not our customer|unknown or illegal alias/,
    side: "recipient",
    what: "the address does not exist",
  },
]

/** RFC 3463: of the reply's first line, else of a later one. */
const codeIn = (reply: string): string | undefined =>
  /(?:^|[\s#(])([245]\.\d{1,3}\.\d{1,3})(?![.\d])/.exec(reply.replace(/^\d{3}[ -]/, ""))?.[1]

/** No row matches. */
export const unclear: Refusal = { side: "message", what: "the reply does not say why" }

/** Mail servers repeat the recipient's address. Words in it are not a statement of the server. */
const withoutAddresses = (text: string): string => text.replaceAll(/<[^<>]{1,320}>|[^\s<>"(),;:]+@[^\s<>"'(),;]+/g, "")

const maxReply = 2_000

/** `status`: an enhanced status code that a report gives beside the reply. */
export const refusalOf = (reply: string, status?: string | null): Refusal => {
  const text = withoutAddresses(reply.slice(0, maxReply)).toLowerCase()
  const code = codeIn(text) ?? status ?? ""
  return (
    rows.find(
      ({ code: ofRow, side, words }) =>
        (ofRow?.test(code) ?? true) &&
        (words?.test(text) ?? true) &&
        // a temporary error is not a statement about the address
        !(side === "recipient" && code.startsWith("4.")),
    ) ?? unclear
  )
}
