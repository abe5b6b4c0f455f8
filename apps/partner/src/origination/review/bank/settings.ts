// Rules for borrowers' bank data, as program settings.

import { number, type Setting, text } from '@lendloom/foundation/config'
import { Closed, OneOf, parse, type Static, Type } from '@lendloom/foundation/schema'
import { readJson } from '@lendloom/http/body'
import { measures } from './bank-figures.ts'

const Rules = Type.Array(
  Closed({
    code: Type.String({ pattern: '^[A-Z][A-Z0-9_]{2,60}$', 'x-says': 'must be a code, such as RETURNED_DEBITS' }),
    measure: OneOf(measures),
    most: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
    least: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
    effect: OneOf(['REVIEW', 'DECLINE']),
  }),
  { maxItems: 50 },
)
export type BankRules = Static<typeof Rules>

const defaultRules: BankRules = [
  { code: 'EXCESSIVE_RETURNED_DEBITS', measure: 'returnedDebits', most: 5, effect: 'DECLINE' },
  { code: 'OBLIGATIONS_TOO_HIGH', measure: 'obligationsPercent', most: 70, effect: 'DECLINE' },
  { code: 'RETURNED_DEBITS', measure: 'returnedDebits', most: 2, effect: 'REVIEW' },
  { code: 'OBLIGATIONS_TO_INCOME', measure: 'obligationsPercent', most: 50, effect: 'REVIEW' },
  { code: 'MONTHS_OF_STATEMENT', measure: 'months', least: 3, effect: 'REVIEW' },
  { code: 'INFLOW_TO_INCOME', measure: 'inflowPercent', least: 50, effect: 'REVIEW' },
  { code: 'AVERAGE_BALANCE', measure: 'averageBalanceRupees', least: 3000, effect: 'REVIEW' },
]

const rules = (about: string): Setting<BankRules> => ({
  ...text(about, JSON.stringify(defaultRules)),
  read: readBankRules,
})

/** Parses rules from JSON. Throws with the path of the first fault. */
export function readBankRules(text: string): BankRules {
  const parsedRules = parse(Rules, readJson(Buffer.from(text)), 'rules')
  for (const [index, { most, least }] of parsedRules.entries())
    if ((most === undefined) === (least === undefined)) throw new Error(`rules.${index} must have either most or least`)
  const codes = parsedRules.map(({ code }) => code)
  const duplicate = codes.find((code, index) => codes.indexOf(code) !== index)
  if (duplicate) throw new Error(`the code ${duplicate} is used twice`)
  return parsedRules
}

export const bankRuleSettings = {
  PARTNER_BANK_RULES: rules(
    `Rules for borrowers' bank data until the desk sets rules under Policy, as a JSON array of {"code", "measure", "most" or "least", "effect"}; measure is one of ${measures.join(', ')}, effect is REVIEW or DECLINE`,
  ),
  PARTNER_WITHOUT_STATEMENT_RUPEES: number(
    'Maximum automatic offer, in rupees, when bank data or a figure that a rule needs is missing',
    100_000,
    0,
    10_000_000,
  ),
}
