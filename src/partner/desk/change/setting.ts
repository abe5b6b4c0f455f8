// What a setting provides so that two admins can change it.

import type { Run, Tx } from '#kit/db/sql.ts'
import type { Context } from '#partner/context.ts'
import type { SignedIn } from '#partner/desk/staff/staff.ts'
import type { Act } from '#partner/desk/staff/staff-act.ts'
import type { Difference, SettingName, Texts } from './change.ts'

/** A proposed change, read again at its confirmation. */
export interface Proposal {
  setting: SettingName
  /** Which one, where there are several; else empty. */
  subject: string
  form: URLSearchParams
  at: Date
}

/** A form's values. */
interface RequestedSetting {
  /** The business day from which it is to hold; null where that is at once. */
  fromOn: string | null
  texts: Texts
}

export interface DeskSetting {
  /** Read after "change of": `the limits of approval`. */
  label: string
  /** The audit act of its confirmation. */
  act: Act
  /** Refused as `invalid` at the field. */
  wanted(proposal: Proposal): RequestedSetting
  /** The current value on the day from which the change would apply. */
  now(db: Run, ctx: Pick<Context, 'config'>, proposal: Proposal): Promise<Texts>
  apply(tx: Tx, proposal: Proposal): Promise<void>
  /** Refuses what may not be different. */
  check?(found: Difference[], proposal: Proposal): void
  /** Whether it is about this person, or someone who may act as them; they may not decide it. */
  isAbout?(who: SignedIn, subject: string): boolean
}
