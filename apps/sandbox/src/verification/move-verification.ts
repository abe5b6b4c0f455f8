// Moves a verification by its state machine, with its files, its callback and its next scheduled move.

import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { next } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, finish, type Job, type Worker, work } from '@lendloom/queue/queue'
import { randomOctets } from '@lendloom/seal/id'
import { afterLast, type ProviderVerification, type VerificationFacts, type VerificationMove } from './provider.ts'
import { providers } from './providers.ts'
import { sendReport } from './send-callback.ts'
import { lockVerification, storePaper, uploadOf, writeVerification } from './store.ts'
import type { VerificationContext } from './verification-settings.ts'

const jobKind = 'verification-step'

interface DueMove {
  verificationId: string
  /** The move is skipped if the verification has left this state. */
  state: string
  by: 'lapse' | 'decision'
}

/** A move with its facts; `reasonCode` is null for a success. */
interface Result {
  move: VerificationMove
  reasonCode?: string | null
  facts?: VerificationFacts
  at: Date
}

/** Applies a move to a locked verification. Throws `wrong-state` when it is not possible now. */
export async function move(
  tx: Tx,
  ctx: VerificationContext,
  before: ProviderVerification,
  { move: moveName, reasonCode = null, facts = {}, at: requestedAt }: Result,
): Promise<ProviderVerification> {
  const provider = providers[before.kind]
  const state = next(provider.machine, before.state, moveName)
  if (state === undefined) throw new Refusal('wrong-state', `the request is ${before.state}: this is not possible now`)
  const at = afterLast(before, requestedAt)
  const movedVerification = { ...before, state, reasonCode, updatedAt: at, facts: { ...before.facts, ...facts } }
  const after = {
    ...movedVerification,
    facts: { ...movedVerification.facts, ...provider.facts?.(movedVerification, at, fifteenDigits()) },
  }
  await writeVerification(tx, ctx.seal, after)
  const upload = async (fileId: string) => required(await uploadOf(tx, ctx.seal, fileId), 'uploaded file').bytes
  for (const paper of await provider.filesOfState(after, at, upload))
    await storePaper(tx, ctx.seal, after.verificationId, { ...paper, createdAt: at })
  await provider.onEntered?.(tx, after, at)
  await sendReport(tx, ctx, after, before.state)
  await scheduleNext(tx, ctx, after, at)
  return after
}

/** Schedules the provider's delayed decision and the expiry. */
export async function scheduleNext(
  tx: Tx,
  ctx: VerificationContext,
  verification: ProviderVerification,
  at: Date,
): Promise<void> {
  const provider = providers[verification.kind]
  const delayed = provider.delayedDecision(verification)
  if (delayed)
    await scheduleMove(tx, verification, 'decision', secondsAfter(at, ctx.verification.seconds * delayed.delayFactor))
  const lapsesAt = verification.state === provider.initialState ? verification.pageExpiresAt : endOf(verification)
  if (lapsesAt && next(provider.machine, verification.state, 'lapse'))
    await scheduleMove(tx, verification, 'lapse', lapsesAt)
}

/** Midnight in India after a mandate's last day; null for other verifications. */
const endOf = ({ facts: { end_on } }: ProviderVerification): Date | null =>
  typeof end_on === 'string' ? daysAfter(new Date(`${end_on}T00:00:00+05:30`), 1) : null

const scheduleMove = (
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

export const moveWorker = (ctx: VerificationContext): Worker =>
  work<DueMove>({ kind: jobKind, ...ctx, handle: (job) => ctx.db.tx((tx) => runMove(tx, ctx, job)) })

async function runMove(tx: Tx, ctx: VerificationContext, job: Job<DueMove>): Promise<void> {
  const { verificationId, state, by } = job.payload
  const verification = required(await lockVerification(tx, ctx.seal, verificationId), 'verification of the job')
  if (verification.state === state) {
    const lapsed = {
      move: 'lapse',
      reasonCode: state === providers[verification.kind].initialState ? 'LINK_EXPIRED' : 'VALIDITY_OVER',
    } as const
    const decision = by === 'lapse' ? lapsed : providers[verification.kind].delayedDecision(verification)
    if (decision) await move(tx, ctx, verification, { ...decision, at: ctx.clock() })
  }
  await finish(tx, job)
}

/** Fifteen random decimal digits, nearly uniform. */
const fifteenDigits = (): string => String(randomOctets(8).readBigUInt64BE() % 10n ** 15n).padStart(15, '0')
