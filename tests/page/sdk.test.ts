// The browser SDK in a host page: loading, failures, heights, and hostile messages and hosts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { assertAccessible } from '#test/setup/accessibility.ts'
import type { OpenHostedPage } from '#test/setup/embed-page.ts'
import { embedPages } from '#test/setup/embed-pages.ts'
import { viewAt } from '#test/setup/embed-views.ts'
import { until } from '#test/setup/programs.ts'

const pages = embedPages()
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

/** A strict host: its policy forbids styles, and scripts other than the SDK's and its own. */
const hostPage = () => `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark">
<meta http-equiv="content-security-policy"
  content="default-src 'none'; script-src ${pages.platform.url} 'nonce-n'; frame-src ${pages.platform.url}">
<title>Host</title><main><h1>The app</h1><div id="here"></div><p id="below">Below</p></main>
<script src="${pages.platform.url}/sdk/${version}/lendloom.js"></script>
<script nonce="n">
  calls = []
  container = document.getElementById('here')
  note = (name) => (what) => void calls.push([name, what?.code ?? what?.type ?? what ?? ''].join(' ').trim())
  mount = (options) => (mounted = Lendloom.mountLendloom({ container, onReady: note('ready'), onExit: note('exit'),
    onError: note('error'), onOpen: note('open'), ...options }))
</script>`

type Host = OpenHostedPage & { embedUrl: string; mount(options?: string): Promise<void>; calls(): Promise<string[]> }

/** Opens the host page without a journey. */
async function openHost(): Promise<Host> {
  const opened = await pages.open(viewAt('OFFERS'))
  const { page } = opened
  const address = new URL(page.url())
  const embedUrl = address.searchParams.get('embed')!
  pages.host('/strict', hostPage())
  await page.goto(new URL('/strict', address).href)
  const mount = (options = '') => page.evaluate(`void mount({ embedUrl: '${embedUrl}', ${options} })`) as Promise<void>
  return { ...opened, embedUrl, mount, calls: () => page.evaluate('calls') }
}

/** Sends messages from the hosted page's own frame. */
const sendFromFrame = ({ page }: Host, ...messages: string[]) =>
  page.frames()[1]!.evaluate(`for (const message of [${messages}]) parent.postMessage(message, '*')`)
const calledWith = (host: Host, call: string) =>
  until(`the host learns: ${call}`, async () => (await host.calls()).includes(call))
/** Resolves when the host has received all messages sent so far. */
const delivered = (host: Host) =>
  host.page
    .frames()[1]!
    .evaluate(`parent.postMessage({ type: 'lab.exit' }, '*')`)
    .then(() => calledWith(host, 'exit'))

/** Holds the responses to requests of the hosted page until `release` is called. */
async function holdPage({ page }: Host): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/lab/embed*', async (route) => {
    await promise
    await route.continue().catch(() => {})
  })
  return resolve
}

