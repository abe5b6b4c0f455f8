// What the console shows of a borrower's data and of requests for erasure.
import type { BorrowerPrivacy, Erasure } from '@lendloom/wire/console/privacy'
import { namesOf } from '#platform/api/console/people/staff-names.ts'
import { listIdentities } from '#platform/api/console/people/staff-store.ts'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { personIdOf, platformTenant } from '#platform/people/person.ts'
import { listJourneysOf } from '#platform/records/privacy/borrower-journeys.ts'
import type { BorrowerKey } from '#platform/records/privacy/erase/store.ts'
import { findIdentity } from '#platform/records/privacy/identity-store.ts'
import { erasureObstacle } from '#platform/records/privacy/retention-period.ts'
import {
  type ErasureRow,
  erasureContext,
  findHold,
  findNominee,
  type HoldRow,
  holdContext,
  listErasuresOf,
  listNewestJourneys,
} from '#platform/records/privacy/store.ts'

type ViewContext = Pick<Context, 'db' | 'seal'>

export async function privacyOf(
  ctx: ViewContext,
  who: ConsolePerson,
  key: BorrowerKey,
  at: Date,
): Promise<BorrowerPrivacy> {
  const { db } = ctx
  const [identity, journeys, hold, nominee, erasures] = await Promise.all([
    findIdentity(db, key),
    listJourneysOf(db, key),
    findHold(db, key),
    findNominee(db, key),
    listErasuresOf(db, key),
  ])
  return {
    ...key,
    journeys: journeys.map((journey) => ({
      journeyId: journey.journeyId,
      product: journey.type,
      status: journey.status,
      createdAt: journey.createdAt.toISOString(),
      erasedAt: journey.erasedAt?.toISOString() ?? null,
      obstacle: journey.erasedAt ? null : erasureObstacle(journey, at, true),
    })),
    isIdentified: identity !== undefined,
    hold: hold ? await holdWire(ctx, hold) : null,
    nominee: nominee ? { namedAt: nominee.namedAt.toISOString() } : null,
    erasures: await erasuresWire(ctx, who, erasures),
  }
}

async function holdWire(ctx: ViewContext, hold: HoldRow): Promise<BorrowerPrivacy['hold']> {
  const names = await namesIn(ctx, [hold.placedBy])
  const reason = ctx.seal.open(hold.reasonSealed, holdContext(hold)).toString()
  return { reason, placedBy: nameIn(names, hold.placedBy), placedAt: hold.placedAt.toISOString() }
}

/** The requests with the names of people, each with the newest journey of its borrower. */
export async function erasuresWire(ctx: ViewContext, who: ConsolePerson, rows: ErasureRow[]): Promise<Erasure[]> {
  const names = await namesIn(
    ctx,
    rows.flatMap(({ requestedBy, decidedBy }) => [requestedBy, decidedBy]),
  )
  const journeys = await listNewestJourneys(ctx.db, rows)
  return rows.map((row) => ({
    erasureId: row.erasureId,
    tenantId: row.tenantId,
    borrowerId: row.borrowerId,
    state: row.state,
    journeyId: journeys.get(row.borrowerId) ?? null,
    reason: ctx.seal.open(row.reasonSealed, erasureContext(row)).toString(),
    requestedBy: nameIn(names, row.requestedBy),
    requestedAt: row.requestedAt.toISOString(),
    decidedBy: nameIn(names, row.decidedBy),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    doneAt: row.doneAt?.toISOString() ?? null,
    mayDecide: row.state === 'WAITING' && row.requestedBy !== personIdOf(who),
  }))
}

async function namesIn({ db, seal }: ViewContext, ids: (string | null)[]): Promise<Map<string, string>> {
  const personIds = ids.flatMap((id) => id ?? [])
  return personIds.length === 0 ? new Map() : namesOf(seal, await listIdentities(db, platformTenant, personIds))
}

const nameIn = (names: Map<string, string>, personId: string | null): string | null =>
  personId === null ? null : (names.get(personId) ?? null)
