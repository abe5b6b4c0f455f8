// `lendloom scenarios`: the sandbox's fault scenarios by four digits of a PAN, and their tables for the documentation.

import { required } from '@lendloom/foundation/required'
import { partnerRules } from '@lendloom/partner/operations/cases'
import { bankRules, bureauRules, policyOf, verificationRules } from '@lendloom/sandbox/operations/scenarios'
import { faultRules } from '@lendloom/wire/sandbox/fault-rules'
import { command } from './command.ts'

interface ScenarioRow {
  digits: string
  what: string
}

const byDigits = (a: ScenarioRow, b: ScenarioRow): number => Number(a.digits) - Number(b.digits)

const table = (columns: string[], rows: string[][]): string =>
  [columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const digitsTable = (rows: readonly ScenarioRow[]): string =>
  table(
    ['Digits', 'What happens'],
    rows.toSorted(byDigits).map(({ digits, what }) => [digits, what]),
  )

const lendersTable = (): string =>
  table(
    ['Digits', 'For example', 'Scenario', 'What happens', 'Lenders'],
    faultRules
      .toSorted(byDigits)
      .map(({ digits, title, what, outcome, lenders }) => [
        digits,
        `\`ABCPE${digits}F\``,
        title,
        outcome === undefined ? what : `${what} ${outcome}`,
        lenders?.map((slug) => policyOf(slug)?.name ?? slug).join(', ') ?? 'all',
      ]),
  )

/** The tables by the name of their marker in the document. */
const tables: Record<string, () => string> = {
  lenders: lendersTable,
  providers: () => digitsTable([...verificationRules, ...bureauRules]),
  bank: () => digitsTable(bankRules),
  partner: () => digitsTable(partnerRules),
}

/** Regenerates the tables of a document, each between `<!-- scenarios: name -->` and `<!-- end of scenarios -->`. */
export const withTables = (document: string): string =>
  document.replace(
    /(<!-- scenarios: (\w+) -->\n)[\s\S]*?(\n<!-- end of scenarios -->)/g,
    (_, start: string, name: string, end: string) => `${start}\n${required(tables[name], `table ${name}`)()}\n${end}`,
  )

export const scenarios = command({
  name: 'scenarios',
  summary: 'list the fault scenarios of the sandbox by the digits of a PAN',
  usage: '',
  options: {},
  async run() {
    const data = {
      lenders: faultRules,
      providers: [...verificationRules, ...bureauRules],
      bank: bankRules,
      partner: partnerRules,
    }
    return { text: lendersTable(), data }
  },
})
