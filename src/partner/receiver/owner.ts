// Each case is authorized to the platform it belongs to (D3 §5): another one's events about it are refused at the API.
import { loader, remembering } from '#kit/db/loader.ts'
import type { Db } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { ownersOf } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import type { Client } from '#partner/exchange/client.ts'

type FindOwner = (caseRef: string) => Promise<string | undefined>

const finders = new WeakMap<Db, FindOwner>()

/**
 * Refused as `forbidden` when the case belongs to somebody else; one that does not exist yet belongs to nobody. Where only
 * one platform may call, nobody else's case is asked about, and whoever applies an event asks again in any case.
 */
export async function requireOwner(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { sender }: Client,
  caseRef: string,
): Promise<void> {
  if (config.PARTNER_CLIENTS.length === 1) return
  const owner = await ownerIn(db)(caseRef)
  if (owner !== undefined && owner !== sender) throw new Refusal('forbidden', 'this case belongs to another platform')
}

/** On the way of every event: asked for together, and remembered, for a case never changes its owner. */
function ownerIn(db: Db): FindOwner {
  const known = finders.get(db)
  if (known) return known
  const find = remembering(
    loader(async (caseRefs: string[]) => {
      const owners = new Map((await ownersOf(db, caseRefs)).map(({ caseRef, sender }) => [caseRef, sender]))
      return caseRefs.map((caseRef) => owners.get(caseRef))
    }),
    { name: 'case-owners' },
  )
  finders.set(db, find)
  return find
}
