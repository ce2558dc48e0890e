/** Tokens of this service's links, in texts that others wrote: what a mail server answered, what a provider reported. Pure. */

/** As service/Links.ts makes them; shorter where a text was cut. */
const token = /(\/(?:i|o|c|unsubscribe|password)\/)[\w-]{20,}/g

/** The text without the tokens: a link without its token opens nothing. */
export const withoutLinkTokens = (text: string): string => text.replaceAll(token, "$1…")
