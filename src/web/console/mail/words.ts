// Texts about mail: states, subjects, and the right to retry.
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

/** Viewers only see mail. */
export const mayAct = (): boolean => hasRole('operator', 'grievance-officer', 'admin')
