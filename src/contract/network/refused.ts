// Refusals as NACKs: the HTTP status, and the code that a buyer app, a lender or the gateway writes (FIS12 §3.1, §3.4).
import { nack } from '#contract/network/ack.ts'
import { type NackReason, nackCodes } from '#contract/network/errors.ts'
import type { Kind, Refusal } from '#kit/http/refusal.ts'
import { type Answer, answer } from '#kit/http/server.ts'

/** A message that was understood and turned away is answered 200; what failed before that has the status of its failure. */
const wire: Record<Kind, [status: number, reason: NackReason]> = {
  malformed: [400, 'invalid'],
  invalid: [200, 'invalid'],
  'bad-api-key': [401, 'signature'],
  'bad-session': [401, 'signature'],
  'bad-credential': [401, 'signature'],
  forbidden: [403, 'invalid'],
  absent: [404, 'absent'],
  'wrong-method': [405, 'invalid'],
  'wrong-state': [200, 'sequence'],
  locked: [200, 'sequence'],
  pending: [200, 'sequence'],
  'reused-key': [200, 'sequence'],
  'too-large': [413, 'invalid'],
  'unsupported-media': [415, 'invalid'],
  'rate-limited': [429, 'internal'],
  damaged: [500, 'internal'],
  upstream: [503, 'internal'],
}

export type Role = keyof typeof nackCodes

/** The code of a refusal; one that names its own in `details.code` keeps it. */
export const codeOf = (role: Role, { kind, details }: Refusal): string =>
  typeof details.code === 'string' ? details.code : nackCodes[role][wire[kind][1]]

/** How the APIs of a role refuse. */
export const refusedAs =
  (role: Role) =>
  (refusal: Refusal | 'bug'): Answer => {
    if (refusal === 'bug') return answer(500, nack({ code: nackCodes[role].internal, message: 'an internal error' }))
    const { field, retryAfterSeconds } = refusal.details
    const path = field === undefined ? {} : { path: `$.${field}` }
    const headers: Record<string, string> =
      retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
    return answer(
      wire[refusal.kind][0],
      nack({ code: codeOf(role, refusal), message: refusal.message, ...path }),
      headers,
    )
  }
