// Texts about mail.
import type { MailKind, MailState } from '@lendloom/wire/console/lists'
import type { Tone } from '../ui/components.tsx'

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
