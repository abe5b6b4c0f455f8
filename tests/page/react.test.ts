// The packaged React component in a real browser, in strict mode.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { build, type Rolldown } from 'vite'
import { buildPackagesOnce, temporaryFolder } from '#test/full/packages/consumer.ts'
import type { OpenHostedPage } from '#test/setup/embed-page.ts'
import { embedPages } from '#test/setup/embed-pages.ts'
import { updateFor, viewAt } from '#test/setup/embed-views.ts'
import { until } from '#test/setup/programs.ts'

const root = join(import.meta.dirname, '..', '..')
const pages = embedPages()

/** The test app: `show(props, suffix)` renders the component, `notes` records its callbacks with the suffix. */
const app = `
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { LendloomJourney } from '@lendloom/embed/react'
window.notes = []
const root = createRoot(document.getElementById('app'))
const note = (name) => (what) => void notes.push([name, what?.borrower?.journey.status ?? what?.code ?? ''].join(' '))
window.remove = () => root.unmount()
window.show = (props, suffix = '') => root.render(createElement(StrictMode, null, createElement(LendloomJourney, {
  onReady: note('ready' + suffix), onUpdate: note('update' + suffix), onError: note('error' + suffix), onExit: note('exit' + suffix),
  onControl: (message) => note('control' + suffix)({ code: message.type }), ...props,
  ...(props.next && { onExpired: async () => { show({ url: props.next }); return props.next } }),
})))`

let script = ''
before(async () => {
  const directory = temporaryFolder('lendloom-react-')
  writeFileSync(join(directory, 'app.js'), app)
  const modules = join(root, 'node_modules')
  const output = await build({
    root: directory,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: {
      alias: {
        '@lendloom/embed/react': join(await buildPackagesOnce(), 'browser-sdk', 'dist', 'react.js'),
        'react-dom': join(modules, 'react-dom'),
        react: join(modules, 'react'),
      },
    },
    build: { write: false, minify: false, lib: { entry: join(directory, 'app.js'), formats: ['iife'], name: 'App' } },
  })
  const [bundle] = [output].flat() as Rolldown.RolldownOutput[]
  script = bundle!.output[0].code
})

/** Opens the test app on an allowed host, and returns the URL for the component. */
async function appPage(view: Parameters<typeof pages.open>[0]): Promise<OpenHostedPage & { embedUrl: string }> {
  const opened = await pages.open(view)
  await opened.frame.getByRole('heading').first().waitFor()
  const address = new URL(opened.page.url())
  const embedUrl = address.searchParams.get('embed')!
  const body = `<!doctype html><html lang="en"><title>React</title><div id="app"></div><script>${script}</script>`
  pages.host('/react', body)
  await opened.page.goto(new URL('/react', address).href)
  pages.platform.reset()
  return { ...opened, embedUrl }
}

const notes = ({ page }: OpenHostedPage): Promise<string[]> => page.evaluate('notes')
const sessions = () => pages.platform.acts.filter(({ path }) => path === '/session').length
const show = (opened: OpenHostedPage, props: object, suffix = '') =>
  opened.page.evaluate(`show(${JSON.stringify(props)}, ${JSON.stringify(suffix)})`)

test('D1 §6.4: strict mode creates one frame and one session, and the latest callback gets each update once', async () => {
  const updates = [{ sequence: 1, payload: updateFor('STARTED') }]
  const opened = await appPage(viewAt('PROFILE', { updates }))
  await show(opened, { url: null })
  await opened.page.getByRole('progressbar').waitFor()
  assert.equal(await opened.page.locator('iframe').count(), 0)
  await show(opened, { url: opened.embedUrl })
  await until('the first update', async () => (await notes(opened)).includes('update STARTED'))
  assert.equal(await opened.page.locator('iframe').count(), 1)
  assert.equal(sessions(), 1)
  assert.equal((await notes(opened)).filter((note) => note === 'ready ').length, 1)
  assert.equal(await opened.page.getByRole('progressbar').count(), 0)
  const more = [...updates, { sequence: 2, payload: updateFor('PROFILED') }]
  pages.platform.show(viewAt('SEARCHING', { updates: more, pollAfterMs: null }))
  await show(opened, { url: opened.embedUrl, title: 'Ignored' }, ' newer')
  await opened.pollAgain()
  await until('the second update', async () => (await notes(opened)).some((note) => note.endsWith('PROFILED')))
  const received = (await notes(opened)).filter((note) => note.startsWith('update'))
  assert.deepEqual(received, ['update STARTED', 'update newer PROFILED'])
  assert.equal(sessions(), 1, 'another render starts no session')
})

test('D1 §5: an expired session continues with a new URL, and unmounting removes frame and listeners', async () => {
  const opened = await appPage(viewAt('KYC'))
  const next = `${opened.embedUrl}&fresh`
  await show(opened, { url: opened.embedUrl, next })
  await until('the page is ready', async () => (await notes(opened)).includes('control lab.ready'))
  pages.platform.refuse('GET /journey', 401, 'AUTH_INVALID_SESSION')
  await opened.pollAgain()
  await until('the second session', () => sessions() === 2)
  await opened.frame.getByRole('heading', { name: 'Verify your identity' }).waitFor()
  assert.equal(await opened.page.locator('iframe').count(), 1)
  assert.equal(sessions(), 2)
  await opened.page.evaluate('remove()')
  assert.equal(await opened.page.locator('iframe').count(), 0)
  const before = await notes(opened)
  await opened.page.evaluate('postMessage({ type: "lab.exit" }, "*")')
  assert.deepEqual(await notes(opened), before)
})

test('a spent link calls the callbacks', async () => {
  const opened = await appPage(viewAt('PROFILE'))
  const spent = opened.embedUrl.replace(/token=.*/, 'token=bt_spent')
  await show(opened, { url: spent })
  await opened.frame.getByRole('button', { name: 'Back to the app' }).click()
  await until('the exit', async () => (await notes(opened)).includes('exit '))
  const lastNotes = await notes(opened)
  assert.ok(lastNotes.includes('control lab.session_expired'))
  assert.ok(!lastNotes.some((note) => note.startsWith('error')))
})

test('failures reach onError of the newest render, and unmounting while the page loads leaves nothing', async () => {
  const opened = await appPage(viewAt('PROFILE'))
  await opened.page.route('**/lab/embed*', () => new Promise(() => {}))
  // With running timers, a slow machine could time out before the second render. `page.clock` would stop every later page too.
  await opened.page.evaluate('held = [], setTimeout = (act, ms) => held.push({ act, ms })')
  await show(opened, { url: opened.embedUrl, timeoutMs: 50 })
  await show(opened, { url: opened.embedUrl, timeoutMs: 50 }, ' newer')
  await opened.page.waitForFunction('held.some(({ ms }) => ms === 50)')
  await opened.page.evaluate('held.findLast(({ ms }) => ms === 50).act()')
  await until('the timeout', async () => (await notes(opened)).some((note) => note.startsWith('error')))
  assert.deepEqual(await notes(opened), ['error newer TIMEOUT'])
  await opened.page.evaluate('remove()')
  assert.equal(await opened.page.locator('[data-lendloom]').count(), 0)
})
