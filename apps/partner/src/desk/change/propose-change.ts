// Proposes a change of a setting; it is applied when another admin confirms it.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { Context } from '#partner/context.ts'
import {
  closeIfRefused,
  type FourEyesDecision,
  newProposalColumns,
  type ProposalKind,
} from '#partner/desk/approval/four-eyes.ts'
import { reasonIn } from '#partner/desk/parts/read-fields.ts'
import { policyTexts } from '#partner/desk/policy/text-en.ts'
import { lockSignedIn, type SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { type Act, noteAct } from '#partner/desk/staff/staff-acts.ts'
import { changeableSettings } from './changeable-settings.ts'
import type { ChangeProposal } from './desk-setting.ts'
import { type SettingChange, settingDifferences, valuesOf } from './setting-change.ts'
import { type ChangeLine, expireChanges, insertChange, lockChange, writeDecision } from './store.ts'

/** Compares a proposal with the current values. Refused as `invalid` at a field with an invalid value. */
async function compareWithCurrent(tx: Tx, ctx: Context, proposal: ChangeProposal) {
  const setting = changeableSettings[proposal.setting]
  const { fromOn, texts } = setting.parseForm(proposal)
  const changes = settingDifferences(await setting.current(tx, ctx, proposal), texts)
  setting.check?.(changes, proposal)
  const before = JSON.stringify(valuesOf(changes, 'before'))
  const after = JSON.stringify(valuesOf(changes, 'after'))
  return { changes, columns: { fromOn, before, after } }
}

/**
 * Stores a change that an admin proposes. Refused: `invalid` at a field or at `reason` · `forbidden` when the change
 * concerns the admin · `wrong-state` without a difference, or while another change of the setting is pending.
 */
export const proposeChange = (ctx: Context, who: SignedIn, proposal: ChangeProposal): Promise<void> =>
  ctx.db.tx((tx) => insertProposal(tx, ctx, who, proposal))

/** Stores a proposed change in the transaction of the caller. Refused as `proposeChange`. */
export async function insertProposal(tx: Tx, ctx: Context, who: SignedIn, proposal: ChangeProposal): Promise<void> {
  const { setting, subject, form, at } = proposal
  requireNotAboutSelf(who, proposal)
  await lockSignedIn(tx, who)
  const { changes, columns } = await compareWithCurrent(tx, ctx, proposal)
  if (changes.length === 0) throw new Refusal('wrong-state', 'this is already the current setting')
  const reason = reasonIn(form, 'reason', 'a second admin decides this: ')
  await expireChanges(tx, at)
  const change: SettingChange = {
    changeId: uuidv7(at.getTime()),
    setting,
    subject,
    form: JSON.stringify([...form]),
    ...columns,
    reason,
    ...newProposalColumns(who, at),
  }
  if (!(await insertChange(tx, change)))
    throw new Refusal(
      'wrong-state',
      `a change of ${changeableSettings[setting].label} is already waiting for a second admin`,
    )
  await recordChangeAct(tx, who, { change, act: 'CHANGE_PROPOSED', at })
}

/** Throws `forbidden` if the change is about the admin who proposes or decides. */
function requireNotAboutSelf(who: SignedIn, { setting, subject }: Pick<SettingChange, 'setting' | 'subject'>): void {
  if (changeableSettings[setting].isAbout?.(who, subject))
    throw new Refusal('forbidden', 'you cannot decide about yourself: another admin must')
}

interface ChangeNote {
  change: SettingChange
  act: Act
  at: Date
  proposedBy?: string
}

/** Adds an audit entry with the old and the new text of each changed value. */
function recordChangeAct(tx: Tx, { staffId }: SignedIn, { change, act, at, proposedBy }: ChangeNote): Promise<void> {
  const { setting, subject, before, after, fromOn } = change
  const changedValues = settingDifferences(JSON.parse(before), JSON.parse(after)).map((each) => [
    each.name,
    policyTexts.fromTo(each.before, each.after),
  ])
  const detail = {
    setting,
    ...Object.fromEntries(changedValues),
    ...(fromOn !== null && { from: fromOn }),
    ...(proposedBy !== undefined && { proposedBy }),
  }
  return noteAct(tx, { staffId, act, about: { ...(subject !== '' && { subject }), detail }, at })
}

interface DecidedChange extends FourEyesDecision {
  changeId: string
}

/**
 * The four-eyes operations on a change. A confirmation closes the change as refused if the current values differ from
 * those at the time of the proposal, or if its effective day has passed.
 */
export const changeProposal = (
  ctx: Context,
  who: SignedIn,
  { changeId, at }: DecidedChange,
): ProposalKind<ChangeLine> => ({
  label: 'change',
  async lockSubject() {},
  lockProposal: (tx) => lockChange(tx, changeId),
  requireMayDecide: (_tx, change) => requireNotAboutSelf(who, change),
  async execute(tx, change) {
    const { setting, subject } = change
    const proposal = { setting, subject, form: new URLSearchParams(JSON.parse(change.form)), at }
    await closeIfRefused(async () => {
      const { columns } = await compareWithCurrent(tx, ctx, proposal)
      if (columns.before !== change.before || columns.after !== change.after)
        throw new Refusal('wrong-state', 'it has changed since this was proposed')
      await changeableSettings[setting].apply(tx, proposal)
    })
    return change
  },
  async record(tx, change, outcome, { reason }) {
    const state = outcome === 'DONE' ? 'CONFIRMED' : outcome
    await writeDecision(tx, changeId, { state, decidedBy: who.staffId, decidedAt: at, decisionReason: reason })
    const entry =
      outcome === 'DONE'
        ? { act: changeableSettings[change.setting].act, proposedBy: change.maker }
        : { act: `CHANGE_${outcome}` as const }
    await recordChangeAct(tx, who, { change, at, ...entry })
  },
})
