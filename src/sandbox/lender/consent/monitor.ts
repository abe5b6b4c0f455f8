// Before the money: a lender that wants to watch the account asks for that consent, and asks anew while it is refused (FIS12 §8.1 row 18).
import type { ConfirmedOrder } from '#contract/network/v203/confirm.ts'
import type { With } from '#contract/network/v203/order.ts'
import { onUpdate } from '#contract/network/v203/update.ts'
import { secondsAfter } from '#kit/clock.ts'
import { type Job, Later, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import type { Conversation } from '#sandbox/lender/conversation.ts'
import type { Applicant } from '#sandbox/lender/decide.ts'
import { enqueueFor } from '#sandbox/lender/enqueue-for.ts'
import { draftOf } from '#sandbox/lender/order.ts'
import type { Policy } from '#sandbox/lender/policy.ts'
import { policyFor } from '#sandbox/lender/policy-for.ts'
import { say } from '#sandbox/lender/say.ts'
import { applicantOf, conversationOf, lockById, writeConversation } from '#sandbox/lender/store.ts'
import type { World } from '#sandbox/world.ts'
import { consentStanding } from './aggregator.ts'
import { wishMonitoring } from './bank-news.ts'

const kind = 'monitor'
const secondsBetweenLooks = 5

interface Monitoring {
  conversationId: string
}

export const scheduleMonitoring = (tx: Tx, world: World, { conversationId }: Conversation, at: Date): Promise<void> =>
  enqueueFor(tx, world, {
    tenantId: conversationId,
    kind,
    key: conversationId,
    payload: { conversationId } satisfies Monitoring,
    dueAt: secondsAfter(at, world.disbursalSeconds),
  })

export const monitoring = (world: World): Worker =>
  work<Monitoring>({
    kind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    handle: (job) => monitor(world, job),
  })

async function monitor(world: World, job: Job<Monitoring>): Promise<void> {
  const { conversationId } = job.payload
  const seen = (await conversationOf(world.db, conversationId))!
  if (seen.status !== 'SANCTIONED') return
  const known = seen.monitoringHandle
  if (known === null || (await consentStanding(world, known)).is === 'refused') await askAnew(world, seen)
  throw new Later(secondsBetweenLooks, 'the consent is not given yet')
}

async function askAnew(world: World, seen: Conversation): Promise<void> {
  const policy = policyFor(seen)
  const applicant = (await applicantOf(world.db, world.seal, seen.conversationId))!
  const monitoringHandle = await wishMonitoring(world, policy, applicant)
  await world.db.tx(async (tx) => {
    const at = world.clock()
    const before = await lockById(tx, seen.conversationId)
    if (before.status !== 'SANCTIONED' || before.monitoringHandle !== seen.monitoringHandle) return
    const conversation = await writeConversation(tx, before, { status: before.status, monitoringHandle }, at)
    const content = { message: onUpdate(sanctionedOrder(world, policy, conversation, applicant)) }
    await say(tx, world, policy, { conversation, action: 'on_update', content, at })
  })
}

/** The loan as it is placed and not paid out yet; its state says that the consent is waited for. */
export const sanctionedOrder = (world: World, policy: Policy, conversation: Conversation, applicant: Applicant) =>
  draftOf(world, policy, conversation, applicant) as ConfirmedOrder & With<'state'>
