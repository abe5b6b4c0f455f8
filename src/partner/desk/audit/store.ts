// Tables of the desk's audit log: staff_act, staff_act_chain.

import { type ChainEnd, firstDigest } from '#kit/db/chain.ts'
import { descending, type Keyed, turned, type Window } from '#kit/db/keyset.ts'
import { type Fragment, oneRow, type Run, sql, type Tx } from '#kit/db/sql.ts'

/** What somebody did, as an entry of the chain. */
export interface StaffAct {
  sequence: number
  actId: string
  /** With microseconds: what is digested is what is kept, to the last digit. */
  at: string
  /** Null stands for the command line, and for whoever did not get in. */
  staffId: string | null
  act: string
  caseRef: string | null
  subject: string | null
  /** Canonical JSON. */
  detail: string
}

const exactAt = sql`to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Holds the end of the chain until the transaction ends; of one that is new, number 0. */
export async function lockChain(tx: Tx): Promise<ChainEnd> {
  const made = tx`
    insert into staff_act_chain (chain_id, sequence, digest) values (1, 0, ${firstDigest}) on conflict do nothing`
  const held = tx<ChainEnd>`select sequence, digest from staff_act_chain where chain_id = 1 for update`
  const [, rows] = await Promise.all([made, held])
  return oneRow(rows)
}

/** Adds an entry, which is the end from now on. */
export async function insertAct(tx: Tx, row: StaffAct & { digest: Buffer }): Promise<void> {
  const { sequence, digest } = row
  await Promise.all([
    tx`insert into staff_act ${tx({ ...row })}`,
    tx`update staff_act_chain set sequence = ${sequence}, digest = ${digest} where chain_id = 1`,
  ])
}

const columns = sql`a.sequence, a.act_id, ${exactAt} as at, a.staff_id, a.act, a.case_ref, a.subject, a.detail, a.digest`

/** In their order, behind the number given. */
export const chainAfter = (db: Run, after: number, limit: number) => db<StaffAct & { digest: Buffer }>`
  select ${columns} from staff_act a where a.sequence > ${after} order by a.sequence limit ${limit}`

export async function readChain(db: Run): Promise<ChainEnd | undefined> {
  const [row] = await db<ChainEnd>`select sequence, digest from staff_act_chain where chain_id = 1`
  return row
}

/** The digest of one entry; null where there is none. */
export async function digestAt(db: Run, sequence: number): Promise<Buffer | null> {
  const [row] = await db<{ digest: Buffer }>`select digest from staff_act where sequence = ${sequence}`
  return row?.digest ?? null
}

/** Acts that are in no chain: another program inserted them. */
export const unchained = (db: Run, limit: number) => db<Omit<StaffAct, 'sequence'>>`
  select a.act_id, ${exactAt} as at, a.staff_id, a.act, a.case_ref, a.subject, a.detail
  from staff_act a where a.sequence is null order by a.at, a.act_id limit ${limit}`

// What pages show of it

export interface ActSeen {
  sequence: number | null
  actId: string
  staffId: string | null
  act: string
  caseRef: string | null
  subject: string | null
  detail: string
  at: Date
  /** Null where it was done at the command line, or nobody got in. */
  name: string | null
  loanId: string | null
}

export interface ActFilter {
  staffId?: string | null
  act?: string | null
  /** A case by its reference, its loan's number or that of the account. */
  number?: string | null
}

/** Acts, with the names and numbers of whom and what they are about: first the acts, then only their cases, which are elsewhere. */
const seen = (acts: Fragment): Fragment => sql`
  with page as materialized (
    select a.sequence, a.act_id, a.staff_id, a.act, a.case_ref, a.subject, a.detail, a.at from staff_act a where ${acts}),
  about as materialized (
    select c.case_ref, c.loan_id from case_file c where c.case_ref in (select case_ref from page))
  select a.sequence, a.act_id, a.staff_id, a.act, a.case_ref, a.subject, a.detail, a.at, s.name, c.loan_id`
const seenFrom = sql`from page a left join staff s on s.staff_id = a.staff_id left join about c on c.case_ref = a.case_ref`

/** The newest first. */
export const actsInOrder = descending([sql`a.at`, 'instant'], [sql`a.act_id`, 'uuid'])

export const listActs = (db: Run, filter: ActFilter, window: Window) => {
  const { staffId = null, act = null, number = null } = filter
  const conditions: Fragment[] = [
    ...(staffId === null ? [] : [sql`a.staff_id = ${staffId}::uuid`]),
    ...(act === null ? [] : [sql`a.act = ${act}`]),
    ...(number === null
      ? []
      : [
          sql`a.case_ref in (select case_ref from case_file where ${number}::text in (case_ref, loan_id, lead_id)
            union all select case_ref from loan where loan_account_id = ${number}::text)`,
        ]),
  ]
  const where = conditions.reduce((all, each) => sql`${all} and ${each}`, sql`true`)
  const { key, beyond, order } = turned(actsInOrder, window)
  return db<ActSeen & Keyed>`${seen(sql`${where} and ${beyond} ${order}`)}, ${key} ${seenFrom} ${order}`
}

/** What was done about a case, the newest first, without the times at which somebody looked. */
export const actsOfCase = (db: Run, caseRef: string, looking: readonly string[], limit: number) => {
  const newest = sql`order by a.at desc, a.act_id desc limit ${limit}`
  const acts = sql`a.case_ref = ${caseRef} and a.act <> all(${[...looking]}::text[]) ${newest}`
  return db<ActSeen>`${seen(acts)} ${seenFrom} ${newest}`
}
