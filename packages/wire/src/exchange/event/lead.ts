// LEAD_SUBMITTED (the complete dataset for one case) and LEAD_REGISTERED (the partner's IDs) (D3 §2.3, §3, §6).

import type { FieldError } from '@lendloom/foundation/refusal'
import { OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { ManifestEntry } from '#wire/exchange/document.ts'
import { brokenRules, Id, Ids, Instant, repeatedIndexes } from '#wire/exchange/fields.ts'
import {
  Banking,
  Borrower,
  Bureau,
  Business,
  checkBanking,
  checkBureau,
  checkBusiness,
  checkProposedOffer,
  ProposedOffer,
} from '#wire/exchange/lead.ts'

const Consent = Type.Object({ accepted: Type.Boolean(), at: Instant })

export const LeadSubmitted = Type.Object({
  dedupe_reference_id: Id,
  product: Type.Literal('BUSINESS_LOAN'),
  consents: Type.Object({ bureau: Consent, bank_analysis: Consent, data_sharing: Consent, submission: Consent }),
  documents_expected: Type.Array(ManifestEntry, { maxItems: 100 }),
  borrower: Borrower,
  business: Business,
  banking: Banking,
  bureau: Bureau,
  proposed_offer: ProposedOffer,
})
export type LeadSubmitted = Static<typeof LeadSubmitted>

/** Requires consent for all shared, pulled or analyzed data, and a file for each report that is not in the lead. */
export function checkLeadSubmitted(lead: LeadSubmitted, under = 'data'): FieldError[] {
  const { consents, banking, bureau, borrower } = lead
  const expected = new Set<string>(lead.documents_expected.map(({ document_type }) => document_type))
  const references = lead.documents_expected.map(({ document_reference_id }) => document_reference_id)
  const isAnalyzed = banking.status === 'COMPLETED'
  const isPulled = bureau.status !== 'FAILED'
  return [
    ...brokenRules(
      under,
      [!consents.submission.accepted, 'consents.submission.accepted', 'must be true in a lead'],
      [!consents.data_sharing.accepted, 'consents.data_sharing.accepted', 'must be true in a lead'],
      [isPulled && !consents.bureau.accepted, 'consents.bureau.accepted', 'must be true when the bureau was queried'],
      [
        isAnalyzed && !consents.bank_analysis.accepted,
        'consents.bank_analysis.accepted',
        'must be true when banking was analyzed',
      ],
      [
        borrower.date_of_birth >= consents.submission.at.slice(0, 10),
        'borrower.date_of_birth',
        'must be before the day of submission',
      ],
      [
        bureau.status === 'AVAILABLE' && bureau.report_data === null && !expected.has('BUREAU_REPORT'),
        'bureau.report_data',
        'is required unless documents_expected has a BUREAU_REPORT',
      ],
      [
        isAnalyzed &&
          banking.report_data === null &&
          !expected.has('BANK_ANALYSIS_REPORT') &&
          !expected.has('BANK_STATEMENT'),
        'banking.report_data',
        'is required unless documents_expected has a BANK_ANALYSIS_REPORT or BANK_STATEMENT',
      ],
    ),
    ...repeatedIndexes(references).map((i) => ({
      path: `${under}.documents_expected.${i}.document_reference_id`,
      message: 'appears twice',
    })),
    ...checkBusiness(lead.business, `${under}.business`),
    ...checkBanking(banking, `${under}.banking`),
    ...checkBureau(bureau, `${under}.bureau`),
    ...checkProposedOffer(lead.proposed_offer, `${under}.proposed_offer`),
  ]
}

/** LEAD_REGISTERED: the partner created the case and reserved its IDs, which the envelope contains (D3 §3, §6). */
export const LeadRegistered = Type.Object({
  status: OneOf(['DOCUMENTS_PENDING', 'UNDER_REVIEW']),
  documents_pending: Ids,
})
export type LeadRegistered = Static<typeof LeadRegistered>

/** Review starts after all required files are stored. */
export const checkLeadRegistered = ({ status, documents_pending }: LeadRegistered, under = 'data'): FieldError[] =>
  brokenRules(
    under,
    [
      status === 'DOCUMENTS_PENDING' && documents_pending.length === 0,
      'documents_pending',
      'must not be empty when status is DOCUMENTS_PENDING',
    ],
    [
      status === 'UNDER_REVIEW' && documents_pending.length > 0,
      'documents_pending',
      'must be empty when status is UNDER_REVIEW',
    ],
  )
