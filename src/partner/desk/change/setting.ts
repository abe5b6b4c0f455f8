// The interface of a setting that two admins can change.

import type { Run, Tx } from '#kit/db/sql.ts'
import type { Context } from '#partner/context.ts'
import type { SignedIn } from '#partner/desk/staff/staff.ts'
import type { Act } from '#partner/desk/staff/staff-act.ts'
import type { Difference, SettingName, Texts } from './change.ts'

/** A proposed change; its form is parsed when it is proposed, and again when it is confirmed. */
export interface Proposal {
  setting: SettingName
  /** The instance of the setting; empty when there is only one. */
  subject: string
  form: URLSearchParams
  at: Date
}

/** The values of a form. */
interface RequestedSetting {
  /** The business day on which they take effect; null for at once. */
  fromOn: string | null
  texts: Texts
}

export interface DeskSetting {
  /** Completes "change of …": `the limits of approval`. */
  label: string
  /** The audit act of its confirmation. */
  act: Act
  /** Parses the form. Refused as `invalid` at the field. */
  requested(proposal: Proposal): RequestedSetting
  /** Reads the values that would apply on the effective day without the change. */
  current(db: Run, ctx: Pick<Context, 'config'>, proposal: Proposal): Promise<Texts>
  apply(tx: Tx, proposal: Proposal): Promise<void>
  /** Refuses changes of values that are fixed. */
  check?(changes: Difference[], proposal: Proposal): void
  /** Whether the change concerns this person or an account that this person may use; then they may not decide it. */
  isAbout?(who: SignedIn, subject: string): boolean
}
