// A borrower's journeys: list, creation, detail, state for polling, and resume markers (D2 §4).

import { perDatabase } from '@lendloom/foundation/cache'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { pageOf, pageRequest } from '@lendloom/http/pagination'
import { answer } from '@lendloom/http/server'
import { rupees } from '@lendloom/lending/money'
import { contractOf, type ProductId } from '@lendloom/lending/product/products'
import { englishOf } from '@lendloom/lending/reason/reason'
import { loader } from '@lendloom/postgres/batch-loader'
import type { Db, Tx } from '@lendloom/postgres/sql'
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
} from '@lendloom/wire/headless/journey'
import { JourneyParams } from '@lendloom/wire/headless/path-parameters'
import { LoanState } from '@lendloom/wire/hosted/loan-state'
import { refuseAadhaar } from '@lendloom/wire/hosted/refused-text'
import { readLoanState } from '#platform/api/loan/loan-state.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { requireProduct } from '#platform/integrators/access/api-key.ts'
import { type BorrowerOfApplication, sessionEnded } from '#platform/integrators/access/headless/authentication.ts'
import { type BorrowerDetails, prefillContext } from '#platform/lending/borrower/borrower.ts'
import { lockBorrowerById } from '#platform/lending/borrower/store.ts'
import { openJourney } from '#platform/lending/journey/open-journey.ts'
import {
  findJourney,
  lockActiveBorrowerJourney,
  lockErasedAt,
  touchInSharedCommit,
} from '#platform/lending/journey/store.ts'
import { paymentUrlOf, type ServicingRow } from '#platform/lending/servicing/operation.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'
import { actRoute, lockOwnJourney, readRoute } from './headless-route.ts'
import { journeyWire, overviewOf, resumeWire, stateWire } from './journey-wire.ts'
import { mergeMetadata, metadataIn } from './metadata.ts'
import {
  findJourneyRow,
  findJourneyRows,
  type HeadlessJourneyRow,
  type JourneyLookup,
  listJourneyRows,
  saveNote,
} from './store.ts'

const section = 'D2 §4'
const journeyPath = '/journeys/{journeyID}'

const list = readRoute({
  path: '/journeys',
  section,
  operationId: 'listJourneys',
  summary: 'List the journeys of the borrower, newest first',
  query: JourneyQuery,
  data: JourneyList,
  async read({ who, query }, { db }) {
    const { limit, after } = pageRequest(query)
    const rows = await listJourneyRows(db, who, { type: query.type ?? null, after, limit: limit + 1 })
    return pageOf(rows, limit, journeyWire, ({ journeyId }) => journeyId)
  },
})

const create = actRoute({
  method: 'POST',
  path: '/journeys',
  section: 'D2 §3',
  operationId: 'createJourney',
  summary: 'Create a journey, or return the active one of its type',
  body: JourneyRequest,
  statuses: [200, 201],
  data: JourneyView,
  async act(tx, { who, body, at }, ctx) {
    refuseAadhaar(body)
    const borrower = required(await lockBorrowerById(tx, who.tenantId, who.borrowerId), 'the borrower of a session')
    const active = await lockActiveBorrowerJourney(tx, {
      tenantId: who.tenantId,
      applicationId: who.applicationId,
      borrowerId: who.borrowerId,
      type: body.type,
    })
    if (active) {
      if (body.metadata) await mergeMetadata({ ...ctx, tx, at }, active, body.metadata)
      return journeyWire(await requireJourney(tx, who, active.journeyId))
    }
    requireProduct(who, body.type)
    const journeyId = await openWithPrefill({ ...ctx, tx, at }, who, borrower, body.type)
    if (body.metadata) await mergeMetadata({ ...ctx, tx, at }, { tenantId: who.tenantId, journeyId }, body.metadata)
    return answer(201, journeyWire(await requireJourney(tx, who, journeyId)))
  },
})

/** Opens a journey with the prefill that the app sent when it created the borrower's session. */
function openWithPrefill(
  ctx: TxContext,
  who: BorrowerOfApplication,
  { externalId, prefillSealed }: { externalId: string; prefillSealed: Buffer | null },
  type: ProductId,
): Promise<string> {
  const { tenantId, borrowerId } = who
  // The borrower was erased since the session was read.
  if (!prefillSealed) throw sessionEnded()
  const prefill = ctx.seal.openJson<BorrowerDetails>(prefillSealed, prefillContext(tenantId, borrowerId))
  const person = { ...prefill, gold: contractOf(type).pledgesGold ? {} : null }
  const defaults = { endUse: null, bureauConsent: null, callbackUrl: null, returnUrl: null }
  return openJourney(ctx, who, { externalId, type, person, ...defaults })
}

