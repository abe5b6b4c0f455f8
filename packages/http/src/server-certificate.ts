// Reads the certificate of a TLS server, and how the server lets clients check its revocation (OCSP).
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'

interface ServerCertificate {
  issuer: string
  validUntil: Date
  /** Why clients that trust the authorities of Node refuse it; null if they accept it. */
  fault: string | null
  isStapled: boolean
  /** The address of the authority's OCSP responder. */
  responder: string | null
}

export async function readServerCertificate(url: string, timeoutMs = 5000): Promise<ServerCertificate> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: Number(port || 443),
    requestOCSP: true,
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
  })
  let isStapled = false
  socket.on('OCSPResponse', (response: Buffer | null) => {
    isStapled = (response?.length ?? 0) > 0
  })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) })
    const { issuer, valid_to, infoAccess } = socket.getPeerCertificate()
    return {
      issuer: String(issuer.O ?? issuer.CN),
      validUntil: new Date(valid_to),
      fault: socket.authorized ? null : String(socket.authorizationError),
      isStapled,
      responder: infoAccess?.['OCSP - URI']?.[0] ?? null,
    }
  } finally {
    socket.destroy()
  }
}
