// The payload of a lifecycle update (D1 §2.4 to §2.6).

import { keysOf, orNull } from '@lendloom/foundation/record'
import { type Paise, rupees } from '@lendloom/lending/money'
import { contractOf } from '@lendloom/lending/product/products'
import {
  type LifecycleInstallment,
  type LifecycleLender,
  type LifecycleOffer,
  LifecycleProfile,
  type LifecycleStatus,
  type LifecycleUpdate,
} from '@lendloom/wire/hosted/lifecycle'
import { type BorrowerDetails, profileFieldsOf } from '#platform/lending/borrower/borrower.ts'
import { chargeOf } from './charge-text.ts'
import { type Installment, installmentStatus } from './installment.ts'
import { endsJourney, isLive, type Journey } from './journey.ts'
import type { ReportedLender, ReportedOffer, ReportedStep } from './store.ts'
import { termsFrom } from './stored-terms.ts'

export interface UpdateContent {
  externalId: string
  person: BorrowerDetails
  lenders: ReportedLender[]
  offers: ReportedOffer[]
  steps: ReportedStep[]
}

/** Builds the update for a journey that already has the new status. */
export function lifecyclePayload(journey: Journey, facts: UpdateContent, at: Date): LifecycleUpdate {
  const { person } = facts
  const { profile, workProfile, address, goldLoan } = profileFieldsOf(person)
  return {
    tenant_id: journey.tenantId,
    application_id: journey.applicationId,
    borrower: {
      id: journey.borrowerId,
      provider_id: facts.externalId,
      profile: {
        personal: { ...wireFields(personal, profile), contactNumber: `+91${person.personal.mobile}` },
        work: wireFields(work, workProfile),
        address: wireFields(home, address),
        ...(contractOf(journey.type).pledgesGold && { gold_loan: wireFields(gold, goldLoan ?? {}) }),
      },
      journey: journeyPayload(journey, facts, at),
    },
  }
}

const { personal, work, address: home, gold_loan: gold } = LifecycleProfile.properties

/** Returns a value for every field of the schema, null for unknown fields. */
const wireFields = <Name extends string, Known extends { [Field in Name]?: unknown }>(
  { properties }: { properties: Record<Name, unknown> },
  known: Known,
) => orNull(keysOf(properties), known)

function journeyPayload(
  journey: Journey,
  { lenders, offers, steps }: UpdateContent,
  at: Date,
): LifecycleUpdate['borrower']['journey'] {
  const { status } = journey
  const kyc = stepResult(status, steps, 'kyc')
  // Steps that a branch visit or a lender's single page covers have the result of the KYC step (FIS12 §13.1, §19.3).
  const isCoveredByVisit = (name: string) =>
    journey.lenderMode === 'OFFLINE' && steps.some((step) => step.name === name && step.status === 'NOT_REQUIRED')
  const resultOf = (name: string) =>
    isCoveredByVisit(name) && kyc.status !== 'PENDING' ? kyc : stepResult(status, steps, name)
  const mandate = resultOf('eMandate')
  const esign = resultOf('loanAgreement')
  const isBeforeOffers = status === 'STARTED' || status === 'PROFILED'
  return {
    id: journey.journeyId,
    endUse: journey.endUse,
    bureauConsent: journey.bureauConsent,
    network_transaction_id: journey.networkTransactionId,
    created: journey.createdAt.toISOString(),
    updated: at.toISOString(),
    type: journey.type,
    status,
    activity_status: isLive(journey) ? 'ACTIVE' : 'INACTIVE',
    decision_status: endsJourney(status) ? 'NOT_APPROVED' : journey.decision,
    lender_mode: journey.lenderMode,
    kyc_status: kyc.status,
    emandate_status: mandate.status,
    esign_status: esign.status,
    kyc_attempts: kyc.attempts,
    emandate_attempts: mandate.attempts,
    esign_attempts: esign.attempts,
    change_in_offer: journey.changeInOffer,
    borrower_preferred_amount: journey.preferredAmountPaise === null ? null : wholeRupees(journey.preferredAmountPaise),
    borrower_preferred_tenure: journey.preferredTenureMonths,
    lenders: isBeforeOffers ? [] : lenders.map(lenderPayload),
    offers: isBeforeOffers || status === 'NOT_OFFERED' ? [] : offers.map((offer) => offerPayload(offer, status, at)),
  }
}

