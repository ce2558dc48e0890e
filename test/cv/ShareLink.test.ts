import { assert, describe, it } from "@effect/vitest"
import { downloadLink } from "../../src/cv/ShareLink.ts"

const shares = (link: string) =>
  `https://api.onedrive.com/v1.0/shares/u!${Buffer.from(link).toString("base64url")}/root/content`

const rewritten: ReadonlyArray<readonly [link: string, download: string]> = [
  [
    "https://drive.google.com/file/d/1AbC_d-E/view?usp=sharing&resourcekey=0-k",
    "https://drive.google.com/uc?export=download&id=1AbC_d-E&resourcekey=0-k",
  ],
  ["https://drive.google.com/file/u/0/d/1AbC/preview", "https://drive.google.com/uc?export=download&id=1AbC"],
  ["https://drive.google.com/a/acme.example/file/d/1AbC/edit", "https://drive.google.com/uc?export=download&id=1AbC"],
  ["https://drive.google.com/open?id=1AbC", "https://drive.google.com/uc?export=download&id=1AbC"],
  ["https://drive.google.com/uc?id=1AbC", "https://drive.google.com/uc?export=download&id=1AbC"],
  [
    "https://docs.google.com/document/d/1AbC/edit?tab=t.0#heading=h.1",
    "https://docs.google.com/document/d/1AbC/export?format=docx",
  ],
  ["https://docs.google.com/document/u/1/d/1AbC", "https://docs.google.com/document/d/1AbC/export?format=docx"],
  ["https://docs.google.com/presentation/d/1AbC/view", "https://docs.google.com/presentation/d/1AbC/export?format=pdf"],
  ["https://docs.google.com/file/d/1AbC/edit", "https://docs.google.com/uc?export=download&id=1AbC"],
  [
    "https://www.dropbox.com/scl/fi/a1/cv.pdf?rlkey=k&st=s&dl=0",
    "https://www.dropbox.com/scl/fi/a1/cv.pdf?rlkey=k&st=s&dl=1",
  ],
  ["https://dropbox.com/s/a1/cv%20of%20ada.pdf", "https://dropbox.com/s/a1/cv%20of%20ada.pdf?dl=1"],
  ["https://1drv.ms/b/s!AkCh-Q?e=7a", shares("https://1drv.ms/b/s!AkCh-Q?e=7a")],
  [
    "https://onedrive.live.com/redir?resid=1!2&authkey=!3",
    shares("https://onedrive.live.com/redir?resid=1!2&authkey=!3"),
  ],
  [
    "https://acme-my.sharepoint.com/:b:/g/personal/ada_acme/EabC?e=x1",
    "https://acme-my.sharepoint.com/:b:/g/personal/ada_acme/EabC?e=x1&download=1",
  ],
  ["https://acme.app.box.com/s/k2j3h4", "https://acme.app.box.com/shared/static/k2j3h4"],
  ["https://app.box.com/s/k2j3h4?page=1", "https://app.box.com/shared/static/k2j3h4"],
]

const kept = [
  "https://files.example.com/ada.pdf?signature=a%2Bb#page=2",
  "https://docs.google.com/document/d/e/2PACX-1v/pub",
  "https://docs.google.com/document/d/1AbC/export?format=pdf",
  "https://drive.google.com/drive/folders/1AbC",
  "https://onedrive.live.com/download?resid=1!2&authkey=!3",
  "https://onedrive.live.com/",
  "https://drive.google.com.evil.example/file/d/1AbC/view",
  "https://user:secret@drive.google.com/file/d/1AbC/view",
  "http://drive.google.com/file/d/1AbC/view",
  "https://www.dropbox.com/home",
  "not a link",
]

describe("a share link", () => {
  it.each(rewritten)("%s is rewritten to its download", (link, download) => {
    assert.strictEqual(downloadLink(link), download)
    assert.strictEqual(downloadLink(download), download, "once")
  })

  it.each(kept)("%s is not changed", (link) => {
    assert.strictEqual(downloadLink(link), link)
  })
})
