// Whether a request names the host that it is for, once.

/** A proxy in front may read another one of two headers than we do (RFC 9112 §3.2). */
export function hasTwoHosts(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}
