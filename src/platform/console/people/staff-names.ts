// The names of people of the console, by their ids.

import type { Seal } from '#kit/crypto/seal.ts'
import { identityOf } from '#platform/staff/person.ts'
import type { IdentityRow } from './staff-store.ts'

export const namesOf = (seal: Seal, people: IdentityRow[]): Map<string, string> =>
  new Map(people.map((row) => [row.personId, identityOf(seal, row).name]))
