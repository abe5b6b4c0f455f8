// Finds the platform that has a credential or owns a case.

import { perDatabase } from '@lendloom/foundation/cache'
import { cachedLookup, loader } from '@lendloom/postgres/batch-loader'
import { digestOf, sameDigest } from '@lendloom/seal/token'
import type { Context } from '#partner/context.ts'
import type { Client } from '#partner/exchange/clients-setting.ts'
import { ownersOf } from '#partner/origination/case/store.ts'

interface Platforms {
  /** Returns the platform with this credential; undefined for an unknown credential. */
  holderOf(bearer: string): Client | undefined
  /** Returns the `sender` that owns a case; undefined for an unknown case. */
  ownerOf(caseRef: string): Promise<string | undefined>
}

/** Loads owners in batches. Caches them, because the owner of a case never changes. */
export const platformsOf = perDatabase(({ db, config }: Pick<Context, 'db' | 'config'>): Platforms => {
  const credentials = config.PARTNER_CLIENTS.map((client) => ({ client, digest: digestOf(client.bearer) }))
  const findOwners = loader(async (caseRefs: string[]) => {
    const owners = new Map((await ownersOf(db, caseRefs)).map(({ caseRef, sender }) => [caseRef, sender]))
    return caseRefs.map((caseRef) => owners.get(caseRef))
  })
  return {
    // Compares with every credential in constant time, so that timing does not reveal how close a guess was.
    holderOf(bearer) {
      const requestDigest = digestOf(bearer)
      return credentials.filter(({ digest }) => sameDigest(digest, requestDigest))[0]?.client
    },
    ownerOf: cachedLookup(findOwners, { name: 'case-owners' }),
  }
})
