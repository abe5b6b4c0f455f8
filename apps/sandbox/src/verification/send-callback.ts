// Sends the client a signed callback for each change and retries it. Fault rules lose, delay, repeat or forge it.

import { secondsAfter } from '@lendloom/foundation/clock'
import { parseJson } from '@lendloom/foundation/json'
import { required } from '@lendloom/foundation/required'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { call, UnreachableError } from '@lendloom/http/client'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { randomOctets, uuidv7 } from '@lendloom/seal/id'
import { callbackBody, signCallback } from '@lendloom/wire/provider/common-interface'
import { secretOf } from '@lendloom/wire/webhook/signature'
import type { ProviderVerification } from './provider.ts'
import { providers, reportOf } from './providers.ts'
import { findCallback, recordTry, storeCallback } from './store.ts'
import type { VerificationContext } from './verification-settings.ts'

const jobKind = 'verification-callback'
/** The age at which a callback is given up, because a look-up returns the same report. */
const maxAgeSeconds = 3600
/** Late callbacks wait this many times the usual time of a verification. */
const lateFactor = 10
/** A disordered first callback waits the sum of both, so that the next one overtakes it even if steps take no time. */
const disorderedSeconds = 2
const disorderedFactor = 5

/** Enqueues the callback in the transaction of the change. */
export async function sendReport(
  tx: Tx,
  ctx: VerificationContext,
  verification: ProviderVerification,
  previousState: string,
): Promise<void> {
  const eventId = uuidv7(verification.updatedAt.getTime())
  const { verificationId, request } = verification
  const body = callbackBody(eventId, verification.updatedAt, await reportOf(tx, ctx, verification))
  const callback = { eventId, verificationId, url: request.callback_url, body, createdAt: verification.updatedAt }
  await storeCallback(tx, ctx.seal, callback)
  const dueAt = secondsAfter(verification.updatedAt, delayOf(verification, previousState, ctx.verification.seconds))
  for (const [copy, payload] of postsOf(verification, eventId).entries())
    await enqueue(tx, { tenantId: verificationId, kind: jobKind, key: `${eventId}/${copy}`, payload, dueAt })
}

/** One request of a callback; a forged one simulates an attacker. */
interface CallbackPost {
  eventId: string
  forged?: boolean
}

/** Returns the requests to send for a callback: none, one, or two, as the fault rule demands. */
function postsOf({ scenario }: ProviderVerification, eventId: string): CallbackPost[] {
  if (scenario === 'callback-lost') return []
  if (scenario === 'callback-doubled') return [{ eventId }, { eventId }]
  return scenario === 'callback-forged' ? [{ eventId, forged: true }, { eventId }] : [{ eventId }]
}

/** Returns the seconds until a callback is sent. */
function delayOf({ scenario, kind }: ProviderVerification, previousState: string, seconds: number): number {
  if (scenario === 'callback-late') return seconds * lateFactor
  const isFirst = previousState === providers[kind].initialState
  return scenario === 'callback-disordered' && isFirst ? disorderedSeconds + seconds * disorderedFactor : 0
}

/** Starts the worker that posts callbacks. */
export const callbackWorker = (ctx: VerificationContext): Worker =>
  work<CallbackPost>({
    kind: jobKind,
    ...ctx,
    handle: (job) => (job.payload.forged ? forge(ctx, job.payload) : post(ctx, job)),
  })

export const providerCallbackSchedule = doublingPauses(1, 60)

/** Posts a callback. Any 2xx ends the retries. */
async function post({ db, seal, clock, verification }: VerificationContext, { payload, attempt }: Job<CallbackPost>) {
  const { eventId } = payload
  const callback = required(await findCallback(db, seal, eventId), 'a callback')
  const { callbackSecret } = verification.clients[callback.kind]
  const headers = signCallback(callbackSecret, eventId, clock(), callback.body)
  const answer = await answerText(() => call({ method: 'POST', url: callback.url, headers, body: callback.body }))
  await recordTry(db, eventId, answer, clock())
  if (/^2\d\d$/.test(answer)) return
  const age = (clock().getTime() - callback.createdAt.getTime()) / 1000
  if (age < maxAgeSeconds)
    throw new RetryLater(pauseSeconds(providerCallbackSchedule, attempt), `the callback was answered ${answer}`)
}

/** Plays an attacker who knows the URL and the report but not the secret. Ignores the answer. */
async function forge({ db, seal, clock }: VerificationContext, { eventId }: CallbackPost): Promise<void> {
  const { kind, url, body } = required(await findCallback(db, seal, eventId), 'a callback')
  const { data } = parseJson(body)
  const forgedReport = { ...data, state: providers[kind].successState, reason_code: null }
  const forged = callbackBody(uuidv7(clock().getTime()), clock(), forgedReport)
  const headers = signCallback(secretOf(randomOctets(32)), eventId, clock(), forged)
  await answerText(() => call({ method: 'POST', url, headers, body: forged }))
}

/** Returns the status of the answer, or why there is none. */
async function answerText(attempt: () => Promise<{ status: number }>): Promise<string> {
  try {
    return String((await attempt()).status)
  } catch (error) {
    if (error instanceof UnreachableError) return error.message
    throw error
  }
}
