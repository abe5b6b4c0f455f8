// What came of a run, as a table for people, and as JUnit for the machines that run tests.
import type { Outcome, Result } from './outcome.ts'

const count = (outcomes: Outcome[], result: Result): number => outcomes.filter((each) => each.result === result).length

export const totals = (outcomes: Outcome[]) => ({
  passed: count(outcomes, 'passed'),
  failed: count(outcomes, 'failed'),
  skipped: count(outcomes, 'skipped'),
})

/** The checks by section, as `table` sets them, then each failure with what was expected, sent and received. */
export function textOf(outcomes: Outcome[], table: (head: string[], rows: string[][]) => string): string {
  const number = (section: string) => section.replace(/\d+/g, (digits) => digits.padStart(3, '0'))
  const bySection = outcomes.toSorted((a, b) => number(a.section).localeCompare(number(b.section)))
  const rows = bySection.map(({ section, id, title, result, because }) => [
    ...[section, result, id],
    result === 'skipped' && because ? `${title} (${because})` : title,
  ])
  const failures = outcomes.filter(({ result }) => result === 'failed').map(failure)
  const { passed, failed, skipped } = totals(outcomes)
  const sum = `${passed} passed, ${failed} failed, ${skipped} skipped.`
  return [table(['SECTION', 'RESULT', 'CHECK', 'WHAT'], rows), '', ...failures, sum].join('\n')
}

const indented = (text: string | null): string => (text ?? '').replace(/^/gm, '    ')

const failure = ({ id, section, title, because, expected, sent, received }: Outcome): string =>
  [
    `${id} (${section}): ${title}`,
    `  failed: ${because}`,
    `  expected: ${expected}`,
    ...(sent ? ['  sent:', indented(sent)] : []),
    ...(received ? ['  received:', indented(received)] : []),
    '',
  ].join('\n')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML has no words for are left out. */
const escaped = (text: string): string =>
  [...text]
    .filter((character) => character >= ' ' || '\n\t'.includes(character))
    .map((character) => entities[character] ?? character)
    .join('')

/** One suite, one case for each check; its class is the section. */
export function junitOf(url: string, outcomes: Outcome[]): string {
  const { failed, skipped } = totals(outcomes)
  const seconds = outcomes.reduce((sum, each) => sum + each.seconds, 0).toFixed(3)
  const cases = outcomes.map((each) => {
    const because = escaped(each.because ?? '')
    const details = escaped(failure(each))
    const inner = {
      passed: '',
      failed: `<failure message="${because}">${details}</failure>`,
      skipped: `<skipped message="${because}"/>`,
    }[each.result]
    const name = escaped(`${each.id}: ${each.title}`)
    return `  <testcase classname="${escaped(each.section)}" name="${name}" time="${each.seconds}">${inner}</testcase>`
  })
  const head = `<testsuite name="${escaped(`lendloom exchange conform ${url}`)}" tests="${outcomes.length}" failures="${failed}" skipped="${skipped}" time="${seconds}">`
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...cases, '</testsuite>', ''].join('\n')
}
