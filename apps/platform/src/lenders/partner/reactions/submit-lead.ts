// Sends the lead to the partner after the borrower chose the indicative offer. A lead needs a fresh duplicate check (D3
// §1.1 rule 2).

import { secondsAfter } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import type { DedupeReply } from '@lendloom/wire/exchange/dedupe'
import type { Context, TxContext } from '#platform/context.ts'
import type { ApplicantDetails, StatementBlock } from '#platform/lenders/partner/applicant.ts'
import {
  partnerOf,
  RetryablePartnerError,
  requestDuplicateCheck,
  UnusableAnswer,
  withPartner,
} from '#platform/lenders/partner/call.ts'
import { caseContext, type PartnerCase, stageAfter, stopReasonOf } from '#platform/lenders/partner/case.ts'
import { type CaseJob, leadKind } from '#platform/lenders/partner/channel.ts'
import { sendEvent } from '#platform/lenders/partner/deliver.ts'
import { type ConsentTimes, type Evidence, leadFaults, leadOf } from '#platform/lenders/partner/lead.ts'
import { decideWithStatement } from '#platform/lenders/partner/recommend.ts'
import { followUpPartner } from '#platform/lenders/partner/status.ts'
import { changeCase, findCase, listDocuments } from '#platform/lenders/partner/store.ts'
import { markStepReady } from '#platform/lending/step/move.ts'
import { readBankAccount } from './account.ts'
import { type CaseAndJourney, readApplicantAndConsents, runCaseJob, withLockedCase } from './case-job.ts'
import { askForStatement, decideStatementAction, readEndedStatement } from './statement/ask.ts'
import { endRejectedCase } from './take-status.ts'

/** Pauses between attempts of the duplicate check before a lead. */
export const leadSchedule = doublingPauses(2, 300)

export const leadWorker = (ctx: Context): Worker =>
  work<CaseJob>({ kind: leadKind, ...ctx, handle: (job) => submit(ctx, job) })

async function submit(ctx: Context, job: Job<CaseJob>): Promise<void> {
  const application = await findCase(ctx.db, { tenantId: job.tenantId, caseRef: job.payload.caseRef })
  if (application?.stage !== 'CHOSEN') return
  const { applicant, consents } = await readApplicantAndConsents(ctx, application)
  const account = applicant.account ?? (await readBankAccount(ctx.db, ctx, application))
  if (account === null)
    return runCaseJob(ctx, job, (tx, { journey }, at) =>
      markStepReady({ ...ctx, tx }, journey, { name: 'bankMandate', page: accountForm, at }),
    )
  const statementAction = await decideStatementAction(ctx, application)
  if (statementAction === 'ask')
    return runCaseJob(ctx, job, (tx, caseAndJourney, at) => askForStatement({ ...ctx, tx, at }, caseAndJourney))
  if (statementAction === 'wait') return
  const reply = await ensureFreshDuplicateCheck(ctx, job, application, applicant)
  if (reply === null) return
  await runCaseJob(ctx, job, (tx, caseAndJourney, at) =>
    sendLead({ ...ctx, tx, at }, caseAndJourney, { applicant: { ...applicant, account }, consents, reply }),
  )
}

/** Our form for the account, which the partner requires in the lead (D3 §2.3 banking). */
const accountForm = { url: null, formId: 'partner-account' }

/** Returns the reply of a fresh duplicate check. Returns null if the reply forbids the lead and ends the application. */
async function ensureFreshDuplicateCheck(
  ctx: Context,
  job: Job<CaseJob>,
  application: PartnerCase,
  applicant: ApplicantDetails,
): Promise<DedupeReply | null> {
  const storedReply =
    application.dedupeSealed &&
    ctx.seal.openJson<DedupeReply>(application.dedupeSealed, caseContext(application, 'dedupe'))
  const isFresh =
    application.dedupeCheckedAt !== null &&
    secondsAfter(application.dedupeCheckedAt, ctx.config.PARTNER_LEAD_HOURS * 3600) > ctx.clock()
  if (storedReply && isFresh) return storedReply
  const current = application.dedupeCheckedAt === null ? application : await startNewDuplicateCheck(ctx, application)
  try {
    const reply = await requestDuplicateCheck(await withPartner(ctx, current), current, applicant)
    await storeReply(ctx, current, reply)
    const why = stopReasonOf(reply)
    if (why === null) return reply
    await runCaseJob(ctx, job, (tx, caseAndJourney, at) => endWithoutLead({ ...ctx, tx, at }, caseAndJourney, why))
  } catch (error) {
    if (error instanceof RetryablePartnerError)
      throw new RetryLater(Math.max(pauseSeconds(leadSchedule, job.attempt), error.retryAfterSeconds), error.message)
    if (!(error instanceof UnusableAnswer)) throw error
    await runCaseJob(ctx, job, (tx, caseAndJourney, at) =>
      endWithoutLead({ ...ctx, tx, at }, caseAndJourney, error.message),
    )
  }
  return null
}

