// Detects requests with two Host headers, which a server must refuse (RFC 9112 §3.2).

/** A proxy in front of the server may have routed the request by the Host header that the server ignores. */
export function hasTwoHosts(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}
