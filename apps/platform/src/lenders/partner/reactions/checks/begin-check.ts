// Starts a check at its provider when the borrower opens the step, and notifies the partner (D3 §6).

import { required } from '@lendloom/foundation/required'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import type { Context } from '#platform/context.ts'
import { partnerOf } from '#platform/lenders/partner/call-partner.ts'
import type { Partner } from '#platform/lenders/partner/directory/lending-partner.ts'
import { paperTexts } from '#platform/lenders/partner/loan-paper.ts'
import { type CheckKind, checkContext, type PartnerCheck } from '#platform/lenders/partner/partner-check.ts'
import { adapterScopeOf } from '#platform/lenders/partner/reactions/adapter-scope.ts'
import { clientReferenceOf } from '#platform/lenders/partner/reactions/client-reference.ts'
import { type CaseAndJourney, withLockedCase } from '#platform/lenders/partner/reactions/lock-case.ts'
import { readApplicantAndConsents, readBankAccount } from '#platform/lenders/partner/reactions/read-applicant.ts'
import { newestCheck, storeCheck, storeReference } from '#platform/lenders/partner/store.ts'
import { listConsents } from '#platform/lending/borrower/store.ts'
import { termsFrom } from '#platform/lending/journey/stored-terms.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { pageUrlOf } from '#platform/lending/step/step.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { adapterNamed } from '#platform/providers/adapters.ts'
import type { StartedRequest } from '#platform/providers/ports.ts'
import { adapterFor } from '#platform/providers/settings.ts'
import { applyStatusReport, stepOfCheck } from './apply-check-report.ts'
import { callbackPath, urlOfCheck } from './check-link.ts'
import type { CheckEvent } from './check-report.ts'
import { fetchCheckReport, scheduleCheckPoll } from './poll-check.ts'
import { renderAgreement } from './render-agreement.ts'
import { startWithPauses } from './start-with-pauses.ts'

/**
 * Starts the attempt after `previous`, or takes over the request that the provider already has for it, which may have
 * ended. Concurrent calls start the same attempt, because they send the provider the same reference. Throws `upstream`
 * when the provider is unavailable, and for a while afterwards.
 */
export async function beginCheck(
  ctx: Context,
  { loanCase, journey }: CaseAndJourney,
  kind: CheckKind,
  previous: PartnerCheck | undefined,
): Promise<PartnerCheck> {
  const attempt = (previous?.attempt ?? 0) + 1
  const partner = await partnerOf(ctx, ctx.db, loanCase)
  const adapter = adapterFor(ctx.config, kind, adapterScopeOf(journey, partner))
  const { session, report } = await startWithPauses(ctx, `${loanCase.caseRef}:${kind}:${attempt}`, async () => {
    const started = await createSession(
      { ...ctx, partner },
      { loanCase, journey },
      { kind, attempt, adapter },
      previous,
    )
    const { reference: providerReference } = started
    return { session: started, report: await fetchCheckReport(ctx, { kind, adapter, providerReference }) }
  })
  return withLockedCase(ctx, loanCase, async (tx, caseAndJourney, at) => {
    const newest = await newestCheck(tx, loanCase, kind)
    if (newest && newest.attempt >= attempt) return newest
    const check = newCheck(ctx, caseAndJourney, { kind, attempt, adapter, provider: report.provider, ...session }, at)
    await storeCheck(tx, check)
    await storeReference(tx, check)
    await applyStatusReport({ ...ctx, tx, at }, caseAndJourney, check, { report, providerEventId: null })
    await scheduleCheckPoll(tx, check, 1, at)
    return required(await newestCheck(tx, loanCase, kind), 'the check that was stored')
  })
}

type StartedCheck = Pick<PartnerCheck, 'kind' | 'attempt' | 'adapter' | 'provider'> & StartedRequest

function newCheck(
  ctx: Context,
  { loanCase: { tenantId, caseRef } }: CaseAndJourney,
  { kind, attempt, adapter, provider, reference, url }: StartedCheck,
  at: Date,
): PartnerCheck {
  const key = { tenantId, caseRef, kind, attempt }
  return {
    ...key,
    adapter,
    provider,
    providerReference: reference,
    urlSealed: ctx.seal.bytes(Buffer.from(url), checkContext('url', key)),
    status: 'REQUESTED',
    verified: false,
    resultSealed: null,
    lenderReview: null,
    lenderReviewedAt: null,
    providerUpdatedAt: null,
    createdAt: at,
    updatedAt: at,
  }
}