/** Stores the request id of a new check before its first attempt, so that every attempt has the same id. */
const startNewDuplicateCheck = (ctx: Context, application: PartnerCase): Promise<PartnerCase> =>
  withLockedCase(ctx, application, (tx, { application }, at) =>
    changeCase(tx, application, { dedupeRequestId: uuidv4(bucketOf(application.caseRef)), dedupeCheckedAt: null }, at),
  )

const storeReply = (ctx: Context, application: PartnerCase, reply: DedupeReply): Promise<PartnerCase> =>
  withLockedCase(ctx, application, (tx, { application }, at) => {
    const dedupeSealed = ctx.seal.json(reply, caseContext(application, 'dedupe'))
    return changeCase(tx, application, { dedupeSealed, dedupeCheckedAt: new Date(reply.checked_at) }, at)
  })

async function endWithoutLead(ctx: TxContext, caseAndJourney: CaseAndJourney, because: string): Promise<void> {
  ctx.log.warn({ caseRef: caseAndJourney.application.caseRef, because }, 'the lead cannot be submitted')
  await endRejectedCase(ctx, caseAndJourney, because, 'APPLICATION_NOT_TAKEN')
}

/** The stored evidence, with the decision recalculated from the bank statement. */
async function evidenceWithStatement(
  ctx: TxContext,
  application: PartnerCase,
  statement: StatementBlock,
): Promise<Evidence> {
  const evidence = ctx.seal.openJson<Evidence>(
    required(application.evidenceSealed, 'the evidence of a chosen case'),
    caseContext(application, 'evidence'),
  )
  const { recommendation } = evidence
  const { rules } = await partnerOf(ctx, ctx.tx, application)
  const decision = decideWithStatement(rules, recommendation.decision, statement)
  return { ...evidence, recommendation: { ...recommendation, decision } }
}

/** The data of a lead that the case does not contain. `reply` is the answer to the duplicate check. */
interface LeadParts {
  applicant: ApplicantDetails
  consents: ConsentTimes
  reply: DedupeReply
}

async function sendLead(
  ctx: TxContext,
  { application, journey }: CaseAndJourney,
  { applicant, consents, reply }: LeadParts,
): Promise<void> {
  const { tx, at } = ctx
  if (application.stage !== 'CHOSEN' || !journey.active) return
  const statement = await readEndedStatement(ctx, application)
  const data = leadOf(
    {
      dedupeReferenceId: reply.dedupe_reference_id,
      applicant,
      // Continuing without a statement withdraws the consent to the analysis.
      consents: statement?.status === 'DECLINED' ? { ...consents, bankAnalysis: null } : consents,
      evidence: await evidenceWithStatement(ctx, application, statement),
      statement,
      amountPaise: required(journey.preferredAmountPaise, 'the amount that the borrower chose'),
      documents: await listDocuments(tx, application),
    },
    at,
  )
  const faults = leadFaults(data)
  if (faults.length > 0)
    return endWithoutLead(ctx, { application, journey }, `the lead is incomplete: ${faults.join('; ')}`)
  const leadEventId = await sendEvent(ctx, application, { type: 'LEAD_SUBMITTED', data })
  const submitted = await changeCase(tx, application, { stage: stageAfter(application, 'submitted'), leadEventId }, at)
  await followUpPartner(ctx, submitted)
}
