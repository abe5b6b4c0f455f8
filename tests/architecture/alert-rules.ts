// Reads the Prometheus alert rules and the programs' metrics: a rule on a missing metric would never fire.
import { globSync, readFileSync } from 'node:fs'
import { collectDefaultMetrics, Registry } from 'prom-client'

export const rulesFile = 'docs/how-to/monitor/alerts.yml'
export const rulesTestFiles = [
  'docs/how-to/monitor/alerts.test.yml',
  'docs/how-to/monitor/slow-alerts.test.yml',
] as const
export const runbooksFile = 'docs/how-to/runbooks.md'

export interface AlertRule {
  alert: string
  expr: string
  /** The `for` duration; empty without one. */
  for: string
  severity: string
  summary: string
  runbook: string
}

/** The rules of a file as ours is written: each value on one line. */
export function rulesIn(text: string): AlertRule[] {
  const [, ...rules] = text.split(/^ +- alert: /m)
  return rules.map((rule) => {
    const value = (name: string): string => new RegExp(`\\b${name}: (.+?)(?: })?$`, 'm').exec(rule)?.[1] ?? ''
    const [alert = ''] = rule.split('\n', 1)
    return {
      alert,
      expr: value('expr'),
      for: value('for'),
      severity: value('severity'),
      summary: value('summary'),
      runbook: value('runbook_url'),
    }
  })
}

const words = new Set(
  'by without on ignoring group_left group_right and or unless bool offset sum min max avg count time rate increase changes histogram_quantile absent sum_over_time clamp_min'.split(
    ' ',
  ),
)

/** The rules that record a figure. */
export const recordedIn = (text: string): { record: string; expr: string }[] =>
  Array.from(text.matchAll(/^ +- record: (\S+)\n +expr: (.+)$/gm), ([, record = '', expr = '']) => ({ record, expr }))

/** The figures that an expression of PromQL reads. */
export function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '')
  return [...new Set(bare.match(/(?<![\w.])[a-zA-Z_:][\w:]*/g) ?? [])].filter((word) => !words.has(word))
}

/** The labels that an expression of PromQL selects or groups by. */
export const labelsIn = (expr: string): string[] => [
  ...Array.from(expr.matchAll(/[{,]\s*(\w+)\s*(?:=|!)/g), ([, label = '']) => label),
  ...Array.from(expr.matchAll(/\b(?:by|on|without)\s*\(([^)]*)\)/g)).flatMap(([, list = '']) => list.split(/,\s*/)),
]

const targetLabels = ['job', 'instance']
const metricCall = /\b(counter|gauge|histogram)\(\s*'(\w+)',\s*(?:'[^']*'|"[^"]*"),?\s*(?:\[([^\]]*)\])?/g

/** The labels of every figure of platform and partner, by the names under which Prometheus keeps the figures. */
export function definedLabels(): Map<string, string[]> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labels = new Map<string, string[]>([
    ['cache_bytes', ['cache', ...targetLabels]],
    ['up', targetLabels],
  ])
  for (const { name } of registry.getMetricsAsArray()) labels.set(name, targetLabels)
  const paths = globSync('{apps/{platform,partner},packages/*}/src/**/*.ts', { exclude: ['**/*.test.ts'] })
  for (const path of paths)
    for (const [, kind, name = '', list = ''] of readFileSync(path, 'utf8').matchAll(metricCall)) {
      const own = [...list.matchAll(/'(\w+)'/g)].map(([, label = '']) => label)
      for (const end of kind === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
        labels.set(name + end, [...own, ...(end === '_bucket' ? ['le'] : []), ...targetLabels])
    }
  for (const { record } of recordedIn(readFileSync(rulesFile, 'utf8'))) labels.set(record, ['slo', 'job'])
  return labels
}

export const definedMetrics = (): Set<string> => new Set(definedLabels().keys())
