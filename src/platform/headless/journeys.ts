// Journeys of a borrower: the list, a new one, one in full, its state for polling, and where the app left off (D2 §4).

import { JourneyParams } from '#contract/headless/fields.ts'
import {
  JourneyDetail,
  JourneyList,
  JourneyQuery,
  JourneyRequest,
  JourneyState,
  JourneyView,
  ResumeRequest,
  ResumeResult,
  type ServicingView as WireServicing,
} from '#contract/headless/journey.ts'
import { refuseAadhaar } from '#contract/hosted/profile.ts'
import { contractOf, type ProductId } from '#contract/product/products.ts'
import { englishOf } from '#contract/reason/reason.ts'
import { loader } from '#kit/db/loader.ts'
import type { Db, Tx } from '#kit/db/sql.ts'
import { pageOf, pageRequest } from '#kit/http/page.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { answer } from '#kit/http/server.ts'
import { rupees } from '#kit/money/money.ts'
import { perDatabase } from '#kit/runtime/cache.ts'
import { required } from '#kit/runtime/record.ts'
import { needProduct } from '#platform/access/api-key.ts'
import type { BorrowerOfApplication } from '#platform/access/headless/caller.ts'
import { type BorrowerDetails, prefillContext } from '#platform/borrower/borrower.ts'
import { lockById } from '#platform/borrower/store.ts'
import type { TxContext } from '#platform/context.ts'
import { lockActive, updateJourney } from '#platform/journey/store.ts'
import { openJourney } from '#platform/profile/open-journey.ts'
import { listServicing, type ServicingRow } from '#platform/servicing/store.ts'
import { journeyWire, resumeWire, stateWire, statusIn } from './journey-wire.ts'
import { metadataIn, noteMetadata } from './metadata.ts'
import { acting, journeyOf, reading } from './route.ts'
import {
  findJourneyRow,
  findJourneyRows,
  type HeadlessJourneyRow,
  type JourneyLookup,
  keepNote,
  listJourneyRows,
} from './store.ts'

const section = 'D2 §4'
const one = '/journeys/{journeyID}'

const list = reading({
  path: '/journeys',
  section,
  summary: 'List the journeys of the borrower, newest first',
  query: JourneyQuery,
  data: JourneyList,
  async read({ who, query }, { db }) {
    const { limit, after } = pageRequest(query)
    const rows = await listJourneyRows(db, who, { type: query.type ?? null, after, limit: limit + 1 })
    return pageOf(rows, limit, journeyWire, ({ journeyId }) => journeyId)
  },
})

const create = acting({
  method: 'POST',
  path: '/journeys',
  section: 'D2 §3',
  summary: 'Begin a journey, or get the active one of its type',
  body: JourneyRequest,
  statuses: [200, 201],
  data: JourneyView,
  async act(tx, { who, body, at }, ctx) {
    refuseAadhaar(body)
    const borrower = required(await lockById(tx, who.tenantId, who.borrowerId), 'the borrower of a session')
    const active = await lockActive(tx, {
      tenantId: who.tenantId,
      applicationId: who.applicationId,
      borrowerId: who.borrowerId,
      type: body.type,
    })
    if (active) {
      if (body.metadata) await noteMetadata({ ...ctx, tx, at }, active, body.metadata)
      return journeyWire(await seen(tx, who, active.journeyId))
    }
    needProduct(who, body.type)
    const journeyId = await open({ ...ctx, tx, at }, who, borrower, body.type)
    if (body.metadata) await noteMetadata({ ...ctx, tx, at }, { tenantId: who.tenantId, journeyId }, body.metadata)
    return answer(201, journeyWire(await seen(tx, who, journeyId)))
  },
})

