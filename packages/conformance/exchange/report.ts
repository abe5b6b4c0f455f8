// The outcomes of a run as a table and as JUnit XML.
import type { Outcome, Result } from './check-result.ts'

const count = (outcomes: Outcome[], result: Result): number => outcomes.filter((each) => each.result === result).length

export const totals = (outcomes: Outcome[]) => ({
  passed: count(outcomes, 'passed'),
  failed: count(outcomes, 'failed'),
  skipped: count(outcomes, 'skipped'),
})

/** Prints a table, of columns with a head and a cell for each outcome. */
type TableOfOutcomes = (rows: Outcome[], columns: { head: string; of: (outcome: Outcome) => string }[]) => string

/** The checks by section as a `table`, then each failure with the expected, sent and received messages. */
export function textOf(outcomes: Outcome[], table: TableOfOutcomes): string {
  const sortKey = (section: string) => section.replace(/\d+/g, (digits) => digits.padStart(3, '0'))
  const bySection = outcomes.toSorted((a, b) => sortKey(a.section).localeCompare(sortKey(b.section)))
  const failures = outcomes.filter(({ result }) => result === 'failed').map(failureText)
  const { passed, failed, skipped } = totals(outcomes)
  const summary = `${passed} passed, ${failed} failed, ${skipped} skipped.`
  return [
    table(bySection, [
      { head: 'SECTION', of: ({ section }) => section },
      { head: 'RESULT', of: ({ result }) => result },
      { head: 'CHECK', of: ({ id }) => id },
      {
        head: 'WHAT',
        of: ({ title, result, because }) => (result === 'skipped' && because ? `${title} (${because})` : title),
      },
    ]),
    '',
    ...failures,
    summary,
  ].join('\n')
}

const indented = (text: string | null): string => (text ?? '').replace(/^/gm, '    ')

const failureText = ({ id, section, title, because, expected, sent, received }: Outcome): string =>
  [
    `${id} (${section}): ${title}`,
    `  failed: ${because}`,
    `  expected: ${expected}`,
    ...(sent ? ['  sent:', indented(sent)] : []),
    ...(received ? ['  received:', indented(received)] : []),
    '',
  ].join('\n')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Escapes a text, without the control characters that XML does not allow. */
const escapeXml = (text: string): string =>
  [...text]
    .filter((character) => character >= ' ' || '\n\t'.includes(character))
    .map((character) => entities[character] ?? character)
    .join('')

/** A suite with a case per check; the class of a case is the section. */
export function junitOf(url: string, outcomes: Outcome[]): string {
  const { failed, skipped } = totals(outcomes)
  const seconds = outcomes.reduce((sum, each) => sum + each.seconds, 0).toFixed(3)
  const cases = outcomes.map((each) => {
    const because = escapeXml(each.because ?? '')
    const details = escapeXml(failureText(each))
    const body = {
      passed: '',
      failed: `<failure message="${because}">${details}</failure>`,
      skipped: `<skipped message="${because}"/>`,
    }[each.result]
    const name = escapeXml(`${each.id}: ${each.title}`)
    return `  <testcase classname="${escapeXml(each.section)}" name="${name}" time="${each.seconds}">${body}</testcase>`
  })
  const head = `<testsuite name="${escapeXml(`lendloom exchange conform ${url}`)}" tests="${outcomes.length}" failures="${failed}" skipped="${skipped}" time="${seconds}">`
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...cases, '</testsuite>', ''].join('\n')
}
