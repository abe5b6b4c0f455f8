// The platforms that may call: whose a credential is, and whose a case is.
import { digestOf, sameDigest } from '#kit/crypto/token.ts'
import { cachedLookup, loader } from '#kit/db/loader.ts'
import { perDatabase } from '#kit/runtime/cache.ts'
import { ownersOf } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import type { Client } from '#partner/exchange/client.ts'

/** A process's cache of platforms. */
interface Platforms {
  /** The platform whose credential this is. */
  holderOf(bearer: string): Client | undefined
  /** The `sender` that owns a case; undefined for an unknown case. */
  ownerOf(caseRef: string): Promise<string | undefined>
}

/** A case never changes its owner: who it is, is asked for together and remembered. */
export const platformsOf = perDatabase(({ db, config }: Pick<Context, 'db' | 'config'>): Platforms => {
  const credentials = config.PARTNER_CLIENTS.map((client) => ({ client, digest: digestOf(client.bearer) }))
  const findOwners = loader(async (caseRefs: string[]) => {
    const owners = new Map((await ownersOf(db, caseRefs)).map(({ caseRef, sender }) => [caseRef, sender]))
    return caseRefs.map((caseRef) => owners.get(caseRef))
  })
  return {
    // Compares with every credential in constant time, so that the time taken does not reveal how close a guess was.
    holderOf(bearer) {
      const given = digestOf(bearer)
      return credentials.filter(({ digest }) => sameDigest(digest, given))[0]?.client
    },
    ownerOf: cachedLookup(findOwners, { name: 'case-owners' }),
  }
})
