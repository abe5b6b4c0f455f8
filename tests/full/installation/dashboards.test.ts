// The shipped Grafana dashboards can be imported, and read only figures and labels that the programs have.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { definedLabels, labelsIn, metricsIn } from '#test/architecture/alert-rules.ts'

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { h: number; w: number; x: number; y: number }
  targets?: { expr: string; legendFormat: string; datasource: { type: string; uid: string } }[]
}

interface Dashboard {
  uid: string
  title: string
  schemaVersion: number
  panels: Panel[]
  templating: { list: { name: string }[] }
}

const dashboards = globSync('deploy/grafana/dashboards/*.json').map((path) => ({
  path,
  ...(JSON.parse(readFileSync(path, 'utf8')) as Dashboard),
}))

test('deploy/grafana: every dashboard has its own fixed uid and title, and panels that do not overlap', () => {
  assert.ok(dashboards.length > 3)
  assert.equal(new Set(dashboards.map(({ uid }) => uid)).size, dashboards.length)
  for (const { path, uid, title, schemaVersion, panels, templating } of dashboards) {
    assert.equal(path, `deploy/grafana/dashboards/${uid.replace(/^lendloom-/, '')}.json`)
    assert.match(title, /^Lendloom: /)
    assert.ok(schemaVersion > 30)
    assert.deepEqual(
      templating.list.map(({ name }) => name),
      ['datasource', 'job'],
    )
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) => {
      assert.ok(x + w <= 24, title)
      return Array.from({ length: h * w }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`)
    })
    assert.equal(new Set(cells).size, cells.length, `panels of ${title} overlap`)
  }
})

test('deploy/grafana: every panel reads figures and labels that the programs export', () => {
  const known = definedLabels()
  for (const { title: dashboard, panels } of dashboards)
    for (const { type, title, targets = [] } of panels.filter((panel) => panel.type !== 'row')) {
      assert.equal(type, 'timeseries')
      assert.ok(targets.length > 0, title)
      for (const { expr, legendFormat, datasource } of targets) {
        const place = `${dashboard}, ${title}: ${expr}`
        assert.equal(datasource.type, 'prometheus')
        assert.match(datasource.uid, /^\$\{datasource\}$/)
        const metrics = metricsIn(expr)
        assert.ok(metrics.length > 0, place)
        for (const metric of metrics) assert.ok(known.has(metric), `${place}: ${metric}`)
        const labels = metrics.flatMap((metric) => known.get(metric) ?? [])
        const legend = Array.from(legendFormat.matchAll(/\{\{(\w+)\}\}/g), ([, label = '']) => label)
        for (const label of [...labelsIn(expr), ...legend]) assert.ok(labels.includes(label), `${place}: ${label}`)
      }
    }
  assert.deepEqual(labelsIn('sum by (a, b) (rate(x{c="1",d!~"2"}[5m]))'), ['c', 'd', 'a', 'b'])
})
