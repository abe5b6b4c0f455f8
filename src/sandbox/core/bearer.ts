// Whether a caller presents the credential that was issued to it, compared in constant time.

import { bearer, digestOf, sameDigest } from '#kit/crypto/secret.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Arrival } from '#kit/http/server.ts'

/** Refused as `bad-credential` unless the bearer is `credential`. */
export function requireBearer({ headers }: Pick<Arrival, 'headers'>, credential: string): null {
  const given = bearer(headers)
  if (given === null || !sameDigest(digestOf(given), digestOf(credential)))
    throw new Refusal('bad-credential', 'the credential is not known')
  return null
}
