/** Where reports may be sent: to the hosts of the connector's vendor, and to those of HIRING_SYSTEM_HOSTS. */

/** `hosts`: a name, or a suffix that begins with a dot. `extra`: like url.host, with the port if it is not the scheme's. */
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
