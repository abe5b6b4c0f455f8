// Changes of settings: proposed by one admin, confirmed by another, and made with the confirmation.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#partner/context.ts'
import { doneNow, doneOrClosed } from '#partner/desk/approval/no-longer.ts'
import { reasonIn } from '#partner/desk/parts/form-fields.ts'
import {
  daysToDecide,
  requireOther,
  requireOwn,
  requireProof,
  requireReason,
  requireWaiting,
} from '#partner/desk/staff/one-person.ts'
import { holdSignedIn, type SignedIn } from '#partner/desk/staff/staff.ts'
import { type Act, noteAct } from '#partner/desk/staff/staff-act.ts'
import { type Change, differences, sideOf } from './change.ts'
import type { Proposal } from './setting.ts'
import { settings } from './settings.ts'
import { type ChangeLine, expireChanges, insertChange, lockChange, writeDecision } from './store.ts'

/** What would be different, and from when. Refused as `invalid` at the field that cannot be. */
async function compared(tx: Tx, ctx: Context, proposal: Proposal) {
  const setting = settings[proposal.setting]
  const { fromOn, texts } = setting.wanted(proposal)
  const found = differences(await setting.now(tx, ctx, proposal), texts)
  setting.check?.(found, proposal)
  const [before, after] = [JSON.stringify(sideOf(found, 'before')), JSON.stringify(sideOf(found, 'after'))]
  return { found, kept: { fromOn, before, after } }
}

/**
 * Writes down what an admin wants changed. Refused: `invalid` at the field · `invalid` at `reason` · `forbidden` about oneself ·
 * `wrong-state` when nothing would be different, or a change of it waits already.
 */
export async function proposeChange(ctx: Context, who: SignedIn, proposal: Proposal): Promise<void> {
  const { setting, subject, form, at } = proposal
  requireNotAbout(who, proposal)
  await ctx.db.tx(async (tx) => {
    const { found, kept } = await compared(tx, ctx, proposal)
    if (found.length === 0) throw new Refusal('wrong-state', 'that is how it is already')
    const reason = reasonIn(form, 'reason', 'a second admin decides this: ')
    await expireChanges(tx, at)
    const change: Change = {
      ...{ changeId: uuidv7(at.getTime()), setting, subject, form: JSON.stringify([...form]), ...kept, reason },
      ...{
        state: 'WAITING',
        madeBy: who.staffId,
        makerKnownTo: [...who.knownTo],
        madeAt: at,
        expiresAt: daysAfter(at, daysToDecide),
      },
      ...{ decidedBy: null, decidedAt: null, decisionReason: null },
    }
    if (!(await insertChange(tx, change)))
      throw new Refusal('wrong-state', `a change of ${settings[setting].label} waits for a second admin already`)
    await note(tx, who, { change, act: 'CHANGE_PROPOSED', at })
  })
}

function requireNotAbout(who: SignedIn, { setting, subject }: Pick<Change, 'setting' | 'subject'>): void {
  if (settings[setting].isAbout?.(who, subject))
    throw new Refusal('forbidden', 'nobody decides about themselves: another admin does')
}

interface ChangeNote {
  change: Change
  act: Act
  at: Date
  /** Whoever proposed it, where that is somebody else. */
  proposedBy?: string
}

/** Each part that is different stands in the entry as it was and as it is to be. */
function note(tx: Tx, { staffId }: SignedIn, { change, act, at, proposedBy }: ChangeNote): Promise<void> {
  const { setting, subject, before, after, fromOn } = change
  const parts = differences(JSON.parse(before), JSON.parse(after)).map((each) => [
    each.name,
    `${each.before ?? '–'} → ${each.after ?? '–'}`,
  ])
  const detail = {
    ...{ setting, ...Object.fromEntries(parts) },
    ...(fromOn !== null && { from: fromOn }),
    ...(proposedBy !== undefined && { proposedBy }),
  }
  return noteAct(tx, { staffId, act, about: { ...(subject !== '' && { subject }), detail }, at })
}

/** Which change is decided, and why. */
export interface DecidedChange {
  changeId: string
  reason: string | null
  at: Date
}

/** A change that waits, held. Refused: `absent` · `wrong-state` when it was decided, or its time is over. */
async function waiting(tx: Tx, { changeId, at }: DecidedChange): Promise<ChangeLine> {
  const change = await lockChange(tx, changeId)
  if (!change) throw new Refusal('absent', 'there is no such change')
  requireWaiting(change, at)
  return change
}

function mayDecide(who: SignedIn, change: Change): void {
  requireOther(who, change)
  requireNotAbout(who, change)
}

/**
 * Confirms a change and makes it, in one transaction. Where what it would change is no longer as it was, or its day has passed,
 * it is closed as refused with the reason why. Refused: `forbidden` without a second factor · `absent` · `wrong-state` · `forbidden` one's own, or about oneself.
 */
export async function confirmChange(ctx: Context, who: SignedIn, decided: DecidedChange): Promise<void> {
  requireProof(who)
  const { changeId, reason, at } = decided
  const decide = () =>
    ctx.db.tx(async (tx) => {
      const change = await waiting(tx, decided)
      await holdSignedIn(tx, who, ctx)
      mayDecide(who, change)
      const { setting, subject, maker: proposedBy } = change
      const proposal = { setting, subject, form: new URLSearchParams(JSON.parse(change.form)), at }
      await doneNow(async () => {
        const { kept } = await compared(tx, ctx, proposal)
        if (kept.before !== change.before || kept.after !== change.after)
          throw new Refusal('wrong-state', 'it was changed since this was proposed')
        await settings[setting].apply(tx, proposal)
      })
      const decision = { state: 'CONFIRMED' as const, decidedBy: who.staffId, decidedAt: at, decisionReason: reason }
      await writeDecision(tx, changeId, decision)
      await note(tx, who, { change, act: settings[setting].act, at, proposedBy })
    })
  const close = (because: string) => closed(ctx, who, { ...decided, reason: because, state: 'REFUSED' })
  await doneOrClosed('change', decide, close)
}

interface Closing extends DecidedChange {
  state: 'REFUSED' | 'WITHDRAWN'
}

const closed = (ctx: Context, who: SignedIn, { state, ...decided }: Closing): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const { at, reason } = decided
    const change = await waiting(tx, decided)
    if (state === 'REFUSED') mayDecide(who, change)
    else requireOwn(who, change)
    const decision = { state, decidedBy: who.staffId, decidedAt: at, decisionReason: reason }
    await writeDecision(tx, change.changeId, decision)
    await note(tx, who, { change, act: `CHANGE_${state}`, at })
  })

/** Refuses a change with a reason. Refused as `confirmChange`; `invalid` at `reason` without one. */
export async function refuseChange(ctx: Context, who: SignedIn, decided: DecidedChange): Promise<void> {
  requireReason(decided.reason)
  await closed(ctx, who, { ...decided, state: 'REFUSED' })
}

/** Whoever proposed it takes it back. Refused: `absent` · `wrong-state` · `forbidden` somebody else's. */
export const withdrawChange = (ctx: Context, who: SignedIn, decided: DecidedChange): Promise<void> =>
  closed(ctx, who, { ...decided, state: 'WITHDRAWN' })
