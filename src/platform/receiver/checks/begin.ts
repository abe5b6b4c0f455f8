// Begins a session at a provider for a borrower who has come for it; the partner is told that it was requested (D3 §6).
import { businessDate, plusDays } from '#kit/calendar.ts'
import { type CheckKind, checkContext, type PartnerCheck } from '#platform/exchange/check.ts'
import { keepCheck, newestCheck } from '#platform/exchange/store.ts'
import { termsFrom } from '#platform/journey/terms.ts'
import { findSelected } from '#platform/offer/store.ts'
import { createEsign, fetchEsign } from '#platform/provider/esign.ts'
import { createKyc, fetchKyc } from '#platform/provider/kyc.ts'
import { createMandate, fetchMandate } from '#platform/provider/mandate.ts'
import type { Begun } from '#platform/provider/speak.ts'
import { accountFor } from '#platform/receiver/account.ts'
import { applicantFor, type Concerned, underLock } from '#platform/receiver/case-job.ts'
import { findStep } from '#platform/step/store.ts'
import type { World } from '#platform/world.ts'
import { agreementOf } from './agreement.ts'
import { checkUrl } from './link.ts'
import { scheduleLook } from './look.ts'
import { stepOf } from './settle.ts'
import type { CheckStanding, CheckTelling } from './standing.ts'
import { takeStanding } from './take.ts'

/**
 * Begins the next attempt of a check. Two that begin at once begin the same one: the provider knows it by our reference.
 * Refused as `upstream` when the provider is away.
 */
export async function beginCheck(world: World, { kase, journey }: Concerned, kind: CheckKind): Promise<PartnerCheck> {
  const last = await newestCheck(world.db, kase, kind)
  const attempt = (last?.attempt ?? 0) + 1
  const begun = await created(world, { kase, journey }, kind, attempt, last)
  const standing = await standingAt(world, kind, begun.reference)
  return underLock(world, kase, async (tx, concerned, at) => {
    const newest = await newestCheck(tx, kase, kind)
    if (newest && newest.attempt >= attempt) return newest
    const fresh = freshCheck(world, concerned, kind, attempt, begun, standing.provider, at)
    await keepCheck(tx, fresh)
    await takeStanding(tx, world, concerned, fresh, standing, null, at)
    await scheduleLook(tx, fresh, 1, at)
    return fresh
  })
}

function freshCheck(
  world: World,
  { kase: { tenantId, caseRef } }: Concerned,
  kind: CheckKind,
  attempt: number,
  { reference, url }: Begun,
  provider: string,
  at: Date,
): PartnerCheck {
  const place = { tenantId, caseRef, kind, attempt }
  return {
    ...place,
    provider,
    providerReference: reference,
    urlSealed: world.seal.bytes(Buffer.from(url), checkContext('url', place)),
    ...{ status: 'REQUESTED', verified: false, resultSealed: null, lenderReview: null, providerUpdatedAt: null },
    ...{ createdAt: at, updatedAt: at },
  }
}

/** The address of the borrower's page at the provider. */
export const providerPage = ({ seal }: World, check: PartnerCheck): string =>
  seal.open(check.urlSealed, checkContext('url', check)).toString()

/** What the provider's own server says now: the only word that counts beside its signed callbacks. */
export async function standingAt(world: World, kind: CheckKind, reference: string): Promise<CheckStanding> {
  switch (kind) {
    case 'kyc':
      return { kind, ...(await fetchKyc(world, reference)) }
    case 'mandate':
      return { kind, ...(await fetchMandate(world, reference)) }
    case 'esign':
      return { kind, ...(await fetchEsign(world, reference)) }
  }
}

async function created(
  world: World,
  { kase, journey }: Concerned,
  kind: CheckKind,
  attempt: number,
  last: PartnerCheck | undefined,
): Promise<Begun> {
  const { applicant } = await applicantFor(world, kase)
  const { name: fullName, pan, bornOn: dateOfBirth, mobile } = applicant
  const today = businessDate(world.clock())
  // A provider knows a repeated request by this name and by its content, so both are the same until the day is over.
  const { resourceUrl } = await findStep(world.db, journey, stepOf[kind])
  const beginning = {
    clientReference: `${kase.caseRef}:${kind}:${attempt}:${today}`,
    person: { fullName, pan, dateOfBirth, mobile },
    callbackUrl: `${world.config.PUBLIC_URL}/api/provider/${kind}/callback`,
    returnUrl: `${resourceUrl ?? checkUrl(world, kase, kind)}?back=1`,
  }
  if (kind === 'kyc') return createKyc(world, { ...beginning, mode: world.config.PARTNER_KYC_MODE })
  const offer = await findSelected(world.db, journey)
  if (!offer?.terms) throw new Error(`journey ${journey.journeyId} has no accepted terms`)
  const terms = termsFrom(offer.terms)
  if (kind === 'esign') {
    const title = 'Loan agreement'
    return createEsign(world, {
      ...beginning,
      title,
      pdf: await agreementOf(world, { kase, applicant, offer, terms, title }),
    })
  }
  const account = applicant.account ?? (await accountFor(world.db, world, kase))
  if (!account) throw new Error(`case ${kase.caseRef} was submitted without an account`)
  return createMandate(world, {
    ...beginning,
    account: { ...account, type: account.accountType === 'saving' ? 'SAVINGS' : 'CURRENT' },
    // Room for a late instalment and its charges beside the regular one.
    maximumPaise: terms.installmentAmount * 2n,
    frequency: frequencyFor(world, last),
    validFrom: today,
    validUntil: plusDays(today, terms.installmentsCount * 7 + graceDays),
  })
}

/** Debits that come late still have to be allowed. */
const graceDays = 180

/** A bank that does not take one frequency (AP27) may take the other. */
function frequencyFor({ config, seal }: World, last: PartnerCheck | undefined): 'WEEKLY' | 'AS_PRESENTED' {
  const usual = config.PARTNER_MANDATE_FREQUENCY
  if (!last?.resultSealed) return usual
  const { data } = seal.openJson<CheckTelling>(last.resultSealed, checkContext('result', last))
  if (data.reason_code !== 'AP27') return usual
  return usual === 'WEEKLY' ? 'AS_PRESENTED' : 'WEEKLY'
}
