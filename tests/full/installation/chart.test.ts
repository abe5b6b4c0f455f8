// The Helm chart, rendered by Helm: it names only settings, paths, ports, metrics and programs that exist.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { profiles } from '@lendloom/cli/src/init/profiles.ts'
import { type RealProgram, realPrograms } from '@lendloom/cli/src/program-names.ts'
import { readSettings } from '@lendloom/foundation/config'
import { resourceLimits, threadsOfGroup } from '@lendloom/foundation/parser-thread'
import { healthRoutes } from '@lendloom/http/health-routes'
import { settings as partner } from '@lendloom/partner/settings'
import { settings as platform } from '@lendloom/platform/settings'
import { parse } from 'yaml'
import { definedMetrics, metricsIn, rulesFile } from '#test/architecture/alert-rules.ts'
import { clients } from '#test/setup/documents-api.ts'
import { helm, helmMissing, type Manifest, render } from '#test/setup/helm.ts'

const page = 'docs/how-to/install-on-kubernetes.md'
const chart = 'deploy/helm/lendloom'
const settings = { platform, partner }
const only = { skip: helmMissing }
let all: Manifest[] = []
let least: Manifest[] = []
before(() => {
  if (helmMissing) return
  all = render(chart, '--values', `${chart}/ci/all-values.yaml`)
  least = render(chart, '--set', 'image.repository=registry.example/lendloom')
})
const ofKind = (kind: string, from = all): Manifest[] => from.filter((each) => each.kind === kind)
const labelsOf = ({ metadata }: Manifest) => metadata.labels
const programOf = (manifest: Manifest): RealProgram => labelsOf(manifest)['app.kubernetes.io/name']
const pods = (from = all): Manifest[] => [...ofKind('Deployment', from), ...ofKind('Job', from)]
const podOf = (manifest: Manifest): Manifest => manifest.spec.template.spec
const containerOf = (manifest: Manifest): Manifest => podOf(manifest).containers[0]
const isSelected = (selector: Record<string, string>, labels: Record<string, string>) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)

test(`${page}: heap, parser threads and bodies in flight fit together into the memory of a pod`, () => {
  const values = parse(readFileSync(`${chart}/values.yaml`, 'utf8'), { merge: true })
  const [, semiSpaceMiB] = /--max-semi-space-size=(\d+)/.exec(readFileSync('deploy/image/lendloom', 'utf8')) ?? []
  for (const { resources } of [
    values.platform.api,
    values.platform.worker,
    values.partner.api,
    values.partner.worker,
  ]) {
    assert.match(resources.limits.memory, /^\d+Gi$/)
    const podMiB = Number.parseInt(resources.limits.memory, 10) * 1024
    // V8 takes half of the memory that the system permits a program, and three semi-spaces for young objects.
    const heapMiB = podMiB / 2 + 3 * Number(semiSpaceMiB)
    const { maxOldGenerationSizeMb, maxYoungGenerationSizeMb } = resourceLimits
    const groups = 2
    const threadsMiB = groups * threadsOfGroup(podMiB << 20) * (maxOldGenerationSizeMb + maxYoungGenerationSizeMb)
    const bodiesMiB = Number(platform.HTTP_BODY_MEGABYTES.fallback)
    // A parser thread gets copies of the bytes of files.
    const copiesMiB = bodiesMiB
    const sum = heapMiB + threadsMiB + bodiesMiB + copiesMiB
    assert.ok(sum <= podMiB, `${heapMiB} + ${threadsMiB} + ${bodiesMiB} + ${copiesMiB} MiB`)
  }
})

test(`${page}: Helm accepts the chart, which has the version of the package`, only, () => {
  helm('lint', '--strict', chart, '--values', `${chart}/ci/all-values.yaml`)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const described = parse(readFileSync(`${chart}/Chart.yaml`, 'utf8'))
  assert.deepEqual(described.version, version)
  assert.deepEqual(described.appVersion, version)
  const images = new Set(pods().map((each) => containerOf(each).image))
  assert.deepEqual([...images], [`registry.example/lendloom:${version}`])
})

