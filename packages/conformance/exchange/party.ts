// The two sides of an exchange: as which one a run speaks, and by what it knows the other (D3 §5).
import type { PartnerCredentials, SigningKey } from '#contract/exchange/credentials.ts'

/** Which side is tried; a run plays the other one. */
export type TestedSide = 'partner' | 'platform'

/** What one side presents. */
export interface Party {
  sender: string
  bearer: string
  /** One or two; the first one signs. */
  keys: SigningKey[]
}

export interface Parties {
  /** What the run presents. */
  ours: Party
  /** What the tried side has to present. */
  theirs: Party
}

export function partiesOf({ sender, bearer, keyId, secret, webhook }: PartnerCredentials, tried: TestedSide): Parties {
  const platform = { sender, bearer, keys: [{ keyId, secret }] }
  return tried === 'partner' ? { ours: platform, theirs: webhook } : { ours: webhook, theirs: platform }
}
