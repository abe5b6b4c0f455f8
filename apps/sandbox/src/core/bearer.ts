// Checks the bearer token of a request.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Arrival } from '@lendloom/http/server'
import { bearer, digestOf, sameDigest } from '@lendloom/seal/token'

/** Whether the request has this credential as bearer token; compares in constant time. */
export function hasBearer({ headers }: Pick<Arrival, 'headers'>, credential: string): boolean {
  const token = bearer(headers)
  return token !== null && sameDigest(digestOf(token), digestOf(credential))
}

/** Throws `bad-credential` unless the bearer is `credential`. */
export function requireBearer({ headers }: Pick<Arrival, 'headers'>, credential: string): null {
  if (!hasBearer({ headers }, credential)) throw new Refusal('bad-credential', 'the credential is not known')
  return null
}
