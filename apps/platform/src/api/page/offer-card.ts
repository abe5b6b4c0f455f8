// Converts offers and lenders to the page's format, with everything that a borrower must see to compare offers.

import { grouped } from '@lendloom/foundation/lists'
import { lastDayOf } from '@lendloom/lending/calendar'
import { paiseFrom, rupees } from '@lendloom/lending/money'
import type { Pledge, Scheme } from '@lendloom/lending/pledge'
import { wordsOf } from '@lendloom/lending/reason/reason'
import type { Seal } from '@lendloom/seal/seal'
import type {
  EmbedBranch,
  EmbedHolding,
  EmbedLender,
  EmbedPledge,
  EmbedScheme,
  LenderKind,
} from '@lendloom/wire/hosted/embed-lender'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import { eligibleUnits, type Holding, worthOf } from '@lendloom/wire/hosted/portfolio'
import { logoPath } from '#platform/lenders/network/logo.ts'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import { type StoredTerms, type Terms, termsFrom } from '#platform/lending/journey/journey.ts'
import { rulesOf } from '#platform/lending/lender/rules.ts'
import { penalCharges } from '#platform/lending/offer/documents.ts'
import { isExpired, type Limits, type Offer } from '#platform/lending/offer/offer.ts'
import { type NearbyBranch, sortByDistance } from '#platform/lending/offer/visit.ts'
import type { Payouts } from '#platform/records/figures/read/payout.ts'
import type { SearchedLender } from './store.ts'

/** The data besides the offer from which a card is built. */
export interface OfferViewContext {
  pincode: string | undefined
  requested: RequestedLoan
  at: Date
  holdings: readonly Holding[]
  /** Ids of the lenders with more than one offer request. */
  multiRequestLenders: ReadonlySet<string>
}

/** The requested amount in rupees, and the term of a gold loan (D1 §2.1). */
type RequestedLoan = Pick<NonNullable<BorrowerDetails['gold']>, 'requestedAmount' | 'requestedTenureMonths'>

/** Builds an offer's card. The list of offers passes the first terms, the chosen offer passes its current terms. */
export function offerCard(
  offer: Offer,
  stored: StoredTerms,
  lenderName: string,
  context: OfferViewContext,
): EmbedOffer {
  const { pincode, requested, at, holdings } = context
  const terms = termsFrom(stored)
  return {
    id: offer.offerId,
    lenderId: offer.lenderId,
    lenderName,
    basis: context.multiRequestLenders.has(offer.lenderId) ? offer.assessment : null,
    amountPrincipal: rupees(terms.principal),
    tenureMonths: terms.termMonths,
    offerTerm: terms.term,
    interestRate: terms.interestRate,
    interestType: terms.interestType ?? '',
    annualPercentageRate: terms.apr,
    installmentAmount: rupees(terms.installmentAmount),
    numberOfInstallments: terms.installmentsCount,
    repaymentFrequency: terms.repaymentFrequency,
    totalInterest: rupees(terms.interest),
    processingFees: rupees(terms.processingFee),
    otherUpfrontCharges: rupees(terms.otherUpfront),
    insuranceCharges: rupees(terms.insurance),
    otherCharges: rupees(terms.otherCharges),
    netDisbursed: rupees(terms.netDisbursed),
    penalCharges: penalCharges(terms),
    coolOffPeriod: terms.coolOffPeriod ?? '',
    coolOffUntil: lastDayOf(terms.coolOffPeriod ?? '', at),
    ltvRatio: terms.ltvRatio,
    branches: sortByDistance(offer, pincode).map(branchView),
    schemes: schemeViews(offer.schemes, holdings),
    creditLine: offer.creditLine,
    ownPage: offer.ownPage,
    keyFactsStatementUrl: terms.kfsLink ?? '',
    termsUrl: terms.tncLink ?? '',
    validUntil: offer.validUntil?.toISOString() ?? null,
    expired: isExpired(offer, at),
    submits: rulesOf(offer).isChoiceOnlyApplication,
    start: initialChoiceOf(offer.limits, terms, requested),
    least: { amount: rupees(BigInt(offer.limits.leastAmount)), tenureMonths: offer.limits.leastMonths },
    most: { amount: rupees(BigInt(offer.limits.mostAmount)), tenureMonths: offer.limits.mostMonths },
  }
}

