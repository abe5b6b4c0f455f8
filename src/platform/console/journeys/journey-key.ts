// Finds the journey of a console request. To tenant staff, journeys of other tenants are absent.
import { Refusal } from '#kit/http/refusal.ts'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { tenantOf } from '#platform/staff/person.ts'
import { findJourneyKey } from './journeys-store.ts'
import type { TimelineKey } from './timeline-store.ts'

export const noSuchJourney = () => new Refusal('absent', 'there is no such journey')

interface JourneyRequest {
  params: { journeyId: string }
  query: { tenantId?: string | undefined }
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