/** The provider's page for a check that has begun. */
export const providerPageUrl = ({ seal }: Context, check: PartnerCheck): string =>
  seal.open(check.urlSealed, checkContext('url', check)).toString()

async function createSession(
  ctx: Context & { partner: Partner },
  { loanCase, journey }: CaseAndJourney,
  { kind, attempt, adapter }: Pick<PartnerCheck, 'kind' | 'attempt' | 'adapter'>,
  previous: PartnerCheck | undefined,
): Promise<StartedRequest> {
  const { applicant } = await readApplicantAndConsents(ctx, loanCase)
  const { name: fullName, pan, bornOn: dateOfBirth, mobile, email } = applicant
  const person = { fullName, pan, dateOfBirth, mobile, email }
  const pageUrl = pageUrlOf(ctx.seal, journey, await findStep(ctx.db, journey, stepOfCheck[kind]))
  const referenceOf = (content: object) =>
    clientReferenceOf(ctx, loanCase, `${kind}:${attempt}`, { person, ...content })
  const request = {
    person,
    callbackUrl: `${ctx.config.PUBLIC_URL}${callbackPath(kind, adapter)}`,
    returnUrl: `${pageUrl ?? urlOfCheck(ctx, loanCase, kind)}?back=1`,
  }
  if (kind === 'kyc') {
    const mode = ctx.partner.rules.kycMode
    return adapterNamed(kind, adapter).begin(ctx, { ...request, clientReference: referenceOf({ mode }), mode })
  }
  const offer = await findSelected(ctx.db, journey)
  if (!offer?.terms) throw new Error(`journey ${journey.journeyId} has no accepted terms`)
  const terms = termsFrom(offer.terms)
  if (kind === 'esign') {
    // Every attempt uses the language in which the borrower consented to the key facts.
    const consents = await listConsents(ctx.db, journey)
    const language = consents.find(({ purpose }) => purpose === 'key_facts')?.language ?? 'en'
    const pdf = await renderAgreement(ctx.partner, { loanCase, applicant, offer, terms, language })
    return adapterNamed(kind, adapter).begin(ctx, {
      ...request,
      clientReference: referenceOf({ pdf: pdf.toString('base64') }),
      title: paperTexts.en('agreement.title'),
      pdf,
    })
  }
  const account = applicant.account ?? (await readBankAccount(ctx.db, ctx, loanCase))
  if (!account) throw new Error(`case ${loanCase.caseRef} has no account`)
  // Allows a debit of two instalments, because a debit may include a late instalment and charges.
  const maximumPaise = terms.installmentAmount * 2n
  const frequency = frequencyFor(ctx, previous)
  const today = businessDate(ctx.clock())
  return adapterNamed(kind, adapter).begin(ctx, {
    ...request,
    // Without the days, so that a start that is repeated tomorrow registers no second mandate.
    clientReference: referenceOf({ account, maximum: rupees(maximumPaise), frequency }),
    account: { ...account, type: account.accountType === 'saving' ? 'SAVINGS' : 'CURRENT' },
    maximumPaise,
    frequency,
    validFrom: today,
    validUntil: plusDays(today, terms.installmentsCount * 7 + graceDays),
  })
}

/** Days after the last instalment for which the mandate allows late debits. */
const graceDays = 180

/** Returns the partner's usual frequency, or the other frequency after the bank rejected the usual one (AP27). */
function frequencyFor(
  { seal, partner }: Pick<Context, 'seal'> & { partner: Partner },
  previous: PartnerCheck | undefined,
): 'WEEKLY' | 'AS_PRESENTED' {
  const usual = partner.rules.mandateFrequency
  if (!previous?.resultSealed) return usual
  const { data } = seal.openJson<CheckEvent>(previous.resultSealed, checkContext('result', previous))
  if (data.reason_code !== 'AP27') return usual
  return usual === 'WEEKLY' ? 'AS_PRESENTED' : 'WEEKLY'
}
