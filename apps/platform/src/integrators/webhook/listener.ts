// Listeners: a developer's command line pulls the updates of an application, in order, and sends them to its own machine.

import { setTimeout as sleep } from 'node:timers/promises'
import { secondsAfter } from '@lendloom/foundation/clock'
import { maskedDocument } from '@lendloom/foundation/mask-document'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { isSuccess } from '@lendloom/http/client'
import { writeWithRetry } from '@lendloom/postgres/shared-commit'
import type { Tx } from '@lendloom/postgres/sql'
import { type AttemptOutcome, resultOf } from '@lendloom/queue/delivery-engine'
import type { Context } from '#platform/context.ts'
import { secretsOf } from '#platform/integrators/webhook/endpoint/endpoint-secret.ts'
import { ownSecrets } from './deliver-updates.ts'
import { bodyContext, type LeasedDelivery, nextTry, versionOf } from './delivery.ts'
import { deliveryPolicyOf } from './delivery-policy.ts'
import { countPulled, type EndpointRow, listStoppedListeners, prolongListener } from './endpoint/store.ts'
import { type EndpointInput, registerEndpoint, removeIfKnown } from './manage-endpoints.ts'
import { headersOf } from './post-signed.ts'
import { type ClaimKey, claimOfListener, type Owner, recordAttempts } from './store.ts'

type ListenerContext = Pick<Context, 'db' | 'seal' | 'clock' | 'realClock' | 'config'>

/** How long a listener stays without a pull. */
const keptSeconds = 120
/** Longer than the command line waits for the developer's server. */
const leaseSeconds = 60
/** A pull waits so long for an update, so that an idle listener pulls seldom. */
const waitMs = 5000
/** Pause between two looks for due updates during a pull. */
const pollMs = 300

/** Registers a listener, after removing those of the tenant that have stopped. */
export async function registerListener(
  tx: Tx,
  { seal, realClock }: Pick<ListenerContext, 'seal' | 'realClock'>,
  owner: Owner,
  input: Omit<EndpointInput, 'listensUntil'> & { secret: string; listenerPersonId: string | null; at: Date },
): Promise<EndpointRow> {
  const now = realClock()
  for (const { endpointId, ...stopped } of await listStoppedListeners(tx, owner.tenantId, now))
    await removeIfKnown({ tx, at: input.at }, stopped, { endpointId, stoppedBy: now })
  const listensUntil = secondsAfter(now, keptSeconds)
  return (await registerEndpoint(tx, seal, owner, { ...input, listensUntil })).endpoint
}

/** Removes listeners of all tenants without a pull for two minutes. */
export async function removeStoppedListeners({
  db,
  clock,
  realClock,
}: Pick<ListenerContext, 'db' | 'clock' | 'realClock'>): Promise<void> {
  const now = realClock()
  for (const { endpointId, ...stopped } of await listStoppedListeners(db, null, now))
    await db.tx((tx) => removeIfKnown({ tx, at: clock() }, stopped, { endpointId, stoppedBy: now }))
}

/** What a listener must return with the result of an update; sealed, because it is trusted. */
interface PullReceipt {
  deliveryId: string
  leaseUntil: string
  attempt: number
  tries: number
}

const receiptContext = ({ tenantId, endpointId }: EndpointRow): string => `listener:${tenantId}:${endpointId}`

/** What the developer's server answered: `status` is null without an answer. */
export interface ListenerResult {
  receipt: string
  status: number | null
  problem: string | null
  tookMs: number
}

/** Outside a sandbox the updates are about real people, whom a developer's machine must not learn. */
export const areUpdatesMasked = ({ SANDBOX }: Pick<Context['config'], 'SANDBOX'>): boolean => !SANDBOX

/** A signed update for the command line. The signature is of the body that is handed over, masked or not. */
export interface PulledUpdate
  extends Pick<LeasedDelivery, 'deliveryId' | 'journeyId' | 'sequence' | 'status' | 'attempt'> {
  receipt: string
  headers: Record<string, string>
  body: Buffer
}

/**
 * Records the results of the last pull, then waits up to five seconds for due updates. Throws `absent` if the listener was
 * removed, `invalid` for a receipt of another listener.
 */
