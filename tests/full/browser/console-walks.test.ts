// Whole tasks in the console, in a real browser.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newApplicant } from '#test/setup/borrower.ts'
import { sharedBrowser } from '#test/setup/browser.ts'
import { openConsole, signIn } from '#test/setup/console-page.ts'
import { startHeadlessJourney, submitProfile } from '#test/setup/headless.ts'
import { assertUsable, type OpenPage } from '#test/setup/page.ts'
import { ask } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { startReceiver } from '#test/setup/receiver.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()
const { url, people } = programs.console
const staff = (role: string, ofTenant: boolean) =>
  people.find((each) => each.role === role && (each.tenantId !== null) === ofTenant)

test('D1 §6: an operator finds by a mobile number why updates failed, corrects the endpoint, and replays the missed updates in order', async () => {
  const receiver = await startReceiver()
  after(() => receiver.stop())
  receiver.answer = ({ path }) => (path === '/hooks' ? 204 : 410)
  const added = await ask(`${programs.platformUrl}/api/lab/webhook-endpoints`, {
    method: 'POST',
    key: programs.tenant.apiKey,
    body: { url: receiver.url('/hoocks') },
  })
  assert.equal(added.status, 201)
  const person = newApplicant()
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, person)
  await submitProfile(borrower)
  await until('offers', async () => (await updatesOf(borrower.journeyId)) === 3)
  await until('the answer is recorded', async () => {
    const failed = await programs.db`select 1 from webhook_delivery where last_answer = '410'`
    return failed.length > 0
  })

  const { context, page, problems } = await openConsole(browser, url)
  await signIn(page, staff('operator', false))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /any ID/ }).fill(String(person.profile.contactNumber))
  await page.getByRole('option').filter({ hasText: 'obile' }).first().waitFor()
  await page.keyboard.press('Enter')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByRole('button', { name: 'Deliveries', exact: true }).click()
  const delivery = timeline.getByRole('button', { name: /^Started webhook to .*hoocks/ })
  await delivery.click()
  await page.getByRole('dialog').getByText('410').first().waitFor()
  await page.getByRole('link', { name: /Open the delivery/ }).click()
  await page.getByRole('heading', { name: 'Tries' }).waitFor()
  await page
    .locator('.tries')
    .getByText(/^Try 1.*410/)
    .first()
    .waitFor()
  await page.getByRole('link', { name: /hoocks/ }).click()
  await page.getByText('Disabled').first().waitFor()

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByLabel('URL', { exact: true }).fill(receiver.url('/hooks'))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: /hooks/ }).waitFor()
  await page.getByRole('button', { name: 'Enable again' }).click()
  await page.getByText('Disabled').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('button', { name: 'Send it now' }).click()
  await page.getByRole('dialog').getByText('204').first().waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText(/Test accepted, .*: 204 after/).waitFor()
  await page.getByRole('button', { name: 'Replay missed updates' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replay deliveries' })
  // A response takes longer than the interval of the requests for the progress.
  await page.route(/webhooks\/replays\/./, async (route) => {
    await sleep(1500)
    await route.continue()
  })
  await dialog.getByRole('button', { name: /Send \d+ updates?/ }).click()
  await dialog.getByText('Sent', { exact: true }).waitFor()

  const arrivedUpdates = () => receiver.received.filter(({ path, body }) => path === '/hooks' && !isTest(body))
  while (arrivedUpdates().length < 3) await receiver.waitForRequests(receiver.received.length + 1)
  assert.deepEqual(
    arrivedUpdates().map(({ body }) => statusIn(body)),
    ['STARTED', 'PROFILED', 'OFFERED'],
  )
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  assert.deepEqual(problems, [])
  await context.close()
})

