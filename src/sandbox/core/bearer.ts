// Whether a caller presents the credential that was issued to it, compared in constant time.

import { bearer, digestOf, sameDigest } from '#kit/crypto/secret.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Arrival } from '#kit/http/server.ts'

/** Whether the bearer is `credential`. */
export function presents({ headers }: Pick<Arrival, 'headers'>, credential: string): boolean {
  const given = bearer(headers)
  return given !== null && sameDigest(digestOf(given), digestOf(credential))
}

/** Refused as `bad-credential` unless the bearer is `credential`. */
export function requireBearer({ headers }: Pick<Arrival, 'headers'>, credential: string): null {
  if (!presents({ headers }, credential)) throw new Refusal('bad-credential', 'the credential is not known')
  return null
}
