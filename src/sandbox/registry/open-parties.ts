// The parties this program plays: their keys are made once, kept sealed, and entered in the directory at every start.
import { randomBytes } from 'node:crypto'
import { encryptionKeysFrom } from '#contract/network/challenge.ts'
import { signingKeysFrom } from '#contract/network/signing.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Db, Tx } from '#kit/db/sql.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Parties, SandboxParty } from '#sandbox/core/context.ts'
import { enterParticipant, keepIdentity, networkDomain, type ParticipantRole } from './store.ts'

export interface RequestedParty {
  subscriberId: string
  url: string
  /** Null for the registry itself: it has keys, but is not a participant. */
  role: ParticipantRole | null
}

export const registryId = 'registry.sandbox.example'

/** Registers every requested party and creates missing keys. Safe for concurrent processes. */
export function openParties(db: Db, seal: Seal, wanted: RequestedParty[], at: Date): Promise<Parties> {
  return db.tx(async (tx) => {
    const parties = new Map<string, SandboxParty>()
    for (const each of wanted) parties.set(each.subscriberId, await openParty(tx, seal, each, at))
    return parties
  })
}

async function openParty(
  tx: Tx,
  seal: Seal,
  { subscriberId, url, role }: RequestedParty,
  at: Date,
): Promise<SandboxParty> {
  const place = `identity/${subscriberId}`
  const fresh = { signing: signingKeysFrom(randomBytes(32)), encryption: encryptionKeysFrom(randomBytes(32)) }
  const kept = await keepIdentity(tx, {
    subscriberId,
    uniqueKeyId: `key-${randomBytes(4).toString('hex')}`,
    keysSealed: seal.json(fresh, place),
    createdAt: at,
  })
  const keys = seal.openJson<typeof fresh>(kept.keysSealed, place)
  if (role !== null)
    await enterParticipant(tx, {
      subscriberId,
      uniqueKeyId: kept.uniqueKeyId,
      type: role,
      domain: networkDomain,
      subscriberUrl: url,
      country: 'IND',
      city: '*',
      signingPublicKey: keys.signing.publicKey,
      encryptionPublicKey: keys.encryption.publicKey,
      // A minute back, so that clocks a little apart agree that the key is valid.
      validFrom: new Date(at.getTime() - 60_000),
      validUntil: daysAfter(at, 365),
      status: 'SUBSCRIBED',
      createdAt: at,
      updatedAt: at,
    })
  return { subscriberId, uniqueKeyId: kept.uniqueKeyId, url, ...keys }
}
