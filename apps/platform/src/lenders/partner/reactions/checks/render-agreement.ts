// Renders the loan agreement that the borrower signs as a PDF (D3 §1.1 rule 5).

import { pdfOf } from '@lendloom/documents/pdf'
import { required } from '@lendloom/foundation/required'
import { momentText } from '@lendloom/lending/calendar'
import { type Language, localeOf } from '@lendloom/lending/language'
import { inr } from '@lendloom/lending/money'
import type { ApplicantDetails } from '#platform/lenders/partner/applicant.ts'
import type { Partner } from '#platform/lenders/partner/directory/lending-partner.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import { paperTexts } from '#platform/lenders/partner/loan-paper.ts'
import type { Terms } from '#platform/lending/journey/journey.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'

interface Agreement {
  loanCase: Pick<PartnerCase, 'caseRef' | 'loanId'>
  applicant: Pick<ApplicantDetails, 'name' | 'pan'>
  offer: Pick<Offer, 'acceptedAt' | 'selectedAt'>
  terms: Terms
  language: Language
}

/** Returns the PDF, whose bytes are always the same for the same acceptance. */
export function renderAgreement(
  partner: Pick<Partner, 'name'>,
  { loanCase, applicant, offer, terms, language }: Agreement,
): Promise<Buffer> {
  const t = paperTexts[language]
  const acceptedAt = offer.acceptedAt ?? required(offer.selectedAt, 'when the offer was selected')
  const { interestType } = terms
  const interestTypeText =
    interestType === null || interestType === 'FIXED' ? t('agreement.fixed') : interestType.toLowerCase()
  const identityRows: [string, string][] = [
    [t('agreement.lender'), partner.name],
    [t('agreement.borrower'), applicant.name],
    [t('agreement.pan'), applicant.pan],
    [t('agreement.application'), loanCase.caseRef],
    [t('agreement.loan'), loanCase.loanId ?? ''],
    [t('agreement.offer'), terms.quoteId],
    [t('agreement.accepted'), momentText(acceptedAt, localeOf(language))],
  ]
  const termRows: [string, string][] = [
    [t('agreement.amount'), inr(terms.principal)],
    [t('agreement.paidOut'), inr(terms.netDisbursed)],
    [t('agreement.interest'), t('agreement.interestOf', { rate: terms.interestRate, type: interestTypeText })],
    [t('agreement.apr'), terms.apr],
    [t('agreement.totalInterest'), inr(terms.interest)],
    [t('agreement.fee'), inr(terms.processingFee)],
    [t('agreement.otherUpfront'), inr(terms.otherUpfront)],
    [
      t('agreement.instalments'),
      t('agreement.instalmentsOf', { count: terms.installmentsCount, amount: inr(terms.installmentAmount) }),
    ],
    [t('agreement.keyFacts'), terms.kfsLink ?? ''],
    [t('agreement.conditions'), terms.tncLink ?? ''],
  ]
  return pdfOf({
    title: t('agreement.title'),
    language: localeOf(language),
    author: partner.name,
    createdAt: acceptedAt,
    blocks: [
      { kind: 'table', head: [t('agreement.between'), ''], rows: identityRows, widths: [1, 2] },
      { kind: 'heading', text: t('agreement.theLoan') },
      { kind: 'table', head: [t('agreement.term'), ''], rows: termRows, widths: [1, 2] },
      { kind: 'text', text: t('agreement.agreed') },
    ],
  })
}
