import { settings as api } from "../api/settings.ts"

/** `url`: the database's URL. `vendor`: the hiring system's origin. */
export const settingsOf = (url: string, vendor: string) => ({
  ...api,
  DATABASE_URL: url,
  HIRING_SYSTEM_HOSTS: new URL(vendor).host,
  OUTBOUND_ALLOW: "127.0.0.0/8",
})

/** Distinct orders at a steady rate, then one report for each. */
export const single = { orders: 1200, perSecond: 20 }

/** Each order is sent `times` times at once, alternately to the two pods. */
export const repeated = { orders: 500, times: 20 }

/** Milliseconds. */
export const limits = { mail: 2000, report: 1000 }
