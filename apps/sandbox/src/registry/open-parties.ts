// The parties that this program plays: keys are generated once, stored sealed, and entered in the directory at every start.
import { randomBytes } from 'node:crypto'
import { daysAfter } from '@lendloom/foundation/clock'
import type { Db, Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { encryptionKeysFrom } from '@lendloom/wire/network/challenge'
import { networkDomains } from '@lendloom/wire/network/context'
import { signingKeysFrom } from '@lendloom/wire/network/signing'
import type { Parties, SandboxParty } from '#sandbox/core/context.ts'
import { enterParticipant, type ParticipantRole, storeIdentity } from './store.ts'

export interface RequestedParty {
  subscriberId: string
  url: string
  /** Null for the registry, which has keys but is not a participant. */
  role: ParticipantRole | null
}

export const registryId = 'registry.sandbox.example'

/** Enters every party in the directory and generates missing keys. Safe for concurrent processes. */
export function openParties(db: Db, seal: Seal, requested: RequestedParty[], at: Date): Promise<Parties> {
  return db.tx(async (tx) => {
    const parties = new Map<string, SandboxParty>()
    for (const each of requested) parties.set(each.subscriberId, await openParty(tx, seal, each, at))
    return parties
  })
}

async function openParty(
  tx: Tx,
  seal: Seal,
  { subscriberId, url, role }: RequestedParty,
  at: Date,
): Promise<SandboxParty> {
  const context = `identity/${subscriberId}`
  const newKeys = { signing: signingKeysFrom(randomBytes(32)), encryption: encryptionKeysFrom(randomBytes(32)) }
  const identity = await storeIdentity(tx, {
    subscriberId,
    uniqueKeyId: `key-${randomBytes(4).toString('hex')}`,
    keysSealed: seal.json(newKeys, context),
    createdAt: at,
  })
  const keys = seal.openJson<typeof newKeys>(identity.keysSealed, context)
  if (role === null) return { subscriberId, uniqueKeyId: identity.uniqueKeyId, url, ...keys }
  for (const domain of networkDomains)
    await enterParticipant(tx, {
      subscriberId,
      uniqueKeyId: identity.uniqueKeyId,
      type: role,
      domain,
      subscriberUrl: url,
      country: 'IND',
      city: '*',
      signingPublicKey: keys.signing.publicKey,
      encryptionPublicKey: keys.encryption.publicKey,
      // A minute ago, to allow for clock skew.
      validFrom: new Date(at.getTime() - 60_000),
      validUntil: daysAfter(at, 365),
      status: 'SUBSCRIBED',
      createdAt: at,
      updatedAt: at,
    })
  return { subscriberId, uniqueKeyId: identity.uniqueKeyId, url, ...keys }
}
