// The React component in a real browser, as it is in the package, in strict mode: one journey, the newest callbacks, no traces.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { build, type Rolldown } from 'vite'
import { builtPackages, temporary } from '#test/packages/consumer.ts'
import type { Opened } from '#test/setup/embed-page.ts'
import { embedPages } from '#test/setup/embed-pages.ts'
import { updateFor, viewAt } from '#test/setup/embed-views.ts'
import { until } from '#test/setup/programs.ts'

const root = join(import.meta.dirname, '..', '..')
const pages = embedPages()

/** `show(props)` renders the component anew with these props beside what is noted; `notes` is what its callbacks were told. */
const app = `
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { LendloomJourney } from '@lendloom/embed/react'
window.notes = []
const root = createRoot(document.getElementById('app'))
const note = (name) => (what) => void notes.push([name, what?.borrower?.journey.status ?? what?.code ?? ''].join(' '))
window.remove = () => root.unmount()
window.show = (props, as = '') => root.render(createElement(StrictMode, null, createElement(LendloomJourney, {
  onUpdate: note('update' + as), onError: note('error' + as), onExit: note('exit' + as),
  onControl: (message) => note('control' + as)({ code: message.type }), ...props,
  ...(props.next && { onExpired: async () => { show({ url: props.next }); return props.next } }),
})))`

let script = ''
before(async () => {
  const directory = temporary('lendloom-react-')
  writeFileSync(join(directory, 'app.js'), app)
  const modules = join(root, 'node_modules')
  const made = await build({
    root: directory,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: {
      alias: {
        '@lendloom/embed/react': join(await builtPackages(), 'embed', 'dist', 'react.js'),
        'react-dom': join(modules, 'react-dom'),
        react: join(modules, 'react'),
      },
    },
    build: { write: false, minify: false, lib: { entry: join(directory, 'app.js'), formats: ['iife'], name: 'App' } },
  })
  const [bundle] = [made].flat() as Rolldown.RolldownOutput[]
  script = bundle!.output[0].code
})

/** A page of the allowed host that holds the app, and the address that the component is given. */
async function appPage(view: Parameters<typeof pages.open>[0]): Promise<Opened & { embedUrl: string }> {
  const one = await pages.open(view)
  await one.inside.getByRole('heading').first().waitFor()
  const address = new URL(one.page.url())
  const embedUrl = address.searchParams.get('embed')!
  const body = `<!doctype html><html lang="en"><title>React</title><div id="app"></div><script>${script}</script>`
  pages.host('/react', body)
  await one.page.goto(new URL('/react', address).href)
  pages.platform.forget()
  return { ...one, embedUrl }
}

const notes = ({ page }: Opened): Promise<string[]> => page.evaluate('notes')
const sessions = () => pages.platform.acts.filter(({ path }) => path === '/session').length
const show = (one: Opened, props: object, as = '') =>
  one.page.evaluate(`show(${JSON.stringify(props)}, ${JSON.stringify(as)})`)

test('D1 §6.4: in strict mode there is one frame and one session, and the newest callback is told, each update once', async () => {
  const updates = [{ sequence: 1, payload: updateFor('STARTED') }]
  const one = await appPage(viewAt('PROFILE', { updates }))
  await show(one, { url: null })
  assert.equal(await one.page.locator('iframe').count(), 0)
  await show(one, { url: one.embedUrl })
  await until('the first update', async () => (await notes(one)).includes('update STARTED'))
  assert.equal(await one.page.locator('iframe').count(), 1)
  assert.equal(sessions(), 1)
  const more = [...updates, { sequence: 2, payload: updateFor('PROFILED') }]
  pages.platform.show(viewAt('SEARCHING', { updates: more, pollAfterMs: null }))
  await show(one, { url: one.embedUrl, title: 'Ignored' }, ' newer')
  await one.askAgain()
  await until('the second update', async () => (await notes(one)).some((note) => note.endsWith('PROFILED')))
  const received = (await notes(one)).filter((note) => note.startsWith('update'))
  assert.deepEqual(received, ['update STARTED', 'update newer PROFILED'])
  assert.equal(sessions(), 1, 'rendering anew loads nothing')
})

test('D1 §5: a session that has ended goes on with the fresh address, loaded once; unmounting leaves nothing', async () => {
  const one = await appPage(viewAt('KYC'))
  const next = `${one.embedUrl}&fresh`
  await show(one, { url: one.embedUrl, next })
  await until('the page is ready', async () => (await notes(one)).includes('control lab.ready'))
  pages.platform.refuse('GET /journey', 401, 'AUTH_INVALID_SESSION')
  await one.askAgain()
  await until('the second session', () => sessions() === 2)
  await one.inside.getByRole('heading', { name: 'Verify your identity' }).waitFor()
  assert.equal(await one.page.locator('iframe').count(), 1)
  assert.equal(sessions(), 2)
  await one.page.evaluate('remove()')
  assert.equal(await one.page.locator('iframe').count(), 0)
  const before = await notes(one)
  await one.page.evaluate('postMessage({ type: "lab.exit" }, "*")')
  assert.deepEqual(await notes(one), before)
})

test('a spent link, told as an error or an end, reaches the callbacks', async () => {
  const one = await appPage(viewAt('PROFILE'))
  const spent = one.embedUrl.replace(/token=.*/, 'token=bt_spent')
  await show(one, { url: spent })
  await one.inside.getByRole('button', { name: 'Back to the app' }).click()
  await until('the exit', async () => (await notes(one)).includes('exit '))
  assert.ok((await notes(one)).includes('control lab.session_expired'))
})
