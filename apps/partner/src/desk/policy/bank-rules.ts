// The part of the policy page about the rules for bank data: the rules in force, days of planned ones, and the form to
// propose others.

import { isOneOf } from '@lendloom/foundation/record'
import { type Html, html } from '@lendloom/http/markup'
import { limitText } from '#partner/desk/books/bank-data-part.ts'
import { bankTexts } from '#partner/desk/books/bank-data-text-en.ts'
import type { DeskSetting } from '#partner/desk/change/desk-setting.ts'
import type { SettingTexts } from '#partner/desk/change/setting-change.ts'
import { type RefusedForm, selectField } from '#partner/desk/parts/form-parts.ts'
import { capitalize, countText, formatDay } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { type Measure, measures } from '#partner/origination/review/bank/bank-figures.ts'
import type { BankRule } from '#partner/origination/review/bank/review-bank-data.ts'
import { bankRulesOn, saveBankRules } from '#partner/origination/review/bank/store.ts'
import { type FieldLabel, fieldError, readStartDay, readText, readWholeNumber } from './policy-fields.ts'
import { policySection, proposalForm, type SectionContext } from './policy-section.ts'
import { bankRuleTexts as texts } from './text-en.ts'

/** Rows of rules that a form can have. */
const maxRules = 50
/** Empty rows below the rules, to add new ones. */
const emptyRowCount = 3
const bounds = ['most', 'least'] as const
const effects = ['REVIEW', 'DECLINE'] as const

/** Reads a choice. Refused as `invalid` at its field unless it is one of the options. */
function readOption<Option extends string>(
  form: URLSearchParams,
  field: FieldLabel,
  options: readonly Option[],
): Option {
  const option = form.get(field.name)
  if (!isOneOf(options, option)) throw fieldError(field, 'choose one from the list')
  return option
}

/** Reads the rules in row order, and skips rows without a code. Refused as `invalid` at the field with the error. */
function readRules(form: URLSearchParams): BankRule[] {
  const rows = [...Array(maxRules).keys()].filter((row) => (form.get(`code.${row}`) ?? '').trim() !== '')
  const codes = new Set<string>()
  return rows.map((row) => {
    const field = (name: 'code' | 'measure' | 'bound' | 'value' | 'effect'): FieldLabel => ({
      name: `${name}.${row}`,
      label: `${texts[name]} of rule ${row + 1}`,
    })
    const code = readText(
      form,
      field('code'),
      /^[A-Z][A-Z0-9_]{2,60}$/,
      'it must contain only capital letters, digits and _',
    )
    if (codes.has(code)) throw fieldError(field('code'), 'it occurs twice')
    codes.add(code)
    const value = readWholeNumber(form, field('value'), { min: 0, max: 100_000_000 })
    const measure = readOption(form, field('measure'), measures)
    const bound = readOption(form, field('bound'), bounds)
    return { code, measure, [bound]: value, effect: readOption(form, field('effect'), effects) }
  })
}

const boundOf = ({ most }: BankRule): (typeof bounds)[number] => (most === undefined ? 'least' : 'most')
const limitOf = ({ most, least }: BankRule): number => most ?? least ?? 0

const measureName = (measure: Measure): string => capitalize(bankTexts.measures[measure])
const conditionOf = (rule: BankRule): string =>
  `${texts.beyond[boundOf(rule)]} ${limitText(rule.measure, limitOf(rule))}`
const measureUnits: Record<Measure, string> = {
  months: '',
  returnedDebits: '',
  obligationsPercent: ', %',
  inflowPercent: ', %',
  averageBalanceRupees: ', ₹',
}

/** The rules in words, by which a proposal shows what it changes. */
const ruleTexts = (rules: BankRule[]): SettingTexts => ({
  ...Object.fromEntries(
    rules.map((rule) => [rule.code, `${measureName(rule.measure)} ${conditionOf(rule)}: ${texts[rule.effect]}`]),
  ),
  [texts.order]: rules.map(({ code }) => code).join(', '),
})

