// How providers refuse: a status, a code, a sentence, and the fields that were wrong.

import type { Kind, Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { type Answer, answer } from '#kit/http/server.ts'

export const ProviderError = Type.Object({
  error: Type.Object({ code: Type.String(), message: Type.String() }),
})

const wire: Record<Kind, [status: number, code: string]> = {
  malformed: [400, 'BAD_REQUEST'],
  invalid: [422, 'INVALID'],
  'bad-api-key': [401, 'UNAUTHORIZED'],
  'bad-session': [401, 'UNAUTHORIZED'],
  'bad-credential': [401, 'UNAUTHORIZED'],
  forbidden: [403, 'FORBIDDEN'],
  absent: [404, 'NOT_FOUND'],
  'wrong-method': [405, 'WRONG_METHOD'],
  'wrong-state': [409, 'WRONG_STATE'],
  locked: [409, 'WRONG_STATE'],
  pending: [409, 'PENDING'],
  'reused-key': [409, 'REFERENCE_REUSED'],
  'too-large': [413, 'TOO_LARGE'],
  'unsupported-media': [415, 'UNSUPPORTED_MEDIA'],
  'rate-limited': [429, 'RATE_LIMITED'],
  damaged: [500, 'INTERNAL'],
  upstream: [503, 'UNAVAILABLE'],
}

export function refusedByProvider(refusal: Refusal | 'bug'): Answer {
  if (refusal === 'bug') return answer(500, { error: { code: 'INTERNAL', message: 'an internal error' } })
  const [status, code] = wire[refusal.kind]
  const { fields = [] } = refusal.details
  return answer(status, { error: { code, message: refusal.message, fields } })
}
