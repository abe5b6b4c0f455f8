// The loan agreement that the borrower signs: who, how much, at what price, with the accepted terms in full (D3 §1.1 rule 5).

import { pdfOf } from '#kit/files/pdf.ts'
import { rupees } from '#kit/money/money.ts'
import type { Context } from '#platform/context.ts'
import type { Applicant } from '#platform/exchange/applicant.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'
import type { Terms } from '#platform/journey/terms.ts'
import type { Offer } from '#platform/offer/offer.ts'

interface Agreement {
  application: PartnerCase
  applicant: Applicant
  offer: Offer
  terms: Terms
  title: string
}

/** The same bytes for the same acceptance, whenever it is asked for. */
export function agreementOf(
  { config }: Context,
  { application, applicant, offer, terms, title }: Agreement,
): Promise<Buffer> {
  const acceptedAt = offer.acceptedAt ?? offer.selectedAt!
  const rows: [string, string][] = [
    ['Lender', config.PARTNER_LENDER_NAME],
    ['Borrower', applicant.name],
    ['PAN of the borrower', applicant.pan],
    ['Application', application.caseRef],
    ['Loan', application.loanId ?? ''],
    ['Offer', terms.quoteId],
    ['Accepted', acceptedAt.toISOString()],
  ]
  const price: [string, string][] = [
    ['Loan amount', `₹ ${rupees(terms.principal)}`],
    ['Paid to the borrower', `₹ ${rupees(terms.netDisbursed)}`],
    ['Interest', `${terms.interestRate} a year, ${terms.interestType?.toLowerCase() ?? 'fixed'}`],
    ['Annual percentage rate', terms.apr],
    ['Total interest', `₹ ${rupees(terms.interest)}`],
    ['Processing fee with tax', `₹ ${rupees(terms.processingFee)}`],
    ['Other upfront charges', `₹ ${rupees(terms.otherUpfront)}`],
    [
      'Instalments',
      `${terms.installmentsCount} weekly, each ₹ ${rupees(terms.installmentAmount)}, the last one adjusted`,
    ],
    ['Key Facts Statement', terms.kfsLink ?? ''],
    ['Terms and conditions', terms.tncLink ?? ''],
  ]
  return pdfOf({
    title,
    author: config.PARTNER_LENDER_NAME,
    createdAt: acceptedAt,
    blocks: [
      { kind: 'table', head: ['Between', ''], rows, widths: [1, 2] },
      { kind: 'heading', text: 'The loan' },
      { kind: 'table', head: ['Term', ''], rows: price, widths: [1, 2] },
      {
        kind: 'text',
        text: 'The borrower has read the Key Facts Statement and takes this loan on these terms. The instalments are debited by the mandate that the borrower has registered. Key Facts Statement and terms named above are part of this agreement.',
      },
    ],
  })
}
