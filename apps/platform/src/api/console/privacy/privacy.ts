// The console's routes for borrowers' data: what is stored, export, erasure by two people, legal holds, nominees.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Static, TSchema } from '@lendloom/foundation/schema'
import { answer } from '@lendloom/http/server'
import { JourneyParams } from '@lendloom/wire/console/journeys'
import {
  BorrowerExport,
  BorrowerParams,
  BorrowerPrivacy,
  BorrowerQuery,
  DecisionRequest,
  ErasureParams,
  ErasureQuery,
  Erasures,
  FoundBorrowers,
  Nominee,
  ReasonRequest,
} from '@lendloom/wire/console/privacy'
import { OfTenant } from '@lendloom/wire/console/staff'
import { tenDigits } from '@lendloom/wire/identifier'
import { consoleCall, consolePrefix, pageById, pageOfRows } from '#platform/api/console/console-route.ts'
import { noSuchJourney } from '#platform/api/console/journeys/journey-key.ts'
import { findJourneyKey } from '#platform/api/console/journeys/journeys-store.ts'
import { type ConsolePerson, type Context, route, type TxContext } from '#platform/context.ts'
import { mobileDigest } from '#platform/lending/borrower/digests.ts'
import { findJourney } from '#platform/lending/journey/store.ts'
import { platformStaffOnly } from '#platform/people/console-authentication.ts'
import { archiveApprovals } from '#platform/records/privacy/archived-approvals.ts'
import type { BorrowerKey } from '#platform/records/privacy/erase/store.ts'
import { exportBorrower } from '#platform/records/privacy/export-borrower.ts'
import { findBorrowerKey, findBorrowers } from '#platform/records/privacy/identity-store.ts'
import {
  decideErasure,
  liftHold,
  noteBorrowerAct,
  placeHold,
  recordNominee,
  requestErasure,
} from '#platform/records/privacy/officer-acts.ts'
import { listErasures } from '#platform/records/privacy/store.ts'
import { erasuresWire, privacyOf } from './privacy-view.ts'

const officers = platformStaffOnly('grievance-officer', 'admin')

/** Where the console asks about a borrower: by a journey, or by the borrower, who may have no journey. */
interface BorrowerPlace<P extends TSchema> {
  path: string
  params: P
  findKey(db: Context['db'], params: Static<P>, tenantId: string | null): Promise<BorrowerKey>
}

const byJourney: BorrowerPlace<typeof JourneyParams> = {
  path: `${consolePrefix}/journeys/{journeyId}/privacy`,
  params: JourneyParams,
  async findKey(db, { journeyId }, tenantId) {
    const key = await findJourneyKey(db, journeyId, tenantId)
    const journey = key && (await findJourney(db, key.tenantId, key.journeyId))
    if (!journey) throw noSuchJourney()
    return { tenantId: journey.tenantId, borrowerId: journey.borrowerId }
  },
}

const byBorrower: BorrowerPlace<typeof BorrowerParams> = {
  path: `${consolePrefix}/borrowers/{borrowerId}/privacy`,
  params: BorrowerParams,
  async findKey(db, { borrowerId }, tenantId) {
    const key = await findBorrowerKey(db, borrowerId, tenantId)
    if (!key) throw new Refusal('absent', 'there is no such borrower')
    return key
  },
}

const routesAt = <P extends TSchema>(place: BorrowerPlace<P>) => [
  showRoute(place),
  exportRoute(place),
  borrowerAct(place, {
    part: 'erasure',
    summary: "Record a borrower's request for erasure; another person decides",
    body: ReasonRequest,
    run: (ctx, who, key, { reason }) => requestErasure(ctx, who, key, reason.trim()),
  }),
  borrowerAct(place, {
    part: 'hold',
    summary: 'Place a legal hold, so that nothing is erased',
    body: ReasonRequest,
    run: (ctx, who, key, { reason }) => placeHold(ctx, who, key, reason.trim()),
  }),
  borrowerAct(place, {
    part: 'release',
    summary: 'Release the legal hold',
    body: ReasonRequest,
    run: (ctx, who, key, { reason }) => liftHold(ctx, who, key, reason.trim()),
  }),
  borrowerAct(place, {
    part: 'nominee',
    summary: "Record the borrower's nominee",
    body: Nominee,
    run: (ctx, who, key, body) => recordNominee(ctx, who, key, body),
  }),
]

