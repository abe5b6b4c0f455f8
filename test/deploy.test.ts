// The files for compose name only settings, paths and files that exist.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { profiles } from '#cli/init/profiles.ts'
import { settings as partner } from '#partner/settings.ts'
import { settings as platform } from '#platform/settings.ts'
import { settings as sandbox } from '#sandbox/settings.ts'

const home = join(import.meta.dirname, '..')
const read = (...path: string[]): string => readFileSync(join(home, ...path), 'utf8')
const compose = read('deploy', 'compose', 'compose.yaml')
const allIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)
/** The text of each block of a section of the file: two blanks, a name, a colon. */
const blocksOf = (section: string): Map<string, string> => {
  const text = new RegExp(`^${section}:\\n((?:(?: .*|#.*)?\\n)*)`, 'm').exec(compose)?.[1] ?? ''
  return new Map(
    text
      .split(/^ {2}(?=[a-z])/m)
      .slice(1)
      .map((block) => [/^[\w-]+/.exec(block)?.[0] ?? '', block]),
  )
}
const services = blocksOf('services')
const ours = [...services]
  .filter(([, block]) => /<<: \*(?:program|platform|partner)$/m.test(block))
  .map(([name]) => name)

test('compose sets existing settings of our programs', () => {
  assert.deepEqual(ours, [
    ...['migrate', 'platform-api', 'platform-worker', 'migrate-partner', 'partner-api', 'partner-worker', 'demo'],
  ])
  const known = new Set([
    ...[platform, partner, sandbox].flatMap((each) => Object.keys(each)),
    ...['LENDLOOM_DATA_DIR', 'HEALTH_URL', 'OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ])
  const shared = compose.slice(0, compose.indexOf('\nservices:'))
  const text = [shared, ...ours.map((name) => services.get(name))].join('\n')
  const names = allIn(text, /(?:^ {2,6}|, )([A-Z][A-Z_]+):/gm)
  for (const name of ['MODE', 'PARTNER_MODE', 'OPERATIONS_PORT', 'PARTNER_OPERATIONS_PORT'])
    assert.ok(names.includes(name), name)
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    [],
  )
})

test('compose checks health at the port of operations, and starts existing programs', () => {
  const pages = new Set(['/healthz', '/readyz'])
  const urls = allIn(compose, /HEALTH_URL: (\S+)/g).map((text) => new URL(text))
  assert.equal(urls.length, 3)
  for (const { pathname } of urls) assert.ok(pages.has(pathname), pathname)
  const operations = allIn(compose, /OPERATIONS_PORT: "(\d+)"/g)
  assert.deepEqual(
    [...operations, '4000'],
    urls.map(({ port }) => port),
  )
  const targets = allIn(read('deploy', 'compose', 'prometheus.yml'), /"([\w-]+:\d+)"/g)
  const withPort = (port: string) => (name: string) => `${name}:${port}`
  assert.deepEqual(targets, [
    ...['platform-api', 'platform-worker'].map(withPort(operations[0] ?? '')),
    ...['partner-api', 'partner-worker'].map(withPort(operations[1] ?? '')),
  ])
  for (const program of allIn(compose, /\b(src\/\S+\.ts)\b/g)) assert.ok(existsSync(join(home, program)), program)
})

test('compose mounts existing files, and names each volume, secret and service that it uses', () => {
  const mounts = allIn(compose, /^\s+- (\S+:\S+)|volumes: \[(.+)\]/gm).length
  assert.ok(mounts > 3)
  for (const file of allIn(compose, /(?:- |[["])(\.{1,2}\/[^:"]+\.\w+):/g))
    assert.ok(existsSync(join(home, 'deploy', 'compose', file)), file)
  const volumes = allIn(compose.slice(compose.lastIndexOf('\nvolumes:')), /^ {2}([a-z]+):$/gm)
  assert.deepEqual(volumes, ['postgres', 'signatures', 'prometheus', 'grafana'])
  for (const volume of volumes) assert.match(compose, new RegExp(`[" ]${volume}:/`), volume)
  for (const name of allIn(compose, /^ {4}([a-z-]+): \{ condition/gm)) assert.ok(services.has(name), name)
})

test('compose runs every service without capabilities that it does not name, on a read-only file system', () => {
  for (const [name, block] of services) assert.match(block, /^ {4}<<: \*(?:hardened|program|platform|partner)$/m, name)
  assert.match(compose, /^ {2}user: "[1-9]\d*:[1-9]\d*"$/m, 'our programs do not run as root')
  const hardened = /^x-hardened:[\s\S]*?\n\n/m.exec(compose)?.[0] ?? ''
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true', 'tmpfs: [/tmp]'])
    assert.ok(hardened.includes(line), line)
  assert.doesNotMatch(compose, /privileged:|network_mode:|read_only: false/)
  for (const name of ours) assert.doesNotMatch(services.get(name) ?? '', /cap_add/, name)
  for (const image of allIn(compose, /image: (\S+)/g)) assert.match(image, /^[\w.]+\/.+:v?\d+\.\d+/, image)
  for (const port of allIn(compose, /"([^"]+:\d+:\d+)"/g)) assert.match(port, /^127\.0\.0\.1:/, port)
  const grace = allIn(compose, /stop_grace_period: (\d+)s/g)
  for (const seconds of grace) assert.ok(Number(seconds) > Number(platform.DRAIN_SECONDS.fallback) + 8, seconds)
})

test('programs of compose start after the migration of their database', () => {
  for (const [anchor, migration] of [
    ['x-platform', 'migrate'],
    ['x-partner', 'migrate-partner'],
  ] as const) {
    const block = new RegExp(`^${anchor}:[\\s\\S]*?\\n\\n`, 'm').exec(compose)?.[0] ?? ''
    assert.match(block, new RegExp(`^ {4}${migration}: \\{ condition: service_completed_successfully \\}`, 'm'))
    assert.match(services.get(migration) ?? '', /restart: "no"[\s\S]*postgres: \{ condition|\*after-postgres/)
  }
})

test('the files of init, mounted by compose, give each program what it requires', () => {
  const guide = read('docs', 'how-to', 'install-with-compose.md')
  for (const program of ['platform', 'partner'] as const) {
    assert.ok(compose.includes(`env_file: ${program}/${program}.env`))
    assert.ok(compose.includes(`./${program}:/run/lendloom/${program}:ro`))
    const command = guide.split('\n').find((line) => line.includes(`lendloom init ${program}`)) ?? ''
    assert.ok(command.includes(`--mounted /run/lendloom/${program}`), command)
    const { questions, create, missing } = profiles[program]
    const made = create()
    const answers = {
      ...{ url: 'https://lend.example', database: 'postgres://lendloom:p@postgres/platform', network: 'preprod' },
      ...{ subscriber: 'lend.example', files: '/files' },
    } as Record<string, string>
    const answered = questions.flatMap(({ option, setting }) =>
      answers[option] === undefined ? [] : [[setting, answers[option]]],
    )
    const env = { SANDBOX: 'off', ...Object.fromEntries(answered), ...made.settings, ...made.secrets }
    const byHand = missing(env).map(({ name }) => name)
    for (const name of byHand) assert.ok(guide.includes(name), `the guide does not say that ${name} is missing`)
    const set = { MODE: 'api', OPERATIONS_PORT: '4001', PARTNER_MODE: 'worker', PARTNER_OPERATIONS_PORT: '4101' }
    assert.deepEqual(
      missing({ ...env, ...set }).map(({ name }) => name),
      byHand,
    )
  }
})