/** Returns the amount and term that prefill the lender's form: whole rupees, within the limits (FIS12 §13.5). */
export function initialChoiceOf(
  limits: Limits,
  { principal, termMonths, ltvRatio }: Terms,
  requested: RequestedLoan,
): EmbedOffer['start'] {
  const min = BigInt(limits.leastAmount)
  const max = BigInt(limits.mostAmount)
  const requestedPaise = requested.requestedAmount === undefined ? null : paiseFrom(requested.requestedAmount)
  const suggested = ltvRatio === null ? principal : roundHalfOf(principal)
  const amount = requestedPaise === null ? suggested : (requestedPaise / 100n) * 100n
  const months = requested.requestedTenureMonths ?? termMonths
  return {
    amount: rupees(amount < min ? min : amount > max ? max : amount),
    tenureMonths: Math.min(limits.mostMonths, Math.max(limits.leastMonths, months)),
  }
}

/** About half of what the gold permits, because borrowers seldom need the maximum. */
function roundHalfOf(principal: bigint): bigint {
  const step = principal < 40_000_00n ? 1_000_00n : 10_000_00n
  return (principal / 2n / step) * step
}

const branchView = ({ id, name, address, pincode, aboutKm }: NearbyBranch): EmbedBranch => ({
  id,
  name: name ?? '',
  address: address ?? '',
  pincode: pincode ?? '',
  aboutKm,
})

const statusesBestFirst: SearchedLender['status'][] = ['OFFER_RECEIVED', 'OFFER_AWAITED', 'NO_OFFER_AVAILABLE']

/** Returns each lender once, with its best status. A lender may have two offer requests (FIS12 §19.1). */
export function uniqueLenders(searched: readonly SearchedLender[]): SearchedLender[] {
  const byId = grouped(searched, ({ lenderId }) => lenderId)
  const betterOf = (a: SearchedLender, b: SearchedLender) =>
    statusesBestFirst.indexOf(b.status) < statusesBestFirst.indexOf(a.status) ? b : a
  return [...byId.values()].map(([first, ...otherRequests]) => otherRequests.reduce(betterOf, first))
}

export const lenderCard = (
  seal: Seal,
  { lenderId, identity, status, reason, requestedAt }: SearchedLender,
  { at, payouts }: { at: Date; payouts: Payouts },
): EmbedLender => ({
  id: lenderId,
  name: identity.name,
  legalName: legalNameOf(identity),
  logoUrl: logoPath(seal, identity.logoUrl),
  about: identity.shortDescription ?? null,
  kind: lenderKindOf(identity.shortDescription ?? ''),
  status,
  waitedSeconds:
    status === 'OFFER_AWAITED' ? Math.max(0, Math.floor((at.getTime() - requestedAt.getTime()) / 1000)) : null,
  usualPayoutSeconds: payouts.get(lenderId) ?? null,
  reason: wordsOf(status === 'NO_OFFER_AVAILABLE' ? reason : null),
  grievanceOfficer: {
    name: identity.contact.groName ?? '',
    designation: identity.contact.groDesignation ?? '',
    email: identity.contact.groEmail ?? '',
    phone: identity.contact.groContactNumber ?? '',
    address: identity.contact.groAddress ?? '',
  },
  support: {
    link: identity.contact.customerSupportLink ?? '',
    phone: identity.contact.customerSupportContactNumber ?? '',
    email: identity.contact.customerSupportEmail ?? '',
  },
})

