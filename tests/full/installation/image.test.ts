// The image: its user, its files, and the licences of what it contains.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { settings } from '@lendloom/platform/settings'
import { bundled, licencesOf } from '../../../deploy/image/licences.ts'

const stage =
  readFileSync('Containerfile', 'utf8')
    .split(/^(?=FROM )/m)
    .at(-1) ?? ''
const allIn = (pattern: RegExp): string[] => [...stage.matchAll(pattern)].map(([, found = '']) => found)

test('Containerfile: an unprivileged user, existing settings, and the command line as entry point', () => {
  const [[uid = ''] = []] = allIn(/^USER (.+)/gm).map((user) => user.split(':'))
  assert.match(uid, /^[1-9]\d{4}$/, 'a number, which Kubernetes can compare with root')
  const names = Array.from(/^ENV (.*)$/m.exec(stage)?.[1]?.matchAll(/([A-Z_]+)=/g) ?? [], ([, name = '']) => name)
  assert.deepEqual(
    names.filter((name) => !(name in settings)),
    ['NODE_ENV', 'HEALTH_URL'],
  )
  assert.equal(allIn(/HEALTH_URL=http:\/\/127\.0\.0\.1:(\d+)\/healthz/g).join(), settings.PORT.fallback)
  const [entry] = allIn(/^ENTRYPOINT \["(\S+)"\]$/gm)
  assert.ok(stage.includes(` /usr/local/bin/${entry}\n`))
  assert.deepEqual(allIn(/^CMD (.+)$/gm), ['["run", "platform"]'])
})

test('docs/how-to/run-in-production.md: each package in the image has an accepted licence', () => {
  const licences = licencesOf()
  const dependencies = globSync('{apps,packages}/*/package.json').flatMap((path) =>
    Object.keys(JSON.parse(readFileSync(path, 'utf8')).dependencies ?? {}).filter(
      (name) => !name.startsWith('@lendloom/'),
    ),
  )
  assert.ok(dependencies.length > 30)
  for (const name of [...dependencies, ...bundled])
    assert.ok(licences.find((each) => each.name === name)?.licence, name)
  assert.ok(licences.filter(({ text }) => text.length > 500).length > licences.length * 0.9)
})

test('every package that the build copies into the pages is among the licences', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const sources = globSync('{apps/{console,demo,page}/src,packages/browser-sdk/src,tools/web}/**/*.{ts,tsx}').filter(
    (path) => !/\.test\.|build|prerender/.test(path),
  )
  const imported = sources.flatMap((path) =>
    Array.from(
      readFileSync(path, 'utf8').matchAll(/from '((?:@[^/']+\/)?[^/'.#:]+)(?=['/])/g),
      ([, name = '']) => name,
    ),
  )
  const names = new Set(imported.filter((name) => name in devDependencies))
  // The integrator's own React runs our component.
  names.delete('react')
  assert.ok(names.has('preact') && names.size > 3)
  assert.deepEqual(
    [...names].filter((name) => !bundled.includes(name)),
    [],
  )
})

test('Containerfile and workflows name base images and actions by digest', () => {
  const images = readFileSync('Containerfile', 'utf8').match(/^FROM .+/gm) ?? []
  const actions = globSync('.github/workflows/*.yml').flatMap(
    // A workflow of this repository has no version of its own.
    (path) => readFileSync(path, 'utf8').match(/uses: (?!\.\/).+/g) ?? [],
  )
  assert.ok(images.length === 3 && actions.length > 10)
  for (const each of images) assert.match(each, /@sha256:[0-9a-f]{64}( AS \w+)?$/)
  for (const each of actions) assert.match(each, /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})
