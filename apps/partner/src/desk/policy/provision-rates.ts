// The provision rates: current rates, planned rates, and the form to propose rates.

import { type Html, html } from '@lendloom/http/markup'
import { percent } from '@lendloom/lending/annual-rate'
import { businessDate } from '@lendloom/lending/calendar'
import { classNames } from '#partner/desk/arrears/asset-class-text-en.ts'
import type { DeskSetting } from '#partner/desk/change/desk-setting.ts'
import type { SettingTexts } from '#partner/desk/change/setting-change.ts'
import { fieldRenderer } from '#partner/desk/parts/form-parts.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { type AssetClass, assetClasses } from '#partner/servicing/loan/class/asset-class.ts'
import { minProvisionBps } from '#partner/servicing/loan/class/classify.ts'
import { type ProvisionRate, ratesFrom, saveRates } from '#partner/servicing/loan/class/store.ts'
import { fieldError, readStartDay, readText } from './policy-fields.ts'
import { effectiveText, policySection, proposalForm, type SectionContext } from './policy-section.ts'
import { provisionTexts as texts } from './text-en.ts'

const percentText = (bps: number): string => percent(BigInt(bps))

/** Reads a rate in basis points. Refused as `invalid` at the field unless it is between the norm and 100%. */
function readBps(form: URLSearchParams, assetClass: AssetClass): number {
  const field = { name: `rate.${assetClass}`, label: classNames[assetClass] }
  const rule = `it must be a percentage from ${percentText(minProvisionBps(assetClass))}, the norm, to 100.00`
  const [whole = '', fraction = ''] = readText(form, field, /^\d{1,3}(\.\d{1,2})?$/, rule).split('.')
  const bps = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  if (bps < minProvisionBps(assetClass) || bps > 10_000) throw fieldError(field, rule)
  return bps
}

const readRates = (form: URLSearchParams, fromOn: string): ProvisionRate[] =>
  assetClasses.map((assetClass) => ({ assetClass, fromOn, bps: readBps(form, assetClass) }))

const textsOf = (rates: ProvisionRate[]): SettingTexts =>
  Object.fromEntries(rates.map(({ assetClass, bps }) => [classNames[assetClass], `${percentText(bps)}%`]))

/** Returns the rates in effect on a day. The input is sorted by start day. */
const ratesOn = (rates: ProvisionRate[], on: string): ProvisionRate[] =>
  assetClasses.flatMap((each) => rates.findLast(({ assetClass, fromOn }) => assetClass === each && fromOn <= on) ?? [])

export const provisionsSetting: DeskSetting = {
  label: 'provision rates',
  act: 'POLICY_CHANGED',
  parseForm({ form, at }) {
    const fromOn = readStartDay(form, at)
    return { fromOn, texts: textsOf(readRates(form, fromOn)) }
  },
  async current(db, _ctx, { form, at }) {
    const fromOn = readStartDay(form, at)
    return textsOf(ratesOn(await ratesFrom(db, fromOn), fromOn))
  },
  apply: (tx, { form, at }) => saveRates(tx, readRates(form, readStartDay(form, at))),
}

export function provisionsPart(rates: ProvisionRate[], { at, mayPropose, refusedForm }: SectionContext): Html {
  const on = businessDate(at)
  const laterDays = [...new Set(rates.map(({ fromOn }) => fromOn).filter((fromOn) => fromOn > on))]
  const days = [on, ...laterDays]
  const field = fieldRenderer('provisions', refusedForm)
  const bpsOn = (assetClass: AssetClass, day: string) =>
    ratesOn(rates, day).find((each) => each.assetClass === assetClass)?.bps
  const cell = (bps: number | undefined) => (bps === undefined ? null : `${percentText(bps)}%`)
  const fields = html`<div class="settings">${assetClasses.map((each) =>
    field({
      name: `rate.${each}`,
      label: classNames[each],
      unit: '%',
      value: percentText(bpsOn(each, on) ?? minProvisionBps(each)),
      attributes: html`inputmode="decimal" pattern="[0-9]{1,3}([.][0-9]{1,2})?" required`,
    }),
  )}</div>`
  return policySection({
    id: 'provisions',
    title: texts.title,
    phoneSummary: `${classNames.STANDARD}: ${cell(bpsOn('STANDARD', on)) ?? ''}`,
    isOpen: refusedForm?.action === 'provisions',
    body: html`<p>${texts.lead}</p>
${tableOf(
  texts.title,
  [texts.assetClass, { number: texts.minimum }, ...days.map((each) => ({ number: effectiveText(each, at) }))],
  assetClasses.map((each) => [
    classNames[each],
    cell(minProvisionBps(each)),
    ...days.map((day) => cell(bpsOn(each, day))),
  ]),
  { empty: '' },
)}
${mayPropose && proposalForm({ action: 'provisions', at, refusedForm, fields })}`,
  })
}
