// How events and files of the lending partner stand, as plain lists that browsers load too.

/** Of events for the partner: CONFLICT it has another content under this id, GIVEN_UP no try is left or it said no. */
export const sentStates = ['DELIVERED', 'WAITING', 'CONFLICT', 'GIVEN_UP'] as const
/** Of events of the partner: GAP one before it is missing, FAILING it is tried again, FAILED it could not be applied. */
export const receivedStates = ['APPLIED', 'WAITING', 'GAP', 'FAILING', 'FAILED', 'SUPERSEDED'] as const
export const eventStates = [
  'DELIVERED',
  'APPLIED',
  'WAITING',
  'GAP',
  'FAILING',
  'CONFLICT',
  'GIVEN_UP',
  'FAILED',
  'SUPERSEDED',
] as const
export type EventState = (typeof eventStates)[number]
export const directions = ['sent', 'received'] as const
export type Direction = (typeof directions)[number]
/** A gap that is older than this is told. */
export const gapMinutes = 15
