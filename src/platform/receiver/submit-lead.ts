// The borrower took the recommendation: the lead goes to the partner, resting on a duplicate check that still holds (D3 §1.1 rule 2).

import type { DedupeReply } from '#contract/exchange/dedupe.ts'
import { secondsAfter } from '#kit/clock.ts'
import { uuidv4 } from '#kit/id.ts'
import { type Job, Later, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import type { Applicant } from '#platform/exchange/applicant.ts'
import { NotAnswered, WrongAnswer } from '#platform/exchange/call.ts'
import { caseContext, type PartnerCase, stageAfter, stopsBecause } from '#platform/exchange/case.ts'
import { checkDuplicates } from '#platform/exchange/dedupe.ts'
import { type Consents, type Evidence, leadFaults, leadOf } from '#platform/exchange/lead.ts'
import { type CaseJob, leadKind } from '#platform/exchange/open-case.ts'
import { sendEvent } from '#platform/exchange/send.ts'
import { chasePartner } from '#platform/exchange/status.ts'
import { changeCase, findCase, listDocuments } from '#platform/exchange/store.ts'
import { stepReady } from '#platform/step/move.ts'
import type { World } from '#platform/world.ts'
import { accountFor } from './account.ts'
import { applicantFor, type Concerned, underCase, underLock } from './case-job.ts'
import { reject } from './stop.ts'

export const submitting = (world: World): Worker =>
  work<CaseJob>({ kind: leadKind, ...world, handle: (job) => submit(world, job) })

async function submit(world: World, job: Job<CaseJob>): Promise<void> {
  const kase = await findCase(world.db, { tenantId: job.tenantId, caseRef: job.payload.caseRef })
  if (kase?.stage !== 'CHOSEN') return
  const { applicant, consents } = await applicantFor(world, kase)
  const account = applicant.account ?? (await accountFor(world.db, world, kase))
  if (account === null)
    return underCase(world, job, (tx, { journey }, at) => stepReady(tx, journey, 'bankMandate', accountForm, at))
  const checked = await withFreshCheck(world, job, kase, applicant)
  if (checked === null) return
  await underCase(world, job, (tx, concerned, at) =>
    send(tx, world, concerned, { ...applicant, account }, consents, checked, at),
  )
}

/** Our own form: the partner wants to know the account from the beginning (D3 §2.3 banking). */
const accountForm = { url: null, formId: 'partner-account' }

/** The check that the lead may rest on; null when there is none any more, and the journey has ended by that. */
async function withFreshCheck(
  world: World,
  job: Job<CaseJob>,
  kase: PartnerCase,
  applicant: Applicant,
): Promise<DedupeReply | null> {
  const known = kase.dedupeSealed && world.seal.openJson<DedupeReply>(kase.dedupeSealed, caseContext(kase, 'dedupe'))
  const isFresh =
    kase.dedupeCheckedAt !== null &&
    secondsAfter(kase.dedupeCheckedAt, world.config.PARTNER_LEAD_HOURS * 3600) > world.clock()
  if (known && isFresh) return known
  const asked = kase.dedupeCheckedAt === null ? kase : await askAfresh(world, kase)
  try {
    const reply = await checkDuplicates(world, asked, applicant)
    await keep(world, asked, reply)
    const why = stopsBecause(reply)
    if (why === null) return reply
    await underCase(world, job, (tx, concerned, at) => giveUp(tx, world, concerned, why, at))
  } catch (error) {
    if (error instanceof NotAnswered)
      throw new Later(Math.max(Math.min(2 ** job.attempt, 300), error.retryAfterSeconds ?? 0), error.message)
    if (!(error instanceof WrongAnswer)) throw error
    await underCase(world, job, (tx, concerned, at) => giveUp(tx, world, concerned, error.message, at))
  }
  return null
}

/** A fresh check needs a new request id, which is kept before it is used: every try of this check has the same one. */
const askAfresh = (world: World, of: PartnerCase): Promise<PartnerCase> =>
  underLock(world, of, (tx, { kase }, at) =>
    changeCase(tx, kase, { dedupeRequestId: uuidv4(), dedupeCheckedAt: null }, at),
  )

const keep = (world: World, of: PartnerCase, reply: DedupeReply): Promise<PartnerCase> =>
  underLock(world, of, (tx, { kase }, at) => {
    const dedupeSealed = world.seal.json(reply, caseContext(kase, 'dedupe'))
    return changeCase(tx, kase, { dedupeSealed, dedupeCheckedAt: new Date(reply.checked_at) }, at)
  })

async function giveUp(tx: Tx, world: World, concerned: Concerned, because: string, at: Date): Promise<void> {
  world.log.warn({ caseRef: concerned.kase.caseRef, because }, 'the lead cannot be submitted')
  await reject(tx, world, concerned, because, 'The lender cannot take this application.', at)
}

async function send(
  tx: Tx,
  world: World,
  { kase, journey }: Concerned,
  applicant: Applicant,
  consents: Consents,
  { dedupe_reference_id: dedupeReferenceId }: DedupeReply,
  at: Date,
): Promise<void> {
  if (kase.stage !== 'CHOSEN' || !journey.active) return
  const data = leadOf(
    {
      dedupeReferenceId,
      applicant,
      consents,
      evidence: world.seal.openJson<Evidence>(kase.evidenceSealed!, caseContext(kase, 'evidence')),
      amountPaise: journey.preferredAmountPaise!,
      documents: await listDocuments(tx, kase),
    },
    at,
  )
  const wrong = leadFaults(data)
  if (wrong.length > 0) return giveUp(tx, world, { kase, journey }, `the lead is not whole: ${wrong.join('; ')}`, at)
  const leadEventId = await sendEvent(tx, world, kase, { type: 'LEAD_SUBMITTED', data }, at)
  const submitted = await changeCase(tx, kase, { stage: stageAfter(kase, 'submitted'), leadEventId }, at)
  await chasePartner(tx, world, submitted, at)
}