/** Requested amounts are whole rupees, which JSON numbers represent exactly. */
const wholeRupees = (paise: Paise): number => Number(paise / 100n)

type StepResult = { status: 'PENDING' | 'SUCCESS' | 'FAILURE' | null; attempts: number | null }

/** Returns a null status until the profile is sent, and then PENDING until the step has a result (D1 §2.6). */
function stepResult(status: LifecycleStatus, steps: ReportedStep[], name: string): StepResult {
  if (status === 'STARTED') return { status: null, attempts: null }
  const step = steps.find((each) => each.name === name)
  const result = step?.status === 'SUCCESS' || step?.status === 'FAILURE' ? step.status : 'PENDING'
  return { status: result, attempts: step && step.attempts > 0 ? step.attempts : null }
}

function lenderPayload({ lenderId, identity: { name, contact } }: ReportedLender): LifecycleLender {
  return {
    id: lenderId,
    lender_name: name,
    lender_gro_name: contact.groName ?? '',
    lender_gro_email: contact.groEmail ?? '',
    lender_gro_contact_number: contact.groContactNumber ?? '',
    lender_gro_designation: contact.groDesignation ?? '',
    lender_gro_address: contact.groAddress ?? '',
    lender_customer_support_link: contact.customerSupportLink ?? '',
    lender_customer_support_contact_number: contact.customerSupportContactNumber ?? '',
    lender_customer_support_email: contact.customerSupportEmail ?? '',
  }
}

function offerPayload(offer: ReportedOffer, status: LifecycleStatus, at: Date): LifecycleOffer {
  const terms = termsFrom(offer.terms)
  return {
    id: offer.offerId,
    accepted: offer.accepted,
    expired: offer.validUntil !== null && offer.validUntil <= at && !offer.accepted,
    amount_principal: rupees(terms.principal),
    amount_total_interest_payable: rupees(terms.interest),
    amount_net_disbursed_amount: rupees(terms.netDisbursed),
    offer_term: terms.term,
    interest_rate: terms.interestRate,
    annual_percentage_rate: terms.apr,
    interest_type: titleCase(terms.interestType ?? ''),
    number_of_installments: terms.installmentsCount,
    cool_off_period: terms.coolOffPeriod ?? '',
    terms_and_conditions_link: terms.tncLink ?? '',
    key_facts_statement_link: terms.kfsLink ?? '',
    application_fees: chargeOrNull(terms.applicationFee) ?? '',
    foreclosure_fees: chargeOrNull(terms.foreclosureFee) ?? '',
    delay_penalty_fees: chargeOrNull(terms.delayPenaltyFee) ?? '',
    processing_fees: rupees(terms.processingFee),
    interest_rate_conversion_charges: chargeOrNull(terms.interestRateConversionCharge),
    other_penalty_fees: chargeOrNull(terms.otherPenaltyFee),
    other_upfront_charges: rupees(terms.otherUpfront),
    insurance_charges: rupees(terms.insurance),
    other_charges: rupees(terms.otherCharges),
    installments:
      status === 'DISBURSED' && offer.accepted ? offer.installments.map((each) => installmentPayload(each, at)) : [],
  }
}

const chargeOrNull = (text: string | null): string | null => (text === null ? null : chargeOf(text))

const titleCase = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

const installmentPayload = (installment: Installment, at: Date): LifecycleInstallment => ({
  serial_number: installment.serialNumber,
  type: 'INSTALLMENT',
  amount: rupees(BigInt(installment.amount)),
  status: installmentStatus(installment, at),
  installment_due_date: installment.dueAt,
})
