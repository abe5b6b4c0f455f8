// The borrower's requests to the lender after disbursal, on the hosted page (D2 §4).

import { EmbedViewReply } from '#contract/hosted/embed.ts'
import { EmbedServicingRequest, type ServicingPath, servicingPaths } from '#contract/hosted/embed-servicing.ts'
import { Closed, OneOf } from '#kit/http/schema.ts'
import { checkedPaise } from '#kit/money/money.ts'
import { embedSession } from '#platform/access/embed-session.ts'
import { route } from '#platform/context.ts'
import { requestServicing, requestStatusRefresh } from '#platform/servicing/request.ts'
import type { ServicingKind } from '#platform/servicing/store.ts'
import { runAct } from './act.ts'

const kindsByPath: Record<Exclude<ServicingPath, 'status'>, Exclude<ServicingKind, 'STATUS_REFRESH'>> = {
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
      if (params.kind === 'status') return requestStatusRefresh({ ...ctx, tx, at }, journey)
      const amount = body.amount === undefined ? {} : { amount: checkedPaise(body.amount) }
      return requestServicing({ ...ctx, tx, at }, journey, kindsByPath[params.kind], amount)
    }),
})
