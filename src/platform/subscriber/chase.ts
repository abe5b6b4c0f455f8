// A lender that holds a journey and says nothing is asked again, ever more rarely, until it answers or the journey expires.
import { secondsAfter } from '#kit/clock.ts'
import { enqueue, finish, type Job, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { type Agreed, init, select, status } from '#platform/network/ask-lender.ts'
import { pledge } from '#platform/network/ask-secured.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { isSecured } from '#platform/network/dialect.ts'
import type { Stage } from '#platform/network/stage.ts'
import { readConversation } from '#platform/network/store.ts'
import { agreedOn } from '#platform/step/agreed.ts'
import type { World } from '#platform/world.ts'

const kind = 'lender-chase'

interface Chase {
  journeyId: string
  conversationId: string
  /** How far the conversation had come: once it has moved on, nobody needs to be chased. */
  stage: string
  round: number
}

const waits = [10, 30, 60, 300, 1800, 7200]

/** Seconds before a round, counted from 1; six hours from the seventh on. */
export const chaseSeconds = (round: number): number => waits[round - 1] ?? 21_600

export const scheduleChase = (
  tx: Tx,
  { tenantId, journeyId, conversationId, stage }: Conversation,
  round: number,
  at: Date,
  seconds = chaseSeconds(round),
): Promise<void> =>
  enqueue(tx, {
    tenantId,
    kind,
    key: `${conversationId}:${stage}:${round}`,
    payload: { journeyId, conversationId, stage, round } satisfies Chase,
    dueAt: secondsAfter(at, seconds),
  })

export const chasing = (world: World): Worker =>
  work<Chase>({
    kind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    handle: (job) => world.db.tx((tx) => chase(tx, world, job)),
  })

async function chase(tx: Tx, world: World, job: Job<Chase>): Promise<void> {
  const { journeyId, conversationId, stage, round } = job.payload
  const at = world.clock()
  const journey = await lockJourney(tx, job.tenantId, journeyId)
  const conversation = await readConversation(tx, job.tenantId, journeyId, conversationId)
  await finish(tx, job)
  if (!journey?.active || conversation?.stage !== stage) return
  if (conversation.awaitedMessageId === null)
    await askAgain(tx, world, conversation, () => agreedOn(tx, world, journey), at)
  await scheduleChase(tx, conversation, round + 1, at)
}

/** An offer, or its final terms, are asked for again; also where a lender has not seen the borrower's consent yet. */
const selecting: Stage[] = ['CONSENT_ASKED', 'CONSENT_GIVEN', 'RESELECTED']

/** What was asked for last is asked for again; once the loan is placed, only how it stands. */
async function askAgain(
  tx: Tx,
  world: World,
  conversation: Conversation,
  agreed: () => Promise<Agreed>,
  at: Date,
): Promise<void> {
  if (conversation.stage === 'RESELECTED' && isSecured(conversation))
    await pledge(tx, world, conversation, (await agreed()).pledges, at)
  else if (selecting.includes(conversation.stage)) await select(tx, world, conversation, at)
  else if (conversation.stage === 'INITIATED') await init(tx, world, conversation, await agreed(), at)
  else await status(tx, world, conversation, at)
}
