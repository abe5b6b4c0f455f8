// The credentials of a run, and those that it expects from the tested side (D3 §5).
import type { PartnerCredentials, SigningKey } from '@lendloom/wire/exchange/credentials'

/** The side that a run tests; the run plays the other one. */
export type TestedSide = 'partner' | 'platform'

/** The credentials that one side presents. */
export interface Party {
  sender: string
  bearer: string
  /** One or two keys; the first one signs. */
  keys: SigningKey[]
}

export interface Parties {
  ours: Party
  /** What the tested side must present. */
  theirs: Party
}

export function partiesOf(
  { sender, bearer, keyId, secret, webhook }: PartnerCredentials,
  testedSide: TestedSide,
): Parties {
  const platform = { sender, bearer, keys: [{ keyId, secret }] }
  return testedSide === 'partner' ? { ours: platform, theirs: webhook } : { ours: webhook, theirs: platform }
}
