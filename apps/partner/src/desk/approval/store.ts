// Tables approval_request and approval_limit: acts that wait for a second person, and the amounts up to which a role
// acts alone or approves.

import { ascending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { bigint, rowsAs, text } from '@lendloom/postgres/rows'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { decisionColumns, expiryOfWaiting, type ProposalDecision } from '#partner/people/proposal.ts'
import type { ApprovalLimit, ApprovalRequest, CheckedActName, RequestFacts } from './approval-rules.ts'

const requestColumns = sql`r.case_ref, r.request_id, r.act, r.payload_sealed, r.amount_paise, r.reason, r.state, r.made_by, r.maker_known_to, r.made_at,
  r.expires_at, r.decided_by, r.decided_at, r.decision_reason`

/** Stores a request. Returns false if the case already has a pending request for the same act. */
export async function insertRequest(tx: Tx, row: ApprovalRequest): Promise<boolean> {
  const inserted = await tx`insert into approval_request ${tx({ ...row })} on conflict do nothing returning 1`
  return inserted.length > 0
}

/** Locks a request until the transaction ends. */
export async function lockRequest(tx: Tx, caseRef: string, requestId: string): Promise<ApprovalRequest | undefined> {
  const [row] = await tx<ApprovalRequest>`
    select ${requestColumns} from approval_request r where case_ref = ${caseRef} and request_id = ${requestId} for update`
  return row
}

/** Reads the act of a request. The act never changes, so no lock is needed. */
export async function actOfRequest(
  db: Run,
  { caseRef, requestId }: Pick<ApprovalRequest, 'caseRef' | 'requestId'>,
): Promise<CheckedActName | undefined> {
  const [row] = await db<Pick<ApprovalRequest, 'act'>>`
    select act from approval_request where case_ref = ${caseRef} and request_id = ${requestId}`
  return row?.act
}

/** Writes what the second person decided. */
export async function writeDecision(
  tx: Tx,
  { caseRef, requestId }: ApprovalRequest,
  decision: ProposalDecision<ApprovalRequest>,
): Promise<void> {
  await tx`
    update approval_request set ${decisionColumns(decision)}
    where case_ref = ${caseRef} and request_id = ${requestId}`
}

/** Expires undecided requests, and returns their number. */
export async function expireRequests(db: Run, at: Date): Promise<number> {
  const expired = await db`update approval_request set ${expiryOfWaiting(at)} returning 1`
  return expired.length
}

/** A request in a list, with the names of its people. */
export interface RequestLine extends ApprovalRequest {
  maker: string
  decider: string | null
  loanId: string
  leadId: string
  hasLoan: boolean
  snapshotVersion: number
}

const lineColumns = sql`${requestColumns}, m.name as maker, d.name as decider, c.loan_id, c.lead_id, l.case_ref is not null as has_loan,
  c.snapshot_version`
const lineTables = sql`
  from approval_request r join staff m on m.staff_id = r.made_by left join staff d on d.staff_id = r.decided_by
  join case_file c on c.case_ref = r.case_ref left join loan l on l.case_ref = r.case_ref`

/** Sorts pending requests by waiting time, longest first. */
export const waitingInOrder = ascending([sql`r.made_at`, 'instant'], [sql`r.request_id`, 'uuid'])

/** Returns a page of the requests that wait for a decision. */
export const listWaiting = (db: Run, at: Date, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(waitingInOrder, window)
  return db<RequestLine & KeyedRow>`
    select ${lineColumns}, ${key} ${lineTables}
    where r.state = 'WAITING' and r.expires_at > ${at} and ${beyond} ${order}`
}

/** Reads of each pending request what tells who may approve it. */
export const waitingFacts = (db: Run, at: Date) => db<RequestFacts>`
  select act, amount_paise, made_by, maker_known_to from approval_request
  where state = 'WAITING' and expires_at > ${at}`

/** Lists all requests of a case, oldest first. */
export const requestsOfCase = (db: Run, caseRef: string) => db<RequestLine>`
  select ${lineColumns} ${lineTables} where r.case_ref = ${caseRef} order by r.made_at`

/**
 * Returns the newest requests of a person that another one has refused since a time, and for which the person has not
 * asked again.
 */
export const refusedRequestsOf = (db: Run, staffId: string, since: Date, limit: number) => db<RequestLine>`
  select ${lineColumns} ${lineTables}
  where r.state = 'REFUSED' and r.made_by = ${staffId} and r.decided_by <> ${staffId} and r.decided_at > ${since}
    and not exists (select from approval_request n
      where n.case_ref = r.case_ref and n.act = r.act and n.made_at > r.made_at)
  order by r.decided_at desc limit ${limit}`

/** Returns the limits of all roles. */
export const listLimits = (db: Run) => db<ApprovalLimit>`
  select role, act, alone_paise, approve_paise from approval_limit order by act, role`

/** Replaces the given limits. */
export async function saveLimits(tx: Tx, limits: ApprovalLimit[]): Promise<void> {
  await tx`
    insert into approval_limit (role, act, alone_paise, approve_paise)
    select role, act, alone_paise, approve_paise from ${rowsAs(sql`input`, limits, {
      role: text(({ role }) => role),
      act: text(({ act }) => act),
      alonePaise: bigint(({ alonePaise }) => alonePaise),
      approvePaise: bigint(({ approvePaise }) => approvePaise),
    })}
    on conflict (role, act) do update set alone_paise = excluded.alone_paise, approve_paise = excluded.approve_paise`
}
