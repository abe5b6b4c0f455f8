// The table setting_change.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { decisionColumns, expiryOfWaiting, type ProposalDecision } from '#partner/people/proposal.ts'
import type { SettingChange, SettingName } from './setting-change.ts'

const columns = sql`c.change_id, c.setting, c.subject, c.form, c.before, c.after, c.from_on, c.reason, c.state, c.made_by,
  c.maker_known_to, c.made_at, c.expires_at, c.decided_by, c.decided_at, c.decision_reason`

/** Stores a change. Returns false if a change of the same setting is already pending. */
export async function insertChange(tx: Tx, row: SettingChange): Promise<boolean> {
  const inserted = await tx`insert into setting_change ${tx({ ...row })} on conflict do nothing returning 1`
  return inserted.length > 0
}

export interface ChangeLine extends SettingChange {
  maker: string
  decider: string | null
  /** The name of the person whom the change is about. */
  subjectName: string | null
}

const selectLines = sql`${columns}, m.name as maker, d.name as decider,
  t.name as subject_name
  from setting_change c join staff m on m.staff_id = c.made_by left join staff d on d.staff_id = c.decided_by
  left join staff t on t.email = c.subject`

/** Reads a change, and locks it until the transaction ends. */
export async function lockChange(tx: Tx, changeId: string): Promise<ChangeLine | undefined> {
  const [row] = await tx<ChangeLine>`select ${selectLines} where c.change_id = ${changeId} for update of c`
  return row
}

export async function writeDecision(
  tx: Tx,
  changeId: string,
  decision: ProposalDecision<SettingChange>,
): Promise<void> {
  await tx`update setting_change set ${decisionColumns(decision)} where change_id = ${changeId}`
}

/** Expires undecided changes. */
export async function expireChanges(db: Run, at: Date): Promise<void> {
  await db`update setting_change set ${expiryOfWaiting(at)}`
}

/** Expires pending role changes of a removed person, which would otherwise apply to a new person with the address. */
export async function expireRolesOf(tx: Tx, subject: string, at: Date): Promise<void> {
  await tx`
    update setting_change set state = 'EXPIRED', decided_at = ${at}
    where setting = 'ROLES' and subject = ${subject} and state = 'WAITING'`
}

/** Lists pending changes, then the others; both newest first. */
export const listChanges = (db: Run, limit: number) => db<ChangeLine>`
  select ${selectLines} order by c.state = 'WAITING' desc, c.made_at desc limit ${limit}`

/** Lists the pending changes of these settings. */
export const waitingChanges = (db: Run, settings: readonly SettingName[], at: Date) => db<ChangeLine>`
  select ${selectLines} where c.state = 'WAITING' and c.setting = any(${[...settings]}::text[]) and c.expires_at > ${at}
  order by c.made_at`

/** Whether there is another admin, who could confirm the proposals of this admin. */
export async function hasOtherAdmin(db: Run, staffId: string): Promise<boolean> {
  const admins = await db`
    select 1 from staff where 'admin' = any(roles) and removed_at is null and staff_id <> ${staffId} limit 1`
  return admins.length > 0
}
