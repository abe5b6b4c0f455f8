// The borrower's acts about drawdowns from a credit line, on the hosted page (FIS12 §27.5).

import { checkedPaise } from '@lendloom/lending/money'
import { NoBody } from '@lendloom/wire/basic-schemas'
import { DrawdownParams } from '@lendloom/wire/hosted/drawdown'
import { EmbedDrawdownAgreement, EmbedDrawdownRequest } from '@lendloom/wire/hosted/embed-requests'
import { EmbedViewReply } from '@lendloom/wire/hosted/embed-view'
import { route } from '#platform/context.ts'
import { embedSession } from '#platform/integrators/access/embed-session.ts'
import { agreeToDrawdown, cancelDrawdown, requestDrawdown } from '#platform/lending/drawdown/request-drawdown.ts'
import { hostedOrigin, runAct } from './run-act.ts'

const commonFields = {
  section: 'FIS12 §27.5',
  auth: embedSession,
  hidden: true,
  reply: { 200: EmbedViewReply },
} as const

const requestRoute = route({
  ...commonFields,
  method: 'POST',
  path: '/api/embed/drawdowns',
  summary: 'Ask the lender for the terms of a drawdown',
  body: EmbedDrawdownRequest,
  handle: ({ who, body, at }, ctx) =>
    runAct(ctx, who, { at }, (tx, journey) => requestDrawdown({ ...ctx, tx, at }, journey, checkedPaise(body.amount))),
})

const agreeRoute = route({
  ...commonFields,
  method: 'POST',
  path: '/api/embed/drawdowns/{drawdownId}/agree',
  summary: 'Agree to the terms of a drawdown, so that the lender pays out',
  params: DrawdownParams,
  body: EmbedDrawdownAgreement,
  handle: ({ who, params, body, ip, at }, ctx) =>
    runAct(ctx, who, { at }, (tx, journey) =>
      agreeToDrawdown({ ...ctx, tx, at }, journey, {
        drawdownId: params.drawdownId,
        quote: body.quote,
        consents: body.consents,
        origin: hostedOrigin(ip),
      }),
    ),
})

const cancelRoute = route({
  ...commonFields,
  method: 'POST',
  path: '/api/embed/drawdowns/{drawdownId}/cancel',
  summary: 'Leave a drawdown to which the borrower has not agreed',
  params: DrawdownParams,
  body: NoBody,
  handle: ({ who, params, at }, ctx) =>
    runAct(ctx, who, { at }, (tx, journey) => cancelDrawdown({ ...ctx, tx, at }, journey, params.drawdownId)),
})

export const drawdownRoutes = [requestRoute, agreeRoute, cancelRoute]
