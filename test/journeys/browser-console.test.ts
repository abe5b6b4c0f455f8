// The console in a real browser: people sign in, find a journey by what they hold, and see what is theirs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import type { Role } from '#contract/console/staff.ts'
import { newApplicant } from '#test/setup/borrower.ts'
import { sharedBrowser } from '#test/setup/browser.ts'
import { openConsole, signIn } from '#test/setup/console-page.ts'
import { applyFor, begin } from '#test/setup/headless.ts'
import { isUsable } from '#test/setup/page.ts'
import { ask } from '#test/setup/platform.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const browser = await sharedBrowser()

/** The console as somebody of the platform, or of the sandbox's first tenant, sees it. */
async function signedIn(role: Role, ofTenant: boolean, options: BrowserContextOptions = {}) {
  const { url, people } = programs.console
  const person = people.find((each) => each.role === role && (each.tenantId !== null) === ofTenant)
  const opened = await openConsole(browser, url, options)
  await signIn(opened.page, person)
  return { ...opened, url }
}

/** A borrower who has sent the profile. */
async function appliedFor() {
  const person = newApplicant()
  const borrower = await begin(programs.platformUrl, programs.tenant, person)
  await applyFor(borrower)
  return { mobile: String(person.profile?.contactNumber), journeyId: borrower.journeyId }
}

