// A change of a setting: one admin proposes the change, and another admin confirms it.

import { daysAfter } from '@lendloom/foundation/clock'
import type { ProposalLine } from '#partner/people/proposal.ts'

/** Settings that two admins change. */
const settingNames = ['LIMITS', 'ROLES', 'DEBITS', 'HOLIDAYS', 'PROVISIONS', 'BANK_RULES'] as const
export type SettingName = (typeof settingNames)[number]

type ChangeState = 'WAITING' | 'CONFIRMED' | 'REFUSED' | 'WITHDRAWN' | 'EXPIRED'

/** The formatted values of a setting, by name. */
export type SettingTexts = Record<string, string>

export interface SettingChange extends ProposalLine {
  changeId: string
  setting: SettingName
  /** What the setting applies to: for roles a person's email address, for holidays the year, otherwise empty. */
  subject: string
  /** The fields of the form, as JSON. */
  form: string
  /** The changed values as JSON. `before` has the values at the time of the proposal. */
  before: string
  after: string
  /** The business day on which the change takes effect. Null: on confirmation. */
  fromOn: string | null
  state: ChangeState
}

/** Days for which the person who proposed or asked is told that a colleague refused. */
const newsDays = 7

/** The time since when a refusal is news. */
export const newsSince = (now: Date): Date => daysAfter(now, -newsDays)

export interface SettingDifference {
  name: string
  /** `before` is null for an added value, `after` for a removed one. */
  before: string | null
  after: string | null
}

/** Returns the values that differ; removed values come first. */
export function settingDifferences(before: SettingTexts, after: SettingTexts): SettingDifference[] {
  const names = [...Object.keys(before).filter((name) => !(name in after)), ...Object.keys(after)]
  return names
    .map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }))
    .filter((each) => each.before !== each.after)
}

/** Returns the values before or after the change, for storage. */
export const valuesOf = (all: SettingDifference[], side: 'before' | 'after'): SettingTexts =>
  Object.fromEntries(all.flatMap((each) => (each[side] === null ? [] : [[each.name, each[side]]])))
