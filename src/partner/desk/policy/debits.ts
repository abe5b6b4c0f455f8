// The policy of debits and contacts: current, planned, and the proposal form.

import { type Html, html } from '#kit/http/markup.ts'
import { type CollectionPolicy, type policiesFrom, policyOn, savePolicy } from '#partner/collection/policy/store.ts'
import type { Texts } from '#partner/desk/change/change.ts'
import type { DeskSetting } from '#partner/desk/change/setting.ts'
import { tableOf } from '#partner/desk/frame.ts'
import { type Faulty, fieldsOf } from '#partner/desk/parts/form-parts.ts'
import { countIn, fromIn, type PartContext, proposalForm, since, wrong } from './parts.ts'
import { debitTexts as texts } from './text-en.ts'

type CountRange = Parameters<typeof countIn>[2]

/** Borrowers are contacted about arrears within these hours only (RBI, responsible business conduct, recovery of dues). */
const contactHours: CountRange = { least: 8, most: 19 }
const daysOfWeek = [1, 2, 3, 4, 5, 6, 7] as const

/** Days in their order. Refused as `invalid` at the field. */
function daysIn(form: URLSearchParams, name: 'remindBefore' | 'remindAfter'): number[] {
  const words = (form.get(name) ?? '').split(/[\s,]+/).filter((word) => word !== '')
  const days = words.map((word) => (/^\d{1,2}$/.test(word) ? Number(word) : 0))
  if (days.length > 10 || days.some((day) => day < 1 || day > 60))
    throw wrong({ name, label: texts[name] }, `they must be at most ten numbers from 1 to 60, ${texts.list}`)
  return [...new Set(days)].sort((a, b) => a - b)
}

function policyIn(form: URLSearchParams): CollectionPolicy {
  const weekdays = daysOfWeek.filter((day) => form.getAll('weekdays').includes(String(day)))
  if (weekdays.length === 0) throw wrong({ name: 'weekdays', label: texts.weekdays }, 'choose at least one')
  const count = (name: 'retryDays' | 'mostAttempts' | 'contactFromHour' | 'contactUntilHour', within: CountRange) =>
    countIn(form, { name, label: texts[name] }, within)
  const contactFromHour = count('contactFromHour', contactHours)
  const contactUntilHour = count('contactUntilHour', contactHours)
  if (contactFromHour >= contactUntilHour)
    throw wrong({ name: 'contactUntilHour', label: texts.contactUntilHour }, 'it must be later than the start hour')
  return {
    retryDays: count('retryDays', { least: 1, most: 30 }),
    mostAttempts: count('mostAttempts', { least: 1, most: 10 }),
    ...{ weekdays, onHolidays: form.has('onHolidays'), contactFromHour, contactUntilHour },
    ...{ remindBefore: daysIn(form, 'remindBefore'), remindAfter: daysIn(form, 'remindAfter') },
  }
}

const weekdaysText = (weekdays: number[]): string => weekdays.map((day) => texts.days[day - 1]).join(', ')
const daysText = (days: number[]): string => days.join(', ') || texts.none
const hour = (of: number): string => `${String(of).padStart(2, '0')}:00`

const textsOf = (policy: CollectionPolicy): Texts => ({
  [texts.retryDays]: String(policy.retryDays),
  [texts.mostAttempts]: String(policy.mostAttempts),
  [texts.weekdays]: weekdaysText(policy.weekdays),
  [texts.onHolidays]: policy.onHolidays ? texts.yes : texts.no,
  [texts.contact]: `${hour(policy.contactFromHour)}–${hour(policy.contactUntilHour)}`,
  [texts.remindBefore]: daysText(policy.remindBefore),
  [texts.remindAfter]: daysText(policy.remindAfter),
})

export const debitsSetting: DeskSetting = {
  label: 'debits, contacts and reminders',
  act: 'POLICY_CHANGED',
  wanted: ({ form, at }) => ({ fromOn: fromIn(form, at), texts: textsOf(policyIn(form)) }),
  now: async (db, _ctx, { form, at }) => textsOf(await policyOn(db, fromIn(form, at))),
  apply: (tx, { form, at }) => savePolicy(tx, { fromOn: fromIn(form, at), ...policyIn(form) }),
}

type Policies = Awaited<ReturnType<typeof policiesFrom>>

/** The policies by their days, each part of them a row. */
export function debitsPart(policies: Policies, { at, mayPropose, faulty }: PartContext): Html {
  const all = policies.map((each) => ({ fromOn: each.fromOn, texts: textsOf(each) }))
  const [now] = policies
  const parts = Object.keys(all[0]?.texts ?? {})
  return html`<section><h2>${texts.title}</h2><p>${texts.lead}</p>
${tableOf(
  texts.title,
  [texts.part, ...all.map(({ fromOn }) => since(fromOn, at))],
  parts.map((part) => [part, ...all.map((each) => each.texts[part] ?? null)]),
  { empty: texts.none },
)}
${mayPropose && now && proposalForm({ action: 'debits', at, faulty, fields: fieldsFor(now, faulty) })}</section>`
}

function fieldsFor(now: CollectionPolicy, faulty: Faulty | null): Html {
  const field = fieldsOf('debits', faulty)
  const form = faulty?.action === 'debits' ? faulty.form : null
  const count = (name: 'retryDays' | 'mostAttempts' | 'contactFromHour' | 'contactUntilHour') =>
    field({
      name,
      label: texts[name],
      value: String(now[name]),
      more: html`inputmode="numeric" pattern="[0-9]{1,2}" required`,
    })
  const list = (name: 'remindBefore' | 'remindAfter') =>
    field({ name, label: html`${texts[name]} <small>${texts.list}</small>`, value: now[name].join(', ') })
  const isOn = (each: number) => (form ? form.getAll('weekdays').includes(String(each)) : now.weekdays.includes(each))
  const onHolidays = form ? form.has('onHolidays') : now.onHolidays
  return html`<div class="fields">${count('retryDays')}${count('mostAttempts')}${count('contactFromHour')}${count('contactUntilHour')}${list('remindBefore')}${list('remindAfter')}</div>
<fieldset class="roles"><legend>${texts.weekdays}</legend>${daysOfWeek.map(
    (each) =>
      html`<label><input type="checkbox" name="weekdays" value="${each}"${isOn(each) && html` checked`}> ${texts.days[each - 1] ?? ''}</label>`,
  )}<label><input type="checkbox" name="onHolidays" value="yes"${onHolidays && html` checked`}> ${texts.onHolidays}</label></fieldset>`
}
