// A platform reduced to the network: subscriber API, workers, journeys, and appliers that record inbound messages.

import { randomBytes, randomInt } from 'node:crypto'
import { after } from 'node:test'
import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { serve } from '@lendloom/http/server'
import type { ProductId } from '@lendloom/lending/product/products'
import { settings } from '@lendloom/platform/settings'
import { subscriberApi } from '@lendloom/platform/src/api/ondc/routes.ts'
import type { Context } from '@lendloom/platform/src/context.ts'
import { lenderChannels } from '@lendloom/platform/src/lenders/channels.ts'
import type { Conversation } from '@lendloom/platform/src/lenders/network/conversation.ts'
import type { InboundMessage, InboundType } from '@lendloom/platform/src/lenders/network/inbound/inbound-message.ts'
import {
  type Appliers,
  inboundWorker,
  type MessageApplier,
} from '@lendloom/platform/src/lenders/network/reactions/apply-message.ts'
import { readConversations } from '@lendloom/platform/src/lenders/network/store.ts'
import { networkWork } from '@lendloom/platform/src/lenders/network/work.ts'
import type { Journey } from '@lendloom/platform/src/lending/journey/journey.ts'
import { findJourney } from '@lendloom/platform/src/lending/journey/store.ts'
import { processPartsOf } from '@lendloom/platform/src/process-parts.ts'
import { connect, type Tx } from '@lendloom/postgres/sql'
import type { Worker } from '@lendloom/queue/queue'
import { buckets, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { encryptionKeysFrom } from '@lendloom/wire/network/challenge'
import { signingKeysFrom } from '@lendloom/wire/network/signing'
import { testDatabase } from './database.ts'
import { databaseMs, deadlineMs } from './deadline.ts'
import { buyer } from './network.ts'
import { freePort } from './platform.ts'

export type ApplierHook = (
  tx: Tx,
  ctx: Context,
  journey: Journey,
  conversation: Conversation | null,
  inbound: InboundMessage,
  at: Date,
) => Promise<unknown>

export interface TestSubscriber {
  ctx: Context
  url: string
  /** Runs in each applier before it records the message. */
  onApply: { run: ApplierHook }
  /** Creates a journey; by default for a personal loan. */
  newJourney(type?: ProductId): Promise<Journey>
  conversations(journey: Journey): Promise<Conversation[]>
  advanceClock(seconds: number): void
  applied(journey: Journey): InboundMessage[]
  /** Waits for the next inbound message of this type that no earlier call returned. */
  waitForInbound<T extends InboundType>(journey: Journey, type: T): Promise<InboundMessage<T>>
}

const types: InboundType[] = [
  'on_search',
  'on_select',
  'on_init',
  'on_confirm',
  'on_status',
  'on_update',
  'on_cancel',
  'form_accepted',
  'form_refused',
  'nacked',
  'unanswered',
  'search_closed',
  'profile_resent',
  'form_due',
  'agreement_visited',
  'page_left',
]

export async function testSubscriber(
  networkUrl: string,
  { env = {}, workers = true }: { env?: Record<string, string>; workers?: boolean } = {},
): Promise<TestSubscriber> {
  const port = await freePort()
  const config = configFrom(settings, {
    DATABASE_URL: await testDatabase('platform'),
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LENDLOOM_KEYS: newSealKey('k1'),
    NETWORK_REGISTRY_URL: `${networkUrl}/registry`,
    NETWORK_GATEWAY_URL: `${networkUrl}/gateway`,
    NETWORK_SUBSCRIBER_ID: buyer.id,
    NETWORK_KEY_ID: buyer.keyId,
    NETWORK_SIGNING_KEY: signingKeysFrom(randomBytes(32)).privateKey,
    NETWORK_ENCRYPTION_KEY: encryptionKeysFrom(randomBytes(32)).privateKey,
    ...env,
  })
  const db = connect(config.DATABASE_URL, { connections: 12 })
  let offsetMs = 0
  const clock = () => new Date(Date.now() + offsetMs)
  const seal = sealWith(config.LENDLOOM_KEYS)
  const memory = processPartsOf({ db, seal, config })
  const ctx: Context = {
    db,
    seal,
    clock,
    realClock: clock,
    config,
    log: quietLog,
    channels: lenderChannels,
    ...memory,
  }
  const applied = new Map<string, InboundMessage[]>()
  const appliedTo = ({ journeyId }: Journey): InboundMessage[] => applied.get(journeyId) ?? []
  const onApply: { run: ApplierHook } = { run: async () => {} }
  const record: MessageApplier<InboundType> = async (of, journey, conversation, inbound) => {
    await onApply.run(of.tx, of, journey, conversation, inbound, of.at)
    // A retried transaction applies the message again; it is recorded once.
    const before = appliedTo(journey).filter(({ inboundMessageId }) => inboundMessageId !== inbound.inboundMessageId)
    applied.set(journey.journeyId, [...before, inbound])
  }
  const appliers = Object.fromEntries(types.map((type) => [type, record])) as unknown as Appliers
  const server = await serve({ apis: [subscriberApi], ctx, clock, log: quietLog, host: '127.0.0.1', port, databaseMs })
  const startedWorkers: Worker[] = workers ? [...networkWork(ctx), inboundWorker(ctx, appliers)] : []
  after(async () => {
    await server.stop()
    await Promise.all(startedWorkers.map((worker) => worker.stop()))
    await db.close()
  })

  const returned = new Set<string>()
  async function isCommitted({ inboundMessageId }: InboundMessage): Promise<boolean> {
    const rows =
      await db`select 1 from inbound_message where inbound_message_id = ${inboundMessageId} and state = 'APPLIED'`
    return rows.length > 0
  }
  return {
    ctx,
    url: config.PUBLIC_URL,
    applied: appliedTo,
    onApply,
    async newJourney(type = 'PERSONAL_LOAN') {
      const tenantId = uuidv7()
      const at = clock()
      const bucket = randomInt(buckets)
      const journeyId = uuidv7(Date.now(), bucket)
      await db`insert into journey ${db({
        bucket,
        tenantId,
        journeyId,
        applicationId: uuidv7(),
        borrowerId: uuidv7(Date.now(), bucket),
        type,
        status: 'STARTED',
        active: true,
        networkTransactionId: uuidv4(bucket),
        lastBorrowerActAt: at,
        createdAt: at,
        updatedAt: at,
      })}`
      return (await findJourney(db, tenantId, journeyId))!
    },
    conversations: ({ tenantId, journeyId }) => readConversations(db, tenantId, journeyId),
    advanceClock(seconds) {
      offsetMs += seconds * 1000
      db.wakeAll()
    },
    async waitForInbound<T extends InboundType>(journey: Journey, type: T) {
      for (
        const end = Date.now() + deadlineMs;
        Date.now() < end;
        await new Promise((resolve) => setTimeout(resolve, 10))
      ) {
        const found = appliedTo(journey).find((each) => each.type === type && !returned.has(each.inboundMessageId))
        if (!found || !(await isCommitted(found))) continue
        returned.add(found.inboundMessageId)
        return found as InboundMessage<T>
      }
      const types = appliedTo(journey).map((each) => each.type)
      throw new Error(`no ${type} within ${deadlineMs} ms, only ${types.join(', ')}`)
    },
  }
}

export async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + deadlineMs; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20)))
    if (await condition()) return
  throw new Error(`the condition was not met within ${deadlineMs} ms`)
}
