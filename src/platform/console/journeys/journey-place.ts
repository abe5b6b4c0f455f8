// Which journey a call of the console is about: people of a tenant have their own tenant's, any other looks absent.
import { Refusal } from '#kit/http/refusal.ts'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { tenantOf } from '#platform/staff/person.ts'
import { findPlace } from './journeys-store.ts'
import type { TimelineKey } from './timeline-store.ts'

export const noSuchJourney = () => new Refusal('absent', 'there is no such journey')

interface JourneyRequest {
  params: { journeyId: string }
  query: { tenantId?: string | undefined }
}

/** People of the platform may leave the tenant out. Refused as `absent`. */
export async function journeyPlace(
  { db }: Pick<Context, 'db'>,
  who: ConsolePerson,
  { params, query }: JourneyRequest,
): Promise<TimelineKey> {
  const isAnybodys = who.tenantId === null && query.tenantId === undefined
  const place = await findPlace(db, params.journeyId, isAnybodys ? null : tenantOf(who, query.tenantId))
  if (!place) throw noSuchJourney()
  return place
}
