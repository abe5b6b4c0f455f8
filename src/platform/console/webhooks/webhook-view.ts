// Webhooks for the console: an endpoint's health and a delivery without personal data.
import type {
  Delivery,
  DeliveryDetail,
  DeliveryTry,
  Endpoint,
  Health,
  LastAnswer,
  Replay as ReplayWire,
} from '#contract/console/webhooks.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { maskedDocument, maskedText } from '#kit/runtime/mask.ts'
import type { BulkReplay } from '#platform/webhook/bulk-replay/replay.ts'
import { answerContext } from '#platform/webhook/delivery.ts'
import type { Backlog, EndpointActivity, SeenDelivery, SeenEndpoint, SeenTry, WholeDelivery } from './webhooks-store.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

interface LastAnswers {
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
}

/** A pause has priority: a paused endpoint does not count as failing. */
function healthOf(
  { disabledAt, pausedAt }: Pick<SeenEndpoint, 'disabledAt' | 'pausedAt'>,
  { lastSuccessAt, lastFailureAt }: LastAnswers,
): Health {
  if (disabledAt) return 'disabled'
  if (pausedAt) return 'paused'
  if (lastFailureAt && (!lastSuccessAt || lastFailureAt > lastSuccessAt)) return 'failing'
  return lastSuccessAt ? 'delivering' : 'idle'
}

const later = (one: Date | null, other: Date | null): Date | null =>
  one && other ? (one > other ? one : other) : (one ?? other)

export function endpointWire(
  endpoint: SeenEndpoint,
  lately: EndpointActivity | undefined,
  backlog: Backlog | undefined,
  at: Date,
): Endpoint {
  const lastSuccessAt = lately?.lastSuccessAt ?? null
  const lastFailureAt = later(lately?.lastFailureAt ?? null, backlog?.lastFailureAt ?? null)
  const { tenantId, endpointId, applicationId, applicationName, url, statuses, disabledBecause, oldSecretUntil } =
    endpoint
  return {
    ...{ tenantId, endpointId, applicationId, applicationName, url, statuses, disabledBecause },
    createdAt: endpoint.createdAt.toISOString(),
    pausedAt: iso(endpoint.pausedAt),
    disabledAt: iso(endpoint.disabledAt),
    oldSecretUntil: iso(oldSecretUntil && oldSecretUntil > at ? oldSecretUntil : null),
    health: healthOf(endpoint, { lastSuccessAt, lastFailureAt }),
    lastSuccessAt: iso(lastSuccessAt),
    lastFailureAt: iso(lastFailureAt),
    lastDay: {
      delivered: lately?.delivered ?? 0,
      repeated: lately?.repeated ?? 0,
      p50Ms: lately?.p50Ms ?? null,
      p95Ms: lately?.p95Ms ?? null,
    },
    waiting: backlog?.waiting ?? 0,
    waitingSince: iso(backlog?.waitingSince ?? null),
    missed: backlog?.missed ?? 0,
    lastAnswers: (lately?.answers ?? []).map(answerWire),
  }
}

const answerWire = ({ at, state, answer, tookMs }: EndpointActivity['answers'][number]): LastAnswer => ({
  at: new Date(at).toISOString(),
  state,
  answer: answer ?? '',
  tookMs,
})

export const deliveryWire = (delivery: SeenDelivery): Delivery => ({
  tenantId: delivery.tenantId,
  deliveryId: delivery.deliveryId,
  endpointId: delivery.isCallback ? null : delivery.destinationId,
  url: delivery.isCallback ? null : delivery.url,
  journeyId: delivery.journeyId,
  eventId: delivery.eventId,
  sequence: delivery.sequence,
  status: delivery.status,
  state: delivery.state,
  tryCount: delivery.tries,
  attempts: delivery.attempt,
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

/** Indented JSON with personal fields masked by name, as in the log. */
export function bodyWire(body: Buffer): string {
  const text = body.toString('utf8')
  try {
    return JSON.stringify(maskedDocument(JSON.parse(text)), null, 2)
  } catch {
    return maskedText(text)
  }
}

/** All stored attempts; a successful first attempt is only in the delivery. */
export function triesWire(seal: Seal, delivery: WholeDelivery, tries: SeenTry[]): DeliveryTry[] {
  const { lastAttemptAt, lastAnswer, tookMs, state } = delivery
  const known = tries.map(({ number, at, answerSealed, ...each }) => ({
    number,
    at: at.toISOString(),
    state: each.state,
    answer: each.answer,
    tookMs: each.tookMs,
    body: answerSealed && maskedText(seal.open(answerSealed, answerContext(delivery)).toString('utf8')),
  }))
  if (known.length > 0 || !lastAttemptAt) return known
  const only = { at: lastAttemptAt.toISOString(), state, answer: lastAnswer ?? '', tookMs: tookMs ?? 0, body: null }
  return [{ number: Math.max(1, delivery.tries), ...only }]
}

export function waitsFor({ state, behindDeliveryId, pausedAt }: WholeDelivery): DeliveryDetail['waitsFor'] {
  if (state !== 'PENDING') return null
  if (pausedAt) return 'paused'
  return behindDeliveryId ? 'earlier' : 'try'
}

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
