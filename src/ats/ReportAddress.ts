/** The addresses to which reports may be sent: on the vendor's hosts, or on the hosts of HIRING_SYSTEM_HOSTS. */

/** `hosts`: names, or suffixes that begin with a dot. `extra`: like URL.host, with the port unless it is the default. */
export const isReportAddress = (text: string, hosts: ReadonlyArray<string>, extra: ReadonlySet<string>): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username + url.password !== "") return false
  if (extra.has(url.host)) return /^https?:$/.test(url.protocol)
  return (
    url.protocol === "https:" &&
    url.port === "" &&
    hosts.some((host) => (host.startsWith(".") ? url.hostname.endsWith(host) : url.hostname === host))
  )
}
