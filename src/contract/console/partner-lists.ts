// How events and files of the lending partner stand, as plain lists that browsers load too.

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
/** Of credentials: `outgoing` is what the platform presents, `incoming` what the partner presents. */
export const credentialDirections = ['outgoing', 'incoming'] as const
export type CredentialDirection = (typeof credentialDirections)[number]
export const kycModes = ['STANDARD', 'VIDEO_AND_MANUAL_REVIEW'] as const
/** Whether borrowers are asked for bank statements before the lead: never, with leave to decline, or as a condition. */
export const bankStatementModes = ['OFF', 'OPTIONAL', 'REQUIRED'] as const
export const mandateFrequencies = ['AS_PRESENTED', 'WEEKLY'] as const
/** Whom borrowers turn to (D1 §2.4 lenders): the grievance officer, and the support. */
export const contactNames = [
  'groName',
  'groEmail',
  'groContactNumber',
  'groDesignation',
  'groAddress',
  'customerSupportLink',
  'customerSupportContactNumber',
  'customerSupportEmail',
] as const
