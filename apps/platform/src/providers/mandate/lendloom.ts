// Adapter of a mandate provider that implements our own provider interface.

import { paiseFrom, rupees } from '@lendloom/lending/money'
import type { MandateStatus } from '@lendloom/wire/exchange/event/mandate'
import { type MandateState, MandateStatusReport as ProviderReport } from '@lendloom/wire/provider/provider-interfaces'
import { documentsOf, requestPortOf } from '#platform/providers/lendloom.ts'
import type { MandatePort, MandateStatusReport } from '#platform/providers/ports.ts'
import type { DatedReport } from '#platform/providers/status-report.ts'

/** `auth_success`: the borrower has authorised the mandate, but the bank has not accepted it yet. */
const statuses: Record<MandateState, MandateStatus> = {
  register_initiated: 'REQUESTED',
  auth_success: 'PENDING',
  register_success: 'ACTIVE',
  auth_fail: 'REJECTED',
  register_failed: 'REJECTED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
}

const frequencies = { WEEK: 'WEEKLY', ADHO: 'AS_PRESENTED' } as const

/** A mandate that the bank has accepted counts as PENDING until the provider has reported all its fields. */
function reportOf(answer: ProviderReport, provider: string): DatedReport<MandateStatusReport> {
  const { umrn, maximum_amount, frequency, start_on, end_on } = answer
  const isComplete = [umrn, maximum_amount, frequency, start_on, end_on].every((each) => each !== null)
  const reported = statuses[answer.state]
  const status = reported === 'ACTIVE' && !isComplete ? 'PENDING' : reported
  return {
    provider,
    reference: answer.id,
    status,
    verified: status === 'ACTIVE',
    providerUpdatedAt: new Date(answer.updated_at),
    reasonCode: answer.reason_code,
    umrn,
    maximumPaise: maximum_amount === null ? null : paiseFrom(maximum_amount),
    frequency: frequency === null ? null : frequencies[frequency],
    validFrom: start_on,
    validUntil: end_on,
    documents: documentsOf(answer.files, { mandate_form: 'MANDATE_DOCUMENT' }),
  }
}

const requestPort = requestPortOf('MANDATE', ProviderReport, reportOf)

export const lendloomMandate = {
  ...requestPort,
  begin(ctx, request) {
    const { account, maximumPaise, frequency, validFrom, validUntil } = request
    return requestPort.begin(ctx, request, {
      account: {
        holder_name: account.holderName,
        account_number: account.accountNumber,
        ifsc: account.ifsc,
        account_type: account.type,
      },
      maximum_amount: rupees(maximumPaise),
      frequency: frequency === 'WEEKLY' ? 'WEEK' : 'ADHO',
      first_collection_on: validFrom,
      final_collection_on: validUntil,
    })
  },
} satisfies MandatePort