/** The keys contain only letters, because lenders punctuate their description in many ways. */
const kindsByLetters = new Map<string, LenderKind>([
  ['bank', 'bank'],
  ['smallfinancebank', 'smallFinanceBank'],
  ['sfb', 'smallFinanceBank'],
  ['cooperativebank', 'cooperativeBank'],
  ['nbfc', 'nbfc'],
  ['nonbankingfinancialcompany', 'nbfc'],
  ['nonbankingfinancecompany', 'nbfc'],
  ['hfc', 'housingFinance'],
  ['housingfinancecompany', 'housingFinance'],
])

export const lenderKindOf = (description: string): LenderKind | null =>
  kindsByLetters.get(description.toLowerCase().replace(/[^a-z]/g, '')) ?? null

/**
 * Returns the legal name at the beginning of a long description such as `Kaveri Bank Limited. A private bank.` (FIS12
 * `long_desc`): capitalized words up to the company type. Null if it is absent or equals the displayed name.
 */
export function legalNameOf({ name, longDescription }: { name: string; longDescription?: string | null }) {
  const [legalName] =
    /^(?:(?:[A-Z(][^\s.,;:]*|Pvt\.|&|and|of) ){1,8}(?:Limited|Ltd|LLP)\b/.exec(longDescription?.trim() ?? '') ?? []
  return legalName && legalName !== name ? legalName : null
}

type Fund = Pick<EmbedScheme, 'schemeCode' | 'name' | 'registrar' | 'folio'>

export const schemeViews = (schemes: readonly Scheme[], holdings: readonly Holding[]): EmbedScheme[] =>
  schemes.map((scheme) => ({
    ...fundView(scheme, holdings),
    unitsRequired: scheme.unitsRequired,
    ltv: scheme.ltv,
    nav: commonValue(holdingsIn(scheme, holdings), ({ nav }) => nav),
  }))

/** Returns the value of each holding, and the value of its units that may be pledged on the day `on` (`YYYY-MM-DD`). */
export const holdingViews = (holdings: readonly Holding[], on: string): EmbedHolding[] =>
  holdings.map((holding) => ({
    name: holding.schemeName ?? holding.schemeCode,
    kind: holding.kind,
    worth: rupees(worthOf([{ holding, units: holding.units }])),
    free: rupees(worthOf([{ holding, units: eligibleUnits(holding, on) }])),
  }))

/** Pairs each pledge with its scheme. If a scheme occurs once per folio, its pledges have the order of its folios. */
export function pledgeViews(
  pledges: readonly Pledge[],
  schemes: readonly Scheme[],
  holdings: readonly Holding[],
): EmbedPledge[] {
  const unpaired = schemes.filter(({ unitsRequired }) => Number(unitsRequired) > 0)
  return pledges.map(({ schemeCode, units }) => {
    const index = unpaired.findIndex((scheme) => scheme.schemeCode === schemeCode)
    const [scheme] = index === -1 ? [] : unpaired.splice(index, 1)
    return { ...fundView(scheme ?? { schemeCode, rta: null, folioId: null }, holdings), units }
  })
}

const fundView = (scheme: Pick<Scheme, 'schemeCode' | 'rta' | 'folioId'>, holdings: readonly Holding[]): Fund => ({
  schemeCode: scheme.schemeCode,
  name: commonValue(holdingsIn(scheme, holdings), ({ schemeName }) => schemeName) ?? scheme.schemeCode,
  registrar: scheme.rta,
  folio: scheme.folioId,
})

/** Returns a scheme's holdings. If two fund houses use the same code, the folio distinguishes them. */
function holdingsIn({ schemeCode, folioId }: Pick<Scheme, 'schemeCode' | 'folioId'>, holdings: readonly Holding[]) {
  const sameCode = holdings.filter((holding) => holding.schemeCode === schemeCode)
  const inFolio = sameCode.filter(({ folio }) => folio === folioId)
  return inFolio.length > 0 ? inFolio : sameCode
}

/** Returns the value that all holdings share; null when they differ. */
function commonValue(holdings: readonly Holding[], read: (holding: Holding) => string | null): string | null {
  const [first, ...others] = new Set(holdings.flatMap((holding) => read(holding) ?? []))
  return first !== undefined && others.length === 0 ? first : null
}
