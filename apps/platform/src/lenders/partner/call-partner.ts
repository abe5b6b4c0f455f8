// Calls a partner's endpoints, and separates retryable errors from unusable answers (D3 §5, §7).

import { longestRetryAfterSeconds } from '@lendloom/foundation/schedule'
import { call, type HttpAnswer, type HttpRequest, isRetryable, UnreachableError } from '@lendloom/http/client'
import { egressPolicyOf } from '@lendloom/http/egress-policy'
import type { Run } from '@lendloom/postgres/sql'
import type { Context } from '#platform/context.ts'
import { outgoingAt, type Partner } from './directory/lending-partner.ts'
import type { PartnerCase } from './loan-case.ts'
import { partnersOf } from './partner-look-ups.ts'

/** The address of a partner in documents and tests. */
export const examplePartnerUrl = 'https://partner.example'

/** The dependencies of calls to a partner. */
export type ExchangeContext = Pick<Context, 'clock' | 'log'> & {
  config: Pick<Context['config'], 'SANDBOX'> & Partial<Pick<Context['config'], 'CLIENT_CERTIFICATE'>>
  partner: Partner
}

/** Returns the partner of a case. Throws `RetryablePartnerError` when the partner is not configured. */
export async function partnerOf(
  ctx: Pick<Context, 'db' | 'seal'>,
  db: Run,
  { partnerId }: Pick<PartnerCase, 'partnerId'>,
): Promise<Partner> {
  const partner = await partnersOf(ctx).find(db, partnerId)
  if (!partner)
    throw new RetryablePartnerError(`lending partner ${partnerId} does not exist: see lendloom partner list`)
  return partner
}

/** Returns the context for calls to a case's partner. Throws as `partnerOf`. */
export const withPartner = async (ctx: Context, loanCase: Pick<PartnerCase, 'partnerId'>) => ({
  ...ctx,
  partner: await partnerOf(ctx, ctx.db, loanCase),
})

type PartnerRequest = Omit<HttpRequest, 'url' | 'egress' | 'certificate'> & { path: string }

/** Calls a partner endpoint. Throws `UnreachableError` if no complete answer arrives in time. */
export const askPartner = (
  ctx: ExchangeContext,
  { path, headers = {}, ...request }: PartnerRequest,
): Promise<HttpAnswer> =>
  call({
    ...request,
    url: `${ctx.partner.url}${path}`,
    headers: { authorization: `Bearer ${outgoingAt(ctx.partner, ctx.clock()).bearer}`, ...headers },
    egress: egressPolicyOf(ctx.config),
    certificate: ctx.config.CLIENT_CERTIFICATE ?? null,
  })

/** The call failed without a decision of the partner. It may be repeated with the same idempotency key (D3 §7). */
export class RetryablePartnerError extends UnreachableError {
  /** The partner's `Retry-After` in seconds, at most a day; 0 if absent. */
  readonly retryAfterSeconds: number

  constructor(why: string, retryAfterSeconds = 0) {
    super(why)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Like `askPartner`, but throws `RetryablePartnerError` for transport errors, 408, 425, 429 and 5xx. */
export async function callPartner(ctx: ExchangeContext, request: PartnerRequest): Promise<HttpAnswer> {
  let answer: HttpAnswer
  try {
    answer = await askPartner(ctx, request)
  } catch (error) {
    if (error instanceof UnreachableError) throw new RetryablePartnerError(error.message)
    throw error
  }
  if (isRetryable(answer.status)) throw new RetryablePartnerError(`answered ${answer.status}`, retryAfterIn(answer))
  return answer
}

/** Returns the `Retry-After` of an answer in seconds, at most a day; 0 if it is absent or a date. */
function retryAfterIn({ headers }: Pick<HttpAnswer, 'headers'>): number {
  const text = headers['retry-after']
  return typeof text === 'string' && /^\d{1,6}$/.test(text) ? Math.min(Number(text), longestRetryAfterSeconds) : 0
}

/** The partner's answer is invalid, and a retry would not help. */
export class UnusableAnswer extends Error {}