test('an operator finds a journey by the mobile number of its borrower, and what happened stands in one timeline', async () => {
  const { mobile, journeyId } = await appliedFor()
  const { context, page, problems } = await signedIn('operator', false)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /any identifier/ }).fill(mobile)
  await page.getByRole('option').filter({ hasText: 'mobile' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/console/journeys/${journeyId}*`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText('Profiled (update 2)').waitFor()
  await timeline.getByText('Started (update 1)').waitFor()
  await timeline.getByRole('button', { name: 'Network', exact: true }).click()
  await timeline
    .getByText(/Asked lenders for offers|answered the search|sent its form or products/)
    .first()
    .waitFor()
  // The filter leaves updates out.
  await timeline.getByText('Profiled (update 2)').waitFor({ state: 'detached' })
  assert.match(page.url(), /kinds=network/)
  assert.equal((await page.content()).includes(mobile), false, 'the number is masked')
  await isUsable(page, 'a journey')
  await page.setViewportSize({ width: 390, height: 844 })
  await isUsable(page, 'a journey at 390')
  const [entries, facts] = [timeline, page.getByRole('heading', { name: 'Borrower' })].map((each) => each.boundingBox())
  assert.ok(((await entries)?.y ?? 0) < ((await facts)?.y ?? 0), 'what happened comes first on a phone')
  assert.deepEqual(problems, [])
  await context.close()
})

test('commands are found by words that are typed, and ? lists the shortcuts', async () => {
  const { context, page, problems } = await signedIn('developer', true)
  const run = async (typed: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /any identifier/ }).fill(typed)
    await page.getByRole('option', { name: option }).first().waitFor()
    await page.keyboard.press('Enter')
  }
  await run('theme dark', /Theme: dark/)
  await page.waitForFunction("document.documentElement.dataset.theme === 'dark'")
  await run('key create', /Create an API key/)
  await page.getByRole('dialog', { name: 'Create a key' }).waitFor()
  await isUsable(page, 'a new key')
  await page.keyboard.press('Escape')
  await run('signature', /Signature checker/)
  await page.waitForURL(/webhooks\/signature/)
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).click()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Next row').waitFor()
  await isUsable(page, 'the shortcuts')
  assert.deepEqual(problems, [])
  await context.close()
})

test('a journey of another tenant looks absent to a tenant’s people, and they see no area of the platform', async () => {
  const { journeyId } = await appliedFor()
  const { context, page, url } = await signedIn('developer', true)
  await page.goto(`${url}/journeys/${journeyId}`)
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Timeline' }).count(), 0)
  assert.equal(await page.getByRole('link', { name: 'People' }).count(), 0)
  await context.close()
})

for (const [width, colorScheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const)
  test(`people, their accounts and the audit log can be used by everybody, at ${width} pixels`, async () => {
    const { context, page, url, problems } = await signedIn('admin', false, {
      viewport: { width, height: 844 },
      colorScheme,
    })
    const { origin } = new URL(url)
    await ask(`${origin}/api/console/sign-in`, { method: 'POST', body: { email: 'a@b.example', password: 'a guess' } })
    const spoken = { category: 'OTHER', text: 'I was charged twice.', language: 'en', email: 'asha@mail.example' }
    const written = await page.request.post(`${origin}/api/console/complaints`, { data: spoken })
    assert.equal(written.status(), 201)
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
      await isUsable(page, `${place} at ${width}`)
    }
    await page.goto(`${url}/mail/set-aside`)
    const table = page.getByRole('region', { name: 'Mail that was set aside' })
    await page.getByText('No mail is set aside').or(table).waitFor()
    await isUsable(page, `mail that was set aside at ${width}`)
    assert.deepEqual(problems, [])
    await context.close()
  })

test('a developer changes when alerts about webhooks are sent; what is wrong stands beside its field', async () => {
  const { context, page, url, problems } = await signedIn('developer', true)
  await page.goto(`${url}/webhooks/alerts`)
  const minutes = page.getByLabel(/Minutes/)
  const before = await minutes.inputValue()
  const keep = async (value: string) => {
    await minutes.fill(value)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await keep('0')
  await page.locator('.fault').waitFor()
  await isUsable(page, 'alerts')
  await keep(String(Number(before) + 1))
  await page.getByText('Saved.').waitFor()
  await page.getByText('You can replay updates that were given up').waitFor()
  assert.equal(await page.getByText('none is lost').count(), 0, 'an update can be given up')
  await page.reload()
  assert.equal(await minutes.inputValue(), String(Number(before) + 1))
  await keep(before)
  await page.getByText('Saved.').waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test('people of the platform list the journeys of all tenants, with whose each is, and go on to one', async () => {
  const { journeyId } = await appliedFor()
  const { context, page, url, problems } = await signedIn('operator', false)
  await page.goto(`${url}/journeys`)
  await page.getByRole('columnheader', { name: 'Tenant', exact: true }).waitFor()
  await isUsable(page, 'journeys of all tenants')
  await page.locator('tbody tr').first().click()
  await page.waitForURL(/\/console\/journeys\/[0-9a-f-]+\?tenant=/)
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
  await page.goto(`${url}/journeys/${journeyId}?tenant=${programs.tenant.tenantId}`)
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

for (const width of [1280, 390])
  test(`the log of requests has the status of each in sight, and is not cut, at ${width} pixels`, async () => {
    const { context, page, url, problems } = await signedIn('developer', true, { viewport: { width, height: 844 } })
    const items = Array.from({ length: 3 }, (_, i) => ({
      requestId: `0192e0a4-0000-7000-8000-00000000000${i}`,
      applicationId: programs.tenant.applicationId,
      keyId: '0192e0a4-1111-7000-8000-000000000001',
      method: 'POST',
      route: '/api/v1/headless/journeys/{journeyID}/offers/{offerID}/lender-steps/verification',
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
    await isUsable(page, `requests at ${width}`)
    assert.deepEqual(problems, [])
    await context.close()
  })

test('a session that ends asks for the password again, and what was typed is still there', async () => {
  const { context, page, url } = await signedIn('admin', false)
  await page.goto(`${url}/people`)
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Kavya Nair')
  await page.getByLabel('Email').fill(`kavya-${Date.now()}@example.com`)
  await context.clearCookies()
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  const admin = programs.console.people.find(({ role, tenantId }) => role === 'admin' && tenantId === null)
  await again.getByLabel('Password').fill(admin?.password ?? '')
  await again.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('send this link yourself').waitFor()
  await context.close()
})

for (const [width, colorScheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const)
  test(`the console opens with the overview, whose charts can be used by everybody, at ${width} pixels`, async () => {
    await appliedFor()
    const { context, page, problems, url } = await signedIn('operator', false, {
      viewport: { width, height: 844 },
      colorScheme,
    })
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    const panel = page.getByRole('region', { name: 'Journeys over time', exact: true })
    await panel.locator('canvas').waitFor()
    await panel.getByText('Show numbers').click()
    await panel.getByRole('row').nth(1).waitFor()
    await panel.getByRole('figure').focus()
    await page.keyboard.press('ArrowLeft')
    const [today] = (await panel.getByRole('cell').allTextContents()) as [string]
    await panel.locator('.legend').getByText(today).waitFor()
    await isUsable(page, `the overview at ${width}`)
    await page.getByRole('radio', { name: '24 hours' }).check()
    await page.waitForURL(/range=24h/)
    await panel.getByRole('row').nth(24).waitFor()
    const file = await page.request.get(
      `${new URL(url).origin}${await panel.getByRole('link', { name: 'CSV' }).getAttribute('href')}`,
    )
    assert.match(await file.text(), /^Begins \(India\),Tenant,Application,Product,Status,Count\r\n/)
    assert.deepEqual(problems, [])
    await context.close()
  })
