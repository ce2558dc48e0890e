/** Removes the tokens of this service's links from texts of other systems: mail server replies, provider reports. Pure. */

/** A token as emails/EmailLinks.ts makes it; shorter at the end of a text that was cut. */
const token = /(\/(?:i|o|c|unsubscribe|password)\/)[\w-]{20,}/g

/** Replaces each token by `…`. A link without its token opens nothing. */
export const withoutLinkTokens = (text: string): string => text.replaceAll(token, "$1…")
