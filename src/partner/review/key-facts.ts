// The key facts statement of an offer: every row that the regulator's format asks for, as data for the page and the PDF.

import { type Language, localeOf } from '#contract/language.ts'
import { businessDate, longDayText, momentText } from '#kit/money/calendar.ts'
import { inr, type Paise } from '#kit/money/money.ts'
import type { Config } from '#kit/runtime/config.ts'
import { required } from '#kit/runtime/required.ts'
import { scheduleOf } from '#partner/loan/terms.ts'
import type { Offer } from './offer.ts'
import { offerTexts } from './offer-text.ts'
import type { OfferTexts } from './offer-text-en.ts'
import type { productSettings } from './settings.ts'

/** A numbered fact; the number is the format's own. */
export interface Fact {
  number: string
  label: string
  value: string
}

export interface KeyFacts {
  language: Language
  lender: string
  proposal: string
  terms: Fact[]
  assurances: Fact[]
  /** How the APR comes about. */
  computation: Fact[]
  schedule: { number: string; opening: string; principal: string; interest: string; amount: string }[]
}

type Lender = Pick<
  Config<typeof productSettings>,
  'PARTNER_LENDER_NAME' | 'PARTNER_LENDER_ADDRESS' | 'PARTNER_GRIEVANCE_OFFICER'
>
type Texts = OfferTexts['keyFacts']
type Rows = [label: string, value: string][]

/** The facts of one offer and of no other; nothing in them says who the borrower is. */
export function keyFacts(offer: Offer, lender: Lender, language: Language): KeyFacts {
  const texts = offerTexts[language].keyFacts
  const locale = localeOf(language)
  const rows = scheduleOf(offer.terms)
  const last = required(rows.at(-1), 'the last row of a schedule')
  return {
    language,
    lender: lender.PARTNER_LENDER_NAME,
    proposal: texts.proposal({
      ...offer,
      madeOn: longDayText(businessDate(offer.createdAt), locale),
      validUntil: momentText(offer.validUntil, locale),
    }),
    terms: numbered([...loanRows(texts, offer, last.amount), ...priceRows(texts, offer)]),
    assurances: numbered(assuranceRows(texts, offer, lender)),
    computation: numbered(computationRows(texts, offer)),
    schedule: rows.map((row) => ({
      number: String(row.number),
      opening: inr(row.opening),
      principal: inr(row.principal),
      interest: inr(row.interest),
      amount: inr(row.amount),
    })),
  }
}

const numbered = (rows: Rows): Fact[] => rows.map(([label, value], i) => ({ number: String(i + 1), label, value }))

const loanRows = ({ loan }: Texts, { offerId, terms }: Offer, last: Paise): Rows => {
  const { amountPaise, tenureWeeks, numberOfInstallments, installmentPaise } = terms
  return [
    [loan.proposal, loan.proposalOf(offerId)],
    [loan.amount, inr(amountPaise)],
    [loan.disbursal, loan.atOnce],
    [loan.term, loan.weeks(tenureWeeks)],
    [loan.instalments, loan.instalmentsOf(numberOfInstallments, inr(installmentPaise), inr(last))],
  ]
}

const priceRows = ({ price }: Texts, { terms }: Offer): Rows => {
  return [
    [price.rate, price.rateOf(terms.annualRatePercent)],
    [price.floating, price.isFixed],
    [price.fees, price.feesOf(inr(terms.feePaise), inr(terms.taxPaise), inr(terms.otherChargesPaise))],
    [price.apr, price.percent(terms.aprPercent)],
    [price.contingent, penalText(price, terms.penalty)],
  ]
}

const penalText = (price: Texts['price'], { bps, ...penalty }: Offer['terms']['penalty']): string =>
  bps === 0 || penalty.most === 0 ? price.noPenalty : price.penalty({ percent: bps / 100, ...penalty })

const assuranceRows = ({ assurances }: Texts, { terms }: Offer, lender: Lender): Rows => {
  return [
    [assurances.recovery, assurances.recoveryOf],
    [assurances.redressal, assurances.redressalOf],
    [assurances.officer, `${lender.PARTNER_GRIEVANCE_OFFICER}; ${lender.PARTNER_LENDER_ADDRESS}`],
    [assurances.transfer, assurances.transferOf],
    [assurances.coLending, assurances.alone],
    [assurances.coolOff, assurances.coolOffOf(terms.coolOffDays)],
  ]
}

const computationRows = ({ computation: of }: Texts, { terms }: Offer): Rows => {
  return [
    [of.amount, inr(terms.amountPaise)],
    [of.count, String(terms.numberOfInstallments)],
    [of.regular, inr(terms.installmentPaise)],
    [of.interest, inr(terms.totalInterestPaise)],
    [of.fees, inr(terms.feePaise + terms.taxPaise + terms.otherChargesPaise)],
    [of.net, inr(terms.netPaise)],
    [of.total, inr(terms.totalPayablePaise)],
    [of.apr, of.aprOf(terms.aprPercent)],
  ]
}
