import { chromium } from "playwright-core"
import { writeFileSync } from "node:fs"
const [out, ...names] = process.argv.slice(2)
writeFileSync("/tmp/e2.shots/sheet.html", `<body style="margin:0;background:gray;display:flex;gap:8px;align-items:flex-start">${names.map((n) => `<img src="${n}.png">`).join("")}`)
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
const p = await b.newPage({ viewport: { width: names.reduce((w, n) => w + (n.includes("-360-") ? 368 : 708), 0), height: 800 } })
await p.goto("file:///tmp/e2.shots/sheet.html"); await p.screenshot({ path: `/tmp/e2.shots/${out}.png`, fullPage: true }); await b.close()
