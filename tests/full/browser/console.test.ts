// The console in a real browser: signing in, searching, lists, settings and access.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '@lendloom/seal/id'
import type { Role } from '@lendloom/wire/console/staff'
import type { BrowserContextOptions } from 'playwright-core'
import { newApplicant } from '#test/setup/borrower.ts'
import { sharedBrowser } from '#test/setup/browser.ts'
import { openConsole, signIn } from '#test/setup/console-page.ts'
import { startHeadlessJourney, submitProfile } from '#test/setup/headless.ts'
import { assertUsable } from '#test/setup/page.ts'
import { ask } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()

/** Opens the console as platform staff, or as a user of the sandbox's first tenant. */
async function openSignedIn(role: Role, isTenantUser: boolean, options: BrowserContextOptions = {}) {
  const { url, people } = programs.console
  const person = people.find((each) => each.role === role && (each.tenantId !== null) === isTenantUser)
  const opened = await openConsole(browser, url, options)
  await signIn(opened.page, person)
  return { ...opened, url }
}

/** Starts a journey and submits its profile. */
async function newApplication() {
  const person = newApplicant()
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, person)
  await submitProfile(borrower)
  return { mobile: String(person.profile?.contactNumber), journeyId: borrower.journeyId }
}

test('an operator finds a journey by mobile number, and its timeline lists updates and network messages', async () => {
  const { mobile, journeyId } = await newApplication()
  const note = 'unknown fulfilment state LOAN_UNDER_REVIEW'
  await until('a catalogue', async () => {
    const changed = await programs.db`
      update inbound_message set state = 'NOT_UNDERSTOOD', note = ${note}
      where journey_id = ${journeyId} and type = 'on_search' and state = 'APPLIED' returning 1`
    return changed.length > 0
  })
  const { context, page, problems } = await openSignedIn('operator', false)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /any ID/ }).fill(mobile)
  await page.getByRole('option').filter({ hasText: 'mobile' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/console/journeys/${journeyId}*`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('Profile complete (update 2)').waitFor()
  await timeline.getByText('Started (update 1)').waitFor()
  assert.equal(await timeline.getByRole('button', { name: 'Servicing', exact: true }).count(), 0)
  await timeline.getByRole('button', { name: 'Network', exact: true }).click()
  await timeline
    .getByText(/Requested offers from lenders|answered the search/)
    .first()
    .waitFor()
  await timeline.getByText('Not understood').first().waitFor()
  await timeline.getByText(note).first().waitFor()
  // The network filter hides updates.
  await timeline.getByText('Profile complete (update 2)').waitFor({ state: 'detached' })
  assert.match(page.url(), /kinds=network/)
  const download = page.waitForEvent('download')
  await timeline.getByRole('button', { name: 'Download transcript' }).click()
  const file = `transcript-${journeyId}.json`
  assert.equal((await download).suggestedFilename(), file)
  await timeline.getByText(`Saved as ${file}`).waitFor()
  assert.equal((await page.content()).includes(mobile), false, 'the number is masked')
  await assertUsable(page, 'a journey')
  await page.setViewportSize({ width: 390, height: 844 })
  await assertUsable(page, 'a journey at 390')
  const [entries, facts] = [timeline, page.getByRole('heading', { name: 'Borrower' })].map((each) => each.boundingBox())
  assert.ok(((await facts)?.y ?? 0) < ((await entries)?.y ?? 0), 'the facts come first on a phone')
  assert.deepEqual(problems, [])
  await context.close()
})

test('the list of journeys is searched in place by a mobile number, which is in no address', async () => {
  const { mobile, journeyId } = await newApplication()
  const { context, page, url, problems } = await openSignedIn('operator', false)
  await page.goto(`${url}/journeys`)
  await page.getByRole('searchbox', { name: 'Search the journeys' }).fill(mobile)
  const rows = page.locator('tbody tr')
  await until('the journey alone', async () => (await rows.count()) === 1)
  assert.equal(page.url().includes(mobile), false)
  await page.getByRole('combobox', { name: 'Status' }).selectOption('REJECTED')
  await page.getByText('No journey has this identifier').waitFor()
  await page.getByText('The other filters apply too.').waitFor()
  await assertUsable(page, 'a search without a result')
  await page.getByRole('combobox', { name: 'Status' }).selectOption('')
  await rows.first().getByRole('link').click()
  await page.waitForURL(`**/console/journeys/${journeyId}*`)
  await page.goBack()
  await until('the search is still there', async () => (await rows.count()) === 1)
  await page.getByRole('searchbox', { name: 'Search the journeys' }).fill('Asha')
  await page.getByText('Names cannot be searched.').waitFor()
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await rows.first().waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test('on a phone each row of a list is a card, with the heads of its values', async () => {
  await newApplication()
  const { context, page, url, problems } = await openSignedIn('operator', false, {
    viewport: { width: 390, height: 844 },
  })
  for (const place of ['journeys', 'lenders', 'complaints/officers']) {
    await page.goto(`${url}/${place}`)
    const row = page.getByRole('row').nth(1)
    await row.getByRole('cell').first().waitFor()
    const [width, height] = await row.evaluate((each) => [each.getBoundingClientRect().width, each.clientHeight])
    assert.ok(width! <= 390 && height! > 48, `${place}: ${width} by ${height}`)
    await assertUsable(page, `${place} at 390`)
  }
  await page.goto(`${url}/journeys`)
  const wait = page.locator('td[data-head="Waiting for"]').first()
  await wait.waitFor()
  const head = "getComputedStyle(document.querySelector('td[data-head=\"Waiting for\"]'), '::before').content"
  assert.equal(await page.evaluate(head), '"Waiting for "')
  assert.deepEqual(problems, [])
  await context.close()
})

test('the sign-in page shows a typed password and says what to do about a forgotten one', async () => {
  const { context, page, problems } = await openConsole(browser, programs.console.url)
  const password = page.getByLabel('Password')
  await password.fill('a guess')
  await page.getByRole('button', { name: 'Show the password' }).click()
  assert.equal(await password.getAttribute('type'), 'text')
  assert.equal(await password.inputValue(), 'a guess')
  await page.getByRole('button', { name: 'Show the password', pressed: true }).click()
  assert.equal(await password.getAttribute('type'), 'password')
  await page.getByText('.lendloom/sandbox.json').waitFor()
  await page.getByLabel('Email').fill('asha@lend.example')
  await page.getByText('Forgot your password?').click()
  await page.getByText('lendloom people password asha@lend.example').waitFor()
  await assertUsable(page, 'the sign-in page')
  assert.deepEqual(problems, [])
  await context.close()
})

test('the bell lists what needs attention, and each line leads to it', async () => {
  const { context, page, url, problems } = await openSignedIn('admin', false)
  const items = [{ kind: 'FAILED_MAIL', count: 3, since: '2026-11-20T10:00:00.000Z', endpoint: null }]
  await page.route('**/api/console/attention?*', (route) => route.fulfill({ json: { items } }))
  await page.route('**/api/console/attention', (route) => route.fulfill({ json: { items } }))
  await page.goto(`${url}/journeys`)
  await page.getByRole('button', { name: 'Needs attention: 1' }).click()
  const line = page.getByRole('link', { name: '3 mails could not be delivered' })
  await line.waitFor()
  await assertUsable(page, 'the bell')
  await line.click()
  await page.waitForURL(/mail\?state=FAILED/)
  await line.waitFor({ state: 'hidden' })
  assert.deepEqual(problems, [])
  await context.close()
})

test('the palette lists its entries in groups, the last opened journey first, and the id of a found one', async () => {
  const { journeyId } = await newApplication()
  const { context, page, url, problems } = await openSignedIn('operator', false)
  await page.goto(`${url}/journeys/${journeyId}`)
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
  await page.getByRole('link', { name: 'Lenders', exact: true }).click()
  await page.keyboard.press('Control+k')
  const recent = page.getByRole('group', { name: 'Recent' })
  await recent.getByRole('option', { name: /Journey$/ }).waitFor()
  await page
    .getByRole('group', { name: 'Go to' })
    .getByRole('option', { name: /^Overview/ })
    .waitFor()
  await assertUsable(page, 'the palette')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/journeys/${journeyId}*`)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /any ID/ }).fill(journeyId)
  const shortened = `${journeyId.slice(0, 8)}…${journeyId.slice(-4)}`
  await page
    .getByRole('group', { name: 'Found' })
    .getByRole('option', { name: new RegExp(shortened) })
    .waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test('the command palette finds commands by typed words, and `?` lists the shortcuts', async () => {
  const { context, page, problems } = await openSignedIn('developer', true)
  const run = async (typed: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /any ID/ }).fill(typed)
    await page.getByRole('option', { name: option }).first().waitFor()
    await page.keyboard.press('Enter')
  }
  await run('theme dark', /Theme: dark/)
  await page.waitForFunction("document.documentElement.dataset.theme === 'dark'")
  await run('key create', /Create an API key/)
  await page.getByRole('dialog', { name: 'Create a key' }).waitFor()
  await assertUsable(page, 'a new key')
  await page.keyboard.press('Escape')
  await run('signature', /Signature checker/)
  await page.waitForURL(/webhooks\/signature/)
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).click()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Next row').waitFor()
  await assertUsable(page, 'the shortcuts')
  assert.deepEqual(problems, [])
  await context.close()
})

