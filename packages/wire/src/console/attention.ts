// Schemas of the console API: what needs attention now.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Count, Id, InstantOrNull, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { OfTenant } from './staff.ts'

export const AttentionQuery = OfTenant

export const AttentionItem = Closed({
  kind: OneOf([
    'FAILING_ENDPOINTS',
    'GIVEN_UP_UPDATES',
    'OVERDUE_COMPLAINTS',
    'NEW_COMPLAINTS',
    'WAITING_FOR_LENDER',
    'STUCK_EVENTS',
    'UNSTORED_FILES',
    'FAILED_MAIL',
    'SET_ASIDE_MAIL',
    'LATE_REPORTS',
    'REFUSED_REPORTS',
  ]),
  count: Count,
  since: InstantOrNull,
  endpoint: orNull(Closed({ tenantId: Id, endpointId: Id, url: Text, lastAnswer: TextOrNull })),
})
export type AttentionItem = Static<typeof AttentionItem>

/** Without kinds that count 0, and without those that the caller’s role cannot see. */
export const Attention = Closed({ items: Type.Array(AttentionItem) })
export type Attention = Static<typeof Attention>
