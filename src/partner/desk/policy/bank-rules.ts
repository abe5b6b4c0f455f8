// The rules for bank data: current, planned, and the proposal form.

import { type Html, html } from '#kit/http/markup.ts'
import { isOneOf } from '#kit/runtime/record.ts'
import type { Texts } from '#partner/desk/change/change.ts'
import type { DeskSetting } from '#partner/desk/change/setting.ts'
import { tableOf } from '#partner/desk/frame.ts'
import { choice, type Faulty } from '#partner/desk/parts/form-parts.ts'
import { day } from '#partner/desk/parts/format.ts'
import { measures } from '#partner/review/bank/figures.ts'
import type { BankRule } from '#partner/review/bank/judge.ts'
import { bankRulesOn, saveBankRules } from '#partner/review/bank/store.ts'
import { countIn, type FieldLabel, fromIn, type PartContext, proposalForm, textIn, wrong } from './parts.ts'
import { measureTexts, bankRuleTexts as texts } from './text-en.ts'

const mostRules = 50
const emptyRows = 3
const bounds = ['most', 'least'] as const
const effects = ['REVIEW', 'DECLINE'] as const

/** One of some words. Refused as `invalid` at its field. */
function wordIn<Word extends string>(form: URLSearchParams, field: FieldLabel, words: readonly Word[]): Word {
  const word = form.get(field.name)
  if (!isOneOf(words, word)) throw wrong(field, 'choose one from the list')
  return word
}

/** Rules in the order of their rows; a row without a code is none. Refused as `invalid` at the field of the row. */
function rulesIn(form: URLSearchParams): BankRule[] {
  const rows = [...Array(mostRules).keys()].filter((row) => (form.get(`code.${row}`) ?? '').trim() !== '')
  const codes = new Set<string>()
  return rows.map((row) => {
    const field = (name: 'code' | 'measure' | 'bound' | 'value' | 'effect'): FieldLabel => ({
      ...{ name: `${name}.${row}`, label: `${texts[name]} of rule ${row + 1}` },
    })
    const code = textIn(
      form,
      field('code'),
      /^[A-Z][A-Z0-9_]{2,60}$/,
      'it must contain only capital letters, digits and _',
    )
    if (codes.has(code)) throw wrong(field('code'), 'it occurs twice')
    codes.add(code)
    const value = countIn(form, field('value'), { least: 0, most: 100_000_000 })
    const measure = wordIn(form, field('measure'), measures)
    const bound = wordIn(form, field('bound'), bounds)
    return { code, measure, [bound]: value, effect: wordIn(form, field('effect'), effects) }
  })
}

const boundOf = ({ most }: BankRule): (typeof bounds)[number] => (most === undefined ? 'least' : 'most')
const figureOf = ({ most, least }: BankRule): number => most ?? least ?? 0

const textsOf = (rules: BankRule[]): Texts => ({
  ...Object.fromEntries(
    rules.map((rule) => [
      rule.code,
      `${measureTexts[rule.measure]} ${texts[boundOf(rule)]} ${figureOf(rule)}: ${texts[rule.effect]}`,
    ]),
  ),
  [texts.order]: rules.map(({ code }) => code).join(', '),
})

export const bankRulesSetting: DeskSetting = {
  label: 'the rules for bank data',
  act: 'POLICY_CHANGED',
  wanted: ({ form, at }) => ({ fromOn: fromIn(form, at), texts: textsOf(rulesIn(form)) }),
  now: async (db, { config }, { form, at }) => textsOf(await bankRulesOn(db, config, fromIn(form, at))),
  apply: (tx, { form, at }) => saveBankRules(tx, fromIn(form, at), rulesIn(form)),
}

interface Rules {
  rules: BankRule[]
  /** The days from which other rules hold. */
  later: string[]
}

export function bankRulesPart({ rules, later }: Rules, { at, mayPropose, faulty }: PartContext): Html {
  return html`<section><h2>${texts.title}</h2><p>${texts.lead}</p>
${later.map((each) => html`<p class="notice">Other rules take effect on ${day(each)}.</p>`)}
${tableOf(
  texts.title,
  [texts.code, texts.measure, texts.bound, { number: texts.value }, texts.effect],
  rules.map((rule) => [
    html`<code>${rule.code}</code>`,
    measureTexts[rule.measure],
    texts[boundOf(rule)],
    figureOf(rule),
    texts[rule.effect],
  ]),
  { empty: texts.none },
)}
${mayPropose && proposalForm({ action: 'bank-rules', at, faulty, fields: rowsFor(rules, faulty) })}</section>`
}

function rowsFor(rules: BankRule[], faulty: Faulty | null): Html {
  const typed = faulty?.action === 'bank-rules' ? faulty : null
  const last = typed ? [...Array(mostRules).keys()].findLastIndex((row) => typed.form.has(`code.${row}`)) : -1
  const count = Math.min(mostRules, Math.max(rules.length + emptyRows, last + 1))
  const rows = [...Array(count).keys()].map((row) => {
    const rule = typed ? undefined : rules[row]
    const at = (name: string, otherwise: string): string => typed?.form.get(`${name}.${row}`) ?? otherwise
    const called = `rule ${row + 1}`
    const input = (name: string, label: string, value: string, more: Html) =>
      html`<input name="${name}.${row}" value="${at(name, value)}" aria-label="${label}, ${called}" ${more}${typed?.field === `${name}.${row}` && html` aria-invalid="true"`}>`
    const select = (name: string, label: string, options: [string, string][], chosen: string) =>
      choice({ name: `${name}.${row}`, label: `${label}, ${called}`, options, chosen: at(name, chosen), isBare: true })
    return [
      input('code', texts.code, rule?.code ?? '', html`pattern="[A-Z][A-Z0-9_]{2,60}" spellcheck="false"`),
      select(
        'measure',
        texts.measure,
        measures.map((each) => [each, measureTexts[each]]),
        rule?.measure ?? 'months',
      ),
      select(
        'bound',
        texts.bound,
        bounds.map((each) => [each, texts[each]]),
        rule ? boundOf(rule) : 'most',
      ),
      input('value', texts.value, rule ? String(figureOf(rule)) : '', html`inputmode="numeric" pattern="[0-9]{1,9}"`),
      select(
        'effect',
        texts.effect,
        effects.map((each) => [each, texts[each]]),
        rule?.effect ?? 'REVIEW',
      ),
    ]
  })
  return html`<p>${texts.remove}</p>${tableOf(
    'Rules to propose',
    [texts.code, texts.measure, texts.bound, texts.value, texts.effect],
    rows,
    { empty: '', csv: false },
  )}`
}
