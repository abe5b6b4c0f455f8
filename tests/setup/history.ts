// Writes a random history into the real tables and counts independently which figures it should produce.

import { randomInt } from 'node:crypto'
import { productIds } from '@lendloom/lending/product/products'
import type { Context } from '@lendloom/platform/src/context.ts'
import { firstPartnerId } from '@lendloom/platform/src/lenders/partner/directory/lending-partner.ts'
import { dayOf, halfHourOf } from '@lendloom/platform/src/records/figures/half-hours.ts'
import { bucketOf, buckets, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'

interface Journey {
  tenantId: string
  applicationId: string
  journeyId: string
  product: string
  createdAt: Date
  statuses: { status: string; at: Date }[]
  caseRef: string
  versions: Set<number>
}

interface Offer extends JourneyFact {
  offerId: string
  lenderId: string
  reached: Set<string>
  acceptedAt: Date | null
}
interface Delivery extends JourneyFact {
  deliveryId: string
  state: string
  tries: number
  tookMs: number | null
}
interface Request extends JourneyFact {
  messageId: string
  action: string
  outcome: string | null
  answeredAt: Date | null
}
interface Event extends JourneyFact {
  eventId: string
  version: number
  settled: { outcome: string; at: Date } | null
}
interface JourneyFact {
  journey: Journey
  at: Date
}

const ttlMs = 30_000
const pickFrom = <T>(list: T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)]
const durationBucketOf = (value: number) => String(Math.floor((4 * Math.log(Math.max(1, value))) / Math.log(2)))

export type HistoryAct =
  | 'begin'
  | 'move'
  | 'request'
  | 'answer'
  | 'choose'
  | 'accept'
  | 'deliver'
  | 'confirmDelivery'
  | 'giveUp'
  | 'send'
  | 'outcome'
  | 'callback'
  | 'receive'
  | 'settle'
  | 'write'
  | 'acknowledge'

