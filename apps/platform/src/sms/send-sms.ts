// Sends SMS by an HTTP provider. A message waits sealed in its job, and leaves the database when it was sent.

import { counter } from '@lendloom/foundation/metrics'
import { doublingPauses } from '@lendloom/foundation/schedule'
import { call, isRetryable, isSuccess, UnreachableError } from '@lendloom/http/client'
import { egressPolicyOf } from '@lendloom/http/egress-policy'
import { enqueue, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import type { Context, TxContext } from '#platform/context.ts'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'

const smsQueue = 'sms'

/** The pauses between attempts. A message is dropped when it expires. */
export const smsSchedule = doublingPauses(2, 30)

interface Sms {
  /** In international format, such as `+919812345678`. */
  to: string
  text: string
  /** The name of the text and its language, under which providers in India register templates. */
  template: string
}

interface SmsJob {
  journeyId: string
  /** The provider gets it as `Idempotency-Key`. */
  smsId: string
  /** The sealed message in base64. */
  sms: string
  expiresAt: string
}

const outcomes = counter('sms_tries_total', 'Attempts to send an SMS', ['outcome'])
for (const outcome of ['SENT', 'LATER', 'REFUSED', 'EXPIRED']) outcomes.inc({ outcome }, 0)

const smsContext = (tenantId: string, smsId: string): string => `sms:${tenantId}:${smsId}`

/** Queues a message, which is sent only if the caller's transaction commits, and not after `expiresAt`. */
export async function queueSms(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  { tenantId, journeyId }: JourneyKey,
  sms: Sms,
  expiresAt: Date,
): Promise<void> {
  const smsId = uuidv4()
  const payload: SmsJob = {
    journeyId,
    smsId,
    sms: seal.json(sms, smsContext(tenantId, smsId)).toString('base64'),
    expiresAt: expiresAt.toISOString(),
  }
  await enqueue(tx, { tenantId, kind: smsQueue, payload, dueAt: at })
}

export const smsWorker = (ctx: Context): Worker =>
  work<SmsJob>({ kind: smsQueue, ...ctx, concurrency: 8, schedule: smsSchedule, handle: (job) => sendSms(ctx, job) })

/** The log names neither the number nor the text, and not the provider's answer, which may repeat them. */
async function sendSms({ seal, config, clock, log }: Context, { tenantId, payload }: Job<SmsJob>): Promise<void> {
  const { smsId, sms, expiresAt } = payload
  const { SMS_URL: url, SMS_API_KEY: key, PROVIDER_SECONDS } = config
  if (url === null || new Date(expiresAt) <= clock()) {
    outcomes.inc({ outcome: 'EXPIRED' })
    log.warn({ smsId }, 'an SMS was not sent before its code expired')
    return
  }
  const body = JSON.stringify(seal.openJson<Sms>(Buffer.from(sms, 'base64'), smsContext(tenantId, smsId)))
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'idempotency-key': smsId }
  const timeoutMs = PROVIDER_SECONDS * 1000
  const status = await call({
    method: 'POST',
    url,
    headers,
    body,
    timeoutMs,
    egress: egressPolicyOf(config),
  }).then(
    ({ status }) => status,
    (error) => {
      if (error instanceof UnreachableError) return null
      throw error
    },
  )
  if (status !== null && isSuccess(status)) return outcomes.inc({ outcome: 'SENT' })
  if (status === null || isRetryable(status)) {
    outcomes.inc({ outcome: 'LATER' })
    throw new RetryLater(null, `the SMS provider ${status === null ? 'did not answer' : `answered ${status}`}`)
  }
  outcomes.inc({ outcome: 'REFUSED' })
  log.error({ smsId, status }, 'the SMS provider refused a message')
}
