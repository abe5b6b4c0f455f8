// The browser package, packed and installed in an app: types, imports and rendering on a server.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { controlMessages } from '@lendloom/wire/hosted/embed-message'
import { outdatedFiles } from '../../../tools/packages/generated.ts'
import { installPackage } from './consumer.ts'

const app = await installPackage('browser-sdk')
const read = (path: string) => readFileSync(join(app.directory, 'node_modules/@lendloom/embed', path), 'utf8')

test('the generated files of the packages match the API; npm run client regenerates them', async () => {
  assert.deepEqual(await outdatedFiles(), [])
})

test('the package has the repository’s version, no dependencies, and every file that its exports name', () => {
  const { version, dependencies, exports, ...rest } = JSON.parse(read('package.json'))
  assert.equal(version, JSON.parse(readFileSync('package.json', 'utf8')).version)
  assert.equal(dependencies, undefined)
  assert.equal(rest.private, undefined)
  for (const place of Object.values<string | object>(exports))
    for (const file of typeof place === 'string' ? [place] : Object.values(place)) assert.ok(read(file), file)
  assert.ok(app.packedFiles.includes('LICENSE') && app.packedFiles.includes('README.md'))
  assert.deepEqual(
    app.packedFiles.filter((path) => !/^(dist\/.*\.(js|d\.ts)|LICENSE|README\.md|package\.json)$/.test(path)),
    [],
  )
})

test('D1 §6.5: the README names every message of the page', () => {
  for (const message of controlMessages) assert.ok(read('README.md').includes(`\`${message}\``), message)
})

const consumer = `
import { mountLendloom, version, type ControlMessage, type JourneyError, type LifecycleUpdate, type MountedJourney } from '@lendloom/embed'
export const seen: string[] = [version]
const heightOf = (message: ControlMessage): number => (message.type === 'lab.resize' ? message.height : 0)
export function show(container: HTMLElement, embedUrl: string): MountedJourney {
  return mountLendloom({
    container,
    embedUrl,
    language: 'hi',
    onUpdate(update: LifecycleUpdate) {
      const amounts: string[] = update.borrower.journey.offers.map((offer) => offer.amount_principal)
      seen.push(update.borrower.journey.status, update.borrower.profile.personal.panName ?? '', ...amounts)
    },
    onReady: () => seen.push('ready'),
    onError: ({ code, retryable, cause }: JourneyError) => console.error(code, retryable, cause),
    onControl: (message) => void heightOf(message),
    onExpired: async () => embedUrl,
  })
}
// @ts-expect-error a container is needed
mountLendloom({ embedUrl: '' })
`

test('a TypeScript app compiles against the package, with module resolution of Node and of a bundler', () => {
  app.write('app.ts', consumer)
  app.check('app.ts', ['--types', '', '--lib', 'es2022,dom'])
  app.check('app.ts', ['--types', '', '--lib', 'es2022,dom', '--module', 'esnext', '--moduleResolution', 'bundler'])
})

const reactConsumer = `
import { useState } from 'react'
import { LendloomJourney, type JourneyError, type LifecycleStatus } from '@lendloom/embed/react'
export function Loan({ first }: { first: string | null }) {
  const [status, setStatus] = useState<LifecycleStatus>()
  const failed = ({ code, retryable }: JourneyError) => console.log(code, retryable)
  return (
    <main data-status={status}>
      <LendloomJourney url={first} className="loan" onUpdate={(update) => setStatus(update.borrower.journey.status)} onReady={() => setStatus(undefined)} onError={failed} onExit={() => {}} />
    </main>
  )
}
// @ts-expect-error url is needed
export const without = <LendloomJourney />
`

test('a React app compiles against the component, which renders an empty element on a server', () => {
  for (const name of ['react', 'react-dom', 'scheduler', '@types/react', 'csstype']) app.link(name)
  app.write('loan.tsx', reactConsumer)
  app.check('loan.tsx', ['--types', '', '--lib', 'es2022,dom', '--jsx', 'react-jsx'])
  app.write(
    'server.js',
    `import { createElement } from 'react'
     import { renderToString } from 'react-dom/server'
     import { LendloomJourney } from '@lendloom/embed/react'
     process.stdout.write(renderToString(createElement(LendloomJourney, { url: 'https://lendloom.example/lab/embed#token=bt', className: 'loan' })))`,
  )
  assert.equal(app.run('server.js'), '<div class="loan"></div>')
})

test('the package can be imported and required in Node, and mounting there throws a clear error', () => {
  app.write(
    'node.js',
    `import { createRequire } from 'node:module'
     import { mountLendloom } from '@lendloom/embed'
     const required = createRequire(import.meta.url)('@lendloom/embed')
     try { mountLendloom({ embedUrl: 'https://lendloom.example' }) } catch (error) {
       process.stdout.write([error.name, error.message, required.mountLendloom === mountLendloom, required.version].join(' | '))
     }`,
  )
  const { version } = JSON.parse(read('package.json'))
  assert.equal(
    app.run('node.js'),
    `TypeError | mountLendloom: container must be an element of your page | true | ${version}`,
  )
})

test('the global script defines only Lendloom', () => {
  const global: { Lendloom?: Record<string, unknown> } = {}
  runInNewContext(read('dist/lendloom.global.js'), global)
  assert.deepEqual(Object.keys(global), ['Lendloom'])
  assert.deepEqual(Object.keys(global.Lendloom ?? {}), ['mountLendloom', 'version'])
  assert.equal(global.Lendloom?.version, JSON.parse(read('package.json')).version)
})

test('the platform keeps the SDK of every release since it has addresses with a version', () => {
  const releases = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(
    ([, release]) => release!,
  )
  assert.equal(releases.at(-1), '0.1.0')
  const missing = releases
    .slice(0, -1)
    .filter((release) => !existsSync(`packages/browser-sdk/src/released/${release}/lendloom.js`))
  assert.deepEqual(missing, [], 'see Releases in CONTRIBUTING.md')
})

test('npm run packages writes to a folder that git ignores', () => {
  const ignored = execFileSync('git', ['check-ignore', 'dist/packages/browser-sdk/package.json'], { encoding: 'utf8' })
  assert.equal(ignored.trim(), 'dist/packages/browser-sdk/package.json')
})
