// Disbursed network loans over real HTTP: the borrower's requests, the lender's messages about them, and the loan's state.

import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { InboundMessage } from '@lendloom/platform/src/lenders/network/inbound/inbound-message.ts'
import {
  installmentsFrom,
  onDisbursedLoanCallback,
} from '@lendloom/platform/src/lenders/network/reactions/appliers/disbursed-loan.ts'
import {
  onNacked,
  onUnanswered,
} from '@lendloom/platform/src/lenders/network/reactions/appliers/rejected-or-unanswered.ts'
import type { Installment } from '@lendloom/platform/src/lending/journey/installment.ts'
import type { Journey } from '@lendloom/platform/src/lending/journey/journey.ts'
import { findJourney, lockJourney } from '@lendloom/platform/src/lending/journey/store.ts'
import { findSelected } from '@lendloom/platform/src/lending/offer/store.ts'
import type { ServicingRow } from '@lendloom/platform/src/lending/servicing/operation.ts'
import { servicingPollWorker } from '@lendloom/platform/src/lending/servicing/poll-servicing.ts'
import {
  type PaymentRequest,
  requestServicing,
  requestStatusRefresh,
} from '@lendloom/platform/src/lending/servicing/request-servicing.ts'
import { listServicing, type ServicingKind } from '@lendloom/platform/src/lending/servicing/store.ts'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import type { Json } from '#test/network-messages/personal-loan.ts'
import { conversationHelpers } from './conversation.ts'
import { exampleOf, fakeNetwork, type NetworkCall } from './network.ts'
import { testSubscriber } from './subscriber.ts'

type PaymentKind = Exclude<ServicingKind, 'STATUS_REFRESH'>

/** Starts a subscriber that applies messages about disbursed loans; `env` adds settings. */
export async function disbursedLoans(env: Record<string, string> = {}) {
  const network = await fakeNetwork()
  const platform = await testSubscriber(network.url, { env: { STATUS_POLL_SECONDS: '60', ...env } })
  const { ctx, url } = platform
  const { db } = ctx
  const { conversationAt, currentConversation, nextAcknowledged } = conversationHelpers(network, platform)
  const applyByDefault = platform.onApply.run
  platform.onApply.run = async (tx, of, journey, conversation, inbound, at) => {
    if (inbound.type === 'on_search') return applyByDefault(tx, of, journey, conversation, inbound, at)
    if (inbound.type === 'on_update' || inbound.type === 'on_status' || inbound.type === 'on_cancel')
      return onDisbursedLoanCallback(
        { ...of, tx, at },
        journey,
        conversation!,
        inbound as InboundMessage<'on_update' | 'on_status' | 'on_cancel'>,
      )
    if (inbound.type === 'nacked')
      return onNacked({ ...of, tx, at }, journey, conversation, inbound as InboundMessage<'nacked'>)
    if (inbound.type === 'unanswered')
      return onUnanswered({ ...of, tx, at }, journey, conversation, inbound as InboundMessage<'unanswered'>)
  }
  const pollWorker = servicingPollWorker(ctx)
  after(() => pollWorker.stop())

  /** The instalments of the order in an example message. */
  const installmentsOfExample = (step: string): Installment[] => installmentsFrom(readOrder(exampleOf(step, network)))

  /** Creates a disbursed loan with the agreed instalments. */
  async function disbursedLoan(): Promise<Journey> {
    const { journey, conversation } = await conversationAt('DISBURSED', {
      orderId: 'order-7',
      paymentId: 'settlement-1',
    })
    const { tenantId, journeyId } = journey
    const at = ctx.clock()
    await db`insert into offer ${db({
      bucket: bucketOf(journeyId),
      tenantId,
      journeyId,
      offerId: uuidv7(at.getTime(), bucketOf(journeyId)),
      conversationId: conversation.conversationId,
      lenderId: conversation.lenderId,
      status: 'OFFER_RECEIVED',
      limits: '{}',
      selectedAt: at,
      installments: JSON.stringify(installmentsOfExample('on_update_disbursed')),
      createdAt: at,
      updatedAt: at,
    })}`
    await db`update journey set status = 'DISBURSED' where journey_id = ${journeyId}`
    return journey
  }

  const requestPayment = (
    { tenantId, journeyId }: Journey,
    kind: PaymentKind,
    requested: PaymentRequest = {},
  ): Promise<ServicingRow> =>
    db.tx(async (tx) => {
      const journey = (await lockJourney(tx, tenantId, journeyId))!
      return requestServicing({ ...ctx, tx, at: ctx.clock() }, journey, kind, requested)
    })
  const requestRefresh = ({ tenantId, journeyId }: Journey): Promise<ServicingRow> =>
    db.tx(async (tx) =>
      requestStatusRefresh({ ...ctx, tx, at: ctx.clock() }, (await lockJourney(tx, tenantId, journeyId))!),
    )

  /** Sends a lender's message, which answers `request` or is unsolicited. `change` alters the example order. */
  async function lenderSends(
    journey: Journey,
    action: 'on_update' | 'on_status' | 'on_cancel',
    content: { step: string; change?: (order: Json) => unknown } | { error: Json },
    request?: NetworkCall,
  ): Promise<void> {
    const body = 'error' in content ? content : { message: exampleOf(content.step, network) }
    if ('step' in content) content.change?.((body as { message: Json }).message.order)
    const ids = {
      transactionId: journey.networkTransactionId,
      ...(request && { messageId: request.body.context.message_id }),
    }
    const answer = await network.postSigned(url, network.callback(action, { ...ids, ...body }))
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    await platform.waitForInbound(journey, action)
  }

  const requestStates = async (journey: Journey): Promise<string> =>
    (await listServicing(db, journey)).map(({ kind, status }) => `${kind} ${status}`).join(', ')
  const isClosed = async ({ tenantId, journeyId }: Journey): Promise<boolean> =>
    (await findJourney(db, tenantId, journeyId))!.closedAt !== null
  const storedInstallments = async (journey: Journey): Promise<Installment[]> =>
    (await findSelected(db, journey))!.installments

  return {
    network,
    platform,
    installmentsOfExample,
    disbursedLoan,
    requestPayment,
    requestRefresh,
    lenderSends,
    requestStates,
    storedInstallments,
    isClosed,
    conversationAt,
    currentConversation,
    nextRequest: nextAcknowledged,
  }
}
