// A recommendation: the bureau is asked with the borrower's consent, and what follows from it is offered, not yet sanctioned (D3 §2.3).
import { daysAfter } from '#kit/clock.ts'
import { uuidv7 } from '#kit/id.ts'
import { type Job, type Worker, work } from '#kit/queue.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import { caseContext, stageAfter } from '#platform/exchange/case.ts'
import type { Evidence } from '#platform/exchange/lead.ts'
import type { CaseJob } from '#platform/exchange/open-case.ts'
import { indicativeTerms, recommend, rulesVersion } from '#platform/exchange/recommend.ts'
import { changeCase, findCase } from '#platform/exchange/store.ts'
import { termsOf } from '#platform/exchange/terms.ts'
import { findJourney } from '#platform/journey/store.ts'
import { receiveTerms } from '#platform/offer/receive.ts'
import { type BureauStanding, pullBureau } from '#platform/provider/bureau.ts'
import type { World } from '#platform/world.ts'
import { applicantFor, type Concerned, isChoosing, underCase } from './case-job.ts'
import { indicativeLinks } from './indicative-link.ts'
import { stop } from './stop.ts'
import { expectFile } from './uploading.ts'

export const weighKind = 'partner-weigh'

export const weighing = (world: World): Worker =>
  work<CaseJob>({ kind: weighKind, ...world, handle: (job) => weigh(world, job) })

/** A bureau that is away is asked again a few times: a pull leaves a mark, so each of ours has one name. */
const mostTries = 5

async function weigh(world: World, job: Job<CaseJob>): Promise<void> {
  const kase = await findCase(world.db, { tenantId: job.tenantId, caseRef: job.payload.caseRef })
  if (kase?.stage !== 'WEIGHING') return
  const journey = await findJourney(world.db, kase.tenantId, kase.journeyId)
  // A pull leaves a mark with the bureau: nobody is asked for an offer that cannot be chosen any more.
  if (!journey || !isChoosing(journey)) return underCase(world, job, (tx, found, at) => late(tx, world, found, at))
  const { applicant, consents } = await applicantFor(world, kase)
  if (consents.bureau === null) throw new Error(`case ${kase.caseRef} has no consent to ask the bureau`)
  const { name: fullName, pan, bornOn: dateOfBirth, mobile } = applicant
  const pull = {
    clientReference: `${kase.caseRef}:bureau:${kase.dedupeRequestId}`,
    person: { fullName, pan, dateOfBirth, mobile },
    consentedAt: consents.bureau,
  }
  const bureau = await pullBureau(world, pull).catch((error) => {
    if (error instanceof Refusal && error.kind === 'upstream' && job.attempt >= mostTries) return null
    throw error
  })
  await underCase(world, job, (tx, concerned, at) =>
    bureau === null
      ? stop(tx, world, concerned, 'the bureau is away', 'The credit report could not be fetched.', at)
      : weighed(tx, world, concerned, { bureau, income: applicant.income }, at),
  )
}

const late = (tx: Tx, world: World, concerned: Concerned, at: Date): Promise<void> =>
  stop(tx, world, concerned, 'the borrower has decided without it', 'The lender did not answer in time.', at)

async function weighed(
  tx: Tx,
  world: World,
  concerned: Concerned,
  { bureau, income }: { bureau: BureauStanding; income: number | null },
  at: Date,
): Promise<void> {
  const { kase, journey } = concerned
  if (kase.stage !== 'WEIGHING') return
  const { decision, mostPaise, reason } = recommend(world.config, { income, bureau })
  const referenceId = uuidv7(at.getTime())
  const evidence: Evidence = {
    bureau: { ...bureau, pulledAt: bureau.pulledAt.toISOString() },
    recommendation: { referenceId, ruleReference: `${rulesVersion}:${referenceId}`, decision },
  }
  const evidenceSealed = world.seal.json(evidence, caseContext(kase, 'evidence'))
  const kept = await changeCase(tx, kase, { evidenceSealed }, at)
  if (mostPaise === null) return stop(tx, world, { kase: kept, journey }, decision, reason!, at)
  if (!isChoosing(journey)) return late(tx, world, { kase: kept, journey }, at)
  const recommended = await changeCase(tx, kept, { stage: stageAfter(kept, 'recommended') }, at)
  for (const { fileId, type, contentType, sizeBytes, sha256 } of bureau.documents)
    await expectFile(
      tx,
      world,
      recommended,
      { from: 'bureau', reference: bureau.reference, fileId, type, contentType, sizeBytes, sha256 },
      at,
    )
  const validUntil = daysAfter(at, world.config.PARTNER_OFFER_DAYS_INDICATIVE)
  const quote = { id: referenceId, validUntil, ...indicativeLinks(world, kase, referenceId) }
  const terms = termsOf(indicativeTerms(world.config, mostPaise), quote, world.config, at)
  await receiveTerms(tx, world, journey, { conversationId: kase.caseRef, lenderId: kase.lenderId! }, terms, at)
}
