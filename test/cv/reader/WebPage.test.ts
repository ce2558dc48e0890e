import { assert, describe, it } from "@effect/vitest"
import { readWebPage } from "../../../src/cv/reader/Html.ts"
import { Unreadable } from "../../../src/cv/reader/Reading.ts"

const prose =
  "I built a billing system for three hundred shops with PostgreSQL and TypeScript, designed its schema, tuned the slow queries and ran the migrations every Tuesday for four years without an outage. Before that I taught mathematics at two schools in Łódź."
const legal =
  "By clicking Continue you agree to the user agreement, the privacy policy and the cookie policy of this site. We and our partners use cookies to show content and to measure how it is used on every device that you own, and you may change that at any time in the settings of your account."

const app = '<script src="/static/app.js"></script>'

/** `outcome`: the reason, or null for a page that is read. */
const pages: ReadonlyArray<readonly [what: string, outcome: string | null, html: string]> = [
  ["a CV", null, `<title>Ada Lovelace</title><h1>Ada Lovelace</h1><p>${prose}`],
  ["a short CV without scripts", null, "<title>CV</title><h1>Ada Lovelace</h1><p>Four years of PostgreSQL"],
  ["a CV with a counter of visits", null, `<h1>Ada Lovelace</h1><p>${prose}</p><script>count()</script>`],
  ["a short CV with a short script", null, "<h1>Ada Lovelace</h1><p>Engineer</p><script>count()</script>"],
  ["a page with a long script", "web_page", `<p>Loading</p><script>${"start();".repeat(50)}</script>`],
  ["a CV with structured data", null, '<p>Ada, engineer</p><script type="application/ld+json">{"name":"Ada"}</script>'],
  ["a CV in a form of ASP.NET", null, `<form><input type="hidden" name="__VIEWSTATE"><p>${prose}</form>`],
  ["a published Google document", null, `<title>Ada's CV - Google Docs</title>${app}<p>${prose}</p>`.repeat(3)],
  [
    "a CV in Japanese",
    null,
    `${app}<h1>山田太郎</h1><p>${"東京の銀行で四年間データベースの設計と運用を担当しました。".repeat(4)}`,
  ],
  [
    "a viewer of Google Drive",
    "web_page",
    `<title>cv.pdf - Google Drive</title><meta property="og:site_name" content="Google Docs">${app}<div>cv.pdf</div><div>Loading…</div>`,
  ],
  [
    "a page of Dropbox, with a long text on cookies",
    "web_page",
    `<title>cv.pdf - Dropbox</title>${app}<button>Download</button><p>${legal}`,
  ],
  [
    "a limit of downloads of Google Drive",
    "web_page",
    `<title>Google Drive - Quota exceeded</title><p>Sorry, you can't view or download this file at this time.<p>${legal}`,
  ],
  ["an infected file of Google Drive", "web_page", "<title>Google Drive - Infected file</title><p>Only the owner may"],
  ["a limit of traffic of Dropbox", "web_page", `<title>Dropbox - Error</title><h1>Error (429)</h1><p>${legal}`],
  ["a CV in a table", null, `<table><tr><th>Work<td>${prose}<tr><th>Skills<td>PostgreSQL, TypeScript</table>`],
  ["a folder of Box", "web_page", `<title>Ada | Powered by Box</title>${app}<p>Files 2</p>`],
  [
    "an application",
    "web_page",
    `<title>Portfolio</title><noscript>You need JavaScript</noscript><div id=root></div>${app}`,
  ],
  [
    "an application with a few words",
    "web_page",
    `<title>Ada Lovelace</title>${app}<p>Please enable JavaScript to run this app.`,
  ],
  ["a page of links", "web_page", `${app}<nav>${"<a href=x>My work and my life</a> ".repeat(20)}</nav>`],
  ["a redirect", "web_page", '<meta http-equiv="refresh" content="0;url=/cv.pdf"><p>One moment'],
  ["a check for robots", "web_page", `<title>Just a moment...</title><p>Checking your browser`],
  ["an error page with status 200", "web_page", "<title>File not found</title><h1>Sorry</h1><p>The owner removed it."],
  ["a blank page", "web_page", "<html><body></body></html>"],
  ["a page with a password field", "sign_in", `<p>${prose}</p><input type=Password>`],
  [
    "a sign-in in two steps",
    "sign_in",
    `<title>Acme</title><form><label>E-mail</label><input type=email name=loginfmt><button>Next</button></form>${app}`,
  ],
  ["a sign-in in German", "sign_in", `<title>Anmelden – Konto</title><p>${legal}</p>${app}`],
  ["a sign-in of another site", "sign_in", `<h1>Log in to continue</h1>${app}<p>Use your company account`],
  ["LinkedIn", "sign_in", `<title>Ada Lovelace – Engineer – Acme | LinkedIn</title>${app}<p>${prose.repeat(5)}`],
]

describe("an HTML page", () => {
  it.each(pages)("%s: %s", (_, outcome, html) => {
    let found: string | null = null
    try {
      readWebPage(`<!doctype html>${html}`)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      found = error.reason
    }
    assert.strictEqual(found, outcome)
  })
})
