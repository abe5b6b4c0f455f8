// Asks the borrower for a bank statement before the lead. Starts a request at the analyser when the borrower consents on
// our page (D3 §1, §2.3 banking).

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Run } from '@lendloom/postgres/sql'
import type { Context, TxContext } from '#platform/context.ts'
import { partnerOf } from '#platform/lenders/partner/call-partner.ts'
import { submitWithAccount } from '#platform/lenders/partner/lead-job.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import {
  type PartnerStatement,
  type StatementSource,
  statementContext,
} from '#platform/lenders/partner/partner-statement.ts'
import { adapterScopeOf } from '#platform/lenders/partner/reactions/adapter-scope.ts'
import { clientReferenceOf } from '#platform/lenders/partner/reactions/client-reference.ts'
import { type CaseAndJourney, withLockedCase } from '#platform/lenders/partner/reactions/lock-case.ts'
import { readApplicantAndAccount } from '#platform/lenders/partner/reactions/read-applicant.ts'
import {
  maxStatementAttempts,
  requiresStatement,
  type StatementBlock,
  type StatementEvidence,
  usesStatement,
} from '#platform/lenders/partner/statement-evidence.ts'
import { newestStatement, storeReference, storeStatement } from '#platform/lenders/partner/store.ts'
import { type GivenConsent, recordConsents, requireConsentText } from '#platform/lending/borrower/consent.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { markStepReady, markStepSucceeded } from '#platform/lending/step/move-step.ts'
import { type JourneyStep, pageUrlOf } from '#platform/lending/step/step.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { adapterNamed } from '#platform/providers/adapters.ts'
import type { StartedRequest } from '#platform/providers/ports.ts'
import { adapterFor } from '#platform/providers/settings.ts'
import { scheduleStatementPoll } from './poll-statement.ts'
import { statementCallbackPath, statementUrl } from './statement-link.ts'

/** Returns whether to ask the borrower for a statement, wait for the analysis, or submit the lead. */
export async function decideStatementAction(
  ctx: Context,
  loanCase: PartnerCase,
): Promise<'ask' | 'wait' | 'submitLead'> {
  if (!usesStatement(await partnerOf(ctx, ctx.db, loanCase))) return 'submitLead'
  const newest = await newestStatement(ctx.db, loanCase)
  if (newest?.status === 'COMPLETED' || newest?.status === 'DECLINED') return 'submitLead'
  if (newest?.status === 'FAILED' && newest.attempt >= maxStatementAttempts) return 'submitLead'
  return newest === undefined ? 'ask' : 'wait'
}

/** Opens the bank-account step with our page for sharing a statement. */
export async function askForStatement(ctx: TxContext, { loanCase, journey }: CaseAndJourney): Promise<void> {
  const { at } = ctx
  if (loanCase.stage !== 'CHOSEN' || !journey.active) return
  const page = { url: statementUrl(ctx, loanCase), formId: 'partner-statement' }
  await markStepReady(ctx, journey, { name: 'bankMandate', page, at })
}

/** Returns the newest attempt, or null if it is still pending or there is no attempt. */
export async function readEndedStatement(
  { seal, tx }: Pick<TxContext, 'seal' | 'tx'>,
  loanCase: PartnerCase,
): Promise<StatementBlock> {
  const newest = await newestStatement(tx, loanCase)
  if (newest === undefined || newest.status === 'PENDING') return null
  const { status, source, providerReference, reason, reportSealed } = newest
  const evidence = reportSealed && seal.openJson<StatementEvidence>(reportSealed, statementContext('report', newest))
  return { status, source, providerReference, reason, evidence }
}

/** The source that the borrower chose for the statement, with the consent to the analysis. */
export interface StatementChoice {
  source: StatementSource
  consent: GivenConsent
  ip: string | null
}

/**
 * Starts a request at the analyser, or returns the pending one. Concurrent calls start the same request, because the
 * analyser identifies a request by our reference. Throws `invalid` for an unknown consent text, `wrong-state` when no
 * statement is due or all attempts are used, and `upstream` when the analyser is unavailable.
 */
export async function beginStatement(
  ctx: Context,
  { loanCase, journey }: CaseAndJourney,
  { source, consent, ip }: StatementChoice,
): Promise<PartnerStatement> {
  requireConsentText(consent)
  await requireStatementDue(ctx, { loanCase, journey })
  const last = await newestStatement(ctx.db, loanCase)
  if (last?.status === 'PENDING' && last.source === source && isPageOpen(last, ctx.clock())) return last
  const attempt = (last?.attempt ?? 0) + 1
  if (attempt > maxStatementAttempts) throw new Refusal('wrong-state', 'no statement attempts left')
  const partner = await partnerOf(ctx, ctx.db, loanCase)
  const adapter = adapterFor(ctx.config, 'bank-statement', adapterScopeOf(journey, partner))
  const session = await startRequest(ctx, { loanCase, journey }, { attempt, adapter })
  return withLockedCase(ctx, loanCase, async (tx, caseAndJourney, at) => {
    const newest = await newestStatement(tx, loanCase)
    if (newest && newest.attempt >= attempt) return newest
    await requireStatementDue({ db: tx }, caseAndJourney)
    const selected = await findSelected(tx, journey)
    const origin = { channel: selected?.lockSource ?? 'hosted', ip }
    await recordConsents({ ...ctx, tx, at }, journey, {
      consents: [consent],
      requiredPurposes: ['bank_analysis'],
      origin,
    })
    const statement = newStatement(ctx, loanCase, { attempt, adapter, source, session }, at)
    await storeStatement(tx, statement)
    await storeReference(tx, { ...statement, kind: 'bank-statement', providerReference: session.reference })
    await scheduleStatementPoll(tx, statement, 1, at)
    return statement
  })
}

