// The hosted page in a browser that does not name a frame's parent: what it sends, to whom, and forged hellos.
import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'
import { type EmbedPlatform, linkToken, startEmbedPlatform, startHost } from '#test/setup/embed-platform.ts'
import { updateFor, viewAt } from '#test/setup/embed-views.ts'
import { pagesDirectory } from '#test/setup/pages.ts'
import { until } from '#test/setup/programs.ts'

const sandboxOrigins = ['http://localhost:*']
const hosts = new Map<string, string>()
const [host, otherHost] = await Promise.all([1, 2].map(() => startHost((path) => hosts.get(path) ?? '<title>Empty')))
const exactOrigin = host!.url
const platforms = {
  sandbox: await startEmbedPlatform(pagesDirectory, sandboxOrigins, { hasAncestorOrigins: false }),
  exact: await startEmbedPlatform(pagesDirectory, [exactOrigin], { hasAncestorOrigins: false }),
  /** A link whose page belongs to another application than its session. */
  otherSession: await startEmbedPlatform(pagesDirectory, sandboxOrigins, {
    hasAncestorOrigins: false,
    sessionOrigins: ['https://app.example'],
  }),
  /** A browser that names the parent. */
  named: await startEmbedPlatform(pagesDirectory, sandboxOrigins),
}
const all = [...Object.values(platforms), host!, otherHost!]
after(() => Promise.all(all.map((each) => each.stop())))

let context: BrowserContext
afterEach(() => context.close())

const view = () =>
  viewAt('KYC', { updates: [{ sequence: 1, payload: updateFor('STARTED') }], hostOrigins: [], pollAfterMs: null })
const addressAt = ({ url }: EmbedPlatform) => `${url}/lab/embed?lang=en#token=${linkToken}`
const frameTag = (src: string) =>
  `<iframe src="${src}" height="600" sandbox="allow-scripts allow-same-origin"></iframe>`
const recorder = `<script>received = []; addEventListener('message', ({ data, origin }) => received.push(data))</script>`
const hello = (frame: string, platform: EmbedPlatform) =>
  `${frame}.postMessage({ type: 'lab.hello' }, ${JSON.stringify(platform.url)})`

