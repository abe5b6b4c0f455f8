// POST /ondc/on_issue and /on_issue_status, and the page with a borrower's text for lenders (FIS12 §20).

import { fieldsOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { Closed, fits, Type } from '@lendloom/foundation/schema'
import { answer, anyone } from '@lendloom/http/server'
import { ack, dialectIn, NetworkError } from '@lendloom/wire/network/context'
import { type IgmCallback, igmCallbacks } from '@lendloom/wire/network/igm/actions'
import { igmBodyFaults } from '@lendloom/wire/network/igm/codec'
import { receiveLenderAnswer } from '#platform/complaints/grievance/receive-lender-answer.ts'
import { openTextLink, textOf } from '#platform/complaints/grievance/send-issue.ts'
import { findGrievance } from '#platform/complaints/grievance/store.ts'
import { route } from '#platform/context.ts'
import { acceptedDialect } from '#platform/lenders/network/dialect.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import {
  evidenceHeaders,
  lenderAuth,
  receiveSigned,
  type VerifiedCallback,
  validateCallback,
} from './verified-callback.ts'

export const onGrievances = igmCallbacks.map((action) =>
  route({
    method: 'POST',
    path: `/ondc/${action}`,
    section: 'FIS12 §20',
    summary: `Receives a lender's ${action}`,
    auth: lenderAuth,
    accepts: 'raw',
    maxBytes: 1 << 20,
    hidden: true,
    async handle({ who: sender, ...arrival }, ctx) {
      await receiveSigned(ctx, action, { sender, arrival }, (verified) => receiveAnswer(action, verified))
      return ack
    },
  }),
)

async function receiveAnswer(action: IgmCallback, verified: VerifiedCallback): Promise<'fresh' | 'known'> {
  const { ctx, body, arrival } = verified
  const { context, message, journey } = validateCallback(verified, (journey) =>
    igmBodyFaults(action, body, journey ? acceptedDialect(journey, body) : dialectIn(body)),
  )
  const { error } = fieldsOf(body)
  const { raw, at } = arrival
  return ctx.db.tx(async (tx) => {
    const lockedJourney = required(
      await lockJourney(tx, journey.tenantId, journey.journeyId),
      'the journey of a callback',
    )
    const received = {
      action,
      context,
      message,
      error: message === undefined && fits(NetworkError, error) ? error : null,
      raw,
      headers: evidenceHeaders(arrival),
    }
    return receiveLenderAnswer({ ...ctx, tx, at }, lockedJourney, received)
  })
}

/** GET /ondc/grievances/{token}/text: the borrower's texts, for the lender that received the link. */
export const grievanceText = route({
  method: 'GET',
  path: '/ondc/grievances/{token}/text',
  section: 'FIS12 §20',
  summary: 'What a borrower wrote in a complaint',
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ maxLength: 600 }) }),
  async handle({ params }, { db, seal }) {
    const key = openTextLink(seal, params.token)
    const grievance = key && (await findGrievance(db, seal, key, key.grievanceId))
    if (!grievance) throw new Refusal('absent', 'the page does not exist')
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
    return answer(200, textOf(grievance), headers)
  },
})
