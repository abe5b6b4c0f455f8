// Refusals of the network's doors as NACKs: the HTTP status and the code that each role writes (FIS12 §3.1, §3.4).
import { nack } from '#contract/network/ack.ts'
import { type NackReason, nackCodes } from '#contract/network/errors.ts'
import { type Answer, answer } from '#kit/http-server.ts'
import type { Kind, Refusal } from '#kit/refusal.ts'

const reasons: Record<Kind, [status: number, reason: NackReason]> = {
  malformed: [400, 'invalid'],
  invalid: [400, 'invalid'],
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
  upstream: [503, 'internal'],
}

/** The refusal as the door of a gateway (`BG`), a lender (`BPP`) or a buyer app (`BAP`) gives it. */
export const refuseAs =
  (role: 'BAP' | 'BPP' | 'BG') =>
  (refusal: Refusal | 'bug'): Answer => {
    if (refusal === 'bug') return answer(500, nack({ code: nackCodes[role].internal, message: 'an internal error' }))
    const [status, reason] = reasons[refusal.kind]
    const code = typeof refusal.details.code === 'string' ? refusal.details.code : nackCodes[role][reason]
    const { field } = refusal.details
    return answer(status, nack({ code, message: refusal.message, ...(field && { path: field }) }))
  }
