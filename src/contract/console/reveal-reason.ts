// Why somebody of the staff looks at personal data: asked for wherever the console reveals any, and kept in the audit log.
import { Type } from '#kit/http/schema.ts'
import { leastReasonLength } from './journey-lists.ts'

export const RevealReason = Type.String({
  pattern: `^\\s*\\S[\\s\\S]{${leastReasonLength - 2},}\\S\\s*$`,
  maxLength: 500,
  'x-says': `must say why, in ${leastReasonLength} to 500 characters`,
})
