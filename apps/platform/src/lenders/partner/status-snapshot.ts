// Requests the partner's snapshot of a case by GET /status, and rejects an inconsistent snapshot (D3 §4.4).

import { isDeepStrictEqual } from 'node:util'
import { secondsAfter } from '@lendloom/foundation/clock'
import { jsonIn } from '@lendloom/foundation/json'
import { pauseSeconds, type Schedule, schedule } from '@lendloom/foundation/schedule'
import { fits } from '@lendloom/foundation/schema'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { enqueue } from '@lendloom/queue/queue'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import { inconsistencies, isFresh, SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { callPartner, type ExchangeContext, UnusableAnswer } from './call-partner.ts'
import { type CaseStage, caseContext, type PartnerCase } from './loan-case.ts'
import { changeCase, findMainCase } from './store.ts'

export const statusKind = 'partner-status'

export interface StatusJob {
  caseRef: string
  /** The stage of the case and the number of the follow-up; absent for other status requests. */
  followUp?: { stage: CaseStage; round: number }
}

/** Schedules a status request. A second request with the same `cause` is ignored. */
export const askStatus = (
  tx: Tx,
  { tenantId, caseRef }: Pick<PartnerCase, 'tenantId' | 'caseRef'>,
  cause: string,
  dueAt: Date,
): Promise<void> => {
  const payload: StatusJob = { caseRef }
  return enqueue(tx, { tenantId, kind: statusKind, key: `${caseRef}:${cause}`, payload, dueAt })
}

/** Pauses between status requests while the partner must act next. */
export const caseSchedule = ({ config }: { config: Pick<TxContext['config'], 'PARTNER_STATUS_SECONDS'> }): Schedule =>
  schedule(
    [1, 2, 4, 10, 60, 240, 720].map((times) => `PT${times * config.PARTNER_STATUS_SECONDS}S`),
    'repeat',
  )

/** Schedules the next status request while the partner must act next; the pause grows with `round`. */
export function followUpPartner(
  { tx, at, config }: Pick<TxContext, 'tx' | 'at' | 'config'>,
  { tenantId, caseRef, stage }: PartnerCase,
  round = 1,
): Promise<void> {
  const payload: StatusJob = { caseRef, followUp: { stage, round } }
  const pause = pauseSeconds(caseSchedule({ config }), round)
  // A running loan is polled once a day in case an event was lost.
  const seconds = stage === 'DISBURSED' ? 86_400 : pause
  const dueAt = secondsAfter(at, seconds)
  const key = `${caseRef}:${stage}:${round}`
  return enqueue(tx, { tenantId, kind: statusKind, key, payload, dueAt, isForLater: seconds > 1 })
}

/**
 * Returns the partner's snapshot; null while the partner does not know the case. Throws `RetryablePartnerError`, or
 * `UnusableAnswer` for an invalid answer, an inconsistent snapshot or a snapshot of another case.
 */
export async function fetchStatus(
  ctx: ExchangeContext,
  loanCase: Pick<PartnerCase, 'caseRef' | 'leadId' | 'loanId'>,
): Promise<SnapshotStatus | null> {
  const requestId = uuidv4(bucketOf(loanCase.caseRef))
  const answer = await callPartner(ctx, {
    method: 'GET',
    path: `/status?external_reference_id=${encodeURIComponent(loanCase.caseRef)}`,
    headers: { 'x-request-id': requestId },
    timeoutMs: 10_000,
    maxBytes: 4 << 20,
  })
  if (answer.status === 404) return null
  if (answer.status !== 200) throw new UnusableAnswer(`status answered ${answer.status}`)
  const body = jsonIn(answer.body)
  const faults = inconsistencies(body)
  if (faults.length > 0 || !fits(SnapshotStatus, body)) throw inconsistent(faults)
  const mismatches = mismatchesOf(body, loanCase, requestId)
  if (mismatches.length > 0) throw inconsistent(mismatches)
  return body
}

const inconsistent = (reasons: string[]): UnusableAnswer =>
  new UnusableAnswer(`the snapshot is inconsistent: ${reasons.slice(0, 5).join('; ')}`)

function mismatchesOf(
  status: SnapshotStatus,
  loanCase: Pick<PartnerCase, 'caseRef' | 'leadId' | 'loanId'>,
  requestId: string,
) {
  const { caseRef, leadId, loanId } = loanCase
  const differences: [boolean, string][] = [
    [status.request_id !== requestId, 'request_id belongs to another request'],
    [status.external_reference_id !== caseRef, 'external_reference_id belongs to another case'],
    [leadId !== null && status.celestium_lead_id !== leadId, 'celestium_lead_id does not match the stored id'],
    [loanId !== null && status.celestium_loan_id !== loanId, 'celestium_loan_id does not match the stored id'],
  ]
  return differences.flatMap(([isDifferent, why]) => (isDifferent ? [why] : []))
}

/** Returns why a snapshot is stale compared with the stored snapshot; null when it is current. */
export function staleBecause(
  loanCase: Pick<PartnerCase, 'snapshotVersion' | 'snapshotAt'>,
  status: SnapshotStatus,
): string | null {
  const { snapshotVersion, snapshotAt } = loanCase
  if (snapshotVersion === null || snapshotAt === null) return null
  if (status.snapshot_version < snapshotVersion)
    return `version ${status.snapshot_version} is older than the stored version ${snapshotVersion}`
  return status.snapshot_version === snapshotVersion && new Date(status.snapshot_at) < snapshotAt
    ? 'a later snapshot of the same version is stored'
    : null
}

/** Stores a snapshot as the newest one. The caller has checked that the snapshot is not stale. */
export function storeStatus(ctx: TxContext, loanCase: PartnerCase, status: SnapshotStatus): Promise<PartnerCase> {
  const { tx, at, seal } = ctx
  const before = storedStatus(ctx, loanCase)
  // The daily request of a running loan mostly brings what is stored.
  const isUnchanged = before !== null && isDeepStrictEqual(contentOf(before), contentOf(status))
  const content = isUnchanged
    ? {}
    : {
        snapshotSealed: seal.json(status, caseContext(loanCase, 'snapshot')),
        bankReference: status.disbursement?.bank_reference ?? loanCase.bankReference,
      }
  const version = { snapshotVersion: status.snapshot_version, snapshotAt: new Date(status.snapshot_at) }
  return changeCase(tx, loanCase, { ...version, ...content }, at)
}

const contentOf = ({ request_id, snapshot_version, snapshot_at, ...content }: SnapshotStatus) => content

/** Returns the newest stored snapshot, however old; null if there is none. */
export function storedStatus({ seal }: Pick<Context, 'seal'>, loanCase: PartnerCase): SnapshotStatus | null {
  const { snapshotSealed, snapshotVersion, snapshotAt } = loanCase
  const status = snapshotSealed && seal.openJson<SnapshotStatus>(snapshotSealed, caseContext(loanCase, 'snapshot'))
  if (!status || snapshotVersion === null || !snapshotAt) return status
  return { ...status, snapshot_version: snapshotVersion, snapshot_at: snapshotAt.toISOString() }
}

/** As `storedStatus`, but null if the snapshot is older than fifteen minutes: too old for payments (D3 §8). */
export function freshSnapshot(ctx: Pick<Context, 'seal'>, loanCase: PartnerCase, at: Date): SnapshotStatus | null {
  const status = storedStatus(ctx, loanCase)
  return status && isFresh(status, at) ? status : null
}

/** Returns the newest snapshot of a journey's loan; null without a partner's case, or before its first snapshot. */
export async function loanSnapshotOf(
  db: Run,
  ctx: Pick<Context, 'seal'>,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
): Promise<SnapshotStatus | null> {
  const loanCase = await findMainCase(db, journey)
  return loanCase ? storedStatus(ctx, loanCase) : null
}
