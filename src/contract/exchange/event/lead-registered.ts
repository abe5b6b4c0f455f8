// LEAD_REGISTERED: the partner made the case and reserved its IDs, which the envelope carries (D3 §3, §6).

import { broken, Ids } from '#contract/exchange/fields.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { OneOf, type Static, Type } from '#kit/http/schema.ts'

export const LeadRegistered = Type.Object({
  status: OneOf(['DOCUMENTS_PENDING', 'UNDER_REVIEW']),
  documents_pending: Ids,
})
export type LeadRegistered = Static<typeof LeadRegistered>

/** Review starts after all required files are stored. */
export const checkLeadRegistered = ({ status, documents_pending }: LeadRegistered, under = 'data'): FieldError[] =>
  broken(
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
