// Finds the journey of a console request. To tenant staff, journeys of other tenants are absent.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { lockErasedAt } from '#platform/lending/journey/store.ts'
import { tenantOf } from '#platform/people/person.ts'
import { findJourneyKey } from './journeys-store.ts'
import type { TimelineKey } from './timeline-store.ts'

export const noSuchJourney = () => new Refusal('absent', 'there is no such journey')

interface JourneyRequest {
  params: { journeyId: string }
  query: { tenantId?: string | undefined }
}

/** Throws `wrong-state` if the data was erased. Locks the journey, so that no erasure runs before what the caller stores. */
export async function requireUnerased(tx: Tx, key: TimelineKey): Promise<void> {
  if (await lockErasedAt(tx, key)) throw new Refusal('wrong-state', 'the personal data of this journey is erased')
}

/** Platform staff may omit the tenant. Throws `absent` for an unknown journey. */
export async function requireJourneyKey(
  { db }: Pick<Context, 'db'>,
  who: ConsolePerson,
  { params, query }: JourneyRequest,
): Promise<TimelineKey> {
  const searchesAllTenants = who.tenantId === null && query.tenantId === undefined
  const key = await findJourneyKey(db, params.journeyId, searchesAllTenants ? null : tenantOf(who, query.tenantId))
  if (!key) throw noSuchJourney()
  return key
}
