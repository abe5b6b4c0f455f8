// The table of links with which staff choose their passwords: staff_password_link.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'

export type LinkKind = 'INVITATION' | 'RESET'

export type LinkState = 'QUEUED' | 'SENT' | 'FAILED' | 'HANDED_OVER' | 'USED'

export interface PasswordLink {
  staffId: string
  linkId: string
  kind: LinkKind
  /** Null if an operator requested the link at the command line. */
  requestedBy: string | null
  requestedAt: Date
  /** The accounts, besides the user's, that may have seen the link. */
  seenBy: string[]
  state: LinkState
  /** The digest of the token; null until the mail is sent. */
  digest: Buffer | null
  expiresAt: Date
}

/** Not correlated: Citus cannot join a table that it updates on the coordinator with a reference table. */
const isOfCurrentStaff = sql`l.staff_id in (select s.staff_id from staff s where s.removed_at is null)`

/** Stores a link in place of the previous one, whose token becomes invalid. */
export async function replaceLink(tx: Tx, link: PasswordLink): Promise<void> {
  await tx`
    insert into staff_password_link ${tx({ ...link })}
    on conflict (staff_id) do update set link_id = excluded.link_id, kind = excluded.kind, requested_by = excluded.requested_by,
      requested_at = excluded.requested_at, seen_by = excluded.seen_by, state = excluded.state, answer = null,
      digest = excluded.digest, expires_at = excluded.expires_at, used_at = null`
}

export interface LinkToSend {
  kind: LinkKind
  email: string
  name: string
  /** Null if an operator requested the link at the command line. */
  requester: string | null
  expiresAt: Date
}

/** Assigns a token to a queued link; returns undefined if the link was replaced or its user removed. */
export async function assignToken(db: Run, linkId: string, digest: Buffer): Promise<LinkToSend | undefined> {
  const assigned = await db`
    update staff_password_link l set digest = ${digest}
    where l.link_id = ${linkId} and l.state = 'QUEUED' and ${isOfCurrentStaff} returning 1`
  if (assigned.length === 0) return undefined
  const [row] = await db<LinkToSend>`
    select l.kind, s.email, s.name, l.expires_at, a.name as requester from staff_password_link l
      join staff s on s.staff_id = l.staff_id left join staff a on a.staff_id = l.requested_by
    where l.link_id = ${linkId}`
  return row
}

/** Records whether the mail of a link was accepted, and the answer of the mail server. */
export async function recordLinkMail(db: Run, linkId: string, state: LinkState, answer: string): Promise<void> {
  await db`
    update staff_password_link set state = ${state}, answer = ${answer.slice(0, 200)}
    where link_id = ${linkId} and state = 'QUEUED'`
}

const openLinkCondition = (digest: Buffer, at: Date) => sql`
  l.digest = ${digest} and l.state <> 'USED' and l.expires_at > ${at} and ${isOfCurrentStaff}`

/** Returns the user of a link that still works. */
export async function findOpenLink(db: Run, digest: Buffer, at: Date): Promise<{ email: string } | undefined> {
  const [row] = await db<{ email: string }>`
    select p.email from staff_password_link l join staff p using (staff_id) where ${openLinkCondition(digest, at)}`
  return row
}

type UsedLink = Pick<PasswordLink, 'staffId' | 'kind' | 'seenBy'>

/** Marks a link as used; returns undefined when it is invalid or a concurrent request has used it. */
export async function markLinkUsed(tx: Tx, digest: Buffer, at: Date): Promise<UsedLink | undefined> {
  const [row] = await tx<UsedLink>`
    update staff_password_link l set state = 'USED', used_at = ${at} where ${openLinkCondition(digest, at)}
    returning l.staff_id, l.kind, l.seen_by`
  return row
}

export interface LinkLine {
  staffId: string
  kind: LinkKind
  state: LinkState
  answer: string | null
  requestedAt: Date
  usedAt: Date | null
  /** Null if an operator requested the link at the command line. */
  requester: string | null
}

/** The newest link of each person, or of one person. */
export const listLinks = (db: Run, staffId: string | null = null) => db<LinkLine>`
  select l.staff_id, l.kind, l.state, l.answer, l.requested_at, l.used_at, a.name as requester
  from staff_password_link l left join staff a on a.staff_id = l.requested_by
  where ${staffId}::uuid is null or l.staff_id = ${staffId}::uuid`