test('a replay of updates that arrive before it starts says so, and has nothing to send', async () => {
  const { context, page, problems } = await openConsole(browser, url)
  await signIn(page, staff('developer', true))
  let hasArrived = false
  await page.route(/\/api\/console\/webhooks\/replays/, (route) => {
    const body = route.request().postDataJSON() as { dryRun?: boolean } | null
    if (body === null) return route.fulfill({ json: { items: [], next: null } })
    if (body.dryRun) {
      const waiting = hasArrived ? 0 : 12
      return route.fulfill({ json: { journeys: waiting / 4, updates: waiting, missed: 0, waiting, seconds: 1 } })
    }
    hasArrived = true
    const error = { code: 'CONFLICT', message: 'The filter matches nothing that can be delivered.' }
    return route.fulfill({ status: 409, json: { error } })
  })
  await page.goto(`${url}/webhooks/replays`)
  await page.getByRole('button', { name: 'Replay waiting updates (12)' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replay deliveries' })
  await dialog.getByRole('button', { name: 'Send 12 updates' }).click()
  await dialog.getByText('All 12 updates have arrived meanwhile; nothing to replay.').waitFor()
  assert.equal(await dialog.getByRole('button', { name: /^Send/ }).count(), 0)
  assert.deepEqual(
    problems.filter((each) => !each.includes('409')),
    [],
  )
  await context.close()
})

test('D1 §6: an operator sees in the list that a receiver rejects the signature, and checks a rejected update', async () => {
  const receiver = await startReceiver()
  after(() => receiver.stop())
  receiver.answer = () => 401
  const { tenantId, apiKey } = programs.tenant
  await ask(`${programs.platformUrl}/api/lab/webhook-endpoints`, {
    method: 'POST',
    key: apiKey,
    body: { url: receiver.url('/rejects') },
  })
  await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
  const [update] = await receiver.waitForRequests(1)
  await until('the answer is recorded', async () => {
    const failed = await programs.db`select 1 from webhook_delivery where last_answer = '401'`
    return failed.length > 0
  })

  const secrets = () => programs.db<{ endpointId: string; secretSealed: Buffer }>`
    select endpoint_id, secret_sealed from webhook_endpoint
    where tenant_id = ${tenantId} and url = ${receiver.url('/rejects')}`
  const { context, page, problems } = await openConsole(browser, url)
  await signIn(page, staff('operator', false))
  await page.goto(`${url}/webhooks?tenant=${tenantId}`)
  const row = page.getByRole('row').filter({ hasText: 'rejects' })
  await row
    .getByText(/^Answers 401: it may not accept our signature since \d/)
    .last()
    .waitFor()
  await assertUsable(page, 'the list of endpoints')
  await row.getByRole('link').click()
  await page.getByText(/We try each update 6 times within 31 s/).waitFor()
  await assertUsable(page, 'a failing endpoint')
  await page.setViewportSize({ width: 390, height: 844 })
  await assertUsable(page, 'a failing endpoint at 390')
  await page.getByRole('link', { name: 'rotate it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Check the signature of a rejected update.' }).click()
  await page.getByLabel('Body').fill(update!.body.toString())
  assert.match(
    await page.getByLabel('Headers').inputValue(),
    /^webhook-id: .+\nwebhook-timestamp: \d+\nwebhook-signature: v1,/,
  )
  await page.getByRole('button', { name: 'Check the signature' }).click()
  await page.getByText('The signature is valid', { exact: true }).waitFor()
  await page.getByText(/If your server rejected it, its check is wrong/).waitFor()
  await assertUsable(page, 'the signature checker at 390')

  // A link can name an endpoint that is another path.
  const [before] = await secrets()
  const other = encodeURIComponent(`${before!.endpointId}/rotate-secret?tenantId=${tenantId}#`)
  await page.goto(`${url}/webhooks/signature?tenant=${tenantId}&endpoint=${other}&delivery=..%2Fendpoints`)
  await page.getByLabel('Headers').fill('webhook-id: x')
  await page.getByLabel('Body').fill('{}')
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.request().method() === 'POST'),
    page.getByRole('button', { name: 'Check the signature' }).click(),
  ])
  assert.match(response.url(), /\/check-signature\b/)
  assert.deepEqual(await secrets(), [before])
  assert.deepEqual(problems, [])
  await context.close()
})

describe('D1 §4, §6: an invited integrator, one story', () => {
  const person = newApplicant()
  const correlation = `walk-${Date.now()}`
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let developer: OpenPage
  let link: string
  let key: string
  after(() => receiver?.stop())

  test('D1 §4: a tenant admin invites a developer by a link', async () => {
    const admin = await openConsole(browser, url)
    await signIn(admin.page, staff('admin', true))
    await admin.page.getByRole('link', { name: 'People' }).click()
    await admin.page.getByRole('button', { name: 'Invite a person' }).click()
    const email = `dev-${Date.now()}@example.com`
    await admin.page.getByLabel('Name', { exact: true }).fill('Kavya Nair')
    await admin.page.getByLabel('Email').fill(email)
    await admin.page.getByLabel('Role', { exact: true }).selectOption('developer')
    await admin.page.getByRole('button', { name: 'Invite', exact: true }).click()
    link = await admin.page.getByRole('dialog').locator('.copyable').innerText()
    await admin.page.goto(`${url}/journeys/abc`)
    await admin.page.getByText('This link is not complete or no longer valid.').waitFor()
    await admin.context.close()
  })

  test('D1 §4: the invited integrator creates an account and an API key', async () => {
    const cutOff = await openConsole(browser, link.slice(0, -20))
    await cutOff.page.getByRole('heading', { name: 'This link is not complete or no longer valid' }).waitFor()
    await cutOff.page.getByRole('link', { name: 'Sign in' }).waitFor()
    await cutOff.context.close()
    developer = await openConsole(browser, link)
    const { page } = developer
    await page.getByLabel('Name').fill('Kavya Nair')
    await page.getByLabel('Password').fill('a long and good password')
    await page.getByRole('button', { name: 'Create my account' }).click()
    await page.getByRole('navigation', { name: 'Areas' }).waitFor()
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByLabel('Label').fill('checkout server')
    await page.getByRole('button', { name: 'Create the key' }).click()
    key = await page.getByRole('dialog').locator('.copyable code').innerText()
    await page.getByRole('button', { name: 'I have copied it' }).click()
  })

  test('D1 §4: the key adds an endpoint and starts a journey, whose update arrives', async () => {
    receiver = await startReceiver()
    const added = await ask(`${programs.platformUrl}/api/lab/webhook-endpoints`, {
      method: 'POST',
      key,
      body: { url: receiver.url('/kavya') },
    })
    assert.equal(added.status, 201)
    const opened = await ask(`${programs.platformUrl}/api/lab/sessions`, {
      method: 'POST',
      key,
      body: person,
      headers: { 'x-correlation-id': correlation },
    })
    assert.equal(opened.status, 201)
    await receiver.waitForRequests(1)
  })

  test('D1 §4: the integrator sees the request with the mobile number masked', async () => {
    const { page } = developer
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('searchbox', { name: 'Correlation ID' }).fill(correlation)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /POST .api.lab.sessions/ }).click()
    await page.getByRole('heading', { name: 'Response body' }).waitFor()
    assert.equal((await page.content()).includes(String(person.profile.contactNumber)), false, 'the number is masked')
  })

  test('D1 §4, §6: the integrator advances the journey, and sees its requests, updates and deliveries', async () => {
    const { context, page, problems } = developer
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /any ID/ }).fill(correlation)
    await page.getByRole('option').filter({ hasText: 'orrelation' }).first().waitFor()
    await page.keyboard.press('Enter')
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText(/POST .api.lab.sessions: 201/).waitFor()
    await page.getByRole('button', { name: 'Play the borrower' }).click()
    await page.getByLabel('Until the journey is').selectOption('PROFILED')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    // The page updates without a reload.
    await timeline.getByRole('button', { name: /Profile complete \(update 2\)/ }).click()
    await page.getByText(/Changes since the previous update/).waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await timeline.getByText(/Started webhook to .*kavya/).waitFor()
    await timeline.getByText('Started (update 1)').waitFor()
    assert.deepEqual(problems, [])
    await context.close()
  })
})

