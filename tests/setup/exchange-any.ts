// Arbitrary valid events of the exchange, for property tests.

import { rupees } from '@lendloom/lending/money'
import { documentTypeNames } from '@lendloom/wire/exchange/document'
import type { DataOf, EventOf, EventType } from '@lendloom/wire/exchange/envelope'
import { exampleData, exampleEvent, exampleIds, exampleLead, exampleOffer } from '@lendloom/wire/exchange/example/event'
import { sensitiveFaults } from '@lendloom/wire/exchange/fields'
import fc from 'fast-check'

const money = fc.bigInt({ min: 0n, max: 99_999_999_99n }).map(rupees)
const positive = fc.bigInt({ min: 1n, max: 99_999_999_99n }).map(rupees)
const instant = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString())
const date = instant.map((at) => at.slice(0, 10))
const id = fc.stringMatching(/^[A-Z]{2,5}-\d{1,6}$/)
const ids = fc.uniqueArray(id, { maxLength: 5 })
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary)
const code = fc.constantFrom('AP27', '04', 'LOW_INCOME', 'TTL')

/** A key that is not named like a credential, which no report may contain. */
const reportKey = fc.stringMatching(/^[a-z]{1,8}$/).filter((key) => sensitiveFaults({ [key]: true }).length === 0)

type DataArbitrary<T extends EventType> = fc.Arbitrary<DataOf<T>>

const lead: DataArbitrary<'LEAD_SUBMITTED'> = fc
  .record({
    banking: fc.constantFrom('COMPLETED' as const, 'NOT_PROVIDED' as const, 'FAILED' as const),
    bureau: fc.constantFrom('AVAILABLE' as const, 'NO_HIT' as const, 'FAILED' as const),
    more: fc.uniqueArray(fc.constantFrom(...documentTypeNames), { maxLength: 4 }),
    middle: nullable(fc.constantFrom('Rani', 'आशा')),
    income: nullable(money),
    turnover: nullable(money),
    amount: positive,
    native: nullable(fc.dictionary(reportKey, fc.boolean(), { maxKeys: 4 })),
  })
  .map(({ banking, bureau, more, middle, income, turnover, amount, native }) => {
    const baseLead = exampleLead()
    const extraDocuments = more.map((document_type, i) => ({ document_reference_id: `MORE-${i}`, document_type }))
    const emptyAnalysis = {
      analysis_reference_id: null,
      analyzed_at: null,
      period_from: null,
      period_to: null,
      account: null,
    }
    const emptyReport = { report_reference_id: null, pulled_at: null, score: null }
    return {
      ...baseLead,
      documents_expected: [...baseLead.documents_expected, ...extraDocuments],
      borrower: { ...baseLead.borrower, middle_name: middle, monthly_income: income },
      business: { ...baseLead.business, annual_turnover: turnover },
      banking: {
        ...baseLead.banking,
        status: banking,
        report_data: native,
        ...(banking !== 'COMPLETED' && { ...emptyAnalysis, unavailable_reason: 'nothing there' }),
      },
      bureau: {
        ...baseLead.bureau,
        status: bureau,
        report_data: native,
        ...(bureau !== 'AVAILABLE' && { ...emptyReport, unavailable_reason: 'nothing there' }),
      },
      proposed_offer: { ...baseLead.proposed_offer, loan_amount: amount },
    }
  })

const registered: DataArbitrary<'LEAD_REGISTERED'> = ids.map((documents_pending) => ({
  status: documents_pending.length > 0 ? 'DOCUMENTS_PENDING' : 'UNDER_REVIEW',
  documents_pending,
}))

const reviewed: DataArbitrary<'MANUAL_REVIEW_DECIDED'> = fc
  .record({
    approved: fc.boolean(),
    regular: fc.bigInt({ min: 100n, max: 10_000_000n }),
    last: fc.bigInt({ min: 1n, max: 10_000_000n }),
    share: fc.bigInt({ min: 1n, max: 100n }),
  })
  .map(({ approved, regular, last, share }) => {
    const total = regular * 21n + last
    const loan = (total * 9n) / 10n
    const offer = {
      ...exampleOffer(),
      loan_amount: rupees(loan),
      installment_amount: rupees(regular),
      total_interest_amount: rupees(total - loan),
      total_payable_amount: rupees(total),
      net_disbursed_amount: rupees((loan * share) / 100n),
    }
    return {
      ...exampleData('MANUAL_REVIEW_DECIDED'),
      decision: approved ? 'APPROVED' : 'REJECTED',
      offer: approved ? offer : null,
    }
  })

const anyCheck = <S extends string>(statuses: readonly S[], confirmed: S) =>
  fc.constantFrom(...statuses).chain((status) =>
    fc.record({
      status: fc.constant(status),
      verified: status === confirmed ? fc.boolean() : fc.constant(false),
      provider_updated_at: instant,
      document_ids: ids,
      reason_code: ['REJECTED', 'TERMINATED', 'EXPIRED', 'FAILED'].includes(status) ? code : nullable(code),
    }),
  )

