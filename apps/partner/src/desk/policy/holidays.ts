// The part of the policy page about bank holidays: those of a year, and the form to propose a change, with one holiday
// per line to paste a list.

import type { Refusal } from '@lendloom/foundation/refusal'
import { fits } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import { BusinessDate } from '@lendloom/wire/exchange/fields'
import type { DeskSetting } from '#partner/desk/change/desk-setting.ts'
import type { SettingTexts } from '#partner/desk/change/setting-change.ts'
import { countText, formatDay } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { type Holiday, holidaysOf, saveHolidays } from '#partner/servicing/collection/policy/store.ts'
import { fieldError } from './policy-fields.ts'
import { policyPath, policySection, proposalForm, type SectionContext } from './policy-section.ts'
import { holidayTexts as texts } from './text-en.ts'

const maxHolidays = 100
const fieldName = 'holidays'

/** Parses the lines. Refused as `invalid` at `holidays`, with the number of the invalid line. */
function readHolidays(form: URLSearchParams, year: string): Holiday[] {
  const lines = (form.get(fieldName) ?? '').split('\n').map((line) => line.trim())
  const lineError = (line: number, rule: string): Refusal =>
    fieldError({ name: fieldName, label: `${texts.title}, line ${line}` }, rule)
  const seen = new Set<string>()
  const parsed = lines.flatMap((line, index): Holiday[] => {
    if (line === '') return []
    const [, holidayOn = '', holidayName = ''] = /^(\S+)\s+(\S.{0,79})$/.exec(line) ?? []
    if (!fits(BusinessDate, holidayOn))
      throw lineError(index + 1, `enter a day and a name, such as ${year}-08-15 Independence Day`)
    if (!holidayOn.startsWith(year)) throw lineError(index + 1, `${holidayOn} is not in ${year}`)
    if (seen.has(holidayOn)) throw lineError(index + 1, `${holidayOn} occurs twice`)
    seen.add(holidayOn)
    return [{ holidayOn, name: holidayName }]
  })
  if (parsed.length > maxHolidays) throw lineError(maxHolidays + 1, `a year has at most ${maxHolidays} holidays`)
  return parsed
}

/** The holidays in words, by which a proposal shows what it changes. */
const holidayTexts = (holidays: Holiday[]): SettingTexts =>
  Object.fromEntries(holidays.map(({ holidayOn, name }) => [holidayOn, name]))

/** The holidays as a setting that one admin proposes and another confirms. The subject of a proposal is the year. */
export const holidaysSetting: DeskSetting = {
  label: 'bank holidays',
  act: 'POLICY_CHANGED',
  parseForm: ({ form, subject }) => ({ fromOn: null, texts: holidayTexts(readHolidays(form, subject)) }),
  current: async (db, _ctx, { subject }) => holidayTexts(await holidaysOf(db, subject)),
  apply: (tx, { form, subject }) => saveHolidays(tx, subject, readHolidays(form, subject)),
  check(changes, { at }) {
    const today = businessDate(at)
    const pastChange = changes.find((each) => each.name <= today)
    if (pastChange)
      throw fieldError(
        { name: fieldName, label: texts.title },
        `${pastChange.name} is not after today and cannot change`,
      )
  },
}

interface HolidayYear {
  year: string
  holidays: Holiday[]
}

/** The section on the policy page. */
export function holidaysPart({ year, holidays }: HolidayYear, { at, mayPropose, refusedForm }: SectionContext): Html {
  const thisYear = Number(businessDate(at).slice(0, 4))
  const years = [thisYear, thisYear + 1, thisYear + 2].map(String)
  const refusedText = refusedForm?.action === 'holidays' ? refusedForm.form.get('holidays') : null
  const error = refusedText !== null && refusedForm?.field === 'holidays' && refusedForm.message
  const isOpen = refusedText !== null || Number(year) !== thisYear
  const text = refusedText ?? holidays.map(({ holidayOn, name }) => `${holidayOn} ${name}`).join('\n')
  const fields = html`<input type="hidden" name="year" value="${year}">
<label><span>${texts.field} <small>${texts.hint}</small></span><textarea name="holidays" rows="${Math.max(8, holidays.length + 3)}" spellcheck="false"${error && html` aria-invalid="true" aria-describedby="holidays-wrong"`}>
${text}</textarea>${error && html`<small class="wrong" id="holidays-wrong">${error}</small>`}</label>`
  return policySection({
    id: 'holidays',
    title: `${texts.title}, ${year}`,
    phoneSummary: countText(holidays.length, 'day'),
    isOpen,
    body: html`<p>${texts.lead}</p>
<p class="inline">${years.map((each) => (each === year ? html`<strong>${each}</strong>` : html`<a href="${policyPath}?year=${each}#holidays">${each}</a>`))}</p>
${tableOf(
  `${texts.title} ${year}`,
  [texts.day, texts.name],
  holidays.map(({ holidayOn, name }) => [formatDay(holidayOn), name]),
  { empty: texts.none },
)}
${mayPropose && proposalForm({ action: 'holidays', at, refusedForm, fields, hasStartDay: false })}`,
  })
}