/** Returns random acts on these tenants' journeys, and the figures that they should produce. */
export function randomHistory({ db }: Pick<Context, 'db'>, tenants: { tenantId: string; applicationId: string }[]) {
  const journeys: Journey[] = []
  const offers: Offer[] = []
  const deliveries: Delivery[] = []
  const requests: Request[] = []
  const received: Event[] = []
  const written: Event[] = []
  const lenders = [uuidv4(), uuidv4()]
  const actions = ['search', 'select', 'confirm']
  const bytes = Buffer.from('x')
  /** A row's change is not earlier than the row itself. */
  const notBefore = (at: Date, earliest: Date) => new Date(Math.max(at.getTime(), earliest.getTime()))

  const acts: Record<HistoryAct, (pick: number, at: Date) => Promise<string | undefined>> = {
    async begin(pick, at) {
      const { tenantId, applicationId } = pickFrom(tenants, pick)!
      const bucket = randomInt(buckets)
      const journeyId = uuidv7(at.getTime(), bucket)
      const caseRef = uuidv4(bucket)
      const product = pickFrom([...productIds], pick)!
      await db`insert into journey ${db({ bucket, tenantId, journeyId, applicationId, borrowerId: uuidv4(bucket), type: product, status: 'STARTED', active: true, networkTransactionId: uuidv4(bucket), lastBorrowerActAt: at, createdAt: at, updatedAt: at })}`
      await db`insert into partner_case ${db({ bucket, tenantId, caseRef, journeyId, partnerId: firstPartnerId, stage: 'X', dedupeRequestId: uuidv4(bucket), createdAt: at, updatedAt: at })}`
      journeys.push({
        tenantId,
        applicationId,
        journeyId,
        product,
        createdAt: at,
        statuses: [],
        caseRef,
        versions: new Set(),
      })
      return acts.move(journeys.length - 1, at)
    },
    async move(pick, at) {
      const journey = pickFrom(journeys, pick)
      const status = journey && statuses[journey.statuses.length]
      if (!journey || !status) return
      const { tenantId, journeyId } = journey
      await db`insert into lifecycle_event ${db({ bucket: bucketOf(journeyId), tenantId, journeyId, status, sequence: journey.statuses.length + 1, eventId: uuidv7(at.getTime(), bucketOf(journeyId)), payloadSealed: bytes, at })}`
      journey.statuses.push({ status, at })
      return
    },
    async request(pick, at) {
      const journey = pickFrom(journeys, pick)
      if (!journey) return
      const bucket = bucketOf(journey.journeyId)
      const offerId = uuidv7(at.getTime(), bucket)
      const lenderId = pickFrom(lenders, pick)!
      await db`insert into offer ${db({ bucket, tenantId: journey.tenantId, journeyId: journey.journeyId, offerId, conversationId: uuidv4(bucket), lenderId, status: 'OFFER_AWAITED', limits: '{}', createdAt: at, updatedAt: at })}`
      offers.push({ journey, at, offerId, lenderId, reached: new Set(['REQUESTED']), acceptedAt: null })
      return
    },
    async answer(pick, at) {
      const offer = pickFrom(offers, pick)
      if (!offer || offer.reached.size > 1) return
      const kind = pick % 3
      const [status, terms] = kind === 0 ? ['OFFER_RECEIVED', '{}'] : ['NO_OFFER_AVAILABLE', null]
      const reason = [null, 'INCOME_TOO_LOW', 'LENDER_SILENT'][kind]
      await db`update offer set status = ${status}, first_terms = ${terms}, reason = ${reason}, updated_at = ${at} where offer_id = ${offer.offerId}`
      for (const each of [['ANSWERED', 'OFFERED'], ['ANSWERED'], []][kind]!) offer.reached.add(each)
      return
    },
    async choose(pick, at) {
      const offer = pickFrom(offers, pick)
      if (
        !offer?.reached.has('OFFERED') ||
        offers.some((each) => each.journey === offer.journey && each.reached.has('CHOSEN'))
      )
        return
      await db`update offer set selected_at = ${at}, updated_at = ${at} where offer_id = ${offer.offerId}`
      offer.reached.add('CHOSEN')
      return
    },
    async accept(pick, at) {
      const offer = pickFrom(offers, pick)
      const isPaidOut = offer?.journey.statuses.some(({ status }) => status === 'DISBURSED')
      if (!offer?.reached.has('CHOSEN') || offer.acceptedAt || isPaidOut) return
      await db`update offer set accepted_at = ${at}, updated_at = ${at} where offer_id = ${offer.offerId}`
      offer.acceptedAt = at
      return
    },
    async deliver(pick, at) {
      const journey = pickFrom(journeys, pick)
      if (!journey) return
      const { tenantId, applicationId, journeyId } = journey
      const deliveryId = uuidv7(at.getTime(), bucketOf(journeyId))
      await db`insert into webhook_delivery ${db({ bucket: bucketOf(journeyId), tenantId, applicationId, deliveryId, destinationId: uuidv4(), journeyId, sequence: 1, status: 'STARTED', eventId: deliveryId, bodySealed: bytes, state: 'PENDING', dueAt: at, createdAt: at })}`
      deliveries.push({ journey, at, deliveryId, state: 'WAITING', tries: 0, tookMs: null })
      return deliveryId
    },
    async confirmDelivery(pick, at) {
      const delivery = pickFrom(deliveries, pick)
      if (delivery?.state !== 'WAITING') return
      const tries = 1 + (pick % 2)
      const deliveredAt = notBefore(at, delivery.at)
      await db`update webhook_delivery set state = 'DELIVERED', due_at = null, attempt = ${tries}, tries = ${tries}, delivered_at = ${deliveredAt}, last_attempt_at = ${at} where delivery_id = ${delivery.deliveryId}`
      Object.assign(delivery, {
        state: tries > 1 ? 'REPEATED' : 'FIRST_TRY',
        tookMs: deliveredAt.getTime() - delivery.at.getTime(),
      })
      return
    },
    async giveUp(pick, at) {
      const delivery = pickFrom(deliveries, pick)
      if (delivery?.state !== 'WAITING') return
      await db`update webhook_delivery set state = 'EXHAUSTED', due_at = null, attempt = 9, tries = 9, last_attempt_at = ${at} where delivery_id = ${delivery.deliveryId}`
      delivery.state = 'GIVEN_UP'
      return
    },
    async send(pick, at) {
      const journey = pickFrom(journeys, pick)
      if (!journey) return
      const messageId = uuidv4()
      const action = pickFrom(actions, pick)!
      await db`insert into network_message ${db({ bucket: bucketOf(journey.journeyId), tenantId: journey.tenantId, journeyId: journey.journeyId, messageKey: uuidv7(at.getTime(), bucketOf(journey.journeyId)), direction: 'sent', party: 'lender.example', action, messageId, bodySealed: bytes, at, expiresAt: new Date(at.getTime() + ttlMs) })}`
      requests.push({ journey, at, messageId, action, outcome: null, answeredAt: null })
      return
    },
    async outcome(pick, at) {
      const request = pickFrom(requests, pick)
      if (!request || request.outcome || isLongAgo(request, at)) return
      request.outcome = ['ACK', 'NACK 30000', 'UNREACHED', 'EXPIRED'][pick % 4]!
      await db`update network_message set outcome = ${request.outcome} where message_id = ${request.messageId} and direction = 'sent'`
      return
    },
    async callback(pick, at) {
      const request = pickFrom(requests, pick)
      if (request?.outcome !== 'ACK' || request.answeredAt || isLongAgo(request, at)) return
      const answeredAt = new Date(request.at.getTime() + (pick % 2 === 0 ? 1000 : ttlMs + 60_000))
      await db`insert into network_message ${db({ bucket: bucketOf(request.journey.journeyId), tenantId: request.journey.tenantId, journeyId: request.journey.journeyId, messageKey: uuidv7(answeredAt.getTime(), bucketOf(request.journey.journeyId)), direction: 'received', party: 'lender.example', action: `on_${request.action}`, messageId: request.messageId, bodySealed: bytes, outcome: 'ACK', at: answeredAt })}`
      request.answeredAt = answeredAt
      return
    },
    async receive(pick, at) {
      const journey = pickFrom(journeys, pick)
      const version = 1 + (pick % 4)
      if (!journey || journey.versions.has(version)) return
      journey.versions.add(version)
      const eventId = uuidv7(at.getTime())
      await db`insert into inbox ${db({ sender: 'P', eventId, eventType: 'KYC', caseRef: journey.caseRef, entityType: 'CASE', entityId: 'c', entityVersion: version, bodySha256: bytes, bodySealed: bytes, receivedAt: at })}`
      received.push({ journey, at, eventId, version, settled: null })
      return
    },
    async settle(pick, at) {
      const event = pickFrom(received, pick)
      if (!event || event.settled || (event.version > 1 && !event.journey.versions.has(event.version - 1))) return
      const settled = { outcome: ['APPLIED', 'FAILED', 'SUPERSEDED'][pick % 3]!, at: notBefore(at, event.at) }
      await db`insert into inbox_outcome ${db({ tenantId: event.journey.tenantId, caseRef: event.journey.caseRef, sender: 'P', eventId: event.eventId, outcome: settled.outcome, settledAt: settled.at })}`
      event.settled = settled
      return
    },
    async write(pick, at) {
      const journey = pickFrom(journeys, pick)
      if (!journey) return
      const eventId = uuidv7(at.getTime())
      await db`insert into outbox ${db({ tenantId: journey.tenantId, caseRef: journey.caseRef, eventId, eventType: 'LEAD', entityType: 'CASE', entityId: eventId, entityVersion: 1, bodySealed: bytes, state: 'PENDING', dueAt: at, createdAt: at })}`
      written.push({ journey, at, eventId, version: 1, settled: null })
      return
    },
    async acknowledge(pick, at) {
      const event = pickFrom(written, pick)
      if (!event || event.settled) return
      const settled = { outcome: 'DONE', at: notBefore(at, event.at) }
      await db`update outbox set state = 'DELIVERED', due_at = null, delivered_at = ${settled.at}, last_attempt_at = ${settled.at} where event_id = ${event.eventId}`
      event.settled = settled
      return
    },
  }

  /** Yields everything that is counted: figure name, time, subject, action and outcome. */
  function* facts(now: Date): Generator<[string, JourneyFact, string, string, string]> {
    for (const journey of journeys)
      for (const { status, at } of journey.statuses) {
        yield ['journey', { journey, at }, '', '', status]
        const seconds = (at.getTime() - journey.createdAt.getTime()) / 1000
        if (status !== 'DISBURSED') continue
        yield ['time-to-money', { journey, at }, '', '', durationBucketOf(seconds)]
        const accepted = offers.find((each) => each.journey === journey && each.acceptedAt)
        if (!accepted?.acceptedAt) continue
        const took = (at.getTime() - accepted.acceptedAt.getTime()) / 1000
        yield ['payout-time', { journey, at }, accepted.lenderId, '', durationBucketOf(took)]
      }
    for (const offer of offers) for (const each of offer.reached) yield ['offer', offer, offer.lenderId, '', each]
    for (const delivery of deliveries) {
      yield ['delivery', delivery, '', '', delivery.state]
      if (delivery.tookMs !== null) yield ['delivery-time', delivery, '', '', durationBucketOf(delivery.tookMs)]
    }
    for (const request of requests)
      yield ['network', request, 'lender.example', request.action, requestOutcome(request, now)]
    for (const event of received) {
      const { outcome = 'WAITING', at } = event.settled ?? {}
      yield ['event-in', event, 'KYC', '', outcome === 'APPLIED' ? 'DONE' : outcome]
      if (at) yield ['event-in-time', event, '', '', durationBucketOf(at.getTime() - event.at.getTime())]
      const before = received.find((each) => each.journey === event.journey && each.version === event.version - 1)
      const behind = before ? before.at.getTime() - event.at.getTime() : 0
      if (behind > 0 && behind < 86_400_000) yield ['event-gap', event, 'KYC', '', 'GAP']
    }
    for (const event of written) {
      yield ['event-out', event, 'LEAD', '', event.settled ? 'DONE' : 'WAITING']
      if (event.settled)
        yield ['event-out-time', event, '', '', durationBucketOf(event.settled.at.getTime() - event.at.getTime())]
    }
  }

  return {
    acts: Object.keys(acts) as HistoryAct[],
    do: (act: HistoryAct, pick: number, at: Date) => acts[act](pick, at),
    /** Returns the expected figure rows of a grain, as sorted text. */
    expectedRows(now: Date, grain: 'HALF_HOUR' | 'DAY'): string[] {
      const counts = new Map<string, number>()
      for (const [name, { journey, at }, subject, action, outcome] of facts(now)) {
        const begins = (grain === 'DAY' ? dayOf(at) : halfHourOf(at)).toISOString().slice(0, 16)
        const { tenantId, applicationId, product } = journey
        const row = [tenantId, name, begins, applicationId, product, subject, action, outcome].join(' ')
        counts.set(row, (counts.get(row) ?? 0) + 1)
      }
      return [...counts].map(([row, count]) => `${row} ${count}`).sort()
    },
  }
}

/** A request ends with its TTL, so nothing is recorded for a request that is older than 20 minutes. */
const isLongAgo = (request: JourneyFact, at: Date) => at.getTime() - request.at.getTime() > 20 * 60_000

function requestOutcome({ at, outcome, answeredAt }: Request, now: Date): string {
  const expiresAt = at.getTime() + ttlMs
  if (answeredAt) return answeredAt.getTime() <= expiresAt ? 'ANSWERED' : 'LATE'
  if (outcome?.startsWith('NACK')) return 'REFUSED'
  if (expiresAt > now.getTime()) return 'WAITING'
  return outcome === 'ACK' ? 'SILENT' : 'UNREACHED'
}