const kyc: DataArbitrary<'KYC_UPDATED'> = anyCheck(
  ['REQUESTED', 'REVIEW_READY', 'APPROVED', 'REJECTED', 'TERMINATED', 'EXPIRED'] as const,
  'APPROVED',
).map((given) => ({ ...exampleData('KYC_UPDATED'), ...given }))

const mandate: DataArbitrary<'MANDATE_UPDATED'> = fc
  .tuple(
    anyCheck(['REQUESTED', 'PENDING', 'ACTIVE', 'REJECTED', 'CANCELLED', 'EXPIRED'] as const, 'ACTIVE'),
    fc.record({ maximum_amount: positive, days: fc.tuple(date, date), hasNoTerms: fc.boolean() }),
  )
  .map(([given, { maximum_amount, days, hasNoTerms }]) => {
    const [valid_from, valid_until] = days.toSorted() as [string, string]
    const emptyMandate = { umrn: null, maximum_amount: null, frequency: null, valid_from: null, valid_until: null }
    const whole = { ...exampleData('MANDATE_UPDATED'), maximum_amount, valid_from, valid_until, ...given }
    return hasNoTerms && given.status !== 'ACTIVE' ? { ...whole, ...emptyMandate } : whole
  })

const esign: DataArbitrary<'ESIGN_UPDATED'> = anyCheck(
  ['REQUESTED', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED'] as const,
  'COMPLETED',
).map((given) => ({ ...exampleData('ESIGN_UPDATED'), ...given }))

const disbursement: DataArbitrary<'DISBURSEMENT_UPDATED'> = fc
  .record({
    status: fc.constantFrom('PENDING' as const, 'DISBURSED' as const, 'FAILED' as const),
    amount: positive,
    updated_at: instant,
    reason_code: nullable(code),
  })
  .map((given) => ({
    ...exampleData('DISBURSEMENT_UPDATED'),
    ...given,
    bank_reference: given.status === 'DISBURSED' ? 'UTR 1' : null,
  }))

const payment: DataArbitrary<'PAYMENT_UPDATED'> = fc
  .record({
    status: fc.constantFrom('PENDING_VERIFICATION', 'SUBMITTED', 'PROCESSING', 'FAILED', 'POSTED', 'REVERSED'),
    amount: positive,
    installment_ids: ids,
    claim_reference: nullable(id),
    collection_id: nullable(id),
    value_date: nullable(date),
    updated_at: instant,
    reason: nullable(code),
  })
  .map(({ status, reason, ...given }) => ({
    ...exampleData('PAYMENT_UPDATED'),
    ...given,
    status: status as DataOf<'PAYMENT_UPDATED'>['status'],
    reason_code: status === 'FAILED' ? (reason ?? '04') : reason,
    reversal_of_payment_id: status === 'REVERSED' ? 'PAY-0' : null,
  }))

const claim: DataArbitrary<'PAYMENT_CLAIM_SUBMITTED'> = fc
  .record({
    service_type: fc.constantFrom('MISSED_EMI' as const, 'PRE_PART_PAYMENT' as const),
    method: fc.constantFrom('NEFT' as const, 'RTGS' as const, 'IMPS' as const, 'UPI' as const),
    amount: positive,
    payment_date: date,
    document_ids: ids,
  })
  .map((given) => ({ ...exampleData('PAYMENT_CLAIM_SUBMITTED'), ...given }))

const data: { [T in EventType]?: DataArbitrary<T> } = {
  LEAD_SUBMITTED: lead,
  LEAD_REGISTERED: registered,
  MANUAL_REVIEW_DECIDED: reviewed,
  KYC_UPDATED: kyc,
  MANDATE_UPDATED: mandate,
  ESIGN_UPDATED: esign,
  DISBURSEMENT_UPDATED: disbursement,
  PAYMENT_UPDATED: payment,
  PAYMENT_CLAIM_SUBMITTED: claim,
}

/** Generates valid events of that type with arbitrary data, IDs, times and versions. */
export function anyEvent<T extends EventType>(type: T): fc.Arbitrary<EventOf<T>> {
  const body = (data[type] as fc.Arbitrary<DataOf<T>> | undefined) ?? fc.constant(exampleData(type))
  const envelopeFields = fc.record({
    event_id: fc.uuid(),
    occurred_at: instant,
    entity_version: fc.integer({ min: 1, max: 2_147_483_647 }),
    unregistered: fc.boolean(),
  })
  return fc.tuple(body, envelopeFields).map(([data, { unregistered, ...given }]) => {
    const unregisteredCorrelation = {
      external_reference_id: exampleIds.caseRef,
      celestium_lead_id: null,
      celestium_loan_id: null,
    }
    const isUnregistered = type === 'EVENT_PROCESSING_FAILED' && unregistered
    return exampleEvent(type, {
      ...given,
      data,
      ...(isUnregistered && { correlation: unregisteredCorrelation }),
    } as Partial<EventOf<T>>)
  })
}
