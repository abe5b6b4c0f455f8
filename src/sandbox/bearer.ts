// Whether a caller presents the credential that was issued to it, compared in constant time.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Arrival } from '#kit/http-server.ts'
import { Refusal } from '#kit/refusal.ts'

/** Refused as `bad-credential` unless the bearer is `credential`. */
export function requireBearer({ headers }: Pick<Arrival, 'headers'>, credential: string): null {
  const given = /^Bearer +(\S+)$/i.exec(String(headers.authorization ?? ''))?.[1] ?? ''
  if (!timingSafeEqual(digestOf(given), digestOf(credential)))
    throw new Refusal('bad-credential', 'the credential is not known')
  return null
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