const updatesOf = async (journeyId: string): Promise<number> =>
  (await programs.db`select 1 from lifecycle_event where journey_id = ${journeyId}`).length
const isTest = (body: Buffer): boolean => JSON.parse(body.toString('utf8')).test === true
const statusIn = (body: Buffer): string => JSON.parse(body.toString('utf8')).borrower.journey.status

test('D1 §1, §2.2: an admin previews the application’s theme, gets an error for an invalid colour, and borrowers see the saved theme', async () => {
  const { context, page, problems } = await openConsole(browser, url)
  const admin = staff('admin', true)
  // The preview frames load after the name is typed, as on a slow connection.
  const nameTyped = Promise.withResolvers<void>()
  await page.route(/theme\/preview/, async (route) => {
    await nameTyped.promise
    await route.continue()
  })
  await signIn(page, admin)
  await page.getByRole('link', { name: 'Developers' }).click()
  await page.getByRole('link', { name: 'Appearance' }).click()
  await page.getByText('Default appearance').waitFor()
  const light = page.frameLocator('iframe[title="Preview, light"]')
  await page.getByLabel('Name on the page').fill('Saathi Loans')
  await page.getByRole('table', { name: /Contrasts/ }).waitFor()
  nameTyped.resolve()
  await light.locator('.brand b').getByText('Saathi Loans', { exact: true }).waitFor()
  const colour = page.getByLabel('Accent colour', { exact: true })
  await colour.fill('#ffee00')
  await page.getByRole('radio', { name: 'Round' }).check()
  // The colour is too pale for text, so the preview uses a darker shade.
  await page
    .getByRole('region', { name: 'Preview' })
    .getByText(/4\.5|[5-9]\.\d|1\d\.\d/)
    .first()
    .waitFor()
  await colour.fill('#ffee0')
  await page.getByRole('button', { name: 'Save the appearance' }).click()
  await page
    .getByText(/six hexadecimal digits/i)
    .first()
    .waitFor()
  await colour.fill('#7a1fa2')
  await page.getByRole('button', { name: 'Save the appearance' }).click()
  await page.getByText('Saved. Pages opened from now on look like this.').waitFor()
  await page.getByText('Custom appearance').waitFor()

  const source = await page.locator('iframe').first().getAttribute('src')
  const [, application] = /applications\/([^/]+)\/theme/.exec(source ?? '') ?? []
  const query = new URLSearchParams({ tenant_id: admin?.tenantId ?? '', application_id: application ?? '' })
  const borrower = await context.newPage()
  await borrower.goto(`${programs.platformUrl}/lab/embed?${query}`)
  await borrower.getByText('Saathi Loans', { exact: true }).first().waitFor()
  assert.match(await borrower.locator('style').first().innerText(), /--radius:26px/)
  await borrower.close()

  await page.getByRole('button', { name: /default appearance/i }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /reset the appearance/i })
    .click()
  await page.getByText('Default appearance').first().waitFor()
  await page.frameLocator('iframe[title="Preview, dark"]').locator('.brand').waitFor()
  await light.locator('.brand').waitFor()
  const scope = { isWithoutFrames: true }
  await assertUsable(page, 'the appearance', scope)
  await page.setViewportSize({ width: 390, height: 844 })
  await assertUsable(page, 'the appearance on a phone', scope)
  assert.deepEqual(problems, [])
  await context.close()
})
