// Schemas of the console API: the complaint officers of the platform and of each lender.

import { Closed, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { Text } from '#wire/basic-schemas.ts'
import { officerLevels } from './complaint-lists.ts'

export const OfficerLine = Closed({
  party: Text,
  partyName: Text,
  level: OneOf(officerLevels),
  name: Text,
  email: Text,
  phone: Text,
})

export type OfficerLine = Static<typeof OfficerLine>

export const OfficersReply = Closed({ items: Type.Array(OfficerLine), next: Type.Null() })

export type OfficersReply = Static<typeof OfficersReply>

export const OfficerRequest = Closed({
  party: Type.String({ minLength: 1, maxLength: 300 }),
  level: OneOf(officerLevels),
  name: Type.String({ maxLength: 200 }),
  email: Type.String({ maxLength: 254 }),
  phone: Type.String({ maxLength: 40 }),
})
