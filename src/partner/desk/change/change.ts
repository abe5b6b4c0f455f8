// A change of a setting, which one admin proposes and another confirms, and the comparison of its values.

import type { ProposalLine } from '#partner/desk/staff/one-person.ts'

/** Settings that two admins change. */
const settingNames = ['LIMITS', 'ROLES', 'DEBITS', 'HOLIDAYS', 'PROVISIONS', 'BANK_RULES'] as const
export type SettingName = (typeof settingNames)[number]

type ChangeState = 'WAITING' | 'CONFIRMED' | 'REFUSED' | 'WITHDRAWN' | 'EXPIRED'

/** The values of a setting as text, by name. */
export type Texts = Record<string, string>

export interface SettingChange extends ProposalLine {
  changeId: string
  setting: SettingName
  /** The instance of the setting: the email address of a person for roles, the year for holidays; otherwise empty. */
  subject: string
  /** The fields of the form, as JSON. */
  form: string
  /** The changed values as JSON: current at the time of the proposal, and proposed. */
  before: string
  after: string
  /** The business day on which it takes effect; null when that is its confirmation. */
  fromOn: string | null
  state: ChangeState
}

export interface Difference {
  name: string
  /** `before` is null for an added value, `after` for a removed one. */
  before: string | null
  after: string | null
}

/** Returns the values that differ, removed ones first. */
export function differences(before: Texts, after: Texts): Difference[] {
  const names = [...Object.keys(before).filter((name) => !(name in after)), ...Object.keys(after)]
  return names
    .map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }))
    .filter((each) => each.before !== each.after)
}

/** Returns one side of the differences, for storage. */
export const valuesOf = (all: Difference[], side: 'before' | 'after'): Texts =>
  Object.fromEntries(all.flatMap((each) => (each[side] === null ? [] : [[each.name, each[side]]])))