const detail = readRoute({
  path: journeyPath,
  section,
  operationId: 'getJourney',
  summary: 'Get all details of a journey',
  params: JourneyParams,
  data: JourneyDetail,
  async read({ who, params }, ctx) {
    const row = requireRow(await loadJourney(ctx, { who, journeyId: params.journeyID }))
    const key = { tenantId: who.tenantId, journeyId: row.journeyId }
    const servicing = await listServicing(ctx.db, key)
    return {
      ...journeyWire(row),
      createdAt: row.createdAt.toISOString(),
      pendingOperations: overviewOf(row).pendingOperations,
      metadata: metadataIn(ctx, key, row),
      selectedOfferID: row.offers.find(({ selected }) => selected)?.offerId ?? null,
      endReason: englishOf(row.endReason),
      servicing: servicing.map((operation) => servicingWire(ctx, operation)),
    }
  },
})

const state = readRoute({
  path: `${journeyPath}/state`,
  section: 'D2 §6',
  operationId: 'getJourneyState',
  summary: 'Get the journey’s state, for polling',
  params: JourneyParams,
  data: JourneyState,
  read: async ({ who, params }, ctx) =>
    stateWire(requireRow(await loadJourney(ctx, { who, journeyId: params.journeyID }))),
})

const loan = readRoute({
  path: `${journeyPath}/loan`,
  section,
  operationId: 'getLoan',
  summary: 'Get the state of the loan, as its lender tells it',
  params: JourneyParams,
  data: LoanState,
  async read({ who, params, at }, ctx) {
    const { journeyId } = requireRow(await loadJourney(ctx, { who, journeyId: params.journeyID }))
    const journey = required(await findJourney(ctx.db, who.tenantId, journeyId), 'a journey that was just read')
    return readLoanState(ctx, journey, at)
  },
})

const resume = actRoute({
  method: 'PATCH',
  path: `${journeyPath}/resume`,
  section: 'D2 §2.3',
  operationId: 'saveResumePoint',
  summary: 'Store the point at which the app resumes the journey',
  params: JourneyParams,
  body: ResumeRequest,
  data: ResumeResult,
  async act(tx, { who, params, body, at }) {
    refuseAadhaar(body)
    const journey = await lockOwnJourney(tx, who, params.journeyID)
    if (!journey.active && (await lockErasedAt(tx, journey)) !== null)
      throw new Refusal('wrong-state', 'the data of this application was erased', { status: journey.status })
    const { lastCompletedStep, lastViewedOfferID } = body.resume
    const update = {
      ...(lastCompletedStep !== undefined && { lastCompletedStep }),
      ...(lastViewedOfferID !== undefined && { lastViewedOfferId: lastViewedOfferID }),
    }
    const [note] = await Promise.all([saveNote(tx, journey, update, at), touchInSharedCommit(tx, { ...journey, at })])
    return { journeyID: journey.journeyId, resume: resumeWire(note), updatedAt: at.toISOString() }
  },
})

export const journeyRoutes = [list, create, detail, state, loan, resume]

const requireJourney = async (tx: Tx, who: BorrowerOfApplication, journeyId: string): Promise<HeadlessJourneyRow> =>
  requireRow(await findJourneyRow(tx, who, journeyId))

function requireRow(row: HeadlessJourneyRow | undefined): HeadlessJourneyRow {
  if (!row) throw new Refusal('absent', 'there is no such journey')
  return row
}

const journeyLoader = perDatabase(({ db }: { db: Db }) =>
  loader((lookups: JourneyLookup[]) => findJourneyRows(db, lookups)),
)

/** Finds a journey of the borrower. Look-ups are batched, because many apps poll at the same time. */
const loadJourney = (ctx: { db: Db }, lookup: JourneyLookup): Promise<HeadlessJourneyRow | undefined> =>
  journeyLoader(ctx)(lookup)

/** Converts a servicing request to an item of `servicing[]` in the detail of a journey. */
function servicingWire({ seal }: Context, operation: ServicingRow): WireServicing {
  const { operationId, kind, status, amountPaise, paidPaise, requestedPaise, reason, updatedAt } = operation
  const amount = paidPaise ?? amountPaise ?? requestedPaise
  return {
    operationID: operationId,
    kind,
    status,
    amount: amount === null ? null : rupees(amount),
    redirectURL: status === 'LINK_READY' ? paymentUrlOf(seal, operation) : null,
    reason: englishOf(reason),
    updatedAt: updatedAt.toISOString(),
  }
}
