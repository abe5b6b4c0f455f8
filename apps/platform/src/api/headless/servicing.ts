// The borrower's requests after disbursal. The API accepts a request at once, and the lender answers later (D2 §4).

import type { Static, TSchema } from '@lendloom/foundation/schema'
import { type Answer, answer } from '@lendloom/http/server'
import { checkedPaise } from '@lendloom/lending/money'
import { NoBody } from '@lendloom/wire/basic-schemas'
import { MissedEmiPaymentRequest, PrePartPaymentRequest } from '@lendloom/wire/headless/journey'
import { AsyncAcceptance } from '@lendloom/wire/headless/operation'
import { JourneyParams } from '@lendloom/wire/headless/path-parameters'
import type { ServicingRow } from '#platform/lending/servicing/operation.ts'
import {
  type PaymentRequest,
  requestServicing,
  requestStatusRefresh,
} from '#platform/lending/servicing/request-servicing.ts'
import type { ServicingKind } from '#platform/lending/servicing/store.ts'
import { actRoute, lockOwnJourney } from './headless-route.ts'

/** Seconds until the next poll of the operation. */
const pollAfterSeconds = 5

const acceptedAnswer = ({ operationId }: ServicingRow): Answer =>
  answer(
    202,
    { operationID: operationId, status: 'ACCEPTED', pollAfterSeconds },
    { 'retry-after': String(pollAfterSeconds) },
  )

const commonFields = { section: 'D2 §4', params: JourneyParams, data: AsyncAcceptance, statuses: [202] }
const path = '/journeys/{journeyID}/post-disbursal'

const refreshRoute = actRoute({
  ...commonFields,
  method: 'POST',
  path: `${path}/status`,
  operationId: 'requestLoanStatus',
  summary: "Request the loan's status from the lender",
  body: NoBody,
  async act(tx, { who, params, at }, ctx) {
    const journey = await lockOwnJourney(tx, who, params.journeyID)
    return acceptedAnswer(await requestStatusRefresh({ ...ctx, tx, at }, journey))
  },
})

interface PaymentRoute {
  /** The last segment of the path. */
  segment: string
  kind: Exclude<ServicingKind, 'STATUS_REFRESH'>
  operationId: string
  summary: string
}

/** Defines a request for a payment page. The page appears in the journey's `servicing[]` once the lender answers. */
const paymentRoute = <B extends TSchema>(
  { segment, kind, operationId, summary }: PaymentRoute,
  body: B,
  requestOf: (body: Static<B>) => PaymentRequest,
) =>
  actRoute({
    ...commonFields,
    method: 'POST',
    path: `${path}/${segment}`,
    operationId,
    summary,
    body,
    async act(tx, call, ctx) {
      const journey = await lockOwnJourney(tx, call.who, call.params.journeyID)
      return acceptedAnswer(await requestServicing({ ...ctx, tx, at: call.at }, journey, kind, requestOf(call.body)))
    },
  })

export const servicingRoutes = [
  refreshRoute,
  paymentRoute(
    {
      segment: 'foreclosure',
      kind: 'FORECLOSURE',
      operationId: 'requestForeclosure',
      summary: 'Request to repay the whole loan now',
    },
    NoBody,
    () => ({}),
  ),
  paymentRoute(
    {
      segment: 'pre-part-payment',
      kind: 'PRE_PART_PAYMENT',
      operationId: 'requestPartPayment',
      summary: 'Request to repay a part of the loan early',
    },
    PrePartPaymentRequest,
    ({ amount }) => ({ amount: checkedPaise(amount) }),
  ),
  paymentRoute(
    {
      segment: 'missed-emi-payment',
      kind: 'MISSED_EMI_PAYMENT',
      operationId: 'requestMissedPayment',
      summary: 'Request to pay a missed instalment',
    },
    MissedEmiPaymentRequest,
    ({ installmentID }) => (installmentID === undefined ? {} : { installmentId: installmentID }),
  ),
]