/** With the prefill of the session. */
function open(
  ctx: TxContext,
  who: BorrowerOfApplication,
  { externalId, prefillSealed }: { externalId: string; prefillSealed: Buffer | null },
  type: ProductId,
): Promise<string> {
  const { tenantId, borrowerId } = who
  if (!prefillSealed) throw new Error(`borrower ${borrowerId} has a session and no prefill`)
  const prefill = ctx.seal.openJson<BorrowerDetails>(prefillSealed, prefillContext(tenantId, borrowerId))
  const person = { ...prefill, gold: contractOf(type).pledgesGold ? {} : null }
  const defaults = { endUse: null, bureauConsent: null, callbackUrl: null, returnUrl: null }
  return openJourney(ctx, who, { externalId, type, person, ...defaults })
}

const detail = reading({
  path: one,
  section,
  summary: 'One journey in full',
  params: JourneyParams,
  data: JourneyDetail,
  async read({ who, params }, ctx) {
    const row = known(await seeJourney(ctx, { who, journeyId: params.journeyID }))
    const of = { tenantId: who.tenantId, journeyId: row.journeyId }
    const servicing = await listServicing(ctx.db, of)
    return {
      ...journeyWire(row),
      createdAt: row.createdAt.toISOString(),
      pendingOperations: statusIn(row).pendingOperations,
      metadata: metadataIn(ctx, of, row),
      selectedOfferID: row.offers.find(({ selected }) => selected)?.offerId ?? null,
      endReason: englishOf(row.endReason),
      servicing: servicing.map(servicingWire),
    }
  },
})

const state = reading({
  path: `${one}/state`,
  section: 'D2 §6',
  summary: 'How the journey stands, for polling',
  params: JourneyParams,
  data: JourneyState,
  read: async ({ who, params }, ctx) => stateWire(known(await seeJourney(ctx, { who, journeyId: params.journeyID }))),
})

const resume = acting({
  method: 'PATCH',
  path: `${one}/resume`,
  section: 'D2 §2.3',
  summary: 'Keep where the app left off',
  params: JourneyParams,
  body: ResumeRequest,
  data: ResumeResult,
  async act(tx, { who, params, body, at }) {
    refuseAadhaar(body)
    const journey = await journeyOf(tx, who, params.journeyID)
    const { lastCompletedStep, lastViewedOfferID } = body.resume
    const note = {
      ...(lastCompletedStep !== undefined && { lastCompletedStep }),
      ...(lastViewedOfferID !== undefined && { lastViewedOfferId: lastViewedOfferID }),
    }
    const [kept] = await Promise.all([keepNote(tx, journey, note, at), updateJourney(tx, journey, {}, at)])
    return { journeyID: journey.journeyId, resume: resumeWire(kept), updatedAt: at.toISOString() }
  },
})

export const journeyRoutes = [list, create, detail, state, resume]

const seen = async (tx: Tx, who: BorrowerOfApplication, journeyId: string): Promise<HeadlessJourneyRow> =>
  known(await findJourneyRow(tx, who, journeyId))

function known(row: HeadlessJourneyRow | undefined): HeadlessJourneyRow {
  if (!row) throw new Refusal('absent', 'there is no such journey')
  return row
}

const journeyLoader = perDatabase(({ db }: { db: Db }) =>
  loader((lookups: JourneyLookup[]) => findJourneyRows(db, lookups)),
)

/** One journey of a borrower; undefined for another borrower's. Many apps poll at once, so the look-ups are batched. */
const seeJourney = (ctx: { db: Db }, lookup: JourneyLookup): Promise<HeadlessJourneyRow | undefined> =>
  journeyLoader(ctx)(lookup)

/** The requests to the lender after disbursal, as the journey's `servicing[]` shows it. */
const servicingWire = ({
  operationId,
  kind,
  status,
  amountPaise,
  paidPaise,
  requestedPaise,
  url,
  reason,
  updatedAt,
}: ServicingRow): WireServicing => {
  const amount = paidPaise ?? amountPaise ?? requestedPaise
  return {
    operationID: operationId,
    kind,
    status,
    amount: amount === null ? null : rupees(amount),
    redirectURL: status === 'LINK_READY' ? url : null,
    reason: englishOf(reason),
    updatedAt: updatedAt.toISOString(),
  }
}
