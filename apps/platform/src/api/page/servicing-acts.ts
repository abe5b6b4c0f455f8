// The borrower's requests to the lender after disbursal, on the hosted page (D2 §4).

import { Closed, OneOf } from '@lendloom/foundation/schema'
import { checkedPaise } from '@lendloom/lending/money'
import {
  EmbedRatingRequest,
  EmbedServicingRequest,
  type ServicingPath,
  servicingPaths,
} from '@lendloom/wire/hosted/embed-servicing'
import { EmbedViewReply } from '@lendloom/wire/hosted/embed-view'
import { route } from '#platform/context.ts'
import { embedSession } from '#platform/integrators/access/embed-session.ts'
import { askExitPrice, requireShownExitPrice } from '#platform/lenders/network/servicing/exit-price.ts'
import { rateLoan } from '#platform/lenders/network/servicing/rating.ts'
import {
  requestPartPayment,
  requestServicing,
  requestStatusRefresh,
} from '#platform/lending/servicing/request-servicing.ts'
import type { ServicingKind } from '#platform/lending/servicing/store.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { runAct } from './run-act.ts'

const kindsByPath: Record<Exclude<ServicingPath, 'status' | 'exit-price'>, Exclude<ServicingKind, 'STATUS_REFRESH'>> = {
  foreclosure: 'FORECLOSURE',
  'pre-part-payment': 'PRE_PART_PAYMENT',
  'missed-emi-payment': 'MISSED_EMI_PAYMENT',
}

export const requestService = route({
  method: 'POST',
  path: '/api/embed/servicing/{kind}',
  section: 'D2 §4',
  summary: "Request a payment page or the loan's status from the lender",
  auth: embedSession,
  hidden: true,
  params: Closed({ kind: OneOf([...servicingPaths]) }),
  body: EmbedServicingRequest,
  reply: { 200: EmbedViewReply },
  handle: ({ who, params, body, at }, ctx) =>
    runAct(ctx, who, { at }, async (tx, journey) => {
      if (params.kind === 'exit-price') {
        const { updatedAt: paidOutAt } = await findStep(tx, journey, 'disbursal')
        return askExitPrice({ ...ctx, tx, at }, journey, paidOutAt)
      }
      if (params.kind === 'status') return requestStatusRefresh({ ...ctx, tx, at }, journey)
      if (params.kind === 'foreclosure') {
        const shown = body.exitPrice == null ? null : checkedPaise(body.exitPrice)
        await requireShownExitPrice({ tx, at }, journey, shown)
      }
      if (params.kind === 'pre-part-payment' && body.amount !== undefined)
        return requestPartPayment({ ...ctx, tx, at }, journey, checkedPaise(body.amount))
      return requestServicing({ ...ctx, tx, at }, journey, kindsByPath[params.kind], {})
    }),
})

export const giveRating = route({
  method: 'POST',
  path: '/api/embed/rating',
  section: 'FIS12 §25',
  summary: 'Rate the loan, once, for the lender',
  auth: embedSession,
  hidden: true,
  body: EmbedRatingRequest,
  reply: { 200: EmbedViewReply },
  handle: ({ who, body, at }, ctx) =>
    runAct(ctx, who, { at, isAllowedAfterEnd: true }, (tx, journey) =>
      rateLoan({ ...ctx, tx, at }, journey, body.value),
    ),
})
