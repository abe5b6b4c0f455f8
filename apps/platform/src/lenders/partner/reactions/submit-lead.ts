// Sends the lead to the partner after the borrower chose the indicative offer. A lead needs a fresh duplicate check (D3
// §1.1 rule 2).

import { secondsAfter } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import type { DedupeReply } from '@lendloom/wire/exchange/dedupe'
import type { Context, TxContext } from '#platform/context.ts'
import type { ApplicantDetails } from '#platform/lenders/partner/applicant.ts'
import {
  partnerOf,
  RetryablePartnerError,
  UnusableAnswer,
  withPartner,
} from '#platform/lenders/partner/call-partner.ts'
import { sendEvent } from '#platform/lenders/partner/deliver-events.ts'
import { type ConsentTimes, type Evidence, leadFaults, leadOf } from '#platform/lenders/partner/lead.ts'
import { type CaseJob, leadKind } from '#platform/lenders/partner/lead-job.ts'
import { caseContext, type PartnerCase, stageAfter, stopReasonOf } from '#platform/lenders/partner/loan-case.ts'
import { decideWithStatement } from '#platform/lenders/partner/recommend-loan.ts'
import type { StatementBlock } from '#platform/lenders/partner/statement-evidence.ts'
import { followUpPartner } from '#platform/lenders/partner/status-snapshot.ts'
import { changeCase, findCase, listDocuments } from '#platform/lenders/partner/store.ts'
import { markStepReady } from '#platform/lending/step/move-step.ts'
import { endRejectedCase } from './end-application.ts'
import { type CaseAndJourney, runCaseJob, withLockedCase } from './lock-case.ts'
import { readApplicantAndConsents, readBankAccount } from './read-applicant.ts'
import { requestDuplicateCheck } from './request-duplicate-check.ts'
import { askForStatement, decideStatementAction, readEndedStatement } from './statement/request-statement.ts'

/** Pauses between attempts of the duplicate check before a lead. */
export const leadSchedule = doublingPauses(2, 300)

export const leadWorker = (ctx: Context): Worker =>
  work<CaseJob>({ kind: leadKind, ...ctx, handle: (job) => submit(ctx, job) })

async function submit(ctx: Context, job: Job<CaseJob>): Promise<void> {
  const loanCase = await findCase(ctx.db, { tenantId: job.tenantId, caseRef: job.payload.caseRef })
  if (loanCase?.stage !== 'CHOSEN') return
  const { applicant, consents } = await readApplicantAndConsents(ctx, loanCase)
  const account = applicant.account ?? (await readBankAccount(ctx.db, ctx, loanCase))
  if (account === null)
    return runCaseJob(ctx, job, (tx, { journey }, at) =>
      markStepReady({ ...ctx, tx }, journey, { name: 'bankMandate', page: accountForm, at }),
    )
  const statementAction = await decideStatementAction(ctx, loanCase)
  if (statementAction === 'ask')
    return runCaseJob(ctx, job, (tx, caseAndJourney, at) => askForStatement({ ...ctx, tx, at }, caseAndJourney))
  if (statementAction === 'wait') return
  const reply = await ensureFreshDuplicateCheck(ctx, job, loanCase, applicant)
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
  loanCase: PartnerCase,
  applicant: ApplicantDetails,
): Promise<DedupeReply | null> {
  const storedReply =
    loanCase.dedupeSealed && ctx.seal.openJson<DedupeReply>(loanCase.dedupeSealed, caseContext(loanCase, 'dedupe'))
  const isFresh =
    loanCase.dedupeCheckedAt !== null &&
    secondsAfter(loanCase.dedupeCheckedAt, ctx.config.PARTNER_LEAD_HOURS * 3600) > ctx.clock()
  if (storedReply && isFresh) return storedReply
  const current = loanCase.dedupeCheckedAt === null ? loanCase : await startNewDuplicateCheck(ctx, loanCase)
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
const startNewDuplicateCheck = (ctx: Context, loanCase: PartnerCase): Promise<PartnerCase> =>
  withLockedCase(ctx, loanCase, (tx, { loanCase }, at) =>
    changeCase(tx, loanCase, { dedupeRequestId: uuidv4(bucketOf(loanCase.caseRef)), dedupeCheckedAt: null }, at),
  )

const storeReply = (ctx: Context, loanCase: PartnerCase, reply: DedupeReply): Promise<PartnerCase> =>
  withLockedCase(ctx, loanCase, (tx, { loanCase }, at) => {
    const dedupeSealed = ctx.seal.json(reply, caseContext(loanCase, 'dedupe'))
    return changeCase(tx, loanCase, { dedupeSealed, dedupeCheckedAt: new Date(reply.checked_at) }, at)
  })

async function endWithoutLead(ctx: TxContext, caseAndJourney: CaseAndJourney, because: string): Promise<void> {
  ctx.log.warn({ caseRef: caseAndJourney.loanCase.caseRef, because }, 'the lead cannot be submitted')
  await endRejectedCase(ctx, caseAndJourney, because, 'APPLICATION_NOT_TAKEN')
}

/** The stored evidence, with the decision recalculated from the bank statement. */
async function evidenceWithStatement(
  ctx: TxContext,
  loanCase: PartnerCase,
  statement: StatementBlock,
): Promise<Evidence> {
  const evidence = ctx.seal.openJson<Evidence>(
    required(loanCase.evidenceSealed, 'the evidence of a chosen case'),
    caseContext(loanCase, 'evidence'),
  )
  const { recommendation } = evidence
  const { rules } = await partnerOf(ctx, ctx.tx, loanCase)
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
  { loanCase, journey }: CaseAndJourney,
  { applicant, consents, reply }: LeadParts,
): Promise<void> {
  const { tx, at } = ctx
  if (loanCase.stage !== 'CHOSEN' || !journey.active) return
  const statement = await readEndedStatement(ctx, loanCase)
  const data = leadOf(
    {
      dedupeReferenceId: reply.dedupe_reference_id,
      applicant,
      // Continuing without a statement withdraws the consent to the analysis.
      consents: statement?.status === 'DECLINED' ? { ...consents, bankAnalysis: null } : consents,
      evidence: await evidenceWithStatement(ctx, loanCase, statement),
      statement,
      amountPaise: required(journey.preferredAmountPaise, 'the amount that the borrower chose'),
      documents: await listDocuments(tx, loanCase),
    },
    at,
  )
  const faults = leadFaults(data)
  if (faults.length > 0)
    return endWithoutLead(ctx, { loanCase, journey }, `the lead is incomplete: ${faults.join('; ')}`)
  const leadEventId = await sendEvent(ctx, loanCase, { type: 'LEAD_SUBMITTED', data })
  const submitted = await changeCase(tx, loanCase, { stage: stageAfter(loanCase, 'submitted'), leadEventId }, at)
  await followUpPartner(ctx, submitted)
}
