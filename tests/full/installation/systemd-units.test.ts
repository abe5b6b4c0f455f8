// The systemd units name only settings, programs and paths that exist.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settings as partner } from '@lendloom/partner/settings'
import { settings as platform } from '@lendloom/platform/settings'

const home = join(import.meta.dirname, '..', '..', '..')
const units = globSync('deploy/systemd/*.service', { cwd: home }).map((path) => ({
  path,
  text: readFileSync(join(home, path), 'utf8'),
}))
const linesOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

test('systemd units set existing settings, start existing programs, and ask for existing units', () => {
  assert.equal(units.length, 4)
  const known = new Set([...Object.keys(platform), ...Object.keys(partner), 'NODE_COMPILE_CACHE'])
  for (const { path, text } of units) {
    const names = linesOf(text, 'Environment').flatMap((line) =>
      [...line.matchAll(/(?:^|[" ])([A-Z_]+)=/g)].map(([, name]) => name),
    )
    for (const name of names) assert.ok(known.has(name ?? ''), `${path} sets ${name}`)
    for (const command of linesOf(text, 'ExecStart')) {
      const [program = ''] = /apps\/\S+\.ts/.exec(command) ?? []
      assert.ok(existsSync(join(home, program)), `${path} starts ${program}`)
    }
    for (const page of linesOf(text, 'Documentation'))
      assert.ok(existsSync(join(home, page.replace('file:///opt/lendloom/current/', ''))), `${path} links to ${page}`)
    for (const unit of linesOf(text, 'Requires'))
      assert.ok(
        units.some((other) => other.path.endsWith(unit.replace(/@.+\./, '@.'))),
        `${path} requires ${unit}`,
      )
  }
})

test('systemd units run without root and without capabilities, and wait for the end of a drain', () => {
  for (const { path, text } of units) {
    for (const [name, value] of [
      ['User', 'lendloom'],
      ['NoNewPrivileges', 'yes'],
      ['CapabilityBoundingSet', ''],
      ['ProtectSystem', 'strict'],
    ] as const)
      assert.deepEqual(linesOf(text, name), [value], `${path}: ${name}`)
    const program = /migrate@/.test(path) ? '%i' : /lendloom-(\w+)/.exec(path)?.[1]
    assert.deepEqual(linesOf(text, 'BindReadOnlyPaths'), [`/etc/lendloom/${program}`], path)
    assert.deepEqual(linesOf(text, 'EnvironmentFile'), [`/etc/lendloom/${program}/${program}.env`], path)
    const [stopSeconds = '90'] = linesOf(text, 'TimeoutStopSec')
    const drainSeconds = Number(platform.DRAIN_SECONDS.fallback)
    assert.ok(Number(stopSeconds) > drainSeconds + 8, `${path} is killed after ${stopSeconds} s`)
  }
})

test('the command line of a server reads the environment file of a unit, as its user, and starts an existing file', () => {
  const script = readFileSync(join(home, 'deploy', 'systemd', 'lendloom'), 'utf8')
  assert.ok(existsSync(join(home, /\/opt\/lendloom\/current\/(\S+)/.exec(script)?.[1] ?? 'none')))
  for (const { path, text } of units) {
    const program = /partner/.test(path) ? 'partner' : 'platform'
    const file = linesOf(text, 'EnvironmentFile')[0]?.replaceAll('%i', program).replaceAll(program, '$program')
    assert.ok(script.includes(`EnvironmentFile="${file}"`), path)
    assert.ok(script.includes(`--uid=${linesOf(text, 'User')}`), path)
  }
})

test('every unit stands in the guide', () => {
  const guide = readFileSync(join(home, 'docs', 'how-to', 'install-with-systemd.md'), 'utf8')
  for (const { path } of units)
    assert.ok(guide.includes(path.slice('deploy/systemd/'.length, -'.service'.length).replace('@', '')), path)
})
