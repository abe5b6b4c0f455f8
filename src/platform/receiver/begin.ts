// A case begins: the partner is listed beside the other lenders, and asked whether it knows the borrower (D3 §1.1 rule 1, §4.1).
import type { DedupeReply } from '#contract/exchange/dedupe.ts'
import { secondsAfter } from '#kit/clock.ts'
import { uuidv7 } from '#kit/id.ts'
import { enqueue, type Job, Later, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import { credentialsOf, NotAnswered, WrongAnswer } from '#platform/exchange/call.ts'
import { caseContext, type PartnerCase, stageAfter, stopsBecause } from '#platform/exchange/case.ts'
import { checkDuplicates } from '#platform/exchange/dedupe.ts'
import { beginKind, type CaseJob, endCase } from '#platform/exchange/open-case.ts'
import { tenureWeeks } from '#platform/exchange/recommend.ts'
import { changeCase, findCase } from '#platform/exchange/store.ts'
import { monthsOf } from '#platform/exchange/terms.ts'
import { keepLender } from '#platform/network/store.ts'
import { awaitOffer, profileTaken, unreachable } from '#platform/offer/receive.ts'
import type { World } from '#platform/world.ts'
import { applicantFor, type Concerned, isChoosing, underCase } from './case-job.ts'
import { identityOfPartner } from './identity.ts'
import { stop } from './stop.ts'
import { weighKind } from './weigh.ts'

const checkKind = 'partner-dedupe'

export const beginning = (world: World): Worker =>
  work<CaseJob>({
    kind: beginKind,
    ...world,
    handle: (job) => underCase(world, job, (tx, concerned, at) => begin(tx, world, concerned, at)),
  })

async function begin(tx: Tx, world: World, { kase, journey }: Concerned, at: Date): Promise<void> {
  if (kase.stage !== 'CHECKING') return
  if (!isChoosing(journey)) return void (await endCase(tx, kase, 'the borrower has decided without it', at))
  const { tenantId, caseRef } = kase
  const lenderId = await keepLender(tx, {
    tenantId,
    lenderId: uuidv7(at.getTime()),
    bppId: credentialsOf(world).webhook.sender,
    providerId: 'partner',
    identity: identityOfPartner(world.config),
    at,
  })
  await changeCase(tx, kase, { lenderId }, at)
  const { PARTNER_LEAST_RUPEES, PARTNER_MOST_RUPEES } = world.config
  const months = monthsOf(tenureWeeks)
  const ranges = {
    minInterestRate: null,
    maxInterestRate: null,
    minTenureMonths: months,
    maxTenureMonths: months,
    minAmount: BigInt(PARTNER_LEAST_RUPEES) * 100n,
    maxAmount: BigInt(PARTNER_MOST_RUPEES) * 100n,
  }
  await awaitOffer(tx, journey, { conversationId: caseRef, lenderId, via: 'PARTNER' }, ranges, at)
  await enqueue(tx, { tenantId, kind: checkKind, payload: { caseRef } satisfies CaseJob, dueAt: at })
}

export const checking = (world: World): Worker =>
  work<CaseJob>({ kind: checkKind, ...world, handle: (job) => check(world, job) })

/** The same request again, until it is answered or nobody waits any more: a timeout is no permission (D3 §4.1). */
async function check(world: World, job: Job<CaseJob>): Promise<void> {
  const kase = await findCase(world.db, { tenantId: job.tenantId, caseRef: job.payload.caseRef })
  if (kase?.stage !== 'CHECKING') return
  try {
    const { applicant } = await applicantFor(world, kase)
    const reply = await checkDuplicates(world, kase, applicant)
    return await underCase(world, job, (tx, concerned, at) => answered(tx, world, concerned, kase, reply, at))
  } catch (error) {
    if (!(error instanceof NotAnswered || error instanceof WrongAnswer)) throw error
    const until = secondsAfter(job.enqueuedAt, world.config.PARTNER_DEDUPE_SECONDS)
    if (error instanceof NotAnswered && world.clock() < until)
      throw new Later(error.retryAfterSeconds ?? Math.min(2 ** (job.attempt - 1), 15), error.message)
    world.log.warn(
      { caseRef: kase.caseRef, why: error.message },
      'the partner did not say whether it knows the borrower',
    )
    await underCase(world, job, (tx, concerned, at) => stop(tx, world, concerned, error.message, unreachable, at))
  }
}

async function answered(
  tx: Tx,
  world: World,
  { kase, journey }: Concerned,
  asked: PartnerCase,
  reply: DedupeReply,
  at: Date,
): Promise<void> {
  // An answer to a question that is no longer asked decides nothing.
  if (kase.stage !== 'CHECKING' || kase.dedupeRequestId !== asked.dedupeRequestId) return
  const dedupeSealed = world.seal.json(reply, caseContext(kase, 'dedupe'))
  const known = await changeCase(tx, kase, { dedupeSealed, dedupeCheckedAt: new Date(reply.checked_at) }, at)
  const why = stopsBecause(reply)
  if (why !== null) {
    world.log.info({ caseRef: kase.caseRef, why }, 'the partner does not want this borrower now')
    return stop(tx, world, { kase: known, journey }, why, notNow, at)
  }
  if (!isChoosing(journey))
    return stop(tx, world, { kase: known, journey }, 'the borrower has decided without it', tooLate, at)
  await changeCase(tx, known, { stage: stageAfter(known, 'permitted') }, at)
  await profileTaken(tx, world, journey, at)
  const { tenantId, caseRef } = kase
  await enqueue(tx, { tenantId, kind: weighKind, payload: { caseRef } satisfies CaseJob, dueAt: at })
}

const tooLate = 'The lender did not answer in time.'
const notNow = 'The lender cannot offer a loan at the moment.'
