// The loan agreement that the borrower signs: who, how much, at what price, with the accepted terms in full (D3 §1.1 rule 5).

import { type Language, localeOf } from '#contract/language.ts'
import { pdfOf } from '#kit/files/pdf.ts'
import { momentText } from '#kit/money/calendar.ts'
import { inr } from '#kit/money/money.ts'
import { required } from '#kit/runtime/required.ts'
import type { Applicant } from '#platform/exchange/applicant.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'
import { paperTexts } from '#platform/exchange/paper-text.ts'
import type { Partner } from '#platform/exchange/partner.ts'
import type { Terms } from '#platform/journey/terms.ts'
import type { Offer } from '#platform/offer/offer.ts'

interface Agreement {
  application: Pick<PartnerCase, 'caseRef' | 'loanId'>
  applicant: Pick<Applicant, 'name' | 'pan'>
  offer: Pick<Offer, 'acceptedAt' | 'selectedAt'>
  terms: Terms
  language: Language
}

/** The same bytes for the same acceptance, whenever it is asked for. */
export function agreementOf(
  partner: Pick<Partner, 'name'>,
  { application, applicant, offer, terms, language }: Agreement,
): Promise<Buffer> {
  const texts = paperTexts[language].agreement
  const acceptedAt = offer.acceptedAt ?? required(offer.selectedAt, 'when the offer was selected')
  const { interestType } = terms
  const kind = interestType === null || interestType === 'FIXED' ? texts.fixed : interestType.toLowerCase()
  const rows: [string, string][] = [
    [texts.lender, partner.name],
    [texts.borrower, applicant.name],
    [texts.pan, applicant.pan],
    [texts.application, application.caseRef],
    [texts.loan, application.loanId ?? ''],
    [texts.offer, terms.quoteId],
    [texts.accepted, momentText(acceptedAt, localeOf(language))],
  ]
  const price: [string, string][] = [
    [texts.amount, inr(terms.principal)],
    [texts.paidOut, inr(terms.netDisbursed)],
    [texts.interest, texts.interestOf(terms.interestRate, kind)],
    [texts.apr, terms.apr],
    [texts.totalInterest, inr(terms.interest)],
    [texts.fee, inr(terms.processingFee)],
    [texts.otherUpfront, inr(terms.otherUpfront)],
    [texts.instalments, texts.instalmentsOf(terms.installmentsCount, inr(terms.installmentAmount))],
    [texts.keyFacts, terms.kfsLink ?? ''],
    [texts.conditions, terms.tncLink ?? ''],
  ]
  return pdfOf({
    title: texts.title,
    language: localeOf(language),
    author: partner.name,
    createdAt: acceptedAt,
    blocks: [
      { kind: 'table', head: [texts.between, ''], rows, widths: [1, 2] },
      { kind: 'heading', text: texts.theLoan },
      { kind: 'table', head: [texts.term, ''], rows: price, widths: [1, 2] },
      { kind: 'text', text: texts.agreed },
    ],
  })
}
