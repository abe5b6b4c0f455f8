// A borrower's visit at the aggregator, carried from page to page in a sealed ticket: nothing is kept of it.

import type { Redirection } from '#contract/aggregator/redirect.ts'
import { type ErrorCode, returnTo } from '#contract/aggregator/return.ts'
import { redirect } from '#kit/http/page-frame.ts'
import type { Answer } from '#kit/http/server.ts'
import { required } from '#kit/runtime/required.ts'
import type { Context } from '#sandbox/core/context.ts'
import { secretPlace } from './directory.ts'
import { aggregatorId } from './parties.ts'
import { findEntity } from './store.ts'

export interface Visit extends Redirection {
  requestorId: string
  /** Whether the borrower has proven the mobile number. */
  loggedIn: boolean
  /** When the ticket stops to work. */
  until: number
}

const place = 'aa visit'
const minutes = 30

export const newVisit = (redirection: Redirection, requestorId: string, at: Date): Visit => ({
  ...redirection,
  requestorId,
  loggedIn: false,
  until: at.getTime() + minutes * 60_000,
})

export const ticketOf = ({ seal }: Context, visit: Visit): string => seal.json(visit, place).toString('base64url')

/** The visit behind a ticket; null for any text we did not make, and for one that is too old. */
export function visitOf({ seal }: Context, ticket: string | undefined, at: Date): Visit | null {
  try {
    const visit = seal.openJson<Visit>(Buffer.from(ticket ?? '', 'base64url'), place)
    return visit.until > at.getTime() ? visit : null
  } catch {
    return null
  }
}

/** The secret that a requestor's redirections are encrypted with; null for an unknown requestor. */
export async function secretOf({ db, seal }: Context, requestorId: string): Promise<string | null> {
  const entity = await findEntity(db, requestorId)
  return entity?.secretSealed ? seal.open(entity.secretSealed, secretPlace(requestorId)).toString() : null
}

/** Sends the borrower back with the aggregator's answer. */
export async function goBack(ctx: Context, visit: Visit, errorCode: ErrorCode, at: Date): Promise<Answer> {
  const { txnId, sessionId, userId, handles, returnUrl } = visit
  const secret = required(await secretOf(ctx, visit.requestorId), 'secret of the requestor')
  const result = { txnId, sessionId, userId, handles: errorCode === 0 ? handles : [], errorCode }
  const status = errorCode === 0 ? 'S' : 'F'
  return redirect(await returnTo(returnUrl, { aggregatorId, secret }, { ...result, status }, at))
}