test(`${page}: wrong values are refused with their path`, only, () => {
  const image = ['--set', 'image.repository=registry.example/lendloom']
  for (const [options, message] of [
    [[], /\/image\/repository/],
    [[...image, '--set', 'platform.wrker.min=1'], /wrker/],
    [[...image, '--set', 'platform.worker.autoscaling.by=keda'], /prometheusUrl/],
    [[...image, '--set', 'partner.settings.PARTNER_DEDUPE_HOURS=24'], /PARTNER_DEDUPE_HOURS/],
    [[...image, '--set', 'image.digest=latest'], /\/image\/digest/],
  ] as const)
    assert.throws(() => render(chart, ...options), message)
})

test(`${page}: without options the platform is installed, and nothing that needs an operator of others`, only, () => {
  const names = ofKind('Deployment', least).map(({ metadata }) => metadata.name)
  assert.deepEqual(names.sort(), ['shop-platform-api', 'shop-platform-worker'])
  assert.deepEqual(
    least.filter(({ apiVersion }) => /monitoring|keda|external/.test(apiVersion)),
    [],
  )
})

test(`${page}: with what init makes, each program has every setting that it needs`, only, () => {
  assert.equal(ofKind('Deployment').length, 2 * realPrograms.length)
  for (const manifest of ofKind('Deployment')) {
    const program = programOf(manifest)
    const entries: [string, string][] = containerOf(manifest).env.map(({ name, value }: Manifest) => [name, value])
    const others = ['NODE_COMPILE_CACHE', 'OTEL_EXPORTER_OTLP_ENDPOINT']
    const known = new Set([...Object.keys(settings[program]), ...others])
    for (const [name] of entries) assert.ok(known.has(name), `${manifest.metadata.name}: ${name}`)
    const { secrets, settings: made } = profiles[program].create()
    const read = (env: Record<string, string>) =>
      readSettings(settings[program], { ...made, ...secrets, ...env }).faults
    const databaseUrl = program === 'platform' ? 'DATABASE_URL' : 'PARTNER_DATABASE_URL'
    const env = {
      ...Object.fromEntries(entries),
      [databaseUrl]: 'postgres://u:p@db/x',
      PARTNER_CLIENTS: JSON.stringify(clients),
    }
    assert.deepEqual(read(env), [], manifest.metadata.name)
    assert.notDeepEqual(read({ ...env, HOST: '', DRAIN_SECONDS: 'ten' }), [], 'a wrong value is found')
  }
})

test(`${page}: commands, probes and ports are those of the programs`, only, () => {
  const paths = new Set(healthRoutes().map(({ path }) => path))
  for (const manifest of ofKind('Deployment')) {
    const { env, ports, args, startupProbe, livenessProbe, readinessProbe } = containerOf(manifest)
    assert.deepEqual(args, ['run', programOf(manifest)])
    const prefix = programOf(manifest) === 'partner' ? 'PARTNER_' : ''
    const numberIn = (name: string) => Number(env.find((each: Manifest) => each.name === `${prefix}${name}`)?.value)
    assert.deepEqual(ports, [
      { name: 'http', containerPort: numberIn('PORT') },
      { name: 'operations', containerPort: numberIn('OPERATIONS_PORT') },
    ])
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      assert.ok(paths.has(httpGet.path), httpGet.path)
      assert.equal(httpGet.port, 'operations')
    }
    const drainSeconds = Number(env.find((each: Manifest) => each.name === 'DRAIN_SECONDS')?.value)
    assert.ok(podOf(manifest).terminationGracePeriodSeconds > drainSeconds + 8)
  }
  for (const { spec } of ofKind('PodMonitor'))
    for (const { path, port } of spec.podMetricsEndpoints) assert.ok(paths.has(path) && port === 'operations')
})

