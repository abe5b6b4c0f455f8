// What the console shows of webhooks: an endpoint's health, and deliveries without personal data.

import { maskedText } from '@lendloom/foundation/mask'
import { maskedDocument } from '@lendloom/foundation/mask-document'
import { remainingMs } from '@lendloom/foundation/schedule'
import type { Seal } from '@lendloom/seal/seal'
import type {
  Delivery,
  DeliveryDetail,
  DeliveryTry,
  Endpoint,
  Health,
  LastAnswer,
  Replay as ReplayWire,
} from '@lendloom/wire/console/webhooks'
import type { ShownAccess } from '@lendloom/wire/hosted/endpoint-access'
import type { BulkReplay } from '#platform/integrators/webhook/bulk-replay/replay.ts'
import { answerContext } from '#platform/integrators/webhook/delivery.ts'
import type { DeliveryPolicy } from '#platform/integrators/webhook/delivery-policy.ts'
import type {
  Backlog,
  ConsoleDelivery,
  EndpointActivity,
  NamedEndpoint,
  StoredTry,
  WholeDelivery,
} from './webhooks-store.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

interface LastAnswers {
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
}

/** An endpoint fails in an outage or if its last attempt failed, unless it has recovered, is paused or disabled. */
function healthOf(
  { disabledAt, pausedAt, outageBeganAt }: Pick<NamedEndpoint, 'disabledAt' | 'pausedAt' | 'outageBeganAt'>,
  { lastSuccessAt, lastFailureAt }: LastAnswers,
): Health {
  if (disabledAt) return 'disabled'
  if (pausedAt) return 'paused'
  if (lastFailureAt && (!lastSuccessAt || lastFailureAt > lastSuccessAt)) return 'failing'
  return lastSuccessAt ? 'delivering' : outageBeganAt ? 'failing' : 'idle'
}

function laterOf(a: Date | null, b: Date | null): Date | null {
  if (!a || !b) return a ?? b
  return a > b ? a : b
}
const earliestOf = (...times: (Date | null | undefined)[]): Date | null =>
  times.reduce<Date | null>((first, each) => (each && (!first || each < first) ? each : first), null)

interface EndpointState {
  endpoint: NamedEndpoint
  activity: EndpointActivity | undefined
  backlog: Backlog | undefined
  /** The person whose command line listens; null for an endpoint that we call. */
  listenerName: string | null
  /** What its server demands beside the signature, masked. */
  access: ShownAccess
}

/** Since when the endpoint accepted no update: its oldest failed update, or the last success if that was later. */
const failingSince = ({ endpoint, activity, backlog }: EndpointState): Date | null =>
  earliestOf(
    endpoint.outageBeganAt,
    laterOf(earliestOf(activity?.failedFrom, backlog?.failedFrom), activity?.lastSuccessAt ?? null),
  )

export function endpointWire(state: EndpointState, { schedule }: Pick<DeliveryPolicy, 'schedule'>, at: Date): Endpoint {
  const { endpoint, activity, backlog, listenerName, access } = state
  const lastSuccessAt = activity?.lastSuccessAt ?? null
  const lastFailureAt = laterOf(activity?.lastFailureAt ?? null, backlog?.lastFailureAt ?? null)
  const {
    tenantId,
    endpointId,
    applicationId,
    applicationName,
    url,
    statuses,
    loanEvents,
    disabledBecause,
    oldSecretUntil,
  } = endpoint
  const answers = activity?.answers ?? []
  const lastFailure = answers.find((each) => each.state !== 'DELIVERED') ?? backlog?.lastFailure
  const isTried = !endpoint.restartedAt || (lastFailure && new Date(lastFailure.at) > endpoint.restartedAt)
  const storedHealth = healthOf(endpoint, { lastSuccessAt, lastFailureAt })
  const health = storedHealth === 'failing' && !isTried ? 'untried' : storedHealth
  return {
    tenantId,
    endpointId,
    applicationId,
    applicationName,
    url,
    statuses,
    loanEvents,
    disabledBecause,
    createdAt: endpoint.createdAt.toISOString(),
    pausedAt: iso(endpoint.pausedAt),
    disabledAt: iso(endpoint.disabledAt),
    ...access,
    oldSecretUntil: iso(oldSecretUntil && oldSecretUntil > at ? oldSecretUntil : null),
    isListener: endpoint.listensUntil !== null,
    listenerName,
    feedAt: iso(endpoint.feedAt),
    listenerUpdates: endpoint.listenerUpdates,
    health,
    failingSince: iso(health === 'failing' ? failingSince(state) : null),
    retries: { tries: schedule.pauses.length + 1, seconds: Math.round(remainingMs(schedule, 0) / 1000) },
    nextTryAt: iso(endpoint.pausedAt ? null : (backlog?.nextTryAt ?? null)),
    lastSuccessAt: iso(lastSuccessAt),
    lastFailureAt: iso(lastFailureAt),
    lastDay: {
      delivered: activity?.delivered ?? 0,
      retried: activity?.retried ?? 0,
      p50Ms: activity?.p50Ms ?? null,
      p95Ms: activity?.p95Ms ?? null,
    },
    waiting: backlog?.waiting ?? 0,
    waitingSince: iso(backlog?.waitingSince ?? null),
    missed: backlog?.missed ?? 0,
    lastAnswers: answers.map(answerWire),
    lastFailure: health === 'failing' && lastFailure ? answerWire(lastFailure) : null,
    untriedSince: iso(health === 'untried' ? endpoint.restartedAt : null),
  }
}

