// The borrower took the recommendation: sends the lead to the partner, based on a valid duplicate check (D3 §1.1 rule
// 2).

import type { DedupeReply } from '#contract/exchange/dedupe.ts'
import { bucketOf, uuidv4 } from '#kit/crypto/id.ts'
import { type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { required } from '#kit/runtime/record.ts'
import { doubling, pauseSeconds } from '#kit/runtime/schedule.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { ApplicantDetails, StatementBlock } from '#platform/exchange/applicant.ts'
import { checkDuplicates, NoAnswer, partnerOf, WrongAnswer, withPartner } from '#platform/exchange/call.ts'
import { caseContext, type PartnerCase, stageAfter, stopsBecause } from '#platform/exchange/case.ts'
import { type CaseJob, leadKind } from '#platform/exchange/channel.ts'
import { sendEvent } from '#platform/exchange/deliver.ts'
import { type Consents, type Evidence, leadFaults, leadOf } from '#platform/exchange/lead.ts'
import { withStatement } from '#platform/exchange/recommend.ts'
import { followUpPartner } from '#platform/exchange/status.ts'
import { changeCase, findCase, listDocuments } from '#platform/exchange/store.ts'
import { stepReady } from '#platform/step/move.ts'
import { accountFor } from './account.ts'
import { applicantFor, type CaseAndJourney, underCase, underLock } from './case-job.ts'
import { askForStatement, readStatement, statementState } from './statement/ask.ts'
import { reject } from './take-status.ts'

/** When a lead that the partner did not answer is sent again. */
export const leadSchedule = doubling(2, 300)

export const submitting = (ctx: Context): Worker =>
  work<CaseJob>({ kind: leadKind, ...ctx, handle: (job) => submit(ctx, job) })

async function submit(ctx: Context, job: Job<CaseJob>): Promise<void> {
  const application = await findCase(ctx.db, { tenantId: job.tenantId, caseRef: job.payload.caseRef })
  if (application?.stage !== 'CHOSEN') return
  const { applicant, consents } = await applicantFor(ctx, application)
  const account = applicant.account ?? (await accountFor(ctx.db, ctx, application))
  if (account === null)
    return underCase(ctx, job, (tx, { journey }, at) =>
      stepReady(tx, journey, { name: 'bankMandate', page: accountForm, at }),
    )
  const statement = await statementState(ctx, application)
  if (statement === 'ask')
    return underCase(ctx, job, (tx, concerned, at) => askForStatement({ ...ctx, tx, at }, concerned))
  if (statement === 'wait') return
  const checked = await withFreshCheck(ctx, job, application, applicant)
  if (checked === null) return
  await underCase(ctx, job, (tx, concerned, at) =>
    send({ ...ctx, tx, at }, concerned, { applicant: { ...applicant, account }, consents, reply: checked }),
  )
}

/** Our own form: the partner requires the account from the start (D3 §2.3 banking). */
const accountForm = { url: null, formId: 'partner-account' }

/** The check that the lead may rest on; null when there is none any more, and the journey has ended by that. */
async function withFreshCheck(
  ctx: Context,
  job: Job<CaseJob>,
  application: PartnerCase,
  applicant: ApplicantDetails,
): Promise<DedupeReply | null> {
  const known =
    application.dedupeSealed &&
    ctx.seal.openJson<DedupeReply>(application.dedupeSealed, caseContext(application, 'dedupe'))
  const isFresh =
    application.dedupeCheckedAt !== null &&
    secondsAfter(application.dedupeCheckedAt, ctx.config.PARTNER_LEAD_HOURS * 3600) > ctx.clock()
  if (known && isFresh) return known
  const current = application.dedupeCheckedAt === null ? application : await askAfresh(ctx, application)
  try {
    const reply = await checkDuplicates(await withPartner(ctx, current), current, applicant)
    await keep(ctx, current, reply)
    const why = stopsBecause(reply)
    if (why === null) return reply
    await underCase(ctx, job, (tx, concerned, at) => giveUp({ ...ctx, tx, at }, concerned, why))
  } catch (error) {
    if (error instanceof NoAnswer)
      throw new RetryLater(Math.max(pauseSeconds(leadSchedule, job.attempt), error.retryAfterSeconds), error.message)
    if (!(error instanceof WrongAnswer)) throw error
    await underCase(ctx, job, (tx, concerned, at) => giveUp({ ...ctx, tx, at }, concerned, error.message))
  }
  return null
}

/** A fresh check needs a new request id, which is kept before it is used: every try of this check has the same one. */
const askAfresh = (ctx: Context, of: PartnerCase): Promise<PartnerCase> =>
  underLock(ctx, of, (tx, { application }, at) =>
    changeCase(tx, application, { dedupeRequestId: uuidv4(bucketOf(of.caseRef)), dedupeCheckedAt: null }, at),
  )

const keep = (ctx: Context, of: PartnerCase, reply: DedupeReply): Promise<PartnerCase> =>
  underLock(ctx, of, (tx, { application }, at) => {
    const dedupeSealed = ctx.seal.json(reply, caseContext(application, 'dedupe'))
    return changeCase(tx, application, { dedupeSealed, dedupeCheckedAt: new Date(reply.checked_at) }, at)
  })

async function giveUp(ctx: TxContext, concerned: CaseAndJourney, because: string): Promise<void> {
  ctx.log.warn({ caseRef: concerned.application.caseRef, because }, 'the lead cannot be submitted')
  await reject(ctx, concerned, because, 'APPLICATION_NOT_TAKEN')
}

/** The recommendation's evidence, and the result with the borrower's statement. */
async function weighedWith(ctx: TxContext, application: PartnerCase, statement: StatementBlock): Promise<Evidence> {
  const evidence = ctx.seal.openJson<Evidence>(
    required(application.evidenceSealed, 'the evidence of a chosen case'),
    caseContext(application, 'evidence'),
  )
  const { recommendation } = evidence
  const { rules } = await partnerOf(ctx, ctx.tx, application)
  const decision = withStatement(rules, recommendation.decision, statement)
  return { ...evidence, recommendation: { ...recommendation, decision } }
}

/**
 * The parts of a lead besides its case: the applicant, their consents, and the partner's answer to the duplicate check.
 */
interface LeadParts {
  applicant: ApplicantDetails
  consents: Consents
  reply: DedupeReply
}

async function send(
  ctx: TxContext,
  { application, journey }: CaseAndJourney,
  { applicant, consents, reply }: LeadParts,
): Promise<void> {
  const { tx, at } = ctx
  if (application.stage !== 'CHOSEN' || !journey.active) return
  const statement = await readStatement(ctx, application)
  const data = leadOf(
    {
      dedupeReferenceId: reply.dedupe_reference_id,
      applicant,
      // A borrower who continued without a statement has withdrawn that consent.
      consents: statement?.status === 'DECLINED' ? { ...consents, bankAnalysis: null } : consents,
      evidence: await weighedWith(ctx, application, statement),
      statement,
      amountPaise: required(journey.preferredAmountPaise, 'the amount that the borrower chose'),
      documents: await listDocuments(tx, application),
    },
    at,
  )
  const wrong = leadFaults(data)
  if (wrong.length > 0) return giveUp(ctx, { application, journey }, `the lead is not whole: ${wrong.join('; ')}`)
  const leadEventId = await sendEvent(ctx, application, { type: 'LEAD_SUBMITTED', data })
  const submitted = await changeCase(tx, application, { stage: stageAfter(application, 'submitted'), leadEventId }, at)
  await followUpPartner(ctx, submitted)
}
