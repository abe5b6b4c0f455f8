// Pure functions that build the lead, from which the partner creates its case (D3 §2.3, §6 LEAD_SUBMITTED).

import { faults } from '@lendloom/foundation/schema'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { catalogue } from '@lendloom/wire/exchange/event-catalogue'
import { sensitiveFaults } from '@lendloom/wire/exchange/fields'
import type { BureauStatusReport } from '#platform/providers/bureau/port.ts'
import { type ApplicantDetails, namesOf } from './applicant.ts'
import type { PartnerDocument } from './partner-document.ts'
import { tenureWeeks } from './recommend-loan.ts'
import { bankingOf, type StatementBlock } from './statement-evidence.ts'
import { constitutionTexts, industryTexts, notStated } from './text-en.ts'

/** A stored bureau report, whose time is text. */
type BureauEvidence = Omit<BureauStatusReport, 'pulledAt'> & { pulledAt: string }

export interface Evidence {
  bureau: BureauEvidence
  recommendation: {
    referenceId: string
    ruleReference: string
    decision: 'ELIGIBLE' | 'INELIGIBLE' | 'REVIEW_REQUIRED'
  }
}

/** Time of each consent; null if the borrower has not given the consent. */
export interface ConsentTimes {
  bureau: Date | null
  bankAnalysis: Date | null
  dataSharing: Date | null
  submission: Date | null
}

type LeadData = DataOf<'LEAD_SUBMITTED'>

interface Lead {
  dedupeReferenceId: string
  applicant: ApplicantDetails
  consents: ConsentTimes
  evidence: Evidence
  statement: StatementBlock
  amountPaise: Paise
  documents: Pick<PartnerDocument, 'documentReferenceId' | 'documentType'>[]
}

/** Builds the data of LEAD_SUBMITTED. `at` replaces the time of a consent that was not given. */
export function leadOf(lead: Lead, at: Date): LeadData {
  const { applicant, evidence } = lead
  return {
    dedupe_reference_id: lead.dedupeReferenceId,
    product: 'BUSINESS_LOAN',
    consents: consentsOf(lead.consents, at),
    documents_expected: lead.documents.map(({ documentReferenceId, documentType }) => ({
      document_reference_id: documentReferenceId,
      document_type: documentType,
    })),
    borrower: borrowerOf(applicant),
    business: businessOf(applicant),
    banking: bankingOf(lead.statement, accountWire(applicant.account), (report) =>
      fitsEvent(evidence.bureau.reportData, report),
    ),
    bureau: bureauOf(evidence.bureau),
    proposed_offer: proposedOf(evidence.recommendation, lead.amountPaise),
  }
}

/** Returns the faults of a lead, each starting with the field; empty when the lead is valid. */
export function leadFaults(data: LeadData): string[] {
  const { data: schema, check } = catalogue.LEAD_SUBMITTED
  const schemaFaults = faults(schema, data, 'data')
  const all = schemaFaults.length > 0 ? schemaFaults : [...check(data, 'data'), ...sensitiveFaults(data, 'data')]
  return all.map(({ path, message }) => `${path} ${message}`)
}

const consentsOf = (consents: ConsentTimes, at: Date): LeadData['consents'] => ({
  bureau: consentWire(consents.bureau, at),
  bank_analysis: consentWire(consents.bankAnalysis, at),
  data_sharing: consentWire(consents.dataSharing, at),
  submission: consentWire(consents.submission, at),
})

const consentWire = (given: Date | null, at: Date) => ({ accepted: given !== null, at: (given ?? at).toISOString() })

function borrowerOf(applicant: ApplicantDetails): LeadData['borrower'] {
  const names = namesOf(applicant.name)
  return {
    first_name: names.first,
    middle_name: names.middle,
    last_name: names.last,
    ...(names.isLastFiller && { last_name_is_filler: true }),
    date_of_birth: applicant.bornOn,
    pan: applicant.pan,
    mobile: `+91${applicant.mobile}`,
    email: applicant.email,
    monthly_income: applicant.work.income === undefined ? null : rupees(BigInt(applicant.work.income) * 100n),
    employment_type: 'SELF_EMPLOYED',
    residential_address: addressOf(applicant.address),
  }
}

/** The home address replaces a missing business address. A GSTIN contains the PAN of the business. */
const businessOf = ({ companyName, work, address, businessAddress }: ApplicantDetails): LeadData['business'] => ({
  name: companyName,
  constitution: work.businessConstitution ? constitutionTexts[work.businessConstitution] : notStated,
  industry: work.industry ? industryTexts[work.industry] : notStated,
  pan: work.gstin?.slice(2, 12) ?? null,
  gstin: work.gstin ?? null,
  udyam_number: work.udyamNumber ?? null,
  annual_turnover: work.annualTurnover == null ? null : rupees(BigInt(work.annualTurnover) * 100n),
  address: addressOf(businessAddress ?? address),
})

const proposedOf = (recommendation: Evidence['recommendation'], amountPaise: Paise): LeadData['proposed_offer'] => ({
  reference_id: recommendation.referenceId,
  currency: 'INR',
  loan_amount: rupees(amountPaise),
  tenure_weeks: tenureWeeks,
  installment_frequency: 'WEEKLY',
  bre_reference_id: recommendation.ruleReference,
  bre_decision: recommendation.decision,
})

const addressOf = ({ line1, line2, city, state, postalCode }: ApplicantDetails['address']) => ({
  line1,
  line2,
  city,
  state,
  postal_code: postalCode,
  country: 'India',
})

/** Returns the account as evidence only, not for a payment. The bank name is the bank code of the IFSC. */
const accountWire = (account: ApplicantDetails['account']) =>
  account && {
    holder_name: account.holderName,
    account_number: account.accountNumber,
    ifsc: account.ifsc,
    account_type: account.accountType === 'saving' ? 'SAVINGS' : 'CURRENT',
    bank_name: account.ifsc.slice(0, 4),
  }

/** Half of the maximum event size of 2 MiB. Longer reports are sent only as files (D3 §8). */
const maxReportBytes = 1024 * 1024
const fitsEvent = (...reports: (object | null)[]): boolean =>
  reports.reduce((sum, report) => sum + Buffer.byteLength(JSON.stringify(report)), 0) <= maxReportBytes

const bureauOf = ({ provider, status, reference, pulledAt, score, reportData, unavailableReason }: BureauEvidence) => ({
  provider,
  status,
  report_reference_id: reference,
  pulled_at: pulledAt,
  score,
  report_data: fitsEvent(reportData) ? reportData : null,
  unavailable_reason: unavailableReason,
})
