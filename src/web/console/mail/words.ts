// Mail in words: its states, what it is about, and who may try it again.
import type { MailKind, MailState } from '#contract/console/lists.ts'
import { hasRole } from '../session.ts'
import type { Tone } from '../ui/parts.tsx'

export const stateWords: Record<MailState, readonly [Tone, string]> = {
  QUEUED: ['info', 'Waiting'],
  SENT: ['good', 'Sent'],
  FAILED: ['bad', 'Given up'],
}

export const kindNames: Record<MailKind, string> = {
  complaint: 'Complaint',
  invitation: 'Invitation',
  'webhook-alert': 'Webhook alert',
  report: 'Report',
  'sign-in': 'Failed sign-ins',
  'audit-head': 'Heads of audit logs',
}

/** Viewers see mail and do nothing with it. */
export const mayAct = (): boolean => hasRole('operator', 'grievance-officer', 'admin')
