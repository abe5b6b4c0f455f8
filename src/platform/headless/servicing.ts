// The borrower's requests after disbursal, accepted at once and answered by the lender later (D2 §4).
import { AsyncAcceptance, JourneyParams, NoBody } from '#contract/headless/fields.ts'
import { MissedEmiPaymentRequest, PrePartPaymentRequest } from '#contract/headless/journey.ts'
import type { Static, TSchema } from '#kit/http/schema.ts'
import { type Answer, answer } from '#kit/http/server.ts'
import { checkedPaise } from '#kit/money/money.ts'
import { type PaymentRequest, requestServicing, requestStatusRefresh } from '#platform/servicing/request.ts'
import type { ServicingKind, ServicingRow } from '#platform/servicing/store.ts'
import { actRoute, lockOwnJourney } from './route.ts'

/** Seconds until the next poll of the operation. */
const pollAfterSeconds = 5

const acceptance = ({ operationId }: ServicingRow): Answer =>
  answer(
    202,
    { operationID: operationId, status: 'ACCEPTED', pollAfterSeconds },
    { 'retry-after': String(pollAfterSeconds) },
  )

const commonFields = { section: 'D2 §4', params: JourneyParams, data: AsyncAcceptance, statuses: [202] }
const path = '/journeys/{journeyID}/post-disbursal'

const refresh = actRoute({
  ...commonFields,
  method: 'POST',
  path: `${path}/status`,
  summary: "Request the loan's status from the lender",
  body: NoBody,
  async act(tx, { who, params, at }, ctx) {
    const journey = await lockOwnJourney(tx, who, params.journeyID)
    return acceptance(await requestStatusRefresh({ ...ctx, tx, at }, journey))
  },
})

interface PaymentKind {
  /** The last segment of the path. */
  name: string
  kind: Exclude<ServicingKind, 'STATUS_REFRESH'>
  summary: string
}

/** A request for a payment page, which appears in the journey's `servicing[]` once the lender has answered. */
const payment = <B extends TSchema>(
  { name, kind, summary }: PaymentKind,
  body: B,
  requestOf: (body: Static<B>) => PaymentRequest,
) =>
  actRoute({
    ...commonFields,
    method: 'POST',
    path: `${path}/${name}`,
    summary,
    body,
    async act(tx, call, ctx) {
      const journey = await lockOwnJourney(tx, call.who, call.params.journeyID)
      return acceptance(await requestServicing({ ...ctx, tx, at: call.at }, journey, kind, requestOf(call.body)))
    },
  })

export const servicingRoutes = [
  refresh,
  payment(
    { name: 'foreclosure', kind: 'FORECLOSURE', summary: 'Request to repay the whole loan now' },
    NoBody,
    () => ({}),
  ),
  payment(
    { name: 'pre-part-payment', kind: 'PRE_PART_PAYMENT', summary: 'Request to repay a part of the loan early' },
    PrePartPaymentRequest,
    ({ amount }) => ({ amount: checkedPaise(amount) }),
  ),
  payment(
    { name: 'missed-emi-payment', kind: 'MISSED_EMI_PAYMENT', summary: 'Request to pay a missed instalment' },
    MissedEmiPaymentRequest,
    ({ installmentID }) => (installmentID === undefined ? {} : { installmentId: installmentID }),
  ),
]
