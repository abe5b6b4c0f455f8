// The table of accounts at the OpenID provider: person_open_id.
import type { Run, Tx } from '@lendloom/postgres/sql'
import { noTenant } from '#identity/person.ts'
import type { PersonKey } from '#identity/sign-in-program.ts'

export interface OpenIdLinkRow {
  linkId: string
  issuer: string
  createdAt: Date
  usedAt: Date
}

export interface OpenIdAccount {
  issuer: string
  subjectDigest: Buffer
}

/** Finds the person who is linked to an account. */
export async function findLinked(
  db: Run,
  { issuer, subjectDigest }: OpenIdAccount,
): Promise<(PersonKey & { linkId: string }) | undefined> {
  const [row] = await db<PersonKey & { linkId: string }>`
    select of_tenant_id as tenant_id, person_id, link_id from person_open_id
    where tenant_id = ${noTenant} and issuer = ${issuer} and subject_digest = ${subjectDigest}`
  return row
}

/** Returns false when the account or the person is already linked. */
export async function insertLink(
  tx: Tx,
  { tenantId: ofTenantId, personId }: PersonKey,
  row: OpenIdAccount & OpenIdLinkRow,
): Promise<boolean> {
  const rows = await tx`
    insert into person_open_id ${tx({ ...row, tenantId: noTenant, ofTenantId, personId })}
    on conflict do nothing returning 1`
  return rows.length > 0
}

export async function touchLink(tx: Tx, { issuer, subjectDigest }: OpenIdAccount, at: Date): Promise<void> {
  await tx`
    update person_open_id set used_at = ${at}
    where tenant_id = ${noTenant} and issuer = ${issuer} and subject_digest = ${subjectDigest}`
}

export const listLinks = (db: Run, { tenantId, personId }: PersonKey) => db<OpenIdLinkRow>`
  select link_id, issuer, created_at, used_at from person_open_id
  where tenant_id = ${noTenant} and of_tenant_id = ${tenantId} and person_id = ${personId} order by link_id`

/** Which of these people of a tenant have a linked account. */
export async function listLinkedIds(db: Run, tenantId: string, personIds: string[]): Promise<string[]> {
  const rows = await db<{ personId: string }>`
    select person_id from person_open_id
    where tenant_id = ${noTenant} and of_tenant_id = ${tenantId} and person_id = any(${personIds}::uuid[])`
  return rows.map(({ personId }) => personId)
}

/** Returns false when the person has no such account. */
export async function deleteLink(tx: Tx, { tenantId, personId }: PersonKey, linkId: string): Promise<boolean> {
  const rows = await tx`
    delete from person_open_id
    where tenant_id = ${noTenant} and of_tenant_id = ${tenantId} and person_id = ${personId} and link_id = ${linkId}
    returning 1`
  return rows.length > 0
}

export async function deleteLinks(tx: Tx, { tenantId, personId }: PersonKey): Promise<void> {
  await tx`
    delete from person_open_id
    where tenant_id = ${noTenant} and of_tenant_id = ${tenantId} and person_id = ${personId}`
}
