// The shipped alert rules: they use existing metrics, and have a description and a runbook page.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { definedMetrics, metricsIn, rulesFile, rulesIn, rulesTestFile } from './architecture/alert-rules.ts'

const text = readFileSync(rulesFile, 'utf8')
const rules = rulesIn(text)
const unknownIn = (expr: string): string[] => metricsIn(expr).filter((name) => !definedMetrics().has(name))

test('docs/how-to/monitor.md: every alert uses metrics that the programs export', () => {
  assert.equal(rules.length, text.match(/alert: /g)?.length)
  for (const { alert, expr } of rules) {
    assert.deepEqual(unknownIn(expr), [], alert)
    assert.ok(metricsIn(expr).length > 0, alert)
  }
  assert.deepEqual(
    unknownIn(
      'sum by (job, kind) (increase(inbox_oldest{status=~"up"}[5m])) / max(up) > 3 and http_request_seconds > 1',
    ),
    ['inbox_oldest', 'http_request_seconds'],
    'a figure that nobody has is found',
  )
})

test('docs/how-to/monitor.md: every alert has a duration, severity, summary, test and page', () => {
  const page = readFileSync('docs/how-to/monitor.md', 'utf8')
  const tests = readFileSync(rulesTestFile, 'utf8')
  for (const rule of rules) {
    const { alert } = rule
    assert.match(rule.for, /^\d+[smh]$/, alert)
    assert.match(rule.severity, /^(page|ticket)$/, alert)
    assert.match(rule.summary, /^".{30,}\."$/, alert)
    assert.equal(rule.runbook, `docs/how-to/monitor.md#${alert.toLowerCase()}`)
    assert.match(page, new RegExp(`^### ${alert}$`, 'm'))
    assert.match(tests, new RegExp(`alertname: ${alert}\\n +exp_alerts:\\n`), `${alert} is tested to fire`)
  }
  assert.deepEqual(
    [...page.matchAll(/^### (.+)$/gm)]
      .map(([, alert]) => alert)
      .filter((each) => !rules.some(({ alert }) => alert === each)),
    [],
  )
})

test('docs/how-to/monitor.md: the quoted log messages are those of the programs', () => {
  const quoted = Array.from(
    readFileSync('docs/how-to/monitor.md', 'utf8').matchAll(/`((?!npx )[a-z]+(?: [a-z:]+){2,})`/g),
  )
  const code = globSync('src/**/*.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  assert.ok(quoted.length > 3)
  for (const [, message = ''] of quoted) assert.ok(code.includes(`'${message}`), message)
})
