// The console's queries about mail: outgoing mail of one tenant or all, and incoming mail that was set aside.

import { oneRow, type Run, sql } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'
import type { MailKind, MailState } from '@lendloom/wire/console/lists'
import type { MailCounts } from '@lendloom/wire/console/mail'
import type { MailKey } from '#platform/mail/store.ts'

interface MailFilter {
  tenantId: string | null
  state: MailState | null
  kind: MailKind | null
}

interface Page {
  after: string | null
  limit: number
}

export interface ListedRow extends MailKey {
  tenantName: string | null
  kind: MailKind
  subjectId: string
  isCancellation: boolean
  contentSealed: Buffer
  state: MailState
  tries: number
  nextTryAt: Date | null
  answer: string | null
  createdAt: Date
  settledAt: Date | null
}

const columns = sql`m.tenant_id, m.mail_id, t.name as tenant_name, m.kind, m.subject_id, m.content_sealed, m.state, m.tries,
  m.next_try_at, m.answer, m.created_at, m.settled_at, exists (select from complaint c where c.tenant_id = m.tenant_id
    and m.kind = 'complaint' and c.complaint_id = m.subject_id and c.category = 'COOLING_OFF') as is_cancellation`

/** Newest first. The statement contains only the requested conditions, so that each uses its index. */
export const listMails = (db: Run, { tenantId, state, kind }: MailFilter, { after, limit }: Page) => db<ListedRow>`
  select ${columns} from mail_out m left join tenant t on t.tenant_id = m.tenant_id
  where ${tenantId === null ? sql`true` : sql`m.tenant_id = ${tenantId}`}
    and ${state === null ? sql`true` : stateConditions[state]}
    and ${kind === null ? sql`true` : sql`m.kind = ${kind}`}
    and ${after === null ? sql`true` : sql`m.mail_id < ${after}::uuid`}
  order by m.mail_id desc limit ${limit}`

const stateConditions = {
  QUEUED: sql`m.state = 'QUEUED'`,
  SENT: sql`m.state = 'SENT'`,
  FAILED: sql`m.state = 'FAILED'`,
}

export async function findMail(db: Run, mailId: string): Promise<ListedRow | undefined> {
  const [row] = await db<ListedRow>`
    select ${columns} from mail_out m left join tenant t on t.tenant_id = m.tenant_id where m.mail_id = ${mailId}`
  return row
}

/** Counts of queued and failed mail, of one tenant or all, and of set-aside mail, which belongs to no tenant. */
export async function countMails(db: Run, tenantId: string | null): Promise<MailCounts> {
  const isOfTenant = tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}`
  const rows = await db<MailCounts>`
    select (select count(*)::integer from mail_out where state = 'QUEUED' and ${isOfTenant}) as waiting,
      (select count(*)::integer from mail_out where state = 'FAILED' and ${isOfTenant}) as given_up,
      (select count(*)::integer from mail_in where tenant_id = ${noTenantId} and state = 'SET_ASIDE') as set_aside`
  return oneRow(rows)
}

export interface SetAsideRow extends MailKey {
  envelopeSealed: Buffer
  why: string
  sizeBytes: number
  receivedAt: Date
  settledAt: Date
}

/** Newest first. */
export const listSetAside = (db: Run, { after, limit }: Page) => db<SetAsideRow>`
  select tenant_id, mail_id, envelope_sealed, why, size_bytes, received_at, settled_at from mail_in
  where tenant_id = ${noTenantId} and state = 'SET_ASIDE' and (${after}::uuid is null or mail_id < ${after}::uuid)
  order by mail_id desc limit ${limit}`
