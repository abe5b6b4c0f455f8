// The hosted page in a frame: messages to the host, sessions, failures, the SDK, and the lender's page.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenHostedPage } from '#test/setup/embed-page.ts'
import { embedPages } from '#test/setup/embed-pages.ts'
import { startHost } from '#test/setup/embed-platform.ts'
import { kaveri, updateFor, viewAt } from '#test/setup/embed-views.ts'
import { until } from '#test/setup/programs.ts'

const pages = embedPages({ allowsErrors: true })
const { open } = pages

const statuses = async ({ messages }: OpenHostedPage) =>
  (await messages()).flatMap(({ borrower }) => borrower?.journey.status ?? [])
const types = async ({ messages }: OpenHostedPage) => (await messages()).flatMap(({ type }) => type ?? [])
/** Waits until the host has received a message of this type. */
const waitForMessage = (hosted: OpenHostedPage, type: string) =>
  until(`the host receives ${type}`, async () => (await types(hosted)).includes(type))

/** Divides the page's retry delays by fifty. */
const shortenRetries = ({ page }: OpenHostedPage) =>
  page.frames()[1]!.evaluate('{ const wait = setTimeout; setTimeout = (act, ms) => wait(act, ms / 50) }')

describe('D1 §6: the browser message to the parent window', () => {
  test('D1 §6.4: each update is relayed unchanged, once, and acknowledged to the platform', async () => {
    const updates = [{ sequence: 1, payload: updateFor('STARTED') }]
    const hosted = await open(viewAt('PROFILE', { updates }))
    await until('the update arrives', async () => (await statuses(hosted)).length > 0)
    const [message] = (await hosted.messages()).filter(({ borrower }) => borrower)
    assert.deepEqual(message, updateFor('STARTED'))
    await until('the next poll acknowledges the update', () =>
      pages.platform.polls.some(({ query }) => query === '?after=1'),
    )
    const more = [...updates, { sequence: 2, payload: updateFor('PROFILED') }]
    pages.platform.show(viewAt('SEARCHING', { updates: more, pollAfterMs: null }))
    await hosted.pollAgain()
    await until('the second update arrives', async () => (await statuses(hosted)).length > 1)
    await hosted.page.frames()[1]!.evaluate('location.reload()')
    await hosted.frame.getByRole('heading', { name: 'Looking for offers' }).waitFor()
    assert.deepEqual(await statuses(hosted), ['STARTED', 'PROFILED'])
    const delivered = await hosted.page.evaluate('updates.map((update) => update.borrower.journey.status)')
    assert.deepEqual(delivered, ['STARTED', 'PROFILED'], 'the SDK delivers each update once')
  })

  test('D1 §6.5: control messages have a type and no borrower, and the frame is as high as its content', async () => {
    const hosted = await open(viewAt('OFFERS'))
    await hosted.frame.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    await waitForMessage(hosted, 'lab.resize')
    assert.equal((await types(hosted))[0], 'lab.ready')
    for (const message of await hosted.messages()) assert.equal('type' in message, !('borrower' in message))
    // Late resources such as fonts may change the height again.
    await until('the frame has the last reported height', async () => {
      const { height } = (await hosted.page.locator('iframe').boundingBox())!
      return height === (await hosted.messages()).findLast(({ type }) => type === 'lab.resize')!.height
    })
    await hosted.frame.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await waitForMessage(hosted, 'lab.scroll')
  })

  test('in a container of fixed height the page scrolls inside, and its main button stays visible', async () => {
    pages.host(
      '/full',
      `<!doctype html><title>Host</title><div id="here" style="height: 500px"></div><script src="${pages.platform.url}/sdk/lendloom.js"></script>
      <script>window.mounted = Lendloom.mountLendloom({ container: document.getElementById('here'), height: 'container',
        embedUrl: decodeURIComponent(location.hash.slice(1)) })</script>`,
    )
    const { page, frame } = await open(viewAt('FINAL_OFFER'))
    const embed = new URL(page.url()).searchParams.get('embed')!
    await page.goto(`${new URL('/full', page.url())}#${encodeURIComponent(embed)}`)
    const accept = frame.getByRole('button', { name: 'Accept this loan' })
    await accept.waitFor()
    const assertButtonVisible = async () => {
      const button = (await accept.boundingBox())!
      const frame = (await page.locator('iframe').boundingBox())!
      assert.equal(frame.height, 500)
      assert.ok(button.y + button.height <= frame.y + frame.height, 'the button is within the frame')
    }
    await assertButtonVisible()
    await page.frames()[1]!.evaluate('scrollTo(0, 600)')
    await assertButtonVisible()
    await frame.getByRole('button', { name: 'Decline' }).click()
    await frame.getByRole('heading', { name: 'Decline ₹2,00,000 from Kaveri Bank?' }).waitFor()
    assert.equal(await page.frames()[1]!.evaluate('scrollY'), 0, 'a new screen starts at its top')
  })

  test('a host that is not allowed can neither show the page nor receive messages', async () => {
    const otherHost = await startHost(() => '')
    const hosted = await open(viewAt('PROFILE'))
    await until('the allowed host receives a message', async () => (await types(hosted)).length > 0)
    const { page } = hosted
    await page.goto(otherHost.url)
    const embed = page.frames()[0]!
    await embed.evaluate(`
      messages = []
      addEventListener('message', (event) => messages.push(event.data))
      document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(`${pages.platform.url}/lab/embed#token=bt_test_single-use`)} }))
    `)
    await until('the browser refuses', () => page.frames().some((frame) => frame.url().startsWith('chrome-error:')))
    assert.deepEqual(await page.evaluate('messages'), [])
    await otherHost.stop()
  })

  test('D1 §5: a link works in a separate window, and its token is removed from the URL', async () => {
    const { page } = await open(viewAt('KYC'))
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByRole('heading', { name: 'Verify your identity' }).waitFor()
    assert.equal(page.url(), `${pages.platform.url}/lab/embed?lang=en`)
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0)
    await page.reload()
    await page.getByRole('heading', { name: 'Verify your identity' }).waitFor()
  })
})

describe('D1 §5: expired links and sessions', () => {
  test('a spent link shows a message and notifies the host', async () => {
    const hosted = await open(viewAt('PROFILE'), { token: 'bt_spent' })
    await hosted.frame.getByRole('heading', { name: 'This link can no longer be used' }).waitFor()
    await waitForMessage(hosted, 'lab.session_expired')
    // Chromium may discard a click in a frame that has just been resized, and a second click changes nothing.
    await until('the host receives lab.exit', async () => {
      await hosted.frame.getByRole('button', { name: 'Back to the app' }).click()
      return (await types(hosted)).includes('lab.exit')
    })
  })

  test('without a link the page tells the borrower to open it from the app', async () => {
    const hosted = await open(viewAt('PROFILE'), { token: '' })
    await hosted.frame.getByRole('heading', { name: 'Open this page from the app' }).waitFor()
    assert.deepEqual(pages.platform.acts, [])
  })

  test('an expired session asks for a new link and clears its state', async () => {
    const hosted = await open(viewAt('KYC'))
    await hosted.frame.getByRole('heading', { name: 'Verify your identity' }).waitFor()
    pages.platform.refuse('GET /journey', 401, 'AUTH_INVALID_SESSION')
    await hosted.pollAgain()
    await hosted.frame.getByRole('heading', { name: 'We closed this page for your safety' }).waitFor()
    await waitForMessage(hosted, 'lab.session_expired')
    const state = await hosted.page.frames()[1]!.evaluate('history.state')
    assert.deepEqual(state, { lendloom: {}, place: { screen: 'KYC', part: 0, inner: '', aside: '' } })
  })
})

describe('D1 §7: retries', () => {
  test('a failed request is retried with the same idempotency key, and the input stays', async () => {
    const hosted = await open(viewAt('BANK'))
    await hosted.frame.getByLabel('Account number', { exact: true }).waitFor()
    await shortenRetries(hosted)
    pages.platform.refuse('POST /steps/bank-mandate', 503, 'UPSTREAM_TEMPORARY_FAILURE')
    await hosted.frame.getByLabel('Account number', { exact: true }).fill('123456789012')
    await hosted.frame.getByLabel('Re-enter account number').fill('123456789012')
    await hosted.frame.getByLabel('IFSC').fill('HDFC0000001')
    await hosted.frame.getByLabel('Savings').check()
    await hosted.frame.getByRole('button', { name: 'Confirm account' }).click()
    const retryButton = hosted.frame.getByRole('button', { name: 'Try again' })
    await retryButton.waitFor()
    await until('the host receives the failure', async () =>
      (await hosted.messages()).some(
        ({ type, code, retryable }) => type === 'lab.error' && code === 'BUSY' && retryable,
      ),
    )
    assert.equal(await hosted.frame.getByLabel('Account number', { exact: true }).inputValue(), '123456789012')
    pages.platform.on('POST /steps/bank-mandate', () => viewAt('LENDER_WORKING'))
    await retryButton.click()
    await hosted.frame.getByRole('heading', { name: 'Kaveri Bank is preparing the next step' }).waitFor()
    const keys = pages.platform.acts.filter(({ path }) => path === '/steps/bank-mandate').map(({ key }) => key)
    assert.ok(keys.length >= 4)
    assert.equal(new Set(keys).size, 1)
  })

  test('another screen does not offer to retry a failed request, and reports a lost connection', async () => {
    const hosted = await open(viewAt('FINAL_OFFER'))
    const { frame } = hosted
    await frame.getByRole('checkbox').check()
    await shortenRetries(hosted)
    pages.platform.refuse(`POST /offers/${kaveri.id}/accept`, 503, 'UPSTREAM_TEMPORARY_FAILURE')
    await frame.getByRole('button', { name: 'Accept this loan' }).click()
    await frame.getByRole('button', { name: 'Try again' }).waitFor()
    await frame.getByRole('button', { name: 'Decline' }).click()
    await frame.getByRole('heading', { name: 'Decline ₹2,00,000 from Kaveri Bank?' }).waitFor()
    assert.equal(await frame.getByRole('button', { name: 'Try again' }).count(), 0, 'retrying would accept the offer')
    pages.platform.refuse('GET /journey', 503, 'UPSTREAM_TEMPORARY_FAILURE')
    await hosted.pollAgain()
    await frame.getByRole('status').getByText('No connection right now').waitFor()
  })

  test('a journey that advanced in another window shows its current screen', async () => {
    const hosted = await open(viewAt('FINAL_OFFER'))
    await hosted.frame.getByRole('checkbox').check()
    const { id } = viewAt('FINAL_OFFER').offers[0]!
    pages.platform.refuseAsStale(`POST /offers/${id}/accept`, viewAt('KYC'))
    await hosted.frame.getByRole('button', { name: 'Accept this loan' }).click()
    await hosted.frame.getByRole('heading', { name: 'Verify your identity' }).waitFor()
    await hosted.frame.getByText('Your application has moved on').waitFor()
  })

  test('input typed before the script runs is kept', async () => {
    const { page } = await open(viewAt('PROFILE', { profile: { contactNumber: '+919876543210' } }))
    // Types into the form as soon as it is parsed, before the script runs.
    await page.addInitScript(`new MutationObserver((changes, observer) => {
      const field = document.getElementById('field-pan')
      if (!field) return
      observer.disconnect()
      field.value = 'ABC'
    }).observe(document, { childList: true, subtree: true })`)
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByText('+91 9876543210').waitFor()
    assert.equal(await page.getByLabel('PAN', { exact: true }).inputValue(), 'ABC')
    assert.equal(await page.locator('input[type=radio]:checked').count(), 0, 'other fields are empty')
  })

  test('the page reports that later screens failed to load, and loads them on request', async () => {
    const { page } = await open(viewAt('PROFILE'))
    await page.route('**/lab/assets/screens.*.js*', (route) => route.abort())
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    pages.platform.show(viewAt('KYC'))
    await page.reload()
    await page.getByRole('heading', { name: 'We could not load your application' }).waitFor()
    await page.unroute('**/lab/assets/screens.*.js*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Verify your identity' }).waitFor()
  })
})

describe('the browser SDK', () => {
  test('the SDK offers a retry after a timeout, and continues with a new URL', async () => {
    const { page } = await open(viewAt('KYC'))
    const newUrl = `${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`
    await page.evaluate(`
      mounted.unmount()
      codes = []
      Lendloom.mountLendloom({
        container: document.getElementById('here'), embedUrl: ${JSON.stringify(`${pages.platform.url}/lender`)}, timeoutMs: 4000,
        onError: ({ code }) => codes.push(code), onReady: () => codes.push('ready'), onExpired: async () => ${JSON.stringify(newUrl)},
      })
    `)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Verify your identity' }).waitFor()
    await until('the page is ready', async () => ((await page.evaluate('codes')) as string[]).includes('ready'))
    // A slow page may time out again before it is ready.
    assert.equal(((await page.evaluate('codes')) as string[])[0], 'TIMEOUT')
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' })
  })

  test('the SDK rejects invalid options, hides the retry button when the page loads, and does not reload a spent link', async () => {
    const { page } = await open(viewAt('KYC'))
    const validUrl = `${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`
    const spentUrl = validUrl.replace('bt_test_single-use', 'bt_spent')
    await page.evaluate(`
      mounted.unmount()
      container = document.getElementById('here')
      mount = (options) => (mounted = Lendloom.mountLendloom({ container, ...options }))
      misuse = (options) => { try { mount(options) } catch (error) { return String(error) } }
    `)
    const errorOf = (options: string) => page.evaluate(`misuse(${options})`)
    assert.match(
      String(await errorOf(`{ container: null, embedUrl: '${validUrl}' }`)),
      /TypeError: .*container must be/,
    )
    for (const url of ['undefined', "'/lab/embed'", "'javascript:1'"])
      assert.match(String(await errorOf(`{ embedUrl: ${url} }`)), /TypeError: .*embedUrl must be/)

    const retryButton = page.getByRole('button', { name: 'Try again' })
    await page.evaluate(`mount({ embedUrl: '${validUrl}', timeoutMs: 0 })`)
    await page.frameLocator('iframe').getByRole('heading', { name: 'Verify your identity' }).waitFor()
    await retryButton.waitFor({ state: 'detached' })

    await page.evaluate(`
      mounted.unmount()
      refreshed = loads = 0
      mount({ embedUrl: '${spentUrl}', onExpired: async () => (refreshed++, '${spentUrl}') })
      new MutationObserver(() => loads++).observe(container, { childList: true })
    `)
    await until('onExpired is called', async () => (await page.evaluate('refreshed')) === 1)
    assert.equal(await page.evaluate('new Promise((resolve) => setTimeout(() => resolve(loads)))'), 0)

    await page.evaluate(`
      mounted.unmount()
      mount({ embedUrl: '${spentUrl}', onExpired: () => new Promise((resolve) => { answer = resolve }) })
      answer = null
    `)
    await until('onExpired is called again', async () => (await page.evaluate('answer !== null')) === true)
    await page.evaluate(`mounted.unmount(), answer('${validUrl}')`)
    assert.equal(await page.locator('iframe').count(), 0, 'an unmounted frame does not return')
  })
})

describe("D1 §3: visits to the lender's page", () => {
  test('the lender’s page opens in a window without opener or referrer, and the hosted page waits and continues', async () => {
    const hosted = await open(viewAt('KYC'))
    pages.platform.on('POST /steps/kyc/open', () => viewAt('KYC', { pollAfterMs: null }))
    const requested = Promise.withResolvers<void>()
    await hosted.page.route('**/steps/kyc/open', async (route) => {
      await requested.promise
      await route.continue()
    })
    await hosted.page.emulateMedia({ colorScheme: 'dark' })
    const popup = hosted.page.waitForEvent('popup')
    await hosted.frame.getByRole('button', { name: 'Continue at Kaveri Bank' }).click()
    const lender = await popup
    await lender.getByText('Opening Kaveri Bank’s page…').waitFor()
    const look = await lender.evaluate(
      '[getComputedStyle(document.body)].map((s) => s.colorScheme + " " + s.fontFamily)',
    )
    assert.deepEqual(look, ['light dark system-ui'], 'no white window in dark mode')
    requested.resolve()
    await lender.getByRole('heading', { name: 'The lender' }).waitFor()
    assert.equal(await lender.evaluate('opener === null && document.referrer === ""'), true)
    await hosted.frame.getByRole('heading', { name: 'Finish on Kaveri Bank’s page' }).waitFor()
    await hosted.frame.getByRole('button', { name: 'I am back' }).dispatchEvent('click')
    await until('the return', async () => pages.platform.acts.at(-1)!.path === '/steps/kyc/return')
    await hosted.frame.getByText('Kaveri Bank has not confirmed it yet.').waitFor()
    // The page also polls when the borrower returns to it.
    pages.platform.show(viewAt('BANK'))
    await lender.close()
    await hosted.pollAgain()
    await hosted.frame.getByRole('heading', { name: 'Where should the money go?' }).waitFor()
  })

  test('a blocked window is replaced by a link, and the host is asked to open it', async () => {
    const hosted = await open(viewAt('KYC'))
    pages.platform.on('POST /steps/kyc/open', () => viewAt('KYC', { pollAfterMs: null }))
    await hosted.frame.getByRole('heading', { name: 'Verify your identity' }).waitFor()
    await hosted.page.frames()[1]!.evaluate('window.open = () => null')
    await hosted.frame.getByRole('button', { name: 'Continue at Kaveri Bank' }).click()
    const link = hosted.frame.getByRole('link', { name: 'Open Kaveri Bank’s page' })
    assert.equal(await link.getAttribute('href'), `${pages.platform.url}/lender`)
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
    await waitForMessage(hosted, 'lab.open')
    const openMessage = (await hosted.messages()).find(({ type }) => type === 'lab.open')
    assert.equal(openMessage?.url, `${pages.platform.url}/lender`)
  })

  test('in a mobile web view the app receives messages as JSON through its bridge', async () => {
    const { page } = await open(viewAt('PROFILE'))
    await page.addInitScript(
      'received = []; LendloomBridge = { postMessage: (json) => received.push(JSON.parse(json)) }',
    )
    pages.platform.show(viewAt('KYC', { updates: [{ sequence: 1, payload: updateFor('STARTED') }] }))
    pages.platform.on('POST /steps/kyc/open', () => viewAt('KYC', { pollAfterMs: null }))
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByRole('button', { name: 'Continue at Kaveri Bank' }).click()
    await page.getByRole('heading', { name: 'Finish on Kaveri Bank’s page' }).waitFor()
    const received = await page.evaluate('received')
    assert.deepEqual(received, [
      { type: 'lab.ready' },
      updateFor('STARTED'),
      { type: 'lab.open', url: `${pages.platform.url}/lender` },
    ])
    assert.equal(page.context().pages().length, 1)
  })
})
