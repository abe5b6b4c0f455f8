// The policy on debits and contacts: the current policy, planned policies, and the form to propose a policy.

import { type Html, html } from '@lendloom/http/markup'
import { rails } from '#partner/bank/rail/rails.ts'
import type { DeskSetting } from '#partner/desk/change/desk-setting.ts'
import type { SettingTexts } from '#partner/desk/change/setting-change.ts'
import { fieldRenderer, type RefusedForm } from '#partner/desk/parts/form-parts.ts'
import { hourText } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import {
  type CollectionPolicy,
  type policiesFrom,
  policyOn,
  savePolicy,
} from '#partner/servicing/collection/policy/store.ts'
import { fieldError, readStartDay, readWholeNumber } from './policy-fields.ts'
import { effectiveText, policySection, proposalForm, type SectionContext } from './policy-section.ts'
import { debitTexts as texts } from './text-en.ts'

type CountRange = Parameters<typeof readWholeNumber>[2]

/** The hours in which the RBI allows contact about arrears (Responsible Business Conduct, recovery of dues). */
const contactHours: CountRange = { min: 8, max: 19 }
const daysOfWeek = [1, 2, 3, 4, 5, 6, 7] as const

/** The days by which a reminder precedes every debit of its day by the hours of notice. */
const noticeDays = 1 + Math.max(...rails.map(({ noticeHours }) => noticeHours)) / 24

/** Reads a list of days, sorted. Refused as `invalid` at the field. */
function readDays(form: URLSearchParams, name: 'remindBefore' | 'remindAfter'): number[] {
  const numbers = (form.get(name) ?? '').split(/[\s,]+/).filter((text) => text !== '')
  const days = numbers.map((text) => (/^\d{1,2}$/.test(text) ? Number(text) : 0))
  if (days.length > 10 || days.some((day) => day < 1 || day > 60))
    throw fieldError({ name, label: texts[name] }, `they must be at most ten numbers from 1 to 60, ${texts.list}`)
  if (name === 'remindBefore' && Math.max(0, ...days) < noticeDays)
    throw fieldError(
      { name, label: texts[name] },
      `one must be ${noticeDays} or more, so that it precedes the debit by a day`,
    )
  return [...new Set(days)].sort((a, b) => a - b)
}

function readPolicy(form: URLSearchParams): CollectionPolicy {
  const weekdays = daysOfWeek.filter((day) => form.getAll('weekdays').includes(String(day)))
  if (weekdays.length === 0) throw fieldError({ name: 'weekdays', label: texts.weekdays }, 'choose at least one')
  const count = (name: 'retryDays' | 'mostAttempts' | 'contactFromHour' | 'contactUntilHour', range: CountRange) =>
    readWholeNumber(form, { name, label: texts[name] }, range)
  const contactFromHour = count('contactFromHour', contactHours)
  const contactUntilHour = count('contactUntilHour', contactHours)
  if (contactFromHour >= contactUntilHour)
    throw fieldError(
      { name: 'contactUntilHour', label: texts.contactUntilHour },
      'it must be later than the start hour',
    )
  return {
    retryDays: count('retryDays', { min: 1, max: 30 }),
    mostAttempts: count('mostAttempts', { min: 1, max: 10 }),
    weekdays,
    onHolidays: form.has('onHolidays'),
    contactFromHour,
    contactUntilHour,
    remindBefore: readDays(form, 'remindBefore'),
    remindAfter: readDays(form, 'remindAfter'),
  }
}

const weekdaysText = (weekdays: number[]): string => weekdays.map((day) => texts.days[day - 1]).join(', ')
const daysText = (days: number[]): string => days.join(', ') || texts.none

const textsOf = (policy: CollectionPolicy): SettingTexts => ({
  [texts.retryDays]: String(policy.retryDays),
  [texts.mostAttempts]: String(policy.mostAttempts),
  [texts.weekdays]: weekdaysText(policy.weekdays),
  [texts.onHolidays]: policy.onHolidays ? texts.yes : texts.no,
  [texts.contact]: `${hourText(policy.contactFromHour)} to ${hourText(policy.contactUntilHour)}`,
  [texts.remindBefore]: daysText(policy.remindBefore),
  [texts.remindAfter]: daysText(policy.remindAfter),
})

export const debitsSetting: DeskSetting = {
  label: 'debits, contacts and reminders',
  act: 'POLICY_CHANGED',
  parseForm: ({ form, at }) => ({ fromOn: readStartDay(form, at), texts: textsOf(readPolicy(form)) }),
  current: async (db, _ctx, { form, at }) => textsOf(await policyOn(db, readStartDay(form, at))),
  apply: (tx, { form, at }) => savePolicy(tx, { fromOn: readStartDay(form, at), ...readPolicy(form) }),
}

type Policies = Awaited<ReturnType<typeof policiesFrom>>

export function debitsPart(policies: Policies, { at, mayPropose, refusedForm }: SectionContext): Html {
  const columns = policies.map((each) => ({ fromOn: each.fromOn, texts: textsOf(each) }))
  const [currentPolicy] = policies
  const settingNames = Object.keys(columns[0]?.texts ?? {})
  return policySection({
    id: 'debits',
    title: texts.title,
    phoneSummary: `${texts.contact}: ${columns[0]?.texts[texts.contact] ?? ''}`,
    isOpen: refusedForm?.action === 'debits',
    body: html`<p>${texts.lead}</p>
${tableOf(
  texts.title,
  [texts.setting, ...columns.map(({ fromOn }) => effectiveText(fromOn, at))],
  settingNames.map((name) => [name, ...columns.map((each) => each.texts[name] ?? null)]),
  { empty: texts.none },
)}
${mayPropose && currentPolicy && proposalForm({ action: 'debits', at, refusedForm, fields: fieldsFor(currentPolicy, refusedForm) })}`,
  })
}

function fieldsFor(current: CollectionPolicy, refusedForm: RefusedForm | null): Html {
  const field = fieldRenderer('debits', refusedForm)
  const form = refusedForm?.action === 'debits' ? refusedForm.form : null
  const count = (name: 'retryDays' | 'mostAttempts' | 'contactFromHour' | 'contactUntilHour') =>
    field({
      name,
      ...texts.fields[name],
      value: String(current[name]),
      attributes: html`inputmode="numeric" pattern="[0-9]{1,2}" required`,
    })
  const list = (name: 'remindBefore' | 'remindAfter') =>
    field({
      name,
      ...texts.fields[name],
      hint: name === 'remindBefore' ? texts.listBefore : texts.list,
      value: current[name].join(', '),
    })
  const isSelected = (each: number) =>
    form ? form.getAll('weekdays').includes(String(each)) : current.weekdays.includes(each)
  const onHolidays = form ? form.has('onHolidays') : current.onHolidays
  return html`<div class="settings">${count('retryDays')}${count('mostAttempts')}${count('contactFromHour')}${count('contactUntilHour')}${list('remindBefore')}${list('remindAfter')}<fieldset class="several"><legend>${texts.weekdays}</legend><span class="choices">${daysOfWeek.map(
    (each) =>
      html`<label><input type="checkbox" name="weekdays" value="${each}"${isSelected(each) && html` checked`}> ${texts.days[each - 1] ?? ''}</label>`,
  )}<label><input type="checkbox" name="onHolidays" value="yes"${onHolidays && html` checked`}> ${texts.onHolidays}</label></span></fieldset></div>`
}
