// Schema of a timestamp in a console request.
import { Type } from '#kit/http/schema.ts'

export const TimestampParameter = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?Z$',
  'x-says': 'must be an instant such as 2026-11-21T10:00:00Z',
})
