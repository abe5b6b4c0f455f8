// The console's routes for borrowers' data: what is stored, export, erasure by two people, legal holds, nominees.
import { JourneyParams } from '#contract/console/journeys.ts'
import {
  BorrowerExport,
  BorrowerPrivacy,
  DecisionRequest,
  ErasureParams,
  ErasureQuery,
  Erasures,
  Nominee,
  ReasonRequest,
} from '#contract/console/privacy.ts'
import { OfTenant } from '#contract/console/staff.ts'
import type { Static, TSchema } from '#kit/http/schema.ts'
import { answer } from '#kit/http/server.ts'
import { noSuchJourney } from '#platform/console/journeys/journey-key.ts'
import { findJourneyKey } from '#platform/console/journeys/journeys-store.ts'
import { common, pageById, paged, prefix } from '#platform/console/route.ts'
import { type ConsolePerson, type Context, route, type TxContext } from '#platform/context.ts'
import { findJourney } from '#platform/journey/store.ts'
import {
  decideErasure,
  liftHold,
  noteBorrowerAct,
  placeHold,
  recordNominee,
  requestErasure,
} from '#platform/privacy/act.ts'
import type { BorrowerKey } from '#platform/privacy/erase/store.ts'
import { exportBorrower } from '#platform/privacy/export.ts'
import { listErasures } from '#platform/privacy/store.ts'
import { platformStaffOnly } from '#platform/staff/session.ts'
import { erasuresWire, privacyOf } from './privacy-view.ts'

const officers = platformStaffOnly('grievance-officer', 'admin')
const journeyPath = `${prefix}/journeys/{journeyId}/privacy`

interface JourneyCall {
  params: { journeyId: string }
  query: { tenantId?: string | undefined }
}

/** The borrower of a journey. Throws `absent` for an unknown journey. */
async function requireBorrower({ db }: Pick<Context, 'db'>, { params, query }: JourneyCall): Promise<BorrowerKey> {
  const key = await findJourneyKey(db, params.journeyId, query.tenantId ?? null)
  const journey = key && (await findJourney(db, key.tenantId, key.journeyId))
  if (!journey) throw noSuchJourney()
  return { tenantId: journey.tenantId, borrowerId: journey.borrowerId }
}

const show = route({
  ...{ ...common, auth: officers, method: 'GET', path: journeyPath },
  summary: 'What is stored of a borrower, and what may be erased',
  params: JourneyParams,
  query: OfTenant,
  reply: { 200: BorrowerPrivacy },
  handle: async (call, ctx) => privacyOf(ctx, call.who, await requireBorrower(ctx, call), call.at),
})

const exportRoute = route({
  ...{ ...common, auth: officers, method: 'POST', path: `${journeyPath}/export` },
  summary: "Export a borrower's data; needs a reason",
  params: JourneyParams,
  query: OfTenant,
  body: ReasonRequest,
  reply: { 200: BorrowerExport },
  async handle(call, ctx) {
    const { who, body, at } = call
    const key = await requireBorrower(ctx, call)
    const exported = await ctx.db.snapshot((db) => exportBorrower({ ...ctx, db }, key, at))
    const entry = { act: 'DATA_EXPORTED', detail: { reason: body.reason.trim() } }
    await ctx.db.tx((tx) => noteBorrowerAct({ tx, at }, who, key, entry))
    return exported
  },
})

interface BorrowerAct<B extends TSchema> {
  part: string
  summary: string
  body: B
  run(ctx: TxContext, who: ConsolePerson, key: BorrowerKey, body: Static<B>): Promise<void>
}

/** Defines a route for an act on the borrower of a journey. It returns what is stored afterwards. */
const borrowerAct = <B extends TSchema>({ part, summary, body, run }: BorrowerAct<B>) =>
  route({
    ...{ ...common, auth: officers, method: 'POST', path: `${journeyPath}/${part}`, summary, body },
    params: JourneyParams,
    query: OfTenant,
    reply: { 200: BorrowerPrivacy },
    async handle(call, ctx) {
      const { who, at } = call
      const key = await requireBorrower(ctx, call)
      await ctx.db.tx((tx) => run({ ...ctx, tx, at }, who, key, call.body))
      return privacyOf(ctx, who, key, at)
    },
  })

const request = borrowerAct({
  ...{
    part: 'erasure',
    summary: "Record a borrower's request for erasure; another person decides",
    body: ReasonRequest,
  },
  run: (ctx, who, key, { reason }) => requestErasure(ctx, who, key, reason.trim()),
})

const hold = borrowerAct({
  ...{ part: 'hold', summary: 'Place a legal hold, so that nothing is erased', body: ReasonRequest },
  run: (ctx, who, key, { reason }) => placeHold(ctx, who, key, reason.trim()),
})

const release = borrowerAct({
  ...{ part: 'release', summary: 'Release the legal hold', body: ReasonRequest },
  run: (ctx, who, key, { reason }) => liftHold(ctx, who, key, reason.trim()),
})

const nominee = borrowerAct({
  ...{ part: 'nominee', summary: "Record the borrower's nominee", body: Nominee },
  run: (ctx, who, key, body) => recordNominee(ctx, who, key, body),
})

const list = route({
  ...{ ...common, auth: officers, method: 'GET', path: `${prefix}/privacy/erasures` },
  summary: 'Requests for erasure, newest first',
  query: ErasureQuery,
  reply: { 200: Erasures },
  async handle({ who, query }, ctx) {
    const page = pageById(query)
    const filter = { tenantId: query.tenantId ?? null, state: query.state ?? null }
    const rows = await listErasures(ctx.db, { ...filter, ...page, limit: page.limit + 1 })
    const items = await erasuresWire(ctx, who, rows)
    return paged(items, page, { item: (item) => item, cursor: ({ erasureId }) => erasureId })
  },
})

const decide = route({
  ...{ ...common, auth: officers, method: 'POST', path: `${prefix}/privacy/erasures/{erasureId}/decision` },
  summary: 'Approve or refuse a request for erasure that another person recorded',
  params: ErasureParams,
  body: DecisionRequest,
  async handle({ who, params, body, at }, ctx) {
    await ctx.db.tx((tx) => decideErasure({ ...ctx, tx, at }, who, params.erasureId, body.approve))
    return answer(204, null)
  },
})

export const privacyRoutes = [show, exportRoute, request, hold, release, nominee, list, decide]
