// A change of a setting: what one admin proposes and another confirms, and what is different by it; pure rules.

import type { ProposalLine } from '#partner/desk/staff/one-person.ts'

/** Settings that two admins change. */
const settingNames = ['LIMITS', 'ROLES', 'DEBITS', 'HOLIDAYS', 'PROVISIONS', 'BANK_RULES'] as const
export type SettingName = (typeof settingNames)[number]

type ChangeState = 'WAITING' | 'CONFIRMED' | 'REFUSED' | 'WITHDRAWN' | 'EXPIRED'

/** A setting as text: each part by name. */
export type Texts = Record<string, string>

export interface SettingChange extends ProposalLine {
  changeId: string
  setting: SettingName
  /** Which one, where there are several: an email address of staff, a year; else empty. */
  subject: string
  /** The form as it was sent, as JSON. */
  form: string
  /** The changed values as JSON: as they were at the proposal, and as proposed. */
  before: string
  after: string
  /** The business day from which it holds; null where it holds from its confirmation. */
  fromOn: string | null
  state: ChangeState
}

export interface Difference {
  name: string
  /** Null for an added or removed part. */
  before: string | null
  after: string | null
}

/** The parts that differ, removed ones first. */
export function differences(before: Texts, after: Texts): Difference[] {
  const names = [...Object.keys(before).filter((name) => !(name in after)), ...Object.keys(after)]
  return names
    .map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }))
    .filter((each) => each.before !== each.after)
}

/** One side of the differences, for storage. */
export const sideOf = (all: Difference[], side: 'before' | 'after'): Texts =>
  Object.fromEntries(all.flatMap((each) => (each[side] === null ? [] : [[each.name, each[side]]])))
