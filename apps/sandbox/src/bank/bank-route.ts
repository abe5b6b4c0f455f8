// Routes of the bank's API: each lender has its own account and bearer, and errors have a code.

import { Refusal, type RefusalKind } from '@lendloom/foundation/refusal'
import type { TSchema } from '@lendloom/foundation/schema'
import { type Answer, type Auth, answer, type Route } from '@lendloom/http/server'
import { hasBearer } from '#sandbox/core/bearer.ts'
import type { Context } from '#sandbox/core/context.ts'
import { anyParty } from '#sandbox/core/context.ts'

export type BankContext = Pick<Context, 'db' | 'clock' | 'log' | 'seal'> & { bank: BankSettings }

export interface BankSettings {
  bearer: string
  lender: string
  others?: Record<string, OtherLender>
  /** Seconds between an order and its result. */
  settleSeconds: number
  /** Whether results of e-NACH debits wait for the end of their session. */
  hasSessions?: boolean
  /** Seconds by which the bank delays its response when a fault rule asks for it. */
  silentSeconds: number
}

/** A lender besides the first one. */
export interface OtherLender {
  name: string
  bearer: string
}

export interface BankLender extends Holder {
  name: string
}

/** The lenders with an account at the bank. */
export const lendersAt = ({ lender: anyLender, others = {} }: BankSettings): BankLender[] => [
  { holder: '', name: anyLender },
  ...Object.entries(others).map(([holder, { name }]) => ({ holder, name })),
]

/** The account of the calling lender; the first lender's account has an empty name. */
export interface Holder {
  holder: string
}

/** Authenticates a lender by its bearer. */
const anyLender: Auth<BankContext, Holder> = {
  scheme: 'bank',
  check(arrival, { bank }) {
    const lenders = Object.entries({ ...bank.others, '': bank })
    const [holder] = lenders.find(([, { bearer }]) => hasBearer(arrival, bearer)) ?? []
    if (holder === undefined) throw new Refusal('bad-credential', 'the credential is not known')
    return { holder }
  },
}

/** A route that a lender calls with its bearer. */
export const bankRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  definition: Omit<Route<BankContext, Holder, B, Q, P>, 'auth' | 'section'>,
): Route<BankContext, Holder, B, Q, P> => ({ ...definition, section: 'D3 §4.5', auth: anyLender })

/** A route that anybody may call, for the pages of the sandbox. */
export const openRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  definition: Omit<Route<BankContext, null, B, Q, P>, 'auth' | 'section'>,
): Route<BankContext, null, B, Q, P> => ({ ...definition, section: 'D3 §4.5', auth: anyParty })

const statuses: Record<RefusalKind, number> = {
  malformed: 400,
  invalid: 400,
  'bad-api-key': 401,
  'bad-session': 401,
  'bad-credential': 401,
  forbidden: 403,
  absent: 404,
  'wrong-method': 405,
  'wrong-state': 409,
  locked: 409,
  pending: 409,
  'reused-key': 409,
  'too-large': 413,
  'unsupported-media': 415,
  'rate-limited': 429,
  damaged: 500,
  upstream: 503,
}

/** Answers with the error of a refusal, as the bank writes errors. */
export function refuseAtBank(refusal: Refusal | 'bug'): Answer {
  if (refusal === 'bug') return answer(500, { error: { code: 'INTERNAL_ERROR', message: 'an internal error' } })
  const { kind, message } = refusal
  return answer(statuses[kind], { error: { code: kind.toUpperCase().replaceAll('-', '_'), message } })
}

/** Answers too late, although the bank has carried out the request. */
export async function answerLate({ bank }: BankContext): Promise<Answer> {
  await new Promise((resolve) => setTimeout(resolve, bank.silentSeconds * 1000))
  return answer(504, { error: { code: 'TIMED_OUT', message: 'the bank took too long' } })
}