const answerWire = ({ deliveryId, at, state, answer, tookMs }: EndpointActivity['answers'][number]): LastAnswer => ({
  deliveryId,
  at: new Date(at).toISOString(),
  state,
  answer: answer ?? '',
  tookMs,
})

export const deliveryWire = (delivery: ConsoleDelivery): Delivery => ({
  tenantId: delivery.tenantId,
  deliveryId: delivery.deliveryId,
  endpointId: delivery.isCallback ? null : delivery.destinationId,
  url: delivery.isCallback ? null : delivery.url,
  journeyId: delivery.journeyId,
  eventId: delivery.eventId,
  sequence: delivery.sequence,
  status: delivery.status,
  state: delivery.state,
  totalAttempts: delivery.tries,
  attemptsSinceReplay: delivery.attempt,
  isPaused: delivery.isPaused,
  behindSequence: delivery.behindSequence,
  lastAnswer: delivery.lastAnswer,
  lastAttemptAt: iso(delivery.lastAttemptAt),
  tookMs: delivery.tookMs,
  nextAttemptAt: iso(delivery.dueAt),
  deliveredAt: iso(delivery.deliveredAt),
  createdAt: delivery.createdAt.toISOString(),
})

export const headersWire = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

/** Indents a JSON body and masks its personal fields by name, as the log does. */
export function bodyWire(body: Buffer): string {
  const text = body.toString('utf8')
  try {
    return JSON.stringify(maskedDocument(JSON.parse(text)), null, 2)
  } catch {
    return maskedText(text)
  }
}

/** Returns the stored attempts. If there are none, returns the last attempt, which the delivery's own row records. */
export function triesWire(seal: Seal, delivery: WholeDelivery, tries: StoredTry[]): DeliveryTry[] {
  const { lastAttemptAt, lastAnswer, tookMs, state } = delivery
  const stored = tries.map(({ number, at, answerSealed, ...each }) => ({
    number,
    at: at.toISOString(),
    state: each.state,
    answer: each.answer,
    tookMs: each.tookMs,
    body: answerSealed && maskedText(seal.open(answerSealed, answerContext(delivery)).toString('utf8')),
  }))
  if (stored.length > 0 || !lastAttemptAt) return stored
  const onlyTry = { at: lastAttemptAt.toISOString(), state, answer: lastAnswer ?? '', tookMs: tookMs ?? 0, body: null }
  return [{ number: Math.max(1, delivery.tries), ...onlyTry }]
}

export function waitReasonOf({ state, behindDeliveryId, pausedAt }: WholeDelivery): DeliveryDetail['waitsFor'] {
  if (state !== 'PENDING') return null
  if (pausedAt) return 'paused'
  return behindDeliveryId ? 'earlier-update' : 'next-attempt'
}

/** Null if the next try depends on another update, or on a pause. */
export const lastTryOf = (
  { dueAt, attempt, ...delivery }: WholeDelivery,
  { schedule }: Pick<DeliveryPolicy, 'schedule'>,
): string | null =>
  dueAt && waitReasonOf({ dueAt, attempt, ...delivery }) === 'next-attempt'
    ? new Date(dueAt.getTime() + remainingMs(schedule, attempt)).toISOString()
    : null

export const replayWire = ({ filter, tenantId: _, ...replay }: BulkReplay): ReplayWire => ({
  ...replay,
  startedAt: replay.startedAt.toISOString(),
  endedAt: iso(replay.endedAt),
  filter: {
    ...(filter.endpointId !== null && { endpointId: filter.endpointId }),
    ...(filter.journeyId !== null && { journeyId: filter.journeyId }),
    ...(filter.from && { from: filter.from.toISOString() }),
    ...(filter.until && { until: filter.until.toISOString() }),
    ...(filter.statuses && { statuses: filter.statuses }),
    states: filter.states,
  },
})
