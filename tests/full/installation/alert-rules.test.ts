// The shipped alert rules: they use existing metrics, and have a description and a runbook page.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  definedLabels,
  definedMetrics,
  labelsIn,
  metricsIn,
  recordedIn,
  rulesFile,
  rulesIn,
  rulesTestFiles,
  runbooksFile,
} from '#test/architecture/alert-rules.ts'

const text = readFileSync(rulesFile, 'utf8')
const rules = rulesIn(text)
const runbooks = readFileSync(runbooksFile, 'utf8')
const [alertBooks = '', stuckBooks = ''] = runbooks.split('\n## Stuck')
const titlesOf = (part: string) => Array.from(part.matchAll(/^### (.+)$/gm), ([, title = '']) => title)
const unknownIn = (expr: string): string[] => metricsIn(expr).filter((name) => !definedMetrics().has(name))

test('docs/how-to/monitor.md: every alert uses metrics that the programs export', () => {
  assert.equal(rules.length, text.match(/alert: /g)?.length)
  for (const { alert, expr } of rules) {
    assert.deepEqual(unknownIn(expr), [], alert)
    assert.ok(metricsIn(expr).length > 0, alert)
  }
  const known = definedLabels()
  for (const { alert, expr } of [...rules, ...recordedIn(text).map(({ record, expr }) => ({ alert: record, expr }))])
    for (const label of labelsIn(expr))
      assert.ok(
        metricsIn(expr).some((metric) => known.get(metric)?.includes(label)),
        `${alert}: ${label}`,
      )
  for (const { record, expr } of recordedIn(text)) assert.deepEqual(unknownIn(expr), [], record)
  assert.deepEqual(
    unknownIn(
      'sum by (job, kind) (increase(inbox_oldest{status=~"up"}[5m])) / max(up) > 3 and http_request_seconds > 1',
    ),
    ['inbox_oldest', 'http_request_seconds'],
    'a figure that nobody has is found',
  )
})

test('docs/how-to/runbooks.md: every alert has a duration, severity, summary, test and runbook, and every runbook its alert', () => {
  const tests = rulesTestFiles.map((file) => readFileSync(file, 'utf8')).join('\n')
  for (const rule of rules) {
    const { alert } = rule
    assert.match(rule.for, /^\d+[smh]$/, alert)
    assert.match(rule.severity, /^(page|ticket)$/, alert)
    assert.match(rule.summary, /^".{30,}\."$/, alert)
    assert.equal(rule.runbook, `${runbooksFile}#${alert.toLowerCase()}`)
    assert.match(tests, new RegExp(`alertname: ${alert}\\n +exp_alerts:\\n`), `${alert} is tested to fire`)
  }
  assert.deepEqual(titlesOf(alertBooks).sort(), rules.map(({ alert }) => alert).sort())
})

test('docs/how-to/runbooks.md: every runbook says how to see the fault, what to do and when it is over', () => {
  const sections = runbooks.split(/^### /m).slice(1)
  assert.ok(sections.length > 30)
  for (const section of sections)
    assert.match(
      section,
      /^.+\n\n[^-][\s\S]{20,}\n- \*\*See:\*\* .{10,}\n- \*\*Do:\*\* .{10,}\n- \*\*Over:\*\* .{10,}\n/,
    )
})

test('docs/how-to/runbooks.md: every reason and state of what is stuck has a runbook', () => {
  const code = globSync('{apps/{platform,partner},packages/*}/src/**/*.ts', { exclude: ['**/*.test.ts'] })
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const reasons = Array.from(code.matchAll(/new PrerequisiteError\('([^']+)'/g), ([, reason = '']) => reason)
  const schema = globSync('{apps/{platform,partner},packages/*}/src/migrations/001-*.sql')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const states = [...new Set(schema.match(/'(?:DEAD|EXHAUSTED|STOPPED|SET_ASIDE|NOT_UNDERSTOOD|IGNORED)'/g))]
  assert.ok(reasons.length > 3 && states.length > 3)
  for (const each of [...reasons, ...states.map((state) => state.slice(1, -1))])
    assert.ok(stuckBooks.includes(`\`${each}\``), each)
  for (const column of ['stuck_because', 'unanswered_claims', 'last_error']) {
    assert.ok(stuckBooks.includes(`\`${column}\``), column)
    assert.match(schema, new RegExp(`^  ${column} `, 'm'))
  }
  for (const { 1: reason = '' } of stuckBooks.matchAll(/`((?:the|waits|its) [a-zA-Z ]+)`/g))
    assert.ok(code.includes(reason.replace(/ N$/, ' ')), reason)
})

test('docs/how-to/runbooks.md: the quoted log messages are those of the programs', () => {
  const quoted = Array.from(runbooks.matchAll(/`((?!npx |select |the |its )[a-z]+(?: [a-z:]+){2,})`/g))
  const code = globSync('{apps,packages}/*/src/**/*.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  assert.ok(quoted.length > 3)
  for (const [, message = ''] of quoted) assert.ok(code.includes(`'${message}`), message)
})