describe('loading', () => {
  test('a skeleton takes the place of the frame until the page is ready, also under a strict policy', async () => {
    const host = await openHost()
    const { page } = host
    const release = await holdPage(host)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await host.mount()
    const skeleton = page.getByRole('progressbar', { name: 'Loan application' })
    await skeleton.waitFor()
    const box = page.locator('[data-lendloom]')
    assert.equal(await box.getAttribute('aria-busy'), 'true')
    const heightAndBelow = async () => [
      (await box.boundingBox())!.height,
      (await page.locator('#below').boundingBox())!.y,
    ]
    const loading = await heightAndBelow()
    assert.equal(loading[0], 600)
    const animations = () => page.evaluate('document.getAnimations().length')
    assert.equal(await animations(), 1)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.evaluate('mounted.unmount()')
      await host.mount()
      await assertAccessible(page, `the skeleton, ${colorScheme}`)
      assert.equal(await animations(), 0)
    }
    assert.deepEqual(await host.calls(), [])
    release()
    await host.frame.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    await calledWith(host, 'ready')
    assert.equal(await box.getAttribute('aria-busy'), null)
    assert.equal(await skeleton.count(), 0)
    await page.frames()[1]!.evaluate('location.reload()')
    await host.frame.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    await page.evaluate(`mounted.load('${host.embedUrl}')`)
    await skeleton.waitFor({ state: 'detached' })
    await delivered(host)
    assert.equal((await host.calls()).filter((call) => call === 'ready').length, 1, 'once per mount')
  })

  test('without a URL the skeleton waits, and load() continues', async () => {
    const host = await openHost()
    const { page, embedUrl } = host
    await page.evaluate('void mount({ embedUrl: null })')
    await page.getByRole('progressbar').waitFor()
    assert.equal((await page.locator('[data-lendloom]').boundingBox())!.height, 600)
    assert.equal(await page.locator('iframe').count(), 0)
    await page.evaluate(`
      mounted.unmount()
      container.style.height = '300px'
      mount({ embedUrl: null, height: 'container' })
    `)
    assert.equal((await page.getByRole('progressbar').locator('..').boundingBox())!.height, 300)
    await page.evaluate(`mounted.load('${embedUrl}')`)
    await host.frame.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
  })

  test('a page that becomes ready after the timeout replaces the retry button', async () => {
    const host = await openHost()
    const release = await holdPage(host)
    await host.mount('timeoutMs: 50')
    const retry = host.page.getByRole('alert').getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    await assertAccessible(host.page, 'the retry button')
    assert.deepEqual(await host.calls(), ['error TIMEOUT'])
    release()
    await retry.waitFor({ state: 'detached' })
    await host.frame.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    assert.deepEqual(await host.calls(), ['error TIMEOUT', 'ready'])
  })

  test('a page that becomes ready while a retry waits for a URL is not loaded again', async () => {
    const host = await openHost()
    const release = await holdPage(host)
    await host.mount('timeoutMs: 50, onExpired: () => new Promise((resolve) => { answer = resolve })')
    await host.page.getByRole('button', { name: 'Try again' }).click()
    release()
    await calledWith(host, 'ready')
    await host.page.evaluate(`answer(''), calls.splice(0)`)
    await delivered(host)
    assert.equal(await host.page.getByRole('progressbar').count(), 0)
  })

  test('a URL that the host loads while a retry waits for one is kept', async () => {
    const host = await openHost()
    const release = await holdPage(host)
    await host.mount('timeoutMs: 50, onExpired: () => new Promise((resolve) => { answer = resolve })')
    await host.page.getByRole('button', { name: 'Try again' }).click()
    const newer = host.embedUrl.replace('#', '&newer=1#')
    await host.page.evaluate(`mounted.load('${newer}'), answer('')`)
    release()
    await calledWith(host, 'ready')
    assert.equal(await host.page.evaluate('mounted.frame.src'), newer)
  })
})

describe('failures', () => {
  test('onError learns that the page failed, and that onExpired failed or returned the old URL', async () => {
    const host = await openHost()
    await host.mount(`onExpired: () => Promise.reject(new Error('down'))`)
    await calledWith(host, 'ready')
    await sendFromFrame(
      host,
      `{ type: 'lab.error', code: 'OFFLINE', retryable: true }`,
      `{ type: 'lab.session_expired' }`,
    )
    await calledWith(host, 'error RENEWAL')
    assert.deepEqual(await host.calls(), ['ready', 'error OFFLINE', 'error RENEWAL'])
    await host.page.evaluate('mounted.unmount()')
    for (const answer of [host.embedUrl, 'javascript:alert(1)']) {
      await host.page.evaluate('void calls.splice(0)')
      await host.mount(`onExpired: async () => '${answer}', onError: ({ code, cause }) => note(code)(cause.message)`)
      await calledWith(host, 'ready')
      await sendFromFrame(host, `{ type: 'lab.session_expired' }`)
      await until('onError is called', async () => (await host.calls()).length > 1)
      assert.match((await host.calls())[1]!, /^RENEWAL mountLendloom: (onExpired must return a new|embedUrl must be)/)
      await host.page.evaluate('mounted.unmount()')
    }
  })

  test('the frame is as high as its content, and a height that no page has is reported', async () => {
    const host = await openHost()
    await host.mount()
    const frame = host.page.locator('iframe')
    await host.frame.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    // Late resources such as fonts may change the height again.
    await until('the frame has the height of its content', async () => {
      const content = await host.page
        .frames()[1]!
        .evaluate(`document.getElementById('app').getBoundingClientRect().height`)
      return (await frame.getAttribute('height')) === String(Math.ceil(Number(content)))
    })
    const resizes = (...heights: string[]) =>
      sendFromFrame(host, ...heights.map((height) => `{ type: 'lab.resize', height: ${height} }`)).then(() =>
        delivered(host),
      )
    await resizes('12345.2')
    assert.equal((await frame.boundingBox())!.height, 12_346)
    await resizes('1e9', 'Infinity', '1e9', 'NaN', '"7"', 'null')
    assert.equal(await frame.getAttribute('height'), '12346')
    assert.deepEqual(await host.calls(), ['ready', 'exit', 'error HEIGHT', 'exit'])
  })
})

