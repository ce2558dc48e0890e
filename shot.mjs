import { chromium } from "playwright-core"
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
for (const name of process.argv.slice(2)) for (const w of [360, 700]) for (const colorScheme of ["light", "dark"]) {
  const p = await b.newPage({ viewport: { width: w, height: 700 }, colorScheme })
  await p.goto(`file:///tmp/e2.shots/${name}.html`)
  const over = await p.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (over > 0) console.log(name, w, "overflows by", over)
  await p.screenshot({ path: `/tmp/e2.shots/${name}-${w}-${colorScheme}.png`, fullPage: true })
  await p.close()
}
await b.close()
