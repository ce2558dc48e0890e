/**
 * Decides whether an HTML page is a CV, or a page around one: a viewer, an application that scripts fill, a sign-in, an
 * error. Such a page must not be rated as if it were the CV.
 */
import type { UnreadableCv } from "../UnreadableCv.ts"

export interface PageFacts {
  readonly title: string
  /** `og:site_name` and `application-name`. */
  readonly site: string
  /** Text of the first headings. */
  readonly headings: string
  /** The page has scripts, a form or a redirect. */
  readonly isActive: boolean
  readonly hasPassword: boolean
  readonly hasLoginField: boolean
  /** Words that are shown. */
  readonly words: number
  /** Those outside of links, buttons, labels and navigation. */
  readonly prose: number
}

/** Fewer words than the shortest CV that a person writes. */
const minProse = 40
/** A page that says what it is needs more words to be a CV. */
const minNamedProse = 120

const anyOf = (...words: ReadonlyArray<string>) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "iu")

const signIn = anyOf(
  "sign[ -]?(?:in|up)",
  "log[ -]?(?:in|on)",
  "join now",
  "authwall",
  "anmelden",
  "anmeldung",
  "einloggen",
  "connexion",
  "se connecter",
  "connectez-vous",
  "inici(?:ar|a) sesión",
  "iniciar sessão",
  "fazer login",
  "đăng nhập",
  "accedi",
  "inloggen",
  "zaloguj",
  "ログイン",
  "サインイン",
  "登录",
  "登入",
  "로그인",
)

/** Products whose pages show files or profiles, as a part of a title ("Google Drive - Quota exceeded"), or as the site's name. */
const viewer =
  /^(?:powered by )?(?:google (?:drive|docs|sheets|slides|accounts)|(?:microsoft )?onedrive|dropbox|sharepoint|box|icloud(?: drive)?|wetransfer|notion|canva|linkedin|xing|indeed)$/i

/** What pages between a link and its file say. */
const notice = anyOf(
  "just a moment",
  "attention required",
  "before you continue",
  "bevor (?:sie|du)",
  "verify (?:that )?you are (?:a )?human",
  "(?:re)?captcha",
  "virus scan warning",
  "access denied",
  "you need (?:access|permission)",
  "request access",
  "(?:page|file|link) (?:was )?not found",
  "not found",
  "no longer (?:available|exists)",
  "(?:link|file|page) (?:has )?expired",
  "does ?n[o']t exist",
  "40[134]",
  "redirecting",
  "nicht gefunden",
  "zugriff verweigert",
)

/** LinkedIn shows strangers a part of a profile among other people's. */
const isWalled = ({ site, title }: PageFacts) => /^linkedin$/i.test(site.trim()) || /\| linkedin\s*$/i.test(title)

/** Undefined: the page may be a CV. */
export const reasonAgainst = (page: PageFacts): UnreadableCv | undefined => {
  if (page.hasPassword || isWalled(page)) return "sign_in"
  const name = `${page.title}\n${page.headings}`
  if (page.words === 0) return signIn.test(name) ? "sign_in" : "web_page"
  const isShort = page.prose < minProse
  if (page.prose < minNamedProse) {
    if (signIn.test(name) || (page.hasLoginField && isShort)) return "sign_in"
    if ([page.site, ...page.title.split(/[-–—|·]/)].some((one) => viewer.test(one.trim()))) return "web_page"
  }
  if (page.words < minNamedProse && notice.test(name)) return "web_page"
  return isShort && page.isActive ? "web_page" : undefined
}
