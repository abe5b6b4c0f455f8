// Operations that go on after the answer: the acceptance with its id, and the progress to poll (D2 §2.3).

import { Closed, OneOf, orNull, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { Instant, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { pendingOperations } from './enums.ts'

/** D2 §2.3 Async acceptance. */
export const AsyncAcceptance = Closed({
  operationID: Text,
  status: OneOf(['ACCEPTED']),
  /** Also as the header `Retry-After`. */
  pollAfterSeconds: Type.Integer(),
})
export type AsyncAcceptance = Static<typeof AsyncAcceptance>

const operationKinds = [
  ...pendingOperations,
  'STATUS_REFRESH',
  'FORECLOSURE',
  'PRE_PART_PAYMENT',
  'MISSED_EMI_PAYMENT',
] as const
export type OperationKind = (typeof operationKinds)[number]

/** GET operations/{operationID}: the progress of an accepted operation. */
export const Operation = Closed({
  operationID: Uuid,
  journeyID: Uuid,
  kind: OneOf([...operationKinds]),
  status: OneOf(['PENDING', 'SUCCEEDED', 'FAILED']),
  /** Why it failed, as a text for the borrower. */
  reason: TextOrNull,
  /** When to poll again; null once the operation has ended. */
  pollAfterSeconds: orNull(Type.Integer()),
  startedAt: Instant,
})
export type Operation = Static<typeof Operation>
