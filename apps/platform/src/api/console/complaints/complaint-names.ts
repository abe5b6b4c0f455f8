// Names of the people in a complaint's thread, and of possible assignees.

import { isOneOf } from '@lendloom/foundation/record'
import type { Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { listIdentities } from '#platform/api/console/people/staff-store.ts'
import { identityOf, platformTenant } from '#platform/people/person.ts'
import { listPeople } from '#platform/people/store.ts'

/** Names keyed by person id; includes removed people. */
export async function namesOf(
  db: Run,
  seal: Seal,
  tenantId: string,
  personIds: string[],
): Promise<Map<string, string>> {
  if (personIds.length === 0) return new Map()
  const rows = await listIdentities(db, tenantId, personIds)
  return new Map(rows.map((row) => [row.personId, identityOf(seal, row).name]))
}

/** Platform staff who can be assignees of a complaint, in order of their names. */
export async function assigneesOf(db: Run, seal: Seal): Promise<{ personId: string; name: string }[]> {
  const people = await listPeople(db, platformTenant, { after: null, limit: 500 })
  return people
    .filter(({ role }) => isOneOf(['operator', 'grievance-officer', 'admin'], role))
    .map((row) => ({ personId: row.personId, name: identityOf(seal, row).name }))
    .sort((a, b) => a.name.localeCompare(b.name))
}
