// The rates of provisions: what holds, what is planned, and the form that proposes other ones.

import { type Html, html } from '#kit/http/markup.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { percent } from '#kit/money/irr.ts'
import { classNames } from '#partner/desk/arrears/class-text-en.ts'
import type { Texts } from '#partner/desk/change/change.ts'
import type { DeskSetting } from '#partner/desk/change/setting.ts'
import { tableOf } from '#partner/desk/frame.ts'
import { fieldsOf } from '#partner/desk/parts/form-parts.ts'
import { type AssetClass, assetClasses } from '#partner/loan/class/asset-class.ts'
import { minProvisionBps } from '#partner/loan/class/classify.ts'
import { type ProvisionRate, ratesFrom, saveRates } from '#partner/loan/class/store.ts'
import { fromIn, type PartContext, proposalForm, since, textIn, wrong } from './parts.ts'
import { provisionTexts as texts } from './text-en.ts'

const rate = (bps: number): string => percent(BigInt(bps))

/** Hundredths of a percent. Refused as `invalid` at the field: no percentage, or less than the norm. */
function bpsIn(form: URLSearchParams, assetClass: AssetClass): number {
  const field = { name: `rate.${assetClass}`, label: classNames[assetClass] }
  const must = `it must be a percentage from ${rate(minProvisionBps(assetClass))}, the norm, to 100.00`
  const [whole = '', part = ''] = textIn(form, field, /^\d{1,3}(\.\d{1,2})?$/, must).split('.')
  const bps = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  if (bps < minProvisionBps(assetClass) || bps > 10_000) throw wrong(field, must)
  return bps
}

const ratesIn = (form: URLSearchParams, fromOn: string): ProvisionRate[] =>
  assetClasses.map((assetClass) => ({ assetClass, fromOn, bps: bpsIn(form, assetClass) }))

const textsOf = (rates: ProvisionRate[]): Texts =>
  Object.fromEntries(rates.map(({ assetClass, bps }) => [classNames[assetClass], `${rate(bps)} %`]))

/** The rates in effect on a day, from rates by their start. */
const holdingOn = (rates: ProvisionRate[], on: string): ProvisionRate[] =>
  assetClasses.flatMap((each) => rates.findLast(({ assetClass, fromOn }) => assetClass === each && fromOn <= on) ?? [])

export const provisionsSetting: DeskSetting = {
  label: 'provision rates',
  act: 'POLICY_CHANGED',
  wanted({ form, at }) {
    const fromOn = fromIn(form, at)
    return { fromOn, texts: textsOf(ratesIn(form, fromOn)) }
  },
  async now(db, _ctx, { form, at }) {
    const fromOn = fromIn(form, at)
    return textsOf(holdingOn(await ratesFrom(db, fromOn), fromOn))
  },
  apply: (tx, { form, at }) => saveRates(tx, ratesIn(form, fromIn(form, at))),
}

export function provisionsPart(rates: ProvisionRate[], { at, mayPropose, faulty }: PartContext): Html {
  const on = businessDate(at)
  const later = [...new Set(rates.map(({ fromOn }) => fromOn).filter((fromOn) => fromOn > on))]
  const days = [on, ...later]
  const field = fieldsOf('provisions', faulty)
  const bpsOn = (assetClass: AssetClass, day: string) =>
    holdingOn(rates, day).find((each) => each.assetClass === assetClass)?.bps
  const cell = (bps: number | undefined) => (bps === undefined ? null : `${rate(bps)} %`)
  const fields = html`<div class="fields">${assetClasses.map((each) =>
    field({
      ...{
        name: `rate.${each}`,
        label: `${classNames[each]}, %`,
        value: rate(bpsOn(each, on) ?? minProvisionBps(each)),
      },
      more: html`inputmode="decimal" pattern="[0-9]{1,3}([.][0-9]{1,2})?" required`,
    }),
  )}</div>`
  return html`<section><h2>${texts.title}</h2><p>${texts.lead}</p>
${tableOf(
  texts.title,
  [texts.assetClass, { number: texts.least }, ...days.map((each) => ({ number: since(each, at) }))],
  assetClasses.map((each) => [
    classNames[each],
    cell(minProvisionBps(each)),
    ...days.map((day) => cell(bpsOn(each, day))),
  ]),
  { empty: '' },
)}
${mayPropose && proposalForm({ action: 'provisions', at, faulty, fields })}</section>`
}
