// The bank's API: a bearer for each lender whose bank it is, errors with a code, and nothing without either.

import { Refusal, type RefusalKind } from '#kit/http/refusal.ts'
import type { TSchema } from '#kit/http/schema.ts'
import { type Answer, type Auth, answer, anyone, type Route } from '#kit/http/server.ts'
import type { Context } from '#sandbox/core/context.ts'
import { presents } from '#sandbox/core/secret-link.ts'

/** What the bank needs of the sandbox. */
export type BankContext = Pick<Context, 'db' | 'clock' | 'log' | 'seal'> & { bank: BankSettings }

/** How the bank behaves. */
export interface BankSettings {
  /** What the lender calls with. */
  bearer: string
  /** What other lenders call with, by the name of their account. */
  others?: Record<string, string>
  /** Seconds between an order and its result. */
  settleSeconds: number
  /** Seconds for which the bank keeps silent where a rule makes it. */
  silentSeconds: number
}

/** Whose account a lender calls for; the first one has no name. */
export interface Holder {
  holder: string
}

const lender: Auth<BankContext, Holder> = {
  scheme: 'bank',
  check(arrival, { bank }) {
    const known = Object.entries({ ...bank.others, '': bank.bearer })
    const [holder] = known.find(([, bearer]) => presents(arrival, bearer)) ?? []
    if (holder === undefined) throw new Refusal('bad-credential', 'the credential is not known')
    return { holder }
  },
}

/** A route of the lender's bank. */
export const bankRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  given: Omit<Route<BankContext, Holder, B, Q, P>, 'auth' | 'section'>,
): Route<BankContext, Holder, B, Q, P> => ({ ...given, section: 'D3 §4.5', auth: lender })

/** A route for everybody: a borrower pays from the app of another bank. */
export const openRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  given: Omit<Route<BankContext, null, B, Q, P>, 'auth' | 'section'>,
): Route<BankContext, null, B, Q, P> => ({ ...given, section: 'D3 §4.5', auth: anyone })

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

export function refuseAtBank(refusal: Refusal | 'bug'): Answer {
  if (refusal === 'bug') return answer(500, { error: { code: 'INTERNAL_ERROR', message: 'an internal error' } })
  const { kind, message } = refusal
  return answer(statuses[kind], { error: { code: kind.toUpperCase().replaceAll('-', '_'), message } })
}

/** No answer where an answer is awaited: the request was understood, carried out, and is answered too late. */
export async function keepSilent({ bank }: BankContext): Promise<Answer> {
  await new Promise((resolve) => setTimeout(resolve, bank.silentSeconds * 1000))
  return answer(504, { error: { code: 'TIMED_OUT', message: 'the bank took too long' } })
}