/** The rules as a setting that one admin proposes and another confirms. */
export const bankRulesSetting: DeskSetting = {
  label: 'the rules for bank data',
  act: 'POLICY_CHANGED',
  parseForm: ({ form, at }) => ({ fromOn: readStartDay(form, at), texts: ruleTexts(readRules(form)) }),
  current: async (db, { config }, { form, at }) => ruleTexts(await bankRulesOn(db, config, readStartDay(form, at))),
  apply: (tx, { form, at }) => saveBankRules(tx, readStartDay(form, at), readRules(form)),
}

interface BankRulesView {
  rules: BankRule[]
  laterDays: string[]
}

/** The section on the policy page. */
export function bankRulesPart(
  { rules, laterDays }: BankRulesView,
  { at, mayPropose, refusedForm }: SectionContext,
): Html {
  return policySection({
    id: 'bank-rules',
    title: texts.title,
    phoneSummary: countText(rules.length, 'rule'),
    isOpen: refusedForm?.action === 'bank-rules',
    body: html`<p>${texts.lead}</p>
${laterDays.map((each) => html`<p class="notice">Other rules take effect on ${formatDay(each)}.</p>`)}
${tableOf(
  texts.title,
  [{ name: texts.measure, phone: 'title' }, texts.declineIf, texts.reviewIf],
  [...new Set(rules.map(({ measure }) => measure))].map((measure) => [
    measureName(measure),
    limitsOf(rules, measure, 'DECLINE'),
    limitsOf(rules, measure, 'REVIEW'),
  ]),
  { empty: texts.none },
)}
${mayPropose && proposalForm({ action: 'bank-rules', at, refusedForm, fields: ruleFields(rules, refusedForm) })}`,
  })
}

const limitsOf = (rules: BankRule[], measure: Measure, effect: BankRule['effect']): Html =>
  html`${rules.flatMap((rule, i) =>
    rule.measure === measure && rule.effect === effect
      ? html`<span class="block" title="${rule.code}">${conditionOf(rule)} <small>${texts.rule} ${i + 1}</small></span>`
      : [],
  )}`

/** A row of fields for each rule. After a refusal they have the input of the user. */
function ruleFields(rules: BankRule[], refusedForm: RefusedForm | null): Html {
  const refusedRules = refusedForm?.action === 'bank-rules' ? refusedForm : null
  const lastRefusedRow = refusedRules
    ? [...Array(maxRules).keys()].findLastIndex((row) => refusedRules.form.has(`code.${row}`))
    : -1
  const count = Math.min(maxRules, Math.max(rules.length + emptyRowCount, lastRefusedRow + 1))
  const rows = [...Array(count).keys()].map((row) => {
    const rule = refusedRules ? undefined : rules[row]
    const valueAt = (name: string, fallback: string): string => refusedRules?.form.get(`${name}.${row}`) ?? fallback
    const ruleName = `rule ${row + 1}`
    const input = (name: string, label: string, value: string, attributes: Html) =>
      html`<input name="${name}.${row}" value="${valueAt(name, value)}" aria-label="${label}, ${ruleName}" ${attributes}${refusedRules?.field === `${name}.${row}` && html` aria-invalid="true"`}>`
    const select = (name: string, label: string, options: [string, string][], chosen: string) =>
      selectField({
        name: `${name}.${row}`,
        label: `${label}, ${ruleName}`,
        options,
        chosen: valueAt(name, chosen),
        hasHiddenLabel: true,
      })
    return [
      input('code', texts.code, rule?.code ?? '', html`pattern="[A-Z][A-Z0-9_]{2,60}" spellcheck="false"`),
      select(
        'measure',
        texts.measure,
        measures.map((each) => [each, `${measureName(each)}${measureUnits[each]}`]),
        rule?.measure ?? 'months',
      ),
      select(
        'bound',
        texts.bound,
        bounds.map((each) => [each, texts[each]]),
        rule ? boundOf(rule) : 'most',
      ),
      input('value', texts.value, rule ? String(limitOf(rule)) : '', html`inputmode="numeric" pattern="[0-9]{1,9}"`),
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
