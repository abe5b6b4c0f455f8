// The key facts statement of an offer: every row of the regulator's format, as data for the page and the PDF.

import type { Config } from '@lendloom/foundation/config'
import { required } from '@lendloom/foundation/required'
import { businessDate, longDayText, momentText } from '@lendloom/lending/calendar'
import { type Language, localeOf } from '@lendloom/lending/language'
import { inr, type Paise } from '@lendloom/lending/money'
import { daysWithoutPenalty } from '#partner/origination/terms/penalty.ts'
import { scheduleOf } from '#partner/origination/terms/terms.ts'
import type { Offer } from './offer.ts'
import { type OfferText, offerTexts } from './offer-text.ts'
import type { productSettings } from './settings.ts'

/** A fact with its number in the regulator's format. */
export interface NumberedFact {
  number: string
  label: string
  value: string
  /** A number that stands below the value. */
  reference?: string
}

export interface KeyFacts {
  language: Language
  lender: string
  /** Which version of the proposal this is, and until when it binds the lender. */
  proposal: string
  /** The name and the number of the proposal, which is too long for a sentence. */
  reference: [label: string, number: string]
  terms: NumberedFact[]
  assurances: NumberedFact[]
  computation: NumberedFact[]
  schedule: { number: string; opening: string; principal: string; interest: string; amount: string }[]
}

type Lender = Pick<
  Config<typeof productSettings>,
  'PARTNER_LENDER_NAME' | 'PARTNER_LENDER_ADDRESS' | 'PARTNER_GRIEVANCE_OFFICER'
>
type Rows = [label: string, value: string, reference?: string][]

/** Returns the facts of one offer. They do not identify the borrower. */
export function keyFacts(offer: Offer, lender: Lender, language: Language): KeyFacts {
  const t = offerTexts[language]
  const locale = localeOf(language)
  const rows = scheduleOf(offer.terms)
  const last = required(rows.at(-1), 'the last row of a schedule')
  return {
    language,
    lender: lender.PARTNER_LENDER_NAME,
    proposal: t('keyFacts.proposal', {
      version: offer.version,
      madeOn: longDayText(businessDate(offer.createdAt), locale),
      validUntil: momentText(offer.validUntil, locale),
    }),
    reference: [t('keyFacts.reference'), offer.offerId],
    terms: numbered([...loanRows(t, offer, last.amount), ...priceRows(t, offer)]),
    assurances: numbered(assuranceRows(t, offer, lender)),
    computation: numbered(computationRows(t, offer)),
    schedule: rows.map((row) => ({
      number: String(row.number),
      opening: inr(row.opening),
      principal: inr(row.principal),
      interest: inr(row.interest),
      amount: inr(row.amount),
    })),
  }
}

const numbered = (rows: Rows): NumberedFact[] =>
  rows.map(([label, value, reference], i) => ({ number: String(i + 1), label, value, ...(reference && { reference }) }))

const loanRows = (t: OfferText, { offerId, terms }: Offer, last: Paise): Rows => {
  const { amountPaise, tenureWeeks, numberOfInstallments, installmentPaise } = terms
  return [
    [t('keyFacts.loan.proposal'), t('keyFacts.loan.proposalOf'), offerId],
    [t('keyFacts.loan.amount'), inr(amountPaise)],
    [t('keyFacts.loan.disbursal'), t('keyFacts.loan.atOnce')],
    [t('keyFacts.loan.term'), t('keyFacts.loan.weeks', { count: tenureWeeks })],
    [
      t('keyFacts.loan.instalments'),
      t('keyFacts.loan.instalmentsOf', { count: numberOfInstallments, amount: inr(installmentPaise), last: inr(last) }),
    ],
  ]
}

const priceRows = (t: OfferText, { terms }: Offer): Rows => {
  return [
    [t('keyFacts.price.rate'), t('keyFacts.price.rateOf', { percent: terms.annualRatePercent })],
    [t('keyFacts.price.floating'), t('keyFacts.price.isFixed')],
    [
      t('keyFacts.price.fees'),
      t('keyFacts.price.feesOf', {
        fee: inr(terms.feePaise),
        tax: inr(terms.taxPaise),
        other: inr(terms.otherChargesPaise),
      }),
    ],
    [t('keyFacts.price.apr'), t('keyFacts.price.percent', { value: terms.aprPercent })],
    [t('keyFacts.price.contingent'), penaltyText(t, terms.penalty)],
  ]
}

const penaltyText = (t: OfferText, penalty: Offer['terms']['penalty']): string => {
  const { bps, everyDays, most } = penalty
  return bps === 0 || most === 0
    ? t('keyFacts.price.noPenalty')
    : t('keyFacts.price.penalty', { count: daysWithoutPenalty(penalty), percent: bps / 100, everyDays, most })
}

const assuranceRows = (t: OfferText, { terms }: Offer, lender: Lender): Rows => {
  return [
    [t('keyFacts.assurances.recovery'), t('keyFacts.assurances.recoveryOf')],
    [t('keyFacts.assurances.redressal'), t('keyFacts.assurances.redressalOf')],
    [t('keyFacts.assurances.officer'), `${lender.PARTNER_GRIEVANCE_OFFICER}; ${lender.PARTNER_LENDER_ADDRESS}`],
    [t('keyFacts.assurances.transfer'), t('keyFacts.assurances.transferOf')],
    [t('keyFacts.assurances.coLending'), t('keyFacts.assurances.alone')],
    [t('keyFacts.assurances.coolOff'), t('keyFacts.assurances.coolOffOf', { days: terms.coolOffDays })],
    [t('keyFacts.assurances.collectingProvider'), t('keyFacts.assurances.collectingProviderOf')],
  ]
}

const computationRows = (t: OfferText, { terms }: Offer): Rows => {
  return [
    [t('keyFacts.computation.amount'), inr(terms.amountPaise)],
    [t('keyFacts.computation.count'), String(terms.numberOfInstallments)],
    [t('keyFacts.computation.regular'), inr(terms.installmentPaise)],
    [t('keyFacts.computation.interest'), inr(terms.totalInterestPaise)],
    [t('keyFacts.computation.fees'), inr(terms.feePaise + terms.taxPaise + terms.otherChargesPaise)],
    [t('keyFacts.computation.net'), inr(terms.netPaise)],
    [t('keyFacts.computation.total'), inr(terms.totalPayablePaise)],
    [t('keyFacts.computation.apr'), t('keyFacts.computation.aprOf', { value: terms.aprPercent })],
  ]
}
