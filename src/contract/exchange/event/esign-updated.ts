// ESIGN_UPDATED: what became of the request to sign the agreement (D3 §6 rule 1).

import { broken, Code, Ids, Instant, Reference } from '#contract/exchange/fields.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { OneOf, orNull, type Static, Type } from '#kit/http/schema.ts'
import type { Table } from '#kit/runtime/machine.ts'

export const esignStatuses = ['REQUESTED', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED'] as const
export type EsignStatus = (typeof esignStatuses)[number]

/** What may follow what, of one request; nothing goes back on an ending. */
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
  /** Empty while the upload of the signed file is tried again. */
  document_ids: Ids,
  reason_code: orNull(Code),
})
export type EsignUpdated = Static<typeof EsignUpdated>

const failures: readonly EsignStatus[] = ['EXPIRED', 'FAILED']

export const checkEsignUpdated = ({ status, verified, reason_code }: EsignUpdated, under = 'data'): FieldError[] =>
  broken(
    under,
    [verified && status !== 'COMPLETED', 'verified', 'can be true only when status is COMPLETED'],
    [failures.includes(status) && reason_code === null, 'reason_code', `is required when status is ${status}`],
  )
