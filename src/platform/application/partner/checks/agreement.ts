// The loan agreement that the borrower signs: who, how much, at what price, with the accepted terms in full (D3 §1.1 rule 5).

import { pdfOf } from '#kit/files/pdf.ts'
import { rupees } from '#kit/money/money.ts'
import { required } from '#kit/runtime/required.ts'
import type { Applicant } from '#platform/exchange/applicant.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'
import type { Partner } from '#platform/exchange/partner.ts'
import type { Terms } from '#platform/journey/terms.ts'
import type { Offer } from '#platform/offer/offer.ts'
import { agreement as texts } from './agreement-text-en.ts'

interface Agreement {
  application: PartnerCase
  applicant: Applicant
  offer: Offer
  terms: Terms
  title: string
}

/** The same bytes for the same acceptance, whenever it is asked for. */
export function agreementOf(
  partner: Pick<Partner, 'name'>,
  { application, applicant, offer, terms, title }: Agreement,
): Promise<Buffer> {
  const acceptedAt = offer.acceptedAt ?? required(offer.selectedAt, 'when the offer was selected')
  const rows: [string, string][] = [
    [texts.lender, partner.name],
    [texts.borrower, applicant.name],
    [texts.pan, applicant.pan],
    [texts.application, application.caseRef],
    [texts.loan, application.loanId ?? ''],
    [texts.offer, terms.quoteId],
    [texts.accepted, acceptedAt.toISOString()],
  ]
  const price: [string, string][] = [
    [texts.amount, `₹ ${rupees(terms.principal)}`],
    [texts.paidOut, `₹ ${rupees(terms.netDisbursed)}`],
    [texts.interest, texts.interestOf(terms.interestRate, terms.interestType)],
    [texts.apr, terms.apr],
    [texts.totalInterest, `₹ ${rupees(terms.interest)}`],
    [texts.fee, `₹ ${rupees(terms.processingFee)}`],
    [texts.otherUpfront, `₹ ${rupees(terms.otherUpfront)}`],
    [texts.instalments, texts.instalmentsOf(terms.installmentsCount, `₹ ${rupees(terms.installmentAmount)}`)],
    [texts.keyFacts, terms.kfsLink ?? ''],
    [texts.conditions, terms.tncLink ?? ''],
  ]
  return pdfOf({
    title,
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
