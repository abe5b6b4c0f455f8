// Changes of settings: proposed by one admin, confirmed by another, and made with the confirmation.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#partner/context.ts'
import { doneNow, type FourEyesDecision, newProposal, type ProposalKind } from '#partner/desk/approval/four-eyes.ts'
import { reasonIn } from '#partner/desk/parts/form-fields.ts'
import { holdSignedIn, type SignedIn } from '#partner/desk/staff/staff.ts'
import { type Act, noteAct } from '#partner/desk/staff/staff-act.ts'
import { differences, type SettingChange, sideOf } from './change.ts'
import type { Proposal } from './setting.ts'
import { settings } from './settings.ts'
import { type ChangeLine, expireChanges, insertChange, lockChange, writeDecision } from './store.ts'

/** The differences, and their start. Refused as `invalid` at the wrong field. */
async function compared(tx: Tx, ctx: Context, proposal: Proposal) {
  const setting = settings[proposal.setting]
  const { fromOn, texts } = setting.wanted(proposal)
  const found = differences(await setting.now(tx, ctx, proposal), texts)
  setting.check?.(found, proposal)
  const [before, after] = [JSON.stringify(sideOf(found, 'before')), JSON.stringify(sideOf(found, 'after'))]
  return { found, kept: { fromOn, before, after } }
}

/**
 * Records an admin's proposed change. Refused: `invalid` at the field · `invalid` at `reason` · `forbidden` about
 * oneself · `wrong-state` without a difference, or while a change of it is pending.
 */
export const proposeChange = (ctx: Context, who: SignedIn, proposal: Proposal): Promise<void> =>
  ctx.db.tx((tx) => insertProposal(tx, ctx, who, proposal))

/** As above in the transaction of another act. */
export async function insertProposal(tx: Tx, ctx: Context, who: SignedIn, proposal: Proposal): Promise<void> {
  const { setting, subject, form, at } = proposal
  requireNotAbout(who, proposal)
  await holdSignedIn(tx, who)
  const { found, kept } = await compared(tx, ctx, proposal)
  if (found.length === 0) throw new Refusal('wrong-state', 'this is already the current setting')
  const reason = reasonIn(form, 'reason', 'a second admin decides this: ')
  await expireChanges(tx, at)
  const change: SettingChange = {
    ...{ changeId: uuidv7(at.getTime()), setting, subject, form: JSON.stringify([...form]), ...kept, reason },
    ...newProposal(who, at),
  }
  if (!(await insertChange(tx, change)))
    throw new Refusal('wrong-state', `a change of ${settings[setting].label} is already waiting for a second admin`)
  await note(tx, who, { change, act: 'CHANGE_PROPOSED', at })
}

function requireNotAbout(who: SignedIn, { setting, subject }: Pick<SettingChange, 'setting' | 'subject'>): void {
  if (settings[setting].isAbout?.(who, subject))
    throw new Refusal('forbidden', 'you cannot decide about yourself: another admin must')
}

interface ChangeNote {
  change: SettingChange
  act: Act
  at: Date
  /** The proposer, if another person. */
  proposedBy?: string
}

/** The entry has each changed part, before and after. */
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
interface DecidedChange extends FourEyesDecision {
  changeId: string
}

/** How a change is decided. Confirming closes it when the current value has changed, or its day has passed. */
export const changeKind = (ctx: Context, who: SignedIn, { changeId, at }: DecidedChange): ProposalKind<ChangeLine> => ({
  what: 'change',
  async hold() {},
  lock: (tx) => lockChange(tx, changeId),
  mayDecide: (_tx, change) => requireNotAbout(who, change),
  async carryOut(tx, change) {
    const { setting, subject } = change
    const proposal = { setting, subject, form: new URLSearchParams(JSON.parse(change.form)), at }
    await doneNow(async () => {
      const { kept } = await compared(tx, ctx, proposal)
      if (kept.before !== change.before || kept.after !== change.after)
        throw new Refusal('wrong-state', 'it has changed since this was proposed')
      await settings[setting].apply(tx, proposal)
    })
    return change
  },
  async record(tx, change, outcome, { reason }) {
    const state = outcome === 'DONE' ? 'CONFIRMED' : outcome
    await writeDecision(tx, changeId, { state, decidedBy: who.staffId, decidedAt: at, decisionReason: reason })
    const noted =
      outcome === 'DONE'
        ? { act: settings[change.setting].act, proposedBy: change.maker }
        : { act: `CHANGE_${outcome}` as const }
    await note(tx, who, { change, at, ...noted })
  },
})
