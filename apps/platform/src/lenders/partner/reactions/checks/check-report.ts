// Converts a provider's report on a check to the result of the check and to an event for the partner (D3 §6 KYC_UPDATED,
// MANDATE_UPDATED, ESIGN_UPDATED).

import { ownValue } from '@lendloom/foundation/record'
import { rupees } from '@lendloom/lending/money'
import { type Fragment, sql } from '@lendloom/postgres/sql'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { kycMachine } from '@lendloom/wire/exchange/event/kyc'
import { esignMachine, mandateMachine } from '@lendloom/wire/exchange/event/mandate'
import type { CheckKind } from '#platform/lenders/partner/partner-check.ts'
import type { EsignStatusReport, KycStatusReport, MandateStatusReport } from '#platform/providers/ports.ts'
import { type DatedReport, isNewReport } from '#platform/providers/status-report.ts'

export type CheckStatusReport =
  | ({ kind: 'kyc' } & KycStatusReport)
  | ({ kind: 'mandate' } & MandateStatusReport)
  | ({ kind: 'esign' } & EsignStatusReport)

export type CheckEvent =
  | { type: 'KYC_UPDATED'; data: DataOf<'KYC_UPDATED'> }
  | { type: 'MANDATE_UPDATED'; data: DataOf<'MANDATE_UPDATED'> }
  | { type: 'ESIGN_UPDATED'; data: DataOf<'ESIGN_UPDATED'> }

/** Returns the event for the partner. `documentIds` are the ids of the files that the partner has already stored. */
export function checkEventOf(
  report: DatedReport<CheckStatusReport>,
  providerEventId: string | null,
  documentIds: string[],
): CheckEvent {
  const common = {
    provider: report.provider,
    provider_reference_id: report.reference,
    verified: report.verified,
    provider_updated_at: report.providerUpdatedAt.toISOString(),
    document_ids: documentIds,
    reason_code: report.reasonCode ?? (isFailure(report) ? noReasonCode : null),
  }
  switch (report.kind) {
    case 'kyc': {
      const { mode, status } = report
      return { type: 'KYC_UPDATED', data: { ...common, mode, status, provider_event_id: providerEventId } }
    }
    case 'mandate': {
      const { status, umrn, maximumPaise, frequency, validFrom, validUntil } = report
      return {
        type: 'MANDATE_UPDATED',
        data: {
          ...common,
          status,
          umrn,
          maximum_amount: maximumPaise === null ? null : rupees(maximumPaise),
          currency: 'INR',
          frequency,
          valid_from: validFrom,
          valid_until: validUntil,
        },
      }
    }
    case 'esign':
      return { type: 'ESIGN_UPDATED', data: { ...common, status: report.status, provider_event_id: providerEventId } }
  }
}

/** The reason code for the partner when the provider gives no reason. */
const noReasonCode = 'NOT_GIVEN_BY_PROVIDER'

const isFailure = (report: CheckStatusReport): boolean => {
  const result = ownValue(resultsByStatus[report.kind], report.status) ?? null
  return result === 'failed' || result === 'refused'
}

type StoredStatus = { status: string; providerUpdatedAt: Date } | null

/** Whether a report is newer than the stored report. Callbacks may arrive late, twice or out of order. */
export function isNewerReport(stored: StoredStatus, report: CheckStatusReport): boolean {
  switch (report.kind) {
    case 'kyc':
      return isNewReport(kycMachine, stored, report)
    case 'mandate':
      return isNewReport(mandateMachine, stored, report)
    case 'esign':
      return isNewReport(esignMachine, stored, report)
  }
}

/** The result of a check: null while the check is pending; after `refused` no further attempt is allowed. */
export type CheckResult = 'passed' | 'failed' | 'refused' | null

const resultsByStatus: Record<CheckKind, Record<string, CheckResult>> = {
  kyc: { APPROVED: 'passed', REJECTED: 'refused', TERMINATED: 'failed', EXPIRED: 'failed' },
  mandate: { ACTIVE: 'passed', REJECTED: 'failed', CANCELLED: 'failed', EXPIRED: 'failed' },
  esign: { COMPLETED: 'passed', EXPIRED: 'failed', CANCELLED: 'failed', FAILED: 'failed' },
}

/** Returns the result of a check. Without the provider's verification, a success remains pending (D3 §6). */
export const checkResultOf = (
  kind: CheckKind,
  { status, verified }: { status: string; verified: boolean },
): CheckResult => {
  const result = ownValue(resultsByStatus[kind], status) ?? null
  return result === 'passed' && !verified ? null : result
}

/** SQL: whether check `p` has failed, so that the borrower may begin another attempt. */
export const hasFailed: Fragment = sql`p.kind || ':' || p.status = any(${Object.entries(resultsByStatus).flatMap(
  ([kind, results]) =>
    Object.keys(results).flatMap((status) => (results[status] === 'failed' ? `${kind}:${status}` : [])),
)}::text[])`
