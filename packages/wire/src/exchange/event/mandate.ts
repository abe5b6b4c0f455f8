// MANDATE_UPDATED (the authority to collect) and ESIGN_UPDATED (the signing request), from the providers (D3 §6 rule 1).

import type { Table } from '@lendloom/foundation/machine'
import type { FieldError } from '@lendloom/foundation/refusal'
import { OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import {
  BusinessDate,
  brokenRules,
  Code,
  Currency,
  Ids,
  Instant,
  PositiveMoney,
  Reference,
} from '#wire/exchange/fields.ts'

export const mandateStatuses = ['REQUESTED', 'PENDING', 'ACTIVE', 'REJECTED', 'CANCELLED', 'EXPIRED'] as const
export type MandateStatus = (typeof mandateStatuses)[number]

/** Transitions of one request; an active mandate may still be withdrawn, or expire. */
export const mandateMachine: Table<MandateStatus, MandateStatus> = {
  REQUESTED: {
    PENDING: 'PENDING',
    ACTIVE: 'ACTIVE',
    REJECTED: 'REJECTED',
    CANCELLED: 'CANCELLED',
    EXPIRED: 'EXPIRED',
  },
  PENDING: { ACTIVE: 'ACTIVE', REJECTED: 'REJECTED', CANCELLED: 'CANCELLED', EXPIRED: 'EXPIRED' },
  ACTIVE: { CANCELLED: 'CANCELLED', EXPIRED: 'EXPIRED' },
  REJECTED: {},
  CANCELLED: {},
  EXPIRED: {},
}

export const MandateUpdated = Type.Object({
  provider: Code,
  provider_reference_id: Reference,
  umrn: orNull(Reference),
  status: OneOf(mandateStatuses),
  verified: Type.Boolean(),
  maximum_amount: orNull(PositiveMoney),
  currency: Currency,
  /** The authorized frequency, such as `AS_PRESENTED`. */
  frequency: orNull(Code),
  valid_from: orNull(BusinessDate),
  valid_until: orNull(BusinessDate),
  provider_updated_at: Instant,
  document_ids: Ids,
  reason_code: orNull(Code),
})
export type MandateUpdated = Static<typeof MandateUpdated>

const failureStatuses: readonly MandateStatus[] = ['REJECTED', 'EXPIRED']

/** An active mandate requires reference, limit, frequency and validity. */
export function checkMandateUpdated(mandate: MandateUpdated, under = 'data'): FieldError[] {
  const { status, verified, valid_from, valid_until } = mandate
  const missingKeys = (['umrn', 'maximum_amount', 'frequency', 'valid_from', 'valid_until'] as const).filter(
    (key) => status === 'ACTIVE' && mandate[key] === null,
  )
  return [
    ...missingKeys.map((key) => ({ path: `${under}.${key}`, message: 'is required when status is ACTIVE' })),
    ...brokenRules(
      under,
      [verified && status !== 'ACTIVE', 'verified', 'can be true only when status is ACTIVE'],
      [
        valid_from !== null && valid_until !== null && valid_until < valid_from,
        'valid_until',
        'must not be before valid_from',
      ],
      [
        failureStatuses.includes(status) && mandate.reason_code === null,
        'reason_code',
        `is required when status is ${status}`,
      ],
    ),
  ]
}

/** ESIGN_UPDATED: the status of the request to sign the agreement (D3 §6 rule 1). */
export const esignStatuses = ['REQUESTED', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED'] as const
export type EsignStatus = (typeof esignStatuses)[number]

/** Transitions of one request; endings are final. */
export const esignMachine: Table<EsignStatus, EsignStatus> = {
  REQUESTED: { COMPLETED: 'COMPLETED', EXPIRED: 'EXPIRED', CANCELLED: 'CANCELLED', FAILED: 'FAILED' },
  COMPLETED: {},
  EXPIRED: {},
  CANCELLED: {},
  FAILED: {},
}

export const EsignUpdated = Type.Object({
  provider: Code,
  provider_reference_id: Reference,
  status: OneOf(esignStatuses),
  verified: Type.Boolean(),
  provider_event_id: orNull(Reference),
  provider_updated_at: Instant,
  /** Empty while the upload of the signed file is being retried. */
  document_ids: Ids,
  reason_code: orNull(Code),
})
export type EsignUpdated = Static<typeof EsignUpdated>

const esignFailures: readonly EsignStatus[] = ['EXPIRED', 'FAILED']

export const checkEsignUpdated = ({ status, verified, reason_code }: EsignUpdated, under = 'data'): FieldError[] =>
  brokenRules(
    under,
    [verified && status !== 'COMPLETED', 'verified', 'can be true only when status is COMPLETED'],
    [esignFailures.includes(status) && reason_code === null, 'reason_code', `is required when status is ${status}`],
  )
