// Keeps approved erasures in the archive, outside the database, and repeats those that a restored database has lost.
import { timingSafeEqual } from 'node:crypto'
import { readBytes } from '@lendloom/files/object-store'
import { daysAfter } from '@lendloom/foundation/clock'
import type { Seal } from '@lendloom/seal/seal'
import type { Context } from '#platform/context.ts'
import { continueErasure, noteBorrowerAct } from './officer-acts.ts'
import {
  decideWaiting,
  type ErasureRow,
  erasureContext,
  findBorrower,
  insertErasure,
  listApprovedAmong,
  listDecidedBetween,
} from './store.ts'

/** An approval, without personal data. */
type ArchivedApproval = Pick<ErasureRow, 'tenantId' | 'erasureId' | 'borrowerId' | 'requestedBy' | 'decidedBy'> & {
  requestedAt: string
  decidedAt: string
}

type ArchiveContext = Pick<Context, 'db' | 'seal' | 'archive'>

/** The approvals of how many days are repeated; a backup is not older. */
const repeatedDays = 100
const dayMs = 86_400_000

const utcDayOf = (at: Date): string => at.toISOString().slice(0, 10)
const objectOf = ({ seal }: ArchiveContext, day: string): string => seal.digest(day, 'erasure record').toString('hex')
/** With the digest key, which outlives rotated keys. Who has no key cannot add an erasure. */
const proofOf = (seal: Seal, approvals: ArchivedApproval[]): Buffer =>
  seal.digest(JSON.stringify(approvals), 'erasure records')

/** Adds the approvals of a day to its object in the archive. Does nothing without an archive. */
export async function archiveApprovals(ctx: ArchiveContext, at: Date): Promise<void> {
  const { db, seal, archive } = ctx
  if (!archive) return
  const day = utcDayOf(at)
  const archived = await readApprovals(ctx, day)
  const start = new Date(`${day}T00:00:00Z`)
  const decided = await listDecidedBetween(db, start, daysAfter(start, 1))
  const isArchived = ({ erasureId }: ErasureRow) => archived.some((each) => each.erasureId === erasureId)
  const missing = decided.filter((row) => !isArchived(row)).map(approvalOf)
  if (missing.length === 0) return
  const approvals = [...archived, ...missing]
  const content = { records: approvals, proof: proofOf(seal, approvals).toString('hex') }
  await archive.write(objectOf(ctx, day), Buffer.from(JSON.stringify(content)))
}

const approvalOf = (row: ErasureRow): ArchivedApproval => ({
  tenantId: row.tenantId,
  erasureId: row.erasureId,
  borrowerId: row.borrowerId,
  requestedBy: row.requestedBy,
  requestedAt: row.requestedAt.toISOString(),
  decidedBy: row.decidedBy,
  decidedAt: (row.decidedAt ?? row.requestedAt).toISOString(),
})

/** The approvals of a day; none without an object. Throws if another key has made it, or it was changed. */
async function readApprovals(ctx: ArchiveContext, day: string): Promise<ArchivedApproval[]> {
  const { seal, archive } = ctx
  const name = objectOf(ctx, day)
  if (!archive || !(await archive.has(name))) return []
  const { records: approvals, proof } = JSON.parse((await readBytes(archive, name)).toString('utf8'))
  const expected = proofOf(seal, approvals)
  const actual = Buffer.from(String(proof), 'hex')
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw new Error(`the record of the erasures of ${day} was changed`)
  return approvals
}

/**
 * Repeats archived erasures that the database does not know as approved, which happens after a restore to an earlier
 * instant. Also archives approvals of the last week, which a crash may have left out. Returns the number of repeated ones.
 */
export async function repeatArchivedApprovals(ctx: Context, signal?: AbortSignal): Promise<number> {
  const now = ctx.clock()
  let count = 0
  for (let age = 0; ctx.archive && age < repeatedDays && !signal?.aborted; age++) {
    const at = new Date(now.getTime() - age * dayMs)
    try {
      for (const approval of await listLost(ctx, utcDayOf(at))) if (await isRepeated(ctx, approval)) count++
      if (age < 7) await archiveApprovals(ctx, at)
    } catch (error) {
      ctx.log.error(
        { err: error, day: utcDayOf(at) },
        'recorded erasures could not be repeated; the next sweep tries again',
      )
    }
  }
  return count
}

/** Whether the approval was repeated; a failure is logged, so that other approvals do not wait for it. */
const isRepeated = (ctx: Context, archived: ArchivedApproval): Promise<boolean> =>
  repeatApproval(ctx, archived).catch((error: unknown) => {
    const { erasureId } = archived
    ctx.log.error({ err: error, erasureId }, 'a recorded erasure could not be repeated; the next sweep tries again')
    return false
  })

/** Lists the archived approvals of a day that the database does not have. */
async function listLost(ctx: ArchiveContext, day: string): Promise<ArchivedApproval[]> {
  const approvals = await readApprovals(ctx, day)
  if (approvals.length === 0) return []
  const known = await listApprovedAmong(
    ctx.db,
    approvals.map(({ erasureId }) => erasureId),
  )
  return approvals.filter(({ erasureId }) => !known.has(erasureId))
}

/**
 * Approves the erasure again, and erases what may be erased. Returns false for an unknown borrower, and while another
 * request of the borrower is open: people decide that one, which may reach further.
 */
const repeatApproval = (ctx: Context, archived: ArchivedApproval): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const key = { tenantId: archived.tenantId, borrowerId: archived.borrowerId }
    if (!(await findBorrower(tx, key))) return false
    const { erasureId, requestedBy, decidedBy } = archived
    const approval = { decidedBy, decidedAt: new Date(archived.decidedAt), doneAt: null, state: 'APPROVED' as const }
    const isInserted = await insertErasure(tx, {
      ...key,
      ...approval,
      erasureId,
      requestedBy,
      requestedAt: new Date(archived.requestedAt),
      reasonSealed: ctx.seal.bytes(Buffer.from(repeatedReason), erasureContext({ ...key, erasureId })),
    })
    if (!isInserted && !(await decideWaiting(tx, { ...key, erasureId }, approval))) return false
    const { erased, left } = await continueErasure({ ...ctx, tx, at }, erasureId)
    await noteBorrowerAct({ ...ctx, tx, at }, null, key, { act: 'ERASURE_REPEATED', detail: { erased, left } })
    return true
  })

const repeatedReason = 'approved before a restore of the database, and repeated'