test(`${page}: the migration runs before each installation and upgrade`, only, () => {
  const jobs = ofKind('Job')
  assert.deepEqual(jobs.map(programOf).sort(), [...realPrograms].sort())
  for (const job of jobs) {
    assert.equal(job.metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade')
    assert.deepEqual(containerOf(job).args, ['migrate', '--program', programOf(job)])
  }
})

test(`${page}: no pod runs as root, writes to its image, or has capabilities or a token`, only, () => {
  const uid = Number(/^USER (\d+)/m.exec(readFileSync('Containerfile', 'utf8'))?.[1])
  for (const manifest of [...pods(), ...pods(least)]) {
    const pod = podOf(manifest)
    const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext
    assert.equal(runAsNonRoot, true)
    assert.equal(runAsUser, uid)
    assert.equal(seccompProfile.type, 'RuntimeDefault')
    assert.equal(pod.automountServiceAccountToken, false)
    assert.deepEqual(containerOf(manifest).securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const mounted = containerOf(manifest).volumeMounts.map(({ name }: Manifest) => name)
    assert.deepEqual(
      mounted,
      pod.volumes.map(({ name }: Manifest) => name),
    )
  }
})

test(`${page}: secrets are where the guide tells init to expect them`, only, () => {
  const guide = readFileSync(page, 'utf8')
  const paths = pods().map((each) => containerOf(each).volumeMounts[0].mountPath)
  assert.deepEqual([...new Set(paths)], ['/run/lendloom/secrets'])
  assert.equal(guide.match(/lendloom init \w+ .*--mounted \/run\/lendloom(?= |$)/gm)?.length, realPrograms.length)
  const { suggest } = profiles.partner.questions.find(({ option }) => option === 'files') ?? {}
  const [files] = containerOf(ofKind('Job').find((each) => programOf(each) === 'partner')).volumeMounts.slice(-1)
  assert.ok(suggest?.({}).startsWith(`${files.mountPath}/`))
  for (const manifest of pods())
    for (const name of [
      containerOf(manifest).envFrom[0].configMapRef.name,
      podOf(manifest).volumes[0].secret.secretName,
    ])
      assert.match(guide, new RegExp(`create (configmap|secret generic) ${name} `), name)
})

test(`${page}: services, budgets, policies, monitors and autoscalers select a deployment`, only, () => {
  const deployments = ofKind('Deployment')
  const selectors = [
    ...ofKind('Service').map(({ spec }) => spec.selector),
    ...ofKind('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
    ...ofKind('NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels),
    ...ofKind('PodMonitor').map(({ spec }) => spec.selector.matchLabels),
  ]
  assert.equal(selectors.length, 2 + 4 + 4 + 2)
  for (const selector of selectors)
    assert.ok(
      deployments.some(({ spec }) => isSelected(selector, spec.template.metadata.labels)),
      JSON.stringify(selector),
    )
  const scaled = [...ofKind('HorizontalPodAutoscaler'), ...ofKind('ScaledObject')]
  assert.deepEqual(
    scaled.map(({ spec }) => spec.scaleTargetRef.name).sort(),
    deployments.map(({ metadata }) => metadata.name).sort(),
  )
})

test('docs/how-to/monitor.md: workers are scaled by metrics that the programs export', only, () => {
  const queries = [
    ...ofKind('ScaledObject').flatMap(({ spec }) =>
      spec.triggers.flatMap(({ metadata }: Manifest) => metadata.query ?? []),
    ),
    ...ofKind('HorizontalPodAutoscaler').flatMap(({ spec }) =>
      spec.metrics.flatMap(({ external }: Manifest) => external?.metric.name ?? []),
    ),
  ]
  assert.ok(queries.length > 5)
  const defined = definedMetrics()
  for (const name of queries.flatMap(metricsIn)) assert.ok(defined.has(name), name)
})

test('docs/how-to/monitor.md: the chart installs the shipped alert rules', only, () => {
  const [rule] = ofKind('PrometheusRule')
  assert.deepEqual(rule.spec, parse(readFileSync(rulesFile, 'utf8')))
})

test('docs/how-to/monitor.md: the chart installs the shipped dashboards', only, () => {
  const installed = ofKind('ConfigMap').map(({ data }) => Object.values<string>(data).map((text) => JSON.parse(text)))
  const shipped = globSync('deploy/grafana/dashboards/*.json').sort()
  assert.ok(shipped.length > 0)
  assert.deepEqual(
    installed.flat(),
    shipped.map((path) => JSON.parse(readFileSync(path, 'utf8'))),
  )
})