const isPageOpen = ({ pageEndsAt }: PartnerStatement, at: Date): boolean => pageEndsAt !== null && pageEndsAt > at

interface NewStatement extends Pick<PartnerStatement, 'attempt' | 'adapter' | 'source'> {
  session: StartedRequest
}

function newStatement(
  { seal }: Context,
  { tenantId, caseRef }: PartnerCase,
  { attempt, adapter, source, session }: NewStatement,
  at: Date,
): PartnerStatement {
  const key = { tenantId, caseRef, attempt }
  return {
    ...key,
    source,
    adapter,
    status: 'PENDING',
    providerReference: session.reference,
    reason: null,
    reportSealed: null,
    urlSealed: seal.bytes(Buffer.from(session.url), statementContext('url', key)),
    pageEndsAt: session.expiresAt,
    createdAt: at,
    updatedAt: at,
  }
}

/** The address of the borrower's page at the analyser. Throws for a declined statement, which has none. */
export const analyserPageUrl = ({ seal }: Pick<Context, 'seal'>, statement: PartnerStatement): string =>
  seal.open(required(statement.urlSealed, 'the page of a statement'), statementContext('url', statement)).toString()

async function startRequest(
  ctx: Context,
  { loanCase, journey }: CaseAndJourney,
  { attempt, adapter }: Pick<PartnerStatement, 'attempt' | 'adapter'>,
): Promise<StartedRequest> {
  const { applicant, account } = await readApplicantAndAccount(ctx, loanCase)
  // Sealing the same link twice gives different links, so a repeated request uses the stored link.
  const pageUrl = pageUrlOf(ctx.seal, journey, await findStep(ctx.db, journey, 'bankMandate'))
  const { name: fullName, pan, bornOn: dateOfBirth, mobile, email } = applicant
  const person = { fullName, pan, dateOfBirth, mobile, email }
  return adapterNamed('bank-statement', adapter).begin(ctx, {
    clientReference: clientReferenceOf(ctx, loanCase, `statement:${attempt}`, { person, account }),
    person,
    callbackUrl: `${ctx.config.PUBLIC_URL}${statementCallbackPath(adapter)}`,
    returnUrl: `${pageUrl ?? statementUrl(ctx, loanCase)}?back=1`,
    account: {
      holderName: account.holderName,
      accountNumber: account.accountNumber,
      ifsc: account.ifsc,
      accountType: account.accountType === 'saving' ? 'SAVINGS' : 'CURRENT',
      bankName: account.ifsc.slice(0, 4),
    },
  })
}

/** Throws `wrong-state` unless a statement is due. */
async function requireStatementDue(ctx: { db: Run }, caseAndJourney: CaseAndJourney): Promise<void> {
  requireDueStep(await findStep(ctx.db, caseAndJourney.journey, 'bankMandate'), caseAndJourney)
}

/** Throws `wrong-state` unless the given bank-account step is due with our statement page. */
export function requireDueStep(
  { status, formId }: Pick<JourneyStep, 'status' | 'formId'>,
  { loanCase, journey }: CaseAndJourney,
): void {
  const isDue = status === 'READY' || status === 'IN_PROGRESS' || status === 'FAILURE'
  if (!journey.active || loanCase.stage !== 'CHOSEN' || formId !== 'partner-statement' || !isDue)
    throw new Refusal('wrong-state', 'no statement is due')
}

/**
 * Continues without a statement, and tries to cancel a pending request at the analyser. Throws `wrong-state` when the
 * lender requires a statement, or no statement is due.
 */
export async function declineStatement(ctx: Context, caseAndJourney: CaseAndJourney): Promise<void> {
  const { loanCase } = caseAndJourney
  const partner = await partnerOf(ctx, ctx.db, loanCase)
  if (requiresStatement(partner)) throw new Refusal('wrong-state', 'this lender requires a bank statement')
  await requireStatementDue(ctx, caseAndJourney)
  await cancelPendingRequest(ctx, loanCase)
  await withLockedCase(ctx, loanCase, async (tx, locked, at) => {
    const { journey } = locked
    await requireStatementDue({ db: tx }, locked)
    const newest = await newestStatement(tx, loanCase)
    if (newest?.status === 'COMPLETED') return
    const { tenantId, caseRef } = loanCase
    await storeStatement(tx, {
      tenantId,
      caseRef,
      attempt: (newest?.attempt ?? 0) + 1,
      source: 'STATEMENT_UPLOAD',
      status: 'DECLINED',
      adapter: newest?.adapter ?? adapterFor(ctx.config, 'bank-statement', adapterScopeOf(journey, partner)),
      providerReference: null,
      urlSealed: null,
      reason: null,
      reportSealed: null,
      pageEndsAt: null,
      createdAt: at,
      updatedAt: at,
    })
    await markStepSucceeded(tx, journey, 'bankMandate', at)
    await submitWithAccount(tx, locked.loanCase, at)
  })
}

/** Tries to cancel the pending request at the analyser. After a failure, the later analysis is ignored. */
async function cancelPendingRequest(ctx: Context, loanCase: PartnerCase): Promise<void> {
  const open = await newestStatement(ctx.db, loanCase)
  if (open?.status !== 'PENDING' || open.providerReference === null) return
  try {
    await adapterNamed('bank-statement', open.adapter).cancel(ctx, open.providerReference)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    ctx.log.info({ caseRef: open.caseRef, why: error.message }, 'a request could not be cancelled at the analyser')
  }
}
