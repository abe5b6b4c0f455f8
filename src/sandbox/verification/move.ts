// The only way to change a verification: by its table, with its papers, its callback and the next awaited party.

import { randomOctets } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { enqueue, finish, type Job, type Worker, work } from '#kit/messaging/queue.ts'
import { daysAfter, secondsAfter } from '#kit/runtime/clock.ts'
import { next } from '#kit/runtime/machine.ts'
import { required } from '#kit/runtime/record.ts'
import { sendReport } from './callback.ts'
import { providers } from './providers.ts'
import { keepPaper, lockVerification, uploadOf, writeVerification } from './store.ts'
import { afterLast, type ProviderVerification, type VerificationFacts, type VerificationMove } from './verification.ts'
import type { VerificationContext } from './verification-settings.ts'

const jobKind = 'verification-step'

interface DueMove {
  verificationId: string
  /** A step for another state is too late. */
  state: string
  by: 'lapse' | 'behind'
}

/** What is to become of a verification. `reasonCode` is null where it goes well, `facts` are those that come with it. */
interface Result {
  move: VerificationMove
  reasonCode?: string | null
  facts?: VerificationFacts
  at: Date
}

/** Applies a result to a locked verification. Refused as `wrong-state` when the table has no such move from here. */
export async function move(
  tx: Tx,
  ctx: VerificationContext,
  before: ProviderVerification,
  { move: by, reasonCode = null, facts = {}, at: now }: Result,
): Promise<ProviderVerification> {
  const provider = providers[before.kind]
  const state = next(provider.machine, before.state, by)
  if (state === undefined) throw new Refusal('wrong-state', `it is ${before.state}: this is not possible now`)
  const at = afterLast(before, now)
  const moved = { ...before, state, reasonCode, updatedAt: at, facts: { ...before.facts, ...facts } }
  const after = { ...moved, facts: { ...moved.facts, ...provider.facts?.(moved, at, fifteenDigits()) } }
  await writeVerification(tx, ctx.seal, after)
  const upload = async (fileId: string) =>
    required(await uploadOf(tx, ctx.seal, fileId), 'a file that was handed in').bytes
  for (const paper of await provider.papers(after, at, upload))
    await keepPaper(tx, ctx.seal, after.verificationId, { ...paper, createdAt: at })
  await provider.entered?.(tx, after, at)
  await sendReport(tx, ctx, after, before.state)
  await awaitNext(tx, ctx, after, at)
  return after
}

/** Arranges for what happens by itself from here. */
export async function awaitNext(tx: Tx, ctx: VerificationContext, of: ProviderVerification, at: Date): Promise<void> {
  const provider = providers[of.kind]
  const behind = provider.behind(of)
  if (behind) await arrange(tx, of, 'behind', secondsAfter(at, ctx.verification.seconds * behind.times))
  const lapsesAt = of.state === provider.initial ? of.pageExpiresAt : endOf(of)
  if (lapsesAt && next(provider.machine, of.state, 'lapse')) await arrange(tx, of, 'lapse', lapsesAt)
}

/** The midnight in India after the last day of a mandate; null for what has no last day. */
const endOf = ({ facts: { end_on } }: ProviderVerification): Date | null =>
  typeof end_on === 'string' ? daysAfter(new Date(`${end_on}T00:00:00+05:30`), 1) : null

const arrange = (
  tx: Tx,
  { verificationId, state }: ProviderVerification,
  by: DueMove['by'],
  dueAt: Date,
): Promise<void> =>
  enqueue(tx, {
    tenantId: verificationId,
    kind: jobKind,
    key: `${verificationId}/${state}/${by}`,
    payload: { verificationId, state, by },
    dueAt,
  })

export const stepping = (ctx: VerificationContext): Worker =>
  work<DueMove>({
    kind: jobKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => ctx.db.tx((tx) => step(tx, ctx, job)),
  })

async function step(tx: Tx, ctx: VerificationContext, job: Job<DueMove>): Promise<void> {
  const { verificationId, state, by } = job.payload
  const of = required(await lockVerification(tx, ctx.seal, verificationId), 'the verification of a step')
  if (of.state === state) {
    const lapsed = {
      move: 'lapse',
      reasonCode: state === providers[of.kind].initial ? 'LINK_EXPIRED' : 'VALIDITY_OVER',
    } as const
    const decision = by === 'lapse' ? lapsed : providers[of.kind].behind(of)
    if (decision) await move(tx, ctx, of, { ...decision, at: ctx.clock() })
  }
  await finish(tx, job)
}

/** Fifteen decimal digits, as good as uniformly drawn. */
const fifteenDigits = (): string => String(randomOctets(8).readBigUInt64BE() % 10n ** 15n).padStart(15, '0')
