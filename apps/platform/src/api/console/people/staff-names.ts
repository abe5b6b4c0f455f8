// Decrypts the names of console users, keyed by person id.

import type { Seal } from '@lendloom/seal/seal'
import { identityOf } from '#platform/people/person.ts'
import type { IdentityRow } from './staff-store.ts'

export const namesOf = (seal: Seal, people: IdentityRow[]): Map<string, string> =>
  new Map(people.map((row) => [row.personId, identityOf(seal, row).name]))
