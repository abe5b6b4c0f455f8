// Sign-in to the console in a real browser, with an OpenID provider and with passkeys of a virtual device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedBrowser } from '#test/setup/browser.ts'
import { consolePassword, consoleUser } from '#test/setup/console.ts'
import { client, openIdProvider } from '#test/setup/open-id-provider.ts'
import { assertUsable, openPage } from '#test/setup/page.ts'
import { freePort, testPlatform } from '#test/setup/platform.ts'

const issuer = `http://localhost:${await freePort()}`
const platform = await testPlatform({
  OPENID_ISSUER: issuer,
  OPENID_CLIENT_ID: client.id,
  OPENID_CLIENT_SECRET: client.secret,
  OPENID_NAME: 'Lend SSO',
  OPENID_DOMAINS: '*',
})
const { url, tenant } = platform
const provider = await openIdProvider(issuer, `${url}/api/console/sign-in/openid/return`)
const browser = await sharedBrowser()

test('OpenID sign-in returns to the requested page, and an unknown user gets an error', async () => {
  const user = await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId, name: 'Karan Malhotra' })
  const { context, page, problems } = await openPage(browser)
  provider.user = { subject: 'nobody', email: 'nobody@pay.example' }
  await page.goto(`${url}/console/webhooks`)
  await page.getByRole('button', { name: 'Sign in with Lend SSO' }).click()
  await page.getByRole('alert').getByText('There is no account with your email address').waitFor()
  await assertUsable(page, 'the sign-in page')
  await context.clearCookies()
  provider.user = { subject: 'karan', email: user.person.email }
  await page.goto(`${url}/console/webhooks`)
  await page.getByRole('button', { name: 'Sign in with Lend SSO' }).click()
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  await page.goto(`${url}/console/account`)
  const linkedAccounts = page.locator('section').filter({ hasText: 'Linked accounts' })
  await linkedAccounts.getByText(issuer).waitFor()
  await assertUsable(page, 'an account with a link')
  await linkedAccounts.getByRole('button', { name: 'Unlink' }).click()
  await linkedAccounts.getByText('No linked accounts yet').waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})

test('a passkey is added on the account page, signs in without a password, and can be removed', async () => {
  const user = await consoleUser(platform, { role: 'admin', name: 'Anil Deshmukh' })
  const { context, page, problems } = await openPage(browser)
  // The virtual device signs in at once when a field offers passkeys, so the test decides when fields offer them.
  await page.addInitScript(
    "PublicKeyCredential.isConditionalMediationAvailable = async () => localStorage.getItem('list') === 'on'",
  )
  const cdpSession = await context.newCDPSession(page)
  await cdpSession.send('WebAuthn.enable')
  const options = { protocol: 'ctap2' as const, transport: 'internal' as const, hasResidentKey: true }
  await cdpSession.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  })
  const origin = url.replace('127.0.0.1', 'localhost')
  const [name = '', value = ''] = user.cookie.split('=')
  await context.addCookies([{ name, value, url: origin }])

  await page.goto(`${origin}/console/account`)
  const passkeys = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Passkeys' }) })
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Work laptop')
  await dialog.getByLabel('Password').fill('not this one')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('is not the current password').waitFor()
  await dialog.getByLabel('Password').fill(consolePassword)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await passkeys.getByText('Work laptop').first().waitFor()
  await assertUsable(page, 'an account with a passkey')

  const signOut = async () => {
    await page.getByRole('button', { name: /Anil Deshmukh/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
  }
  await signOut()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.evaluate("localStorage.setItem('list', 'on')")
  const fromList = page.waitForResponse((response) => response.url().endsWith('/sign-in/passkey'))
  await signOut()
  assert.equal((await fromList).status(), 200)
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.evaluate("localStorage.setItem('list', 'off')")
  await passkeys.getByRole('button', { name: 'Remove Work laptop' }).click()
  await page.getByRole('button', { name: 'Remove the passkey' }).click()
  await passkeys.getByText('Work laptop').first().waitFor({ state: 'detached' })

  await signOut()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page
    .getByRole('alert')
    .getByText(/passkey is unknown/i)
    .waitFor()
  assert.deepEqual(problems, [])
  await context.close()
})
