// Tells the client what has happened: a signed callback for each change, tried again until it is taken, or as a rule spoils it.
import { callbackBody, signCallback } from '#contract/provider/request.ts'
import { secretOf } from '#contract/webhook/signature.ts'
import { randomOctets, uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { call, UnreachableError } from '#kit/http/client.ts'
import { enqueue, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { required } from '#kit/runtime/record.ts'
import { providers, reportOf } from './providers.ts'
import { callbackWith, keepCallback, noteTry } from './store.ts'
import type { ProviderVerification } from './verification.ts'
import type { VerificationContext } from './verification-settings.ts'

const jobKind = 'verification-callback'
/** After this long a callback is given up: a look-up tells the same. */
const oldestSeconds = 3600
const lateTimes = 10
const disorderedSeconds = 2
const disorderedTimes = 5

/** Enqueues the callback of a change with the change itself. `from` is the state before. */
export async function sendReport(
  tx: Tx,
  ctx: VerificationContext,
  of: ProviderVerification,
  from: string,
): Promise<void> {
  const eventId = uuidv7(of.updatedAt.getTime())
  const { verificationId, request } = of
  const body = callbackBody(eventId, of.updatedAt, await reportOf(tx, ctx, of))
  const callback = { eventId, verificationId, url: request.callback_url, body, createdAt: of.updatedAt }
  await keepCallback(tx, ctx.seal, callback)
  const dueAt = secondsAfter(of.updatedAt, delayOf(of, from, ctx.verification.seconds))
  for (const [copy, payload] of postingsOf(of, eventId).entries())
    await enqueue(tx, { tenantId: verificationId, kind: jobKind, key: `${eventId}/${copy}`, payload, dueAt })
}

/** One posting of a callback; a forged one is an unknown caller's. */
interface CallbackPost {
  eventId: string
  forged?: boolean
}

function postingsOf({ scenario }: ProviderVerification, eventId: string): CallbackPost[] {
  if (scenario === 'callback-lost') return []
  if (scenario === 'callback-doubled') return [{ eventId }, { eventId }]
  return scenario === 'callback-forged' ? [{ eventId, forged: true }, { eventId }] : [{ eventId }]
}

function delayOf({ scenario, kind }: ProviderVerification, from: string, seconds: number): number {
  if (scenario === 'callback-late') return seconds * lateTimes
  const isFirst = from === providers[kind].initial
  return scenario === 'callback-disordered' && isFirst ? disorderedSeconds + seconds * disorderedTimes : 0
}

export const callingBack = (ctx: VerificationContext): Worker =>
  work<CallbackPost>({
    kind: jobKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: ({ payload }) => (payload.forged ? forge(ctx, payload) : post(ctx, payload)),
  })

async function post({ db, seal, clock, verification }: VerificationContext, { eventId }: CallbackPost): Promise<void> {
  const callback = required(await callbackWith(db, seal, eventId), 'a callback')
  const { callbackSecret } = verification.clients[callback.kind]
  const headers = signCallback(callbackSecret, eventId, clock(), callback.body)
  const answer = await answered(() => call({ method: 'POST', url: callback.url, headers, body: callback.body }))
  await noteTry(db, eventId, answer, clock())
  if (/^2\d\d$/.test(answer)) return
  const age = (clock().getTime() - callback.createdAt.getTime()) / 1000
  if (age < oldestSeconds) throw new RetryLater(Math.min(Math.max(age, 1), 60), `the callback was answered ${answer}`)
}

/** Plays an attacker who knows the address and everything except the secret. Any answer is accepted. */
async function forge({ db, seal, clock }: VerificationContext, { eventId }: CallbackPost): Promise<void> {
  const { kind, url, body } = required(await callbackWith(db, seal, eventId), 'a callback')
  const { data } = JSON.parse(body.toString('utf8'))
  const better = { ...data, state: providers[kind].best, reason_code: null }
  const forged = callbackBody(uuidv7(clock().getTime()), clock(), better)
  const headers = signCallback(secretOf(randomOctets(32)), eventId, clock(), forged)
  await answered(() => call({ method: 'POST', url, headers, body: forged }))
}

async function answered(attempt: () => Promise<{ status: number }>): Promise<string> {
  try {
    return String((await attempt()).status)
  } catch (error) {
    if (error instanceof UnreachableError) return error.message
    throw error
  }
}
