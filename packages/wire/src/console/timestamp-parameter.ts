// Schema of a timestamp in a console request.
import { Type } from '@lendloom/foundation/schema'

export const TimestampParameter = Type.String({
  // Any other month, day, hour or minute would be an invalid date.
  pattern:
    '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,3})?)?Z$',
  'x-says': 'must be an instant such as 2026-11-21T10:00:00Z',
})