export async function pullUpdates(
  ctx: ListenerContext,
  endpoint: EndpointRow,
  results: ListenerResult[],
  limit: number,
): Promise<PulledUpdate[]> {
  const isKept = await prolongListener(ctx.db, endpoint, secondsAfter(ctx.realClock(), keptSeconds))
  if (!isKept) throw stoppedListener()
  if (results.length > 0) await recordResults(ctx, endpoint, results)
  const deadline = performance.now() + waitMs
  for (;;) {
    const at = ctx.clock()
    const leaseUntil = secondsAfter(at, leaseSeconds)
    const claimed = await claimOfListener(ctx.db, endpoint, { at, leaseUntil, limit })
    if (claimed.length > 0 || performance.now() >= deadline) {
      const updates = claimed.filter(({ url }) => url !== null)
      // Counted before they leave, so that the count is never too low.
      if (updates.length > 0 && !(await countPulled(ctx.db, endpoint, updates.length))) throw stoppedListener()
      return updates.map((each) => pulled(ctx, endpoint, each, at))
    }
    await sleep(pollMs)
  }
}

const stoppedListener = (): Refusal => new Refusal('absent', 'the listener has stopped; start it again')

function pulled(
  { seal, config }: ListenerContext,
  endpoint: EndpointRow,
  claimed: LeasedDelivery,
  at: Date,
): PulledUpdate {
  const { deliveryId, journeyId, sequence, status, attempt, tries, leaseUntil } = claimed
  const secrets = ownSecrets(claimed).flatMap((each) => secretsOf(seal, endpoint.tenantId, each, at))
  const isMasked = areUpdatesMasked(config)
  const storedBody = seal.open(claimed.bodySealed, bodyContext(claimed))
  const body = isMasked ? maskedBody(storedBody) : storedBody
  const receipt: PullReceipt = { deliveryId, leaseUntil: leaseUntil.toISOString(), attempt, tries }
  return {
    deliveryId,
    journeyId,
    sequence,
    status,
    attempt,
    body,
    receipt: seal.json(receipt, receiptContext(endpoint)).toString('base64url'),
    headers: {
      ...headersOf({ ...claimed, secrets, body, version: versionOf(status) }, at),
      ...(isMasked && { 'lendloom-masked': 'true' }),
    },
  }
}

const maskedBody = (body: Buffer): Buffer =>
  Buffer.from(JSON.stringify(maskedDocument(JSON.parse(body.toString('utf8')))))

async function recordResults(ctx: ListenerContext, endpoint: EndpointRow, results: ListenerResult[]): Promise<void> {
  const { seal, clock, config } = ctx
  const policy = deliveryPolicyOf(config)
  const schedule = {
    clock,
    givenUpState: 'EXHAUSTED',
    nextTry: (failed) => nextTry(policy, { ...failed, random: Math.random() }),
  } satisfies Parameters<typeof resultOf>[0]
  const attempts = results.map(({ receipt, tookMs, ...forwarded }) => {
    const message = claimIn(ctx, endpoint, receipt)
    const startedAt = new Date(clock().getTime() - tookMs)
    return resultOf(schedule, message, attemptOutcomeOf(forwarded), { startedAt, tookMs })
  })
  await writeWithRetry(ctx.db, (run) => recordAttempts(run, seal, attempts))
}

function claimIn({ seal }: ListenerContext, endpoint: EndpointRow, receipt: string): ClaimKey & { attempt: number } {
  const { deliveryId, leaseUntil, attempt, tries } = openReceipt(seal, endpoint, receipt)
  const { tenantId, applicationId } = endpoint
  return { tenantId, applicationId, deliveryId, leaseUntil: new Date(leaseUntil), attempt, tries }
}

function openReceipt(seal: Context['seal'], endpoint: EndpointRow, receipt: string): PullReceipt {
  try {
    return seal.openJson<PullReceipt>(Buffer.from(receipt, 'base64url'), receiptContext(endpoint))
  } catch {
    throw invalid({ path: 'results', message: 'must have receipts of this listener' })
  }
}

function attemptOutcomeOf({ status, problem }: Pick<ListenerResult, 'status' | 'problem'>): AttemptOutcome {
  const answer = status === null ? (problem ?? 'no answer') : String(status)
  return {
    outcome: status !== null && isSuccess(status) ? 'delivered' : 'failed',
    answer,
    retryAfter: null,
    body: null,
  }
}