test('a tenant user cannot open another tenant’s journey or the platform’s areas', async () => {
  const { journeyId } = await newApplication()
  const { context, page, url } = await openSignedIn('developer', true)
  await page.goto(`${url}/journeys/${journeyId}`)
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Timeline' }).count(), 0)
  assert.equal(await page.getByRole('link', { name: 'People' }).count(), 0)
  await page.goto(`${url}/people`)
  await page.getByText('People needs the role Admin').waitFor()
  await page.goto(`${url}/mail`)
  await page.getByText('Mail is only for platform staff').waitFor()
  await context.close()
})

for (const [width, colorScheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const)
  test(`the pages on people, accounts, audit log and mail are accessible at ${width} pixels`, async () => {
    const { context, page, url, problems } = await openSignedIn('admin', false, {
      viewport: { width, height: 844 },
      colorScheme,
    })
    const { origin } = new URL(url)
    await ask(`${origin}/api/console/sign-in`, { method: 'POST', body: { email: 'a@b.example', password: 'a guess' } })
    const complaint = { category: 'OTHER', text: 'I was charged twice.', language: 'en', email: 'asha@mail.example' }
    const created = await page.request.post(`${origin}/api/console/complaints`, { data: complaint })
    assert.equal(created.status(), 201)
    for (const [place, heading] of [
      ['people', 'People'],
      ['audit', 'Audit log'],
      ['audit/sign-ins', 'Audit log'],
      ['mail', 'Mail'],
      ['account', 'Your account'],
    ]) {
      await page.goto(`${url}/${place}`)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await page.getByRole('row').nth(1).waitFor()
      await assertUsable(page, `${place} at ${width}`)
      const widest = `Math.max(0, ...[...document.querySelectorAll('.table')].map((each) => each.scrollWidth - each.clientWidth))`
      assert.equal(await page.evaluate(widest), 0, `each table of ${place} fits at ${width}`)
    }
    const at = new Date().toISOString()
    const setAside = {
      mailId: uuidv7(),
      from: 'a•••@mail.example',
      subject: 'My loan',
      sizeBytes: 4096,
      why: 'the malware scanner did not answer',
      receivedAt: at,
      setAsideAt: at,
    }
    await page.route(/mail\/set-aside/, (route) => route.fulfill({ json: { items: [setAside], next: null } }))
    await page.goto(`${url}/mail`)
    await page.getByRole('heading', { name: 'Set aside' }).waitFor()
    await page.getByRole('heading', { name: 'Outgoing' }).waitFor()
    await page.getByRole('button', { name: 'Process again' }).waitFor()
    await assertUsable(page, `mail with set-aside mail at ${width}`)
    assert.deepEqual(problems, [])
    await context.close()
  })

test('a developer changes the webhook alerts, and an invalid value is reported at its field', async () => {
  const { context, page, url, problems } = await openSignedIn('developer', true)
  await page.goto(`${url}/webhooks/alerts`)
  const minutes = page.getByLabel(/minutes/)
  const before = await minutes.inputValue()
  const saveMinutes = async (value: string) => {
    await minutes.fill(value)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await saveMinutes('0')
  await page.locator('.fault').waitFor()
  await assertUsable(page, 'alerts')
  await saveMinutes(String(Number(before) + 1))
  await page.getByText('Saved.').waitFor()
  await page.getByText('You can replay given-up updates').waitFor()
  assert.equal(await page.getByText('none is lost').count(), 0, 'an update can be given up')
  await page.reload()
  assert.equal(await minutes.inputValue(), String(Number(before) + 1))
  await saveMinutes(before)
  await page.getByText('Saved.').waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test('platform staff choose a tenant for a new endpoint, which receives all statuses or only some', async () => {
  const { context, page, url, problems } = await openSignedIn('admin', false)
  const person = programs.console.people.find(({ tenantId }) => tenantId !== null)
  await page.goto(`${url}/webhooks`)
  await page.getByRole('button', { name: 'Sandbox Pay', exact: true }).click()
  await page.waitForURL(`**tenant=${person?.tenantId}*`)
  await page.getByRole('button', { name: 'Add an endpoint' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an endpoint' })
  await dialog.getByLabel('URL', { exact: true }).fill('https://pay.example/hooks')
  assert.equal(await dialog.getByLabel('All statuses').isChecked(), true)
  const sent = dialog.getByRole('group', { name: 'Send' })
  await sent.getByLabel('Only these').check()
  await dialog.getByRole('button', { name: 'Add the endpoint' }).click()
  await dialog.getByText('Choose at least one status').waitFor()
  await assertUsable(page, 'the choice of statuses')
  await dialog.getByLabel('Disbursed').check()
  await dialog.getByLabel('All statuses').check()
  await sent.getByLabel('Only these').check()
  const ofLoans = dialog.getByRole('group', { name: 'Events of loans after the payout' })
  assert.equal(await ofLoans.getByLabel('None').isChecked(), true)
  await ofLoans.getByLabel('Only these').check()
  await dialog.getByRole('button', { name: 'Add the endpoint' }).click()
  await dialog.getByText('Choose at least one event').waitFor()
  assert.equal(await dialog.getByLabel('Disbursed').isChecked(), true, 'a change of mind keeps the choice')
  await page.keyboard.press('Escape')
  assert.deepEqual(problems, [])
  await context.close()
})

test('the audit log offers the acts that it has', async () => {
  const { context, page, url, problems } = await openSignedIn('admin', false)
  await page.goto(`${url}/audit`)
  await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Person added' })
  await page.waitForURL(/act=PERSON_ADDED/)
  await until('only these acts', async () => {
    const texts = await page.locator('tbody tr').allTextContents()
    return texts.length > 0 && texts.every((text) => text.includes('Person added'))
  })
  assert.deepEqual(problems, [])
  await context.close()
})

test('platform staff list the journeys of all tenants with their tenant under the borrower, and open one', async () => {
  const { journeyId } = await newApplication()
  const { context, page, url, problems } = await openSignedIn('operator', false)
  await page.goto(`${url}/journeys`)
  await page.locator('tbody td:first-child .block').first().waitFor()
  await assertUsable(page, 'journeys of all tenants')
  // Not in the middle of the row, where a click copies an identifier.
  await page.locator('tbody tr').first().locator('td.state').click()
  await page.waitForURL(/\/console\/journeys\/[0-9a-f-]+$/)
  assert.equal(await page.getByRole('combobox', { name: 'Tenant' }).inputValue(), '', 'all tenants stay selected')
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
  await page.goto(`${url}/journeys/${journeyId}?tenant=${programs.tenant.tenantId}`)
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

for (const width of [1280, 390])
  test(`the request log shows every status without overflow, at ${width} pixels`, async () => {
    const { context, page, url, problems } = await openSignedIn('developer', true, { viewport: { width, height: 844 } })
    const items = Array.from({ length: 3 }, (_, i) => ({
      requestId: `0192e0a4-0000-7000-8000-00000000000${i}`,
      applicationId: programs.tenant.applicationId,
      keyId: '0192e0a4-1111-7000-8000-000000000001',
      method: 'POST',
      route: '/api/v1/headless/journeys/{journeyID}/offers/{offerID}/lender-steps/verification',
      path: '/api/v1/headless/journeys/0192e0a4-0000-7000-8000-000000000001/offers/0192e0a4-0000-7000-8000-000000000002/lender-steps/verification',
      status: 409,
      ms: 1234,
      error: 'STATE_PRECONDITION_FAILED',
      journeyId: null,
      correlationId: 'c-1',
      at: '2026-11-20T10:00:00.000Z',
    }))
    await page.route('**/api/console/developers/requests?*', (route) => route.fulfill({ json: { items, next: null } }))
    await page.goto(`${url}/developers/requests`)
    const status = page.getByRole('columnheader', { name: 'Status', exact: true })
    await status.waitFor()
    await page.locator('tbody tr').first().waitFor()
    const edges = await page
      .locator('thead th:visible')
      .evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().right))
    assert.ok(Math.max(...edges) <= width, `columns end at ${edges}`)
    assert.equal(await status.isVisible(), true)
    await assertUsable(page, `requests at ${width}`)
    assert.deepEqual(problems, [])
    await context.close()
  })

test('after the session expires, the console asks for the password again and keeps the typed input', async () => {
  const { context, page, url } = await openSignedIn('admin', false)
  await page.goto(`${url}/people`)
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Kavya Nair')
  await page.getByLabel('Email').fill(`kavya-${Date.now()}@example.com`)
  await context.clearCookies()
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const signInAgain = page.getByRole('dialog', { name: 'Sign in again' })
  const admin = programs.console.people.find(({ role, tenantId }) => role === 'admin' && tenantId === null)
  await signInAgain.getByLabel('Password').fill(admin?.password ?? '')
  await signInAgain.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('send this link yourself').waitFor()
  await context.close()
})

for (const [width, colorScheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const)
  test(`the console opens with the overview, whose charts are accessible, at ${width} pixels`, async () => {
    await newApplication()
    const { context, page, problems, url } = await openSignedIn('operator', false, {
      viewport: { width, height: 844 },
      colorScheme,
    })
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    const panel = page.getByRole('region', { name: 'Journeys over time', exact: true })
    // The next pass is otherwise up to two minutes away.
    await programs.db`
      update job set due_at = now() where kind = 'figures' and last_error = 'the next pass is not due yet'`
    await until('the journey to be counted', async () => {
      await page.reload()
      await page.getByText('Journeys started', { exact: true }).waitFor()
      return panel.isVisible()
    })
    const unfold = async () => {
      const title = panel.getByRole('button', { name: 'Journeys over time', expanded: false })
      if (width === 390) await title.click()
    }
    await unfold()
    await panel.getByText(/^Started, /).waitFor()
    assert.equal(await panel.getByRole('figure').count(), 0, 'one day is a number, not a chart')
    await page.route(/\/api\/console\/overview\?/, async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      for (const { series } of json.journeys) series[0] = 1
      await route.fulfill({ response, json })
    })
    await page.reload()
    await unfold()
    await panel.locator('canvas').waitFor()
    await panel.getByText('Show numbers').click()
    await panel.getByRole('row').nth(1).waitFor()
    await panel.getByRole('figure').focus()
    await page.keyboard.press('ArrowLeft')
    const [today] = (await panel.getByRole('cell').allTextContents()) as [string]
    await panel.locator('.legend').getByText(today).waitFor()
    await assertUsable(page, `the overview at ${width}`)
    await page.getByRole('radio', { name: '24 hours' }).check()
    await page.waitForURL(/range=24h/)
    await panel.getByRole('row').nth(24).waitFor()
    const file = await page.request.get(
      `${new URL(url).origin}${await panel.getByRole('link', { name: 'CSV' }).getAttribute('href')}`,
    )
    assert.match(await file.text(), /^Start \(India time\),Tenant,Application,Product,Status,Count\r\n/)
    assert.deepEqual(problems, [])
    await context.close()
  })
