/**
 * Rewrites share links, which lead to a page that shows the file, to the link that downloads it.
 *
 * Documented by the vendor: `webContentLink` and `exportLinks` of Google's Drive API, whose values have the forms below;
 * `dl=1` of Dropbox, also for links with `rlkey` (posts of its staff in the Dropbox community); `shares` of the OneDrive API;
 * `url` and `download_url` of a shared link in the Box API, which have the same id. Only reported by users: `download=1` of
 * SharePoint.
 */

type Rewrite = (url: URL) => URL | string | undefined

const id = (path: string, form: RegExp): string | undefined => form.exec(path)?.[1]

const withParameter = (url: URL, name: string, value: string, ...without: ReadonlyArray<string>): URL => {
  const changed = new URL(url)
  for (const other of without) changed.searchParams.delete(other)
  changed.searchParams.set(name, value)
  return changed
}

const drive: Rewrite = (url) => {
  const file =
    id(url.pathname, /^\/(?:a\/[^/]+\/)?file\/(?:u\/\d+\/)?d\/([\w-]+)/) ??
    (/^\/(?:open|uc|thumbnail)$/.test(url.pathname) ? (url.searchParams.get("id") ?? undefined) : undefined)
  if (file === undefined) return undefined
  const download = new URL(`https://${url.host}/uc?export=download`)
  download.searchParams.set("id", file)
  const key = url.searchParams.get("resourcekey")
  if (key !== null) download.searchParams.set("resourcekey", key)
  return download
}

/** Published documents (`/d/e/…/pub`) are pages of text. */
const docs: Rewrite = (url) => {
  const [, kind, document] =
    /^\/(?:a\/[^/]+\/)?(document|presentation|spreadsheets)\/(?:u\/\d+\/)?d\/(?!e\/)([\w-]+)(?:\/(?!export|pub)|$)/.exec(
      url.pathname,
    ) ?? []
  if (kind === undefined) return drive(url)
  const key = url.searchParams.get("resourcekey")
  const tail = key === null ? "" : `&resourcekey=${encodeURIComponent(key)}`
  return `https://${url.host}/${kind}/d/${document}/export?format=${kind === "document" ? "docx" : "pdf"}${tail}`
}

const dropbox: Rewrite = (url) =>
  /^\/(?:s|sh|scl)\//.test(url.pathname) ? withParameter(url, "dl", "1", "raw") : undefined

/**
 * The link without its tracking parameters stays what was shared. Users report status 401 for personal accounts whose files
 * were moved to SharePoint: only Microsoft's pages get those.
 */
const oneDrive: Rewrite = (url) => {
  if (!/^\/(?:[a-z]\/|redir|view|\?|$|embed|:)/i.test(url.pathname)) return undefined
  if (url.pathname === "/" && !url.searchParams.has("resid") && !url.searchParams.has("authkey")) return undefined
  return `https://api.onedrive.com/v1.0/shares/u!${Buffer.from(url.href).toString("base64url")}/root/content`
}

const sharePoint: Rewrite = (url) =>
  /^\/:[a-z]:\//.test(url.pathname) || /^\/personal\/[^/]+\/_layouts\/15\/guestaccess\.aspx$/i.test(url.pathname)
    ? withParameter(url, "download", "1", "web")
    : undefined

const box: Rewrite = (url) => {
  const shared = id(url.pathname, /^\/s\/(\w+)/)
  return shared === undefined ? undefined : `https://${url.host}/shared/static/${shared}`
}

const hosts: ReadonlyArray<readonly [host: RegExp, rewrite: Rewrite]> = [
  [/^drive\.google\.com$/, drive],
  [/^docs\.google\.com$/, docs],
  [/^(?:www\.)?dropbox\.com$/, dropbox],
  [/^(?:1drv\.ms|onedrive\.live\.com)$/, oneDrive],
  [/^[\w-]+\.sharepoint\.com$/, sharePoint],
  [/^(?:[\w-]+\.)?(?:app\.)?box\.com$/, box],
]

/** What to do when the service answers the download with `status`. */
export const adviceFor = (download: string, status: number): string =>
  URL.parse(download)?.host === "api.onedrive.com" && (status === 401 || status === 403)
    ? "OneDrive gives the files of many personal accounts only to its own pages: send the file with a link of another service"
    : "share the file with everyone who has the link, or send another link"

/** The same link, if it is not a share link of a known service. A second rewrite changes nothing. */
export const downloadLink = (link: string): string => {
  const url = URL.parse(link)
  if (url === null || url.protocol !== "https:" || url.username !== "" || url.password !== "") return link
  const rewrite = hosts.find(([host]) => host.test(url.hostname))?.[1]
  const found = rewrite?.(url)
  return found === undefined ? link : String(found)
}