const showRoute = <P extends TSchema>({ path, params, findKey }: BorrowerPlace<P>) =>
  route({
    ...consoleCall,
    auth: officers,
    method: 'GET',
    path,
    summary: 'What is stored of a borrower, and what may be erased',
    params,
    query: OfTenant,
    reply: { 200: BorrowerPrivacy },
    async handle({ who, params, query, at }, ctx) {
      return privacyOf(ctx, who, await findKey(ctx.db, params, query.tenantId ?? null), at)
    },
  })

const exportRoute = <P extends TSchema>({ path, params, findKey }: BorrowerPlace<P>) =>
  route({
    ...consoleCall,
    auth: officers,
    method: 'POST',
    path: `${path}/export`,
    summary: "Export a borrower's data; needs a reason",
    params,
    query: OfTenant,
    body: ReasonRequest,
    reply: { 200: BorrowerExport },
    async handle({ who, params, query, body, at }, ctx) {
      const key = await findKey(ctx.db, params, query.tenantId ?? null)
      const exported = await ctx.db.snapshot((db) => exportBorrower({ ...ctx, db }, key, at))
      const entry = { act: 'DATA_EXPORTED', reason: body.reason }
      await ctx.db.tx((tx) => noteBorrowerAct({ ...ctx, tx, at }, who, key, entry))
      return exported
    },
  })

interface BorrowerAct<B extends TSchema> {
  part: string
  summary: string
  body: B
  run(ctx: TxContext, who: ConsolePerson, key: BorrowerKey, body: Static<B>): Promise<void>
}

/** Defines a route for an act on a borrower. It returns what is stored afterwards. */
const borrowerAct = <P extends TSchema, B extends TSchema>(
  { path, params, findKey }: BorrowerPlace<P>,
  { part, summary, body, run }: BorrowerAct<B>,
) =>
  route({
    ...consoleCall,
    auth: officers,
    method: 'POST',
    path: `${path}/${part}`,
    summary,
    body,
    params,
    query: OfTenant,
    reply: { 200: BorrowerPrivacy },
    async handle({ who, params, query, body, at }, ctx) {
      const key = await findKey(ctx.db, params, query.tenantId ?? null)
      await ctx.db.tx((tx) => run({ ...ctx, tx, at }, who, key, body))
      return privacyOf(ctx, who, key, at)
    },
  })

const find = route({
  ...consoleCall,
  auth: officers,
  method: 'GET',
  path: `${consolePrefix}/privacy/borrowers`,
  summary: "Find borrowers by the app's identifier, our identifier, the mobile number or a journey",
  query: BorrowerQuery,
  reply: { 200: FoundBorrowers },
  async handle({ query }, ctx) {
    const identifier = query.q.trim()
    const found = await findBorrowers(ctx.db, {
      tenantId: query.tenantId ?? null,
      identifier,
      mobileDigest: mobileDigest(ctx, tenDigits(identifier)),
    })
    return { items: found.map(({ createdAt, ...each }) => ({ ...each, createdAt: createdAt.toISOString() })) }
  },
})

const list = route({
  ...consoleCall,
  auth: officers,
  method: 'GET',
  path: `${consolePrefix}/privacy/erasures`,
  summary: 'Requests for erasure, newest first',
  query: ErasureQuery,
  reply: { 200: Erasures },
  async handle({ who, query }, ctx) {
    const page = pageById(query)
    const filter = { tenantId: query.tenantId ?? null, state: query.state ?? null }
    const rows = await listErasures(ctx.db, { ...filter, ...page, limit: page.limit + 1 })
    const items = await erasuresWire(ctx, who, rows)
    return pageOfRows(items, page, { item: (item) => item, cursor: ({ erasureId }) => erasureId })
  },
})

const decide = route({
  ...consoleCall,
  auth: officers,
  method: 'POST',
  path: `${consolePrefix}/privacy/erasures/{erasureId}/decision`,
  summary: 'Approve or refuse a request for erasure that another person recorded',
  params: ErasureParams,
  body: DecisionRequest,
  async handle({ who, params, body, at }, ctx) {
    await ctx.db.tx((tx) => decideErasure({ ...ctx, tx, at }, who, params.erasureId, body.approve))
    await archiveApprovals(ctx, at).catch((error) =>
      ctx.log.error({ err: error }, 'an erasure could not be recorded in the archive; the next sweep tries again'),
    )
    return answer(204, null)
  },
})

export const privacyRoutes = [...routesAt(byJourney), ...routesAt(byBorrower), find, list, decide]
