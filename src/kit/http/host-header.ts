// Detects requests with two Host headers.

/** Such a request is refused (RFC 9112 §3.2), because a proxy in front of us may route by the other Host header. */
export function hasTwoHosts(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}
