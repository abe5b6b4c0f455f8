// What a message about a grievance must be to be stored and acknowledged (FIS12 §3.1, §20).
import { bodyFaultsOf } from '#contract/network/judge.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { fieldsOf } from '#kit/runtime/narrow.ts'
import type { IgmAction } from './actions.ts'
import { igmSchemas } from './schema.ts'

const shapeFaults = bodyFaultsOf('2.0.3', igmSchemas)

/** Why a received body is turned away with a NACK; empty when it may be stored. The newer shape of IGM is told from a broken one. */
export function igmBodyFaults(action: IgmAction, body: unknown): FieldError[] {
  const wrong = shapeFaults(action, body)
  return wrong.length > 0 && isNewer(body) ? [newer] : wrong
}

const newer: FieldError = {
  path: 'message.issue.actions',
  message: 'belongs to a newer IGM; 1.0.0 with issue_actions is spoken here',
}

function isNewer(body: unknown): boolean {
  const issue = fieldsOf(fieldsOf(fieldsOf(body).message).issue)
  return 'actions' in issue && !('issue_actions' in issue)
}