describe('hostile messages and hosts', () => {
  test('only the frame of the journey and the platform’s origin are heard', async () => {
    const host = await openHost()
    const { page } = host
    await host.mount()
    await host.frame.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    await page.evaluate(`
      forged = [{ type: 'lab.exit' }, { type: 'lab.resize', height: 50000 }, { type: 'lab.error', code: 'FORGED' }]
      for (const data of forged) {
        postMessage(data, '*')
        dispatchEvent(new MessageEvent('message', { data, origin: '${pages.platform.url}' }))
        dispatchEvent(new MessageEvent('message', { data, origin: location.origin, source: frames[0] }))
      }
    `)
    // Another frame of the platform's origin.
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${pages.platform.url}/lender' }))`,
    )
    await page.frameLocator('iframe >> nth=1').getByRole('heading', { name: 'The lender' }).waitFor()
    await page.frames().at(-1)!.evaluate(`parent.postMessage({ type: 'lab.exit' }, '*')`)
    await sendFromFrame(
      host,
      `{ type: 'lab.open', url: 'javascript:alert(1)' }`,
      `{ type: 'lab.open', url: 'https://a.example/' }`,
    )
    await calledWith(host, 'open https://a.example/')
    assert.deepEqual(await host.calls(), ['ready', 'open https://a.example/'])
  })

  test('two journeys on a page do not affect each other, and a container shows one', async () => {
    const host = await openHost()
    const { page } = host
    await host.mount()
    await page.evaluate(`
      first = mounted
      other = document.querySelector('main').appendChild(document.createElement('div'))
      second = mount({ container: other, embedUrl: '${host.embedUrl}', onReady: note('second ready'), onExit: note('second exit') })
    `)
    await calledWith(host, 'second ready')
    await calledWith(host, 'ready')
    assert.match(
      String(
        await page.evaluate(
          `{ let error; try { mount({ embedUrl: '${host.embedUrl}' }) } catch (e) { error = e }; String(error) }`,
        ),
      ),
      /TypeError: mountLendloom: container already shows a journey/,
    )
    await page.evaluate('first.unmount()')
    await page.frames().at(-1)!.evaluate(`parent.postMessage({ type: 'lab.exit' }, '*')`)
    await calledWith(host, 'second exit')
    assert.equal((await host.calls()).includes('exit'), false)
    await host.mount()
    assert.equal(await page.locator('iframe').count(), 2)
  })

  test('after unmounting, or without its container, a loading journey calls nothing', async () => {
    const host = await openHost()
    const { page } = host
    const release = await holdPage(host)
    await page.evaluate(`
      options = { embedUrl: '${host.embedUrl}', timeoutMs: 50 }
      mount(options)
      mounted.unmount()
      mounted.unmount()
      mounted.load('https://a.example')
      left = container.childElementCount
      mount(options)
      container.replaceChildren()
    `)
    assert.equal(await page.evaluate('left'), 0)
    // Ends after the time-outs of the same length, because it began later.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))')
    assert.deepEqual(await host.calls(), [])
    release()
    await host.mount()
    await calledWith(host, 'ready')
  })
})

test('the SDK has the version of its package', async () => {
  const { page } = await openHost()
  assert.equal(await page.evaluate('Lendloom.version'), version)
})
