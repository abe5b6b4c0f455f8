// The files for compose name only settings, paths, ports, services and files that exist.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { profiles } from '@lendloom/cli/src/init/profiles.ts'
import { commands } from '@lendloom/cli/src/main.ts'
import { realPrograms } from '@lendloom/cli/src/program-names.ts'
import { settings as startSettings } from '@lendloom/cli/src/start/settings.ts'
import { healthRoutes } from '@lendloom/http/health-routes'
import { settings as partner } from '@lendloom/partner/settings'
import { settings as platform } from '@lendloom/platform/settings'
import { settings as sandbox } from '@lendloom/sandbox/settings'
import { parse } from 'yaml'
import type { Manifest } from '#test/setup/helm.ts'

const page = 'docs/how-to/install-with-compose.md'
const folder = 'deploy/compose'
const read = (name: string): Manifest => parse(readFileSync(join(folder, name), 'utf8'), { merge: true })
const compose = read('compose.yaml')
const services: [string, Manifest][] = Object.entries(compose.services)
const ours = services.filter(([, { image }]) => image.startsWith('localhost/lendloom'))
const guide = readFileSync(page, 'utf8')
const paths = new Set(healthRoutes().map(({ path }) => path))

test('D1 §5: Caddy closes an idle connection to a program before the program does', () => {
  const [, seconds] = /keepalive (\d+)s/.exec(readFileSync(join(folder, 'Caddyfile'), 'utf8')) ?? []
  assert.ok(Number(seconds) + 5 < Number(platform.HTTP_KEEP_ALIVE_SECONDS.fallback))
})

test(`${page}: programs get existing settings and the commands of their names`, () => {
  assert.equal(ours.length, 7)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const known = new Set([
    ...[platform, partner, sandbox, startSettings].flatMap((each) => Object.keys(each)),
    'HEALTH_URL',
    'OTEL_TRACES_EXPORTER',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
  ])
  for (const [name, { image, environment = {}, command }] of ours) {
    assert.equal(image, `localhost/lendloom:${version}`)
    for (const setting of Object.keys(environment)) assert.ok(known.has(setting), `${name}: ${setting}`)
    assert.ok(command[0] in commands, `${name}: ${command}`)
    if (command[0] === 'run') assert.equal(command[1], name.split('-')[0])
  }
  const modes = ours.flatMap(([, { environment = {} }]) => environment.MODE ?? environment.PARTNER_MODE ?? [])
  assert.deepEqual(modes, ['api', 'worker', 'api', 'worker'])
  for (const mode of modes) assert.equal(platform.MODE.read(mode), mode)
})

test(`${page}: health checks, published ports and Prometheus use the ports of the programs`, () => {
  for (const [name, { environment = {}, healthcheck, ports }] of ours) {
    if (healthcheck.disable) continue
    const { port, pathname } = new URL(environment.HEALTH_URL)
    assert.ok(paths.has(pathname), pathname)
    const operations = environment.OPERATIONS_PORT ?? environment.PARTNER_OPERATIONS_PORT ?? platform.PORT.fallback
    assert.equal(port, operations, name)
    const [job, role] = name.split('-')
    if (role) {
      const { dns_sd_configs: targets } = read('prometheus.yml').scrape_configs.find(
        (each: Manifest) => each.job_name === job,
      )
      assert.ok(targets[0].names.includes(name) && String(targets[0].port) === operations, name)
    }
    const { fallback } = job === 'partner' ? partner.PARTNER_PORT : platform.PORT
    if (ports) assert.equal(ports[0], `127.0.0.1:${fallback}:${fallback}`)
  }
})

