// The platforms that may call: whose a credential is, how often each has called, and whose a case is.
import { digestOf, sameDigest } from '#kit/crypto/secret.ts'
import { loader, remembering } from '#kit/db/loader.ts'
import type { Db } from '#kit/db/sql.ts'
import { Buckets } from '#kit/http/token-bucket.ts'
import { ownersOf } from '#partner/case/store.ts'
import type { Client } from '#partner/exchange/client.ts'

/** What one process knows of the platforms. */
export interface Platforms {
  /** The platform whose credential this is. */
  holderOf(bearer: string): Client | undefined
  /** How often each has called. */
  requests: Buckets
  /** The `sender` that a case belongs to; undefined when there is no such case. */
  ownerOf(caseRef: string): Promise<string | undefined>
}

/** Made once in a program. A case never changes its owner: who it is, is asked for together and remembered. */
export function platformsOf(db: Db, clients: Client[]): Platforms {
  const credentials = clients.map((client) => ({ client, digest: digestOf(client.bearer) }))
  const findOwners = loader(async (caseRefs: string[]) => {
    const owners = new Map((await ownersOf(db, caseRefs)).map(({ caseRef, sender }) => [caseRef, sender]))
    return caseRefs.map((caseRef) => owners.get(caseRef))
  })
  return {
    // Every credential is compared, each in constant time: how long it takes says nothing about how near a guess was.
    holderOf(bearer) {
      const given = digestOf(bearer)
      return credentials.filter(({ digest }) => sameDigest(digest, given))[0]?.client
    },
    requests: new Buckets(),
    ownerOf: remembering(findOwners, { name: 'case-owners' }),
  }
}
