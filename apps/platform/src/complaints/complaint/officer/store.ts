// Table complaint_officer: complaint officers that an admin has set.

import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { OfficerLevel } from '@lendloom/wire/console/complaint-lists'
import { officerSealContext } from '#platform/complaints/complaint/complaint.ts'
import { platformTenant } from '#platform/people/person.ts'

export interface OfficerContact {
  name: string
  email: string
  phone: string
}

interface OfficerRow {
  party: string
  level: OfficerLevel
  contactSealed: Buffer
  updatedAt: Date
}

export interface OfficerEntry extends OfficerContact {
  party: string
  level: OfficerLevel
}

export async function listOfficers(db: Run, seal: Seal): Promise<OfficerEntry[]> {
  const rows = await db<OfficerRow>`
    select party, level, contact_sealed, updated_at from complaint_officer where tenant_id = ${platformTenant} order by party, level`
  return rows.map(({ party, level, contactSealed }) => ({
    party,
    level,
    ...seal.openJson<OfficerContact>(contactSealed, officerSealContext({ tenantId: platformTenant, party, level })),
  }))
}

export async function writeOfficer(
  tx: Tx,
  seal: Seal,
  { party, level, ...contact }: OfficerEntry,
  at: Date,
): Promise<void> {
  const key = { tenantId: platformTenant, party, level }
  const contactSealed = seal.json(contact, officerSealContext(key))
  await tx`
    insert into complaint_officer ${tx({ ...key, contactSealed, updatedAt: at })}
    on conflict (tenant_id, party, level) do update set contact_sealed = excluded.contact_sealed, updated_at = excluded.updated_at`
}
