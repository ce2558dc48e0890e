/** Settings of the service under measurement; the peers read the same ones. */
export const settings = {
  DATABASE_POOL: "10",
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  APP_URL: "https://interviews.example",
  EMAIL: "mailbox",
  LOG_LEVEL: "Warn",
  PORT: "0",
  RATE_LIMIT: "0",
}