test(`${page}: files, volumes, secrets and services that are named exist`, () => {
  const passwords = /for name in (.+); do openssl/.exec(guide)?.[1]?.split(' ') ?? []
  assert.deepEqual(passwords.toSorted(), Object.keys(compose.secrets).sort())
  const made = ['./platform', './partner', './files', './demo']
  for (const [name, { volumes = [], secrets = [], depends_on: before = {} }] of services) {
    for (const volume of volumes) {
      const [source] = volume.split(':')
      const isThere = source.startsWith('.')
        ? made.includes(source) || existsSync(join(folder, source))
        : source in compose.volumes
      assert.ok(isThere, `${name}: ${volume}`)
    }
    for (const secret of secrets) assert.ok(secret in compose.secrets, `${name}: ${secret}`)
    for (const other of Object.keys(before)) assert.ok(other in compose.services, `${name}: ${other}`)
  }
  for (const target of readFileSync(join(folder, 'Caddyfile'), 'utf8').matchAll(/reverse_proxy ([\w-]+):/g))
    assert.ok((target[1] ?? '') in compose.services, target[1])
  for (const name of new Set(services.flatMap(([, { profiles: names = [] }]) => names)))
    assert.ok(guide.includes(`\`${name}\``) || guide.includes(`up -d ${name}`), `the guide names the profile ${name}`)
})

test(`${page}: no service writes to its image or gets more rights, ours have no capability and are not root`, () => {
  for (const [name, service] of services) {
    const { read_only: isReadOnly, cap_drop: dropped, security_opt: options, image, ports = [] } = service
    assert.equal(isReadOnly, true, name)
    assert.deepEqual(dropped, ['ALL'], name)
    assert.deepEqual(options, ['no-new-privileges:true'], name)
    assert.match(image, /:v?\d+\.\d+[\w.-]*$/, `${name} is pinned`)
    if (name !== 'caddy') for (const port of ports) assert.match(port, /^127\.0\.0\.1:/, name)
  }
  for (const [name, { user, cap_add: added, stop_grace_period: grace }] of ours) {
    assert.match(user, /^[1-9]\d*:[1-9]\d*$/, name)
    assert.equal(added, undefined, name)
    assert.ok(Number.parseInt(grace, 10) > Number(platform.DRAIN_SECONDS.fallback) + 8, name)
  }
})

test(`${page}: programs start after the migration of their database, and with what init makes`, () => {
  for (const program of realPrograms) {
    const migration = program === 'platform' ? 'migrate' : `migrate-${program}`
    assert.deepEqual(compose.services[migration].command, ['migrate', '--program', program])
    assert.deepEqual(compose.services[migration].depends_on, { postgres: { condition: 'service_healthy' } })
    for (const role of ['api', 'worker']) {
      const service = compose.services[`${program}-${role}`]
      assert.deepEqual(service.depends_on, { [migration]: { condition: 'service_completed_successfully' } })
      assert.equal(service.env_file[0].path, `${program}/${program}.env`)
      assert.equal(service.volumes[0], `./${program}:/run/lendloom/${program}:ro`)
    }
    const command = guide.split('\n').find((line) => line.includes(`lendloom init ${program} `)) ?? ''
    assert.ok(command.includes(`--mounted /run/lendloom/${program} `), command)
    const database = `postgres://${program}:$(cat passwords/${program})@postgres/${program}`
    assert.ok(command.includes(database), command)
    const byHand = profiles[program].missing({ SANDBOX: 'off' }).filter(({ fields }) => fields.length > 0)
    for (const { name } of byHand) assert.ok(guide.includes(name), `the guide does not say that ${name} is missing`)
  }
})

test(`${page}: the script of the databases gives each program a role of its own`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-compose-'))
  after(() => rmSync(directory, { recursive: true }))
  // Records what psql gets.
  writeFileSync(join(directory, 'psql'), '#!/bin/sh\necho "$*"\n[ -t 0 ] || cat\n', { mode: 0o755 })
  const script = readFileSync(join(folder, 'databases.sh'), 'utf8')
  for (const name of ['platform', 'partner', 'demo']) writeFileSync(join(directory, name), `secret-of-${name}\n`)
  const env = { ...process.env, PATH: `${directory}:${process.env.PATH}` }
  const text = execFileSync('/bin/sh', ['-c', script.replaceAll('/run/secrets', directory)], { env, encoding: 'utf8' })
  for (const name of ['platform', 'partner', 'demo'])
    assert.match(text, new RegExp(`name=${name} .*password=secret-of-${name}\\ncreate role`))
})
