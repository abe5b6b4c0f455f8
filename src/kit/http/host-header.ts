// Requires exactly one Host header.

/** A proxy in front of us may use the other of two Host headers (RFC 9112 §3.2). */
export function hasTwoHosts(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}
