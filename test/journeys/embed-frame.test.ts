// The hosted page and the windows around it: who is told what, what survives, what happens when something fails.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Opened } from '#test/setup/embed-page.ts'
import { embedPages } from '#test/setup/embed-pages.ts'
import { startHost } from '#test/setup/embed-platform.ts'
import { kaveri, updateFor, viewAt } from '#test/setup/embed-views.ts'
import { until } from '#test/setup/programs.ts'

const pages = embedPages({ mayComplain: true })
const { open } = pages

const statuses = async ({ messages }: Opened) =>
  (await messages()).flatMap(({ borrower }) => borrower?.journey.status ?? [])
const types = async ({ messages }: Opened) => (await messages()).flatMap(({ type }) => type ?? [])
/** What the page told is received a moment after it is shown. */
const receives = (one: Opened, type: string) =>
  until(`the host hears ${type}`, async () => (await types(one)).includes(type))

/** Lets the page wait a fiftieth of its time between its tries. */
const hurry = ({ page }: Opened) =>
  page.frames()[1]!.evaluate('{ const wait = setTimeout; setTimeout = (act, ms) => wait(act, ms / 50) }')

describe('D1 §6: the browser message to the parent window', () => {
  test('D1 §6.4: each update is passed on unchanged, once, and the platform learns of it', async () => {
    const updates = [{ sequence: 1, payload: updateFor('STARTED') }]
    const one = await open(viewAt('PROFILE', { updates }))
    await until('the update arrives', async () => (await statuses(one)).length > 0)
    const [message] = (await one.messages()).filter(({ borrower }) => borrower)
    assert.deepEqual(message, updateFor('STARTED'))
    await until('the next request tells how far it came', () =>
      pages.platform.looks.some(({ query }) => query === '?after=1'),
    )
    const more = [...updates, { sequence: 2, payload: updateFor('PROFILED') }]
    pages.platform.show(viewAt('SEARCHING', { updates: more, pollAfterMs: null }))
    await one.askAgain()
    await until('the second one arrives', async () => (await statuses(one)).length > 1)
    await one.page.frames()[1]!.evaluate('location.reload()')
    await one.inside.getByRole('heading', { name: 'Looking for offers' }).waitFor()
    assert.deepEqual(await statuses(one), ['STARTED', 'PROFILED'])
    const handed = await one.page.evaluate('updates.map((update) => update.borrower.journey.status)')
    assert.deepEqual(handed, ['STARTED', 'PROFILED'], 'the SDK hands each of them over once')
  })

  test('D1 §6.5: control messages carry a type and no borrower; the frame is as high as its content', async () => {
    const one = await open(viewAt('OFFERS'))
    await one.inside.getByRole('heading', { name: 'You have 3 offers' }).waitFor()
    await receives(one, 'lab.resize')
    assert.equal((await types(one))[0], 'lab.ready')
    for (const message of await one.messages()) assert.equal('type' in message, !('borrower' in message))
    // What comes in late, as a font, may change it once more.
    await until('the frame has the height that was told last', async () => {
      const { height } = (await one.page.locator('iframe').boundingBox())!
      return height === (await one.messages()).findLast(({ type }) => type === 'lab.resize')!.height
    })
    await one.inside.getByRole('button', { name: 'Choose Kaveri Bank' }).click()
    await receives(one, 'lab.scroll')
  })

  test('in a container of a fixed height the page scrolls inside, and its main button stays in reach', async () => {
    pages.host(
      '/full',
      `<!doctype html><title>Host</title><div id="here" style="height: 500px"></div><script src="${pages.platform.url}/sdk/lendloom.js"></script>
      <script>window.mounted = Lendloom.mountLendloom({ container: document.getElementById('here'), height: 'container',
        embedUrl: decodeURIComponent(location.hash.slice(1)) })</script>`,
    )
    const { page, inside } = await open(viewAt('FINAL_OFFER'))
    const embed = new URL(page.url()).searchParams.get('embed')!
    await page.goto(`${new URL('/full', page.url())}#${encodeURIComponent(embed)}`)
    const accept = inside.getByRole('button', { name: 'Accept this loan' })
    await accept.waitFor()
    const within = async () => {
      const [button, frame] = [(await accept.boundingBox())!, (await page.locator('iframe').boundingBox())!]
      assert.equal(frame.height, 500)
      assert.ok(button.y + button.height <= frame.y + frame.height, 'the button is within the frame')
    }
    await within()
    await page.frames()[1]!.evaluate('scrollTo(0, 600)')
    await within()
    await inside.getByRole('button', { name: 'Decline' }).click()
    await inside.getByRole('heading', { name: 'Decline this loan?' }).waitFor()
    assert.equal(await page.frames()[1]!.evaluate('scrollY'), 0, 'a new screen begins at its top')
  })

  test('a parent that is not allowed neither shows the page nor receives anything', async () => {
    const newBorrower = await startHost(() => '')
    const one = await open(viewAt('PROFILE'))
    await until('the allowed parent hears', async () => (await types(one)).length > 0)
    const { page } = one
    await page.goto(newBorrower.url)
    const embed = page.frames()[0]!
    await embed.evaluate(`
      messages = []
      addEventListener('message', (event) => messages.push(event.data))
      document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(`${pages.platform.url}/lab/embed#token=bt_test_single-use`)} }))
    `)
    await until('the browser refuses', () => page.frames().some((frame) => frame.url().startsWith('chrome-error:')))
    assert.deepEqual(await page.evaluate('messages'), [])
    await newBorrower.stop()
  })

  test('D1 §5: the token leaves the address at once, and works in a window of its own too', async () => {
    const { page } = await open(viewAt('KYC'))
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByRole('heading', { name: 'Verify your identity' }).waitFor()
    assert.equal(page.url(), `${pages.platform.url}/lab/embed?lang=en`)
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0)
    await page.reload()
    await page.getByRole('heading', { name: 'Verify your identity' }).waitFor()
  })
})

describe('D1 §5: sessions end, and say so', () => {
  test('a spent link says so and tells the host', async () => {
    const one = await open(viewAt('PROFILE'), { token: 'bt_spent' })
    await one.inside.getByRole('heading', { name: 'This link can no longer be used' }).waitFor()
    await receives(one, 'lab.session_expired')
    await one.inside.getByRole('button', { name: 'Back to the app' }).click()
    await receives(one, 'lab.exit')
  })

  test('opened without a link, the page says where to begin', async () => {
    const one = await open(viewAt('PROFILE'), { token: '' })
    await one.inside.getByRole('heading', { name: 'Open this page from the app' }).waitFor()
    assert.deepEqual(pages.platform.acts, [])
  })

  test('a session that has ended asks for a new link and keeps nothing', async () => {
    const one = await open(viewAt('KYC'))
    await one.inside.getByRole('heading', { name: 'Verify your identity' }).waitFor()
    pages.platform.refuse('GET /journey', 401, 'AUTH_INVALID_SESSION')
    await one.askAgain()
    await one.inside.getByRole('heading', { name: 'We closed this page for your safety' }).waitFor()
    await receives(one, 'lab.session_expired')
    const kept = await one.page.frames()[1]!.evaluate('history.state')
    assert.deepEqual(kept, { lendloom: {}, place: { screen: 'KYC', part: 0, inner: '' } })
  })
})

describe('D1 §7: what fails can be tried again', () => {
  test('an act that does not go through is repeated with the same key, and the input is kept', async () => {
    const one = await open(viewAt('BANK'))
    await one.inside.getByLabel('Account number', { exact: true }).waitFor()
    await hurry(one)
    pages.platform.refuse('POST /steps/bank-mandate', 503, 'UPSTREAM_TEMPORARY_FAILURE')
    await one.inside.getByLabel('Account number', { exact: true }).fill('123456789012')
    await one.inside.getByLabel('Re-enter account number').fill('123456789012')
    await one.inside.getByLabel('IFSC').fill('HDFC0000001')
    await one.inside.getByLabel('Savings').check()
    await one.inside.getByRole('button', { name: 'Confirm account' }).click()
    const again = one.inside.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await until('the host hears that it failed', async () =>
      (await one.messages()).some(({ type, code, retryable }) => type === 'lab.error' && code === 'BUSY' && retryable),
    )
    assert.equal(await one.inside.getByLabel('Account number', { exact: true }).inputValue(), '123456789012')
    pages.platform.on('POST /steps/bank-mandate', () => viewAt('LENDER_WORKING'))
    await again.click()
    await one.inside.getByRole('heading', { name: 'Kaveri Bank is checking' }).waitFor()
    const keys = pages.platform.acts.filter(({ path }) => path === '/steps/bank-mandate').map(({ key }) => key)
    assert.ok(keys.length >= 4)
    assert.equal(new Set(keys).size, 1)
  })

  test('what did not go through is not offered again on another screen, and a lost connection is said', async () => {
    const one = await open(viewAt('FINAL_OFFER'))
    const { inside } = one
    await inside.getByRole('checkbox').check()
    await hurry(one)
    pages.platform.refuse(`POST /offers/${kaveri.id}/accept`, 503, 'UPSTREAM_TEMPORARY_FAILURE')
    await inside.getByRole('button', { name: 'Accept this loan' }).click()
    await inside.getByRole('button', { name: 'Try again' }).waitFor()
    await inside.getByRole('button', { name: 'Decline' }).click()
    await inside.getByRole('heading', { name: 'Decline this loan?' }).waitFor()
    assert.equal(await inside.getByRole('button', { name: 'Try again' }).count(), 0, 'it would accept')
    pages.platform.refuse('GET /journey', 503, 'UPSTREAM_TEMPORARY_FAILURE')
    await one.askAgain()
    await inside.getByRole('status').getByText('No connection right now').waitFor()
  })

  test('a journey that moved on elsewhere is shown as it is', async () => {
    const one = await open(viewAt('FINAL_OFFER'))
    await one.inside.getByRole('checkbox').check()
    const { id } = viewAt('FINAL_OFFER').offers[0]!
    pages.platform.movesOn(`POST /offers/${id}/accept`, viewAt('KYC'))
    await one.inside.getByRole('button', { name: 'Accept this loan' }).click()
    await one.inside.getByRole('heading', { name: 'Verify your identity' }).waitFor()
    await one.inside.getByText('Your application has moved on').waitFor()
  })

  test('what is typed before the script runs is kept', async () => {
    const { page } = await open(viewAt('PROFILE', { profile: { contactNumber: '+919876543210' } }))
    // The document comes without its script, as it is while the script still loads, and the script runs later.
    await page.addInitScript(`new MutationObserver((changes, observer) => {
      const field = document.getElementById('field-pan')
      if (!field) return
      observer.disconnect()
      field.value = 'ABC'
    }).observe(document, { childList: true, subtree: true })`)
    await page.goto(`${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`)
    await page.getByText('+91 9876543210').waitFor()
    assert.equal(await page.getByLabel('PAN', { exact: true }).inputValue(), 'ABC')
    assert.equal(await page.locator('input[type=radio]:checked').count(), 0, 'nothing else is filled in')
  })

  test('without the later screens the page says so and loads them on request', async () => {
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
  test('without a sign of life it offers to try again, and goes on with a fresh address', async () => {
    const { page } = await open(viewAt('KYC'))
    const fresh = `${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`
    await page.evaluate(`
      mounted.unmount()
      codes = []
      Lendloom.mountLendloom({
        container: document.getElementById('here'), embedUrl: ${JSON.stringify(`${pages.platform.url}/lender`)}, timeoutMs: 4000,
        onControl: ({ type, code }) => codes.push(code ?? type), onExpired: async () => ${JSON.stringify(fresh)},
      })
    `)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Verify your identity' }).waitFor()
    await until('the page is ready', async () => ((await page.evaluate('codes')) as string[]).includes('lab.ready'))
    // A slow page may be late once more: then the time runs out again before it is ready.
    assert.equal(((await page.evaluate('codes')) as string[])[0], 'TIMEOUT')
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' })
  })

  test('misuse is named, a late page takes the button away, and a spent link is not loaded over and over', async () => {
    const { page } = await open(viewAt('KYC'))
    const good = `${pages.platform.url}/lab/embed?lang=en#token=bt_test_single-use`
    const spent = good.replace('bt_test_single-use', 'bt_spent')
    await page.evaluate(`
      mounted.unmount()
      container = document.getElementById('here')
      mount = (options) => (mounted = Lendloom.mountLendloom({ container, ...options }))
      misuse = (options) => { try { mount(options) } catch (error) { return String(error) } }
    `)
    const misuse = (options: string) => page.evaluate(`misuse(${options})`)
    assert.match(String(await misuse(`{ container: null, embedUrl: '${good}' }`)), /TypeError: .*container must be/)
    for (const url of ['undefined', "'/lab/embed'", "'javascript:1'"])
      assert.match(String(await misuse(`{ embedUrl: ${url} }`)), /TypeError: .*embedUrl must be/)

    const again = page.getByRole('button', { name: 'Try again' })
    await page.evaluate(`mount({ embedUrl: '${good}', timeoutMs: 0 })`)
    await page.frameLocator('iframe').getByRole('heading', { name: 'Verify your identity' }).waitFor()
    await again.waitFor({ state: 'detached' })

    await page.evaluate(`
      mounted.unmount()
      refreshed = loads = 0
      mount({ embedUrl: '${spent}', onExpired: async () => (refreshed++, '${spent}') })
      new MutationObserver(() => loads++).observe(container, { childList: true })
    `)
    await until('a fresh link is asked for', async () => (await page.evaluate('refreshed')) === 1)
    assert.equal(await page.evaluate('new Promise((resolve) => setTimeout(() => resolve(loads)))'), 0)

    await page.evaluate(`
      mounted.unmount()
      mount({ embedUrl: '${spent}', onExpired: () => new Promise((resolve) => { answer = resolve }) })
      answer = null
    `)
    await until('a fresh link is asked for again', async () => (await page.evaluate('answer !== null')) === true)
    await page.evaluate(`mounted.unmount(), answer('${good}')`)
    assert.equal(await page.locator('iframe').count(), 0, 'what was unmounted stays so')
  })
})

describe("D1 §3: on the lender's page", () => {
  test('it opens in a window of its own, which knows nothing of this one; the page waits and goes on', async () => {
    const one = await open(viewAt('KYC'))
    pages.platform.on('POST /steps/kyc/open', () => viewAt('KYC', { pollAfterMs: null }))
    const popup = one.page.waitForEvent('popup')
    await one.inside.getByRole('button', { name: 'Continue at Kaveri Bank' }).click()
    const lender = await popup
    await lender.getByRole('heading', { name: 'The lender' }).waitFor()
    assert.equal(await lender.evaluate('opener === null && document.referrer === ""'), true)
    await one.inside.getByRole('heading', { name: 'Finish on Kaveri Bank’s page' }).waitFor()
    const { length } = pages.platform.looks
    await one.inside.getByRole('button', { name: 'I am back' }).dispatchEvent('click')
    await until('the button asks', async () => pages.platform.looks.length > length)
    await one.inside.getByText('Kaveri Bank has not confirmed it yet.').waitFor()
    // The page asks by itself as well when the borrower comes back to it.
    pages.platform.show(viewAt('BANK'))
    await lender.close()
    await one.askAgain()
    await one.inside.getByRole('heading', { name: 'Where should the money go?' }).waitFor()
  })

  test('where a window is refused there is a link, and the host is asked to open it', async () => {
    const one = await open(viewAt('KYC'))
    pages.platform.on('POST /steps/kyc/open', () => viewAt('KYC', { pollAfterMs: null }))
    await one.inside.getByRole('heading', { name: 'Verify your identity' }).waitFor()
    await one.page.frames()[1]!.evaluate('window.open = () => null')
    await one.inside.getByRole('button', { name: 'Continue at Kaveri Bank' }).click()
    const link = one.inside.getByRole('link', { name: 'Open Kaveri Bank’s page' })
    assert.equal(await link.getAttribute('href'), `${pages.platform.url}/lender`)
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
    await receives(one, 'lab.open')
    const opening = (await one.messages()).find(({ type }) => type === 'lab.open')
    assert.equal(opening?.url, `${pages.platform.url}/lender`)
  })

  test('in a mobile web view the app is told by its bridge, in JSON, and opens the page itself', async () => {
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
