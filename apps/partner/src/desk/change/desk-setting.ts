// The interface of a setting whose changes need two admins.

import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Context } from '#partner/context.ts'
import type { Act } from '#partner/desk/staff/staff-acts.ts'
import type { DeskPerson } from '#partner/people/person.ts'
import type { SettingDifference, SettingName, SettingTexts } from './setting-change.ts'

/** A proposed change. Its form is parsed at the proposal, and again at the confirmation. */
export interface ChangeProposal {
  setting: SettingName
  /** What the setting applies to, such as a person's email address for roles; empty for most settings. */
  subject: string
  form: URLSearchParams
  at: Date
}

/** The values that a form contains. */
interface RequestedSetting {
  /** The business day on which the values take effect. Null: on confirmation. */
  fromOn: string | null
  texts: SettingTexts
}

export interface DeskSetting {
  /** Completes "change of …": `the limits of approval`. */
  label: string
  /** The act in the audit entry of a confirmation. */
  act: Act
  /** Parses the form. Throws `invalid` with the name of the wrong field. */
  parseForm(proposal: ChangeProposal): RequestedSetting
  /** Reads the values that would apply on the effective day without the change. */
  current(db: Run, ctx: Pick<Context, 'config'>, proposal: ChangeProposal): Promise<SettingTexts>
  apply(tx: Tx, proposal: ChangeProposal): Promise<void>
  /** Throws if one of the changed values is fixed, such as a holiday in the past. */
  check?(changes: SettingDifference[], proposal: ChangeProposal): void
  /** Whether the change is about this person, or an account that this person may use. If so, they may not decide it. */
  isAbout?(who: Pick<DeskPerson, 'possibleUserEmails'>, subject: string): boolean
}