async function openPage(url: string): Promise<Page> {
  context = await openContext(await sharedBrowser())
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** Serves a page that frames the platform's page, and records messages without sending a hello. */
async function openPlainHost(platform: EmbedPlatform): Promise<Page> {
  platform.reset()
  platform.show(view())
  hosts.set('/plain', `<!doctype html><title>Host</title>${recorder}${frameTag(addressAt(platform))}`)
  const page = await openPage(`${exactOrigin}/plain`)
  await settled(page, platform)
  return page
}

const embedIn = (page: Page, { url }: EmbedPlatform): Frame => page.frames().find((each) => each.url().startsWith(url))!

/** Waits until the page shows the step, has tried to send its messages, and has processed messages sent to it so far. */
async function settled(page: Page, platform: EmbedPlatform): Promise<void> {
  await until('the page is framed', () => embedIn(page, platform) !== undefined)
  const frame = embedIn(page, platform)
  await frame.getByRole('heading', { name: 'Verify your identity' }).waitFor()
  await frame.evaluate(`new Promise((resolve) => {
    addEventListener('message', ({ data }) => data === 'last' && resolve())
    postMessage('last', '*')
  })`)
}

const typesIn = (frame: Frame | Page): Promise<string[]> =>
  frame.evaluate(`received.map(({ type, borrower }) => type ?? borrower.journey.status)`)
/** The messages that do not depend on the layout of the page. */
const mainTypes = async (frame: Frame | Page) =>
  (await typesIn(frame)).filter((type) => type !== 'lab.resize' && type !== 'lab.scroll')
const once = ['lab.ready', 'STARTED']

describe('D1 §6: a page that does not know its parent', () => {
  for (const name of ['sandbox', 'exact'] as const)
    test(`D1 §6.4: the SDK says hello, and gets each message once, from a page with ${name} origins`, async () => {
      const platform = platforms[name]
      platform.reset()
      platform.show(view())
      hosts.set(
        '/sdk',
        `<!doctype html><title>Host</title>${recorder}<div id="here"></div><script src="${platform.url}/sdk/lendloom.js"></script>
        <script>updates = []; Lendloom.mountLendloom({ container: here, embedUrl: '${addressAt(platform)}',
          onUpdate: (update) => updates.push(update.borrower.journey.status) })</script>`,
      )
      const page = await openPage(`${exactOrigin}/sdk`)
      await settled(page, platform)
      await until('the update arrives', async () => (await typesIn(page)).includes('STARTED'))
      await until('the frame is as high as its page', async () => {
        const content = await embedIn(page, platform).evaluate('Math.ceil(app.getBoundingClientRect().height)')
        return content !== 600 && Number(await page.locator('iframe').getAttribute('height')) === content
      })
      await embedIn(page, platform).evaluate('location.reload()')
      await until(
        'the page is ready again',
        async () => (await typesIn(page)).filter((each) => each === 'lab.ready').length === 2,
      )
      await settled(page, platform)
      assert.deepEqual(await mainTypes(page), ['lab.ready', 'STARTED', 'lab.ready'])
      assert.deepEqual(await page.evaluate('updates'), ['STARTED'])
    })

  test('a host on this machine gets nothing until its hello, then everything once and in order', async () => {
    const page = await openPlainHost(platforms.sandbox)
    assert.deepEqual(await typesIn(page), [])
    for (const _ of [1, 2, 3]) await page.evaluate(hello('frames[0]', platforms.sandbox))
    await until('the update arrives', async () => (await typesIn(page)).includes('STARTED'))
    await settled(page, platforms.sandbox)
    assert.deepEqual(await mainTypes(page), once)
  })

  test('a host with an exact origin needs no hello, and gets nothing twice after it', async () => {
    const page = await openPlainHost(platforms.exact)
    await until('the update arrives', async () => (await typesIn(page)).includes('STARTED'))
    await page.evaluate(hello('frames[0]', platforms.exact))
    await settled(page, platforms.exact)
    assert.deepEqual(await mainTypes(page), once)
  })
})

describe('D1 §6: forged hellos', () => {
  test('a parent that the session’s application does not allow gets no update, also after its hello', async () => {
    const page = await openPlainHost(platforms.otherSession)
    await page.evaluate(hello('frames[0]', platforms.otherSession))
    await settled(page, platforms.otherSession)
    assert.equal((await mainTypes(page)).includes('STARTED'), false)
  })

  test('another frame of the host cannot say hello in its place, nor the page’s own window', async () => {
    const platform = platforms.sandbox
    const page = await openPlainHost(platform)
    await page.evaluate(
      `new Promise((resolve) => document.body.append(Object.assign(document.createElement('iframe'), { src: '${otherHost!.url}/', onload: resolve })))`,
    )
    const sibling = page.frames().find((each) => each.url().startsWith(otherHost!.url))!
    await sibling.evaluate(`received = []; addEventListener('message', ({ data }) => received.push(data))`)
    await sibling.evaluate(hello('parent.frames[0]', platform))
    await embedIn(page, platform).evaluate(`postMessage({ type: 'lab.hello' }, '*')`)
    await settled(page, platform)
    assert.deepEqual(await typesIn(page), [])
    assert.deepEqual(await typesIn(sibling), [])
  })

  test('of nested frames only the parent gets messages, whichever window says hello first', async () => {
    const platform = platforms.sandbox
    platform.reset()
    platform.show(view())
    hosts.set('/plain', `<!doctype html><title>Host</title>${recorder}${frameTag(addressAt(platform))}`)
    hosts.set('/outer', `<!doctype html><title>Outer</title>${recorder}<iframe src="${otherHost!.url}/plain"></iframe>`)
    const page = await openPage(`${exactOrigin}/outer`)
    await settled(page, platform)
    await page.evaluate(hello('frames[0].frames[0]', platform))
    await settled(page, platform)
    const middle = page.frames().find((each) => each.url().startsWith(otherHost!.url))!
    assert.deepEqual(await typesIn(page), [])
    assert.deepEqual(await typesIn(middle), [])
    await middle.evaluate(hello('frames[0]', platform))
    await until('the update arrives', async () => (await typesIn(middle)).includes('STARTED'))
    assert.deepEqual(await typesIn(page), [])
    assert.deepEqual(await mainTypes(middle), once)
  })

  test('an opener gets nothing by a hello to the window that it opened', async () => {
    const platform = platforms.sandbox
    platform.reset()
    platform.show(view())
    hosts.set('/opener', `<!doctype html><title>Opener</title>${recorder}`)
    const page = await openPage(`${exactOrigin}/opener`)
    const opened = page.waitForEvent('popup')
    await page.evaluate(`void (opened = open('${addressAt(platform)}'))`)
    const popup = await opened
    await settled(popup, platform)
    await page.evaluate(`opened.postMessage({ type: 'lab.hello' }, '*')`)
    await settled(popup, platform)
    assert.deepEqual(await typesIn(page), [])
  })

  test('a host of an origin that no pattern covers cannot frame the page, so its hello reaches nothing', async () => {
    const platform = platforms.sandbox
    platform.reset()
    hosts.set('/plain', `<!doctype html><title>Host</title>${recorder}${frameTag(addressAt(platform))}`)
    const page = await openPage(`${exactOrigin.replace('localhost', '127.0.0.1')}/plain`)
    await until('the browser refuses', () => page.frames().some((each) => each.url().startsWith('chrome-error:')))
    await page.evaluate(`frames[0].postMessage({ type: 'lab.hello' }, '*')`)
    assert.deepEqual(await typesIn(page), [])
    assert.deepEqual(platform.acts, [])
  })

  test('a hello gives no instruction: other content in it, and other types, change nothing', async () => {
    const platform = platforms.sandbox
    const page = await openPlainHost(platform)
    const before = await embedIn(page, platform).evaluate('app.innerHTML')
    await page.evaluate(`for (const data of [
      { type: 'lab.hello', url: 'https://evil.example', origin: 'https://evil.example', hostOrigins: ['*'], borrower: {} },
      { type: 'lab.exit' }, { type: 'lab.resize', height: 1 }, { type: 'lab.session_expired' }, { type: 'lab.open', url: 'https://evil.example' },
      null, 'lab.hello', 'x'.repeat(5e6), { type: { toString: 'lab.hello' } },
    ]) frames[0].postMessage(data, '*')`)
    await settled(page, platform)
    assert.deepEqual(await mainTypes(page), once)
    const { acts, polls } = platform
    assert.deepEqual(
      acts.map(({ path }) => path),
      ['/session'],
    )
    assert.ok(polls.every(({ query }) => /^\?after=\d$/.test(query)))
    assert.equal(await embedIn(page, platform).evaluate('app.innerHTML'), before)
  })

  test('a browser that names the parent needs no hello', async () => {
    const page = await openPlainHost(platforms.named)
    await until('the update arrives', async () => (await typesIn(page)).includes('STARTED'))
    await page.evaluate(hello('frames[0]', platforms.named))
    await settled(page, platforms.named)
    assert.deepEqual(await mainTypes(page), once)
  })
})
