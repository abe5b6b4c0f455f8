// A user's own page over real HTTP: the list of sessions, and the theme of a browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactText } from '@lendloom/lending/time-text'
import { deskPassword, deskPerson, deskSession } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'

/** How far the desk's clock is ahead of real time. */
let aheadMs = 0
const partner = await startTestPartner({}, () => new Date(Date.now() + aheadMs))
const meera = await deskPerson(partner, 'Meera', 'viewer')
const ends = (html: string) =>
  [...html.matchAll(/action="(\/desk\/me\/sessions\/[\da-f-]{36}\/end)"/g)].map(([, path]) => path!)

test('a user sees where they are signed in, and can end their other sessions, but not those of others', async () => {
  const signIn = { name: 'Meera', email: 'meera@lender.example', password: deskPassword }
  const laptop = await deskSession(partner, signIn)
  const page = await meera.view('/desk/me')
  assert.match(page.text, /Where you are signed in[\s\S]*This session/)
  const [end, ...others] = ends(page.html)
  assert.deepEqual(others, [], 'the session of the request has no button')
  const ravi = await deskPerson(partner, 'Ravi', 'admin')
  assert.equal((await ravi.send(end!)).status, 404)
  assert.equal((await laptop.view('/desk')).status, 200)
  assert.equal((await meera.send(end!)).status, 303)
  assert.equal((await laptop.view('/desk')).location, '/desk/sign-in')
  assert.equal((await meera.send(end!)).status, 404)
  const acts = await partner.db<{ personId: string }>`select person_id from audit_entry where act = 'SESSION_REVOKED'`
  assert.deepEqual(acts, [{ personId: meera.staffId }])
  assert.equal((await meera.send('/desk/me/sessions/x/end')).status, 400)
})

test('a sign-in has one time, by the clock of the desk, on the own page and in the audit log', async () => {
  aheadMs = 4 * 86_400_000
  const signIn = { name: 'Meera', email: 'meera@lender.example', password: deskPassword }
  const session = await deskSession(partner, signIn)
  const page = await session.view('/desk/me')
  aheadMs = 0
  const [entry] = await partner.db<{ at: Date }>`
    select at from audit_entry where act = 'SIGNED_IN' order by sequence desc limit 1`
  assert.ok(page.text.includes(exactText(entry!.at)), page.text)
})

test('a chosen theme is a cookie of the browser, and selects a style sheet of one tone', async () => {
  const send = (path: string, cookie: string, form?: Record<string, string>) =>
    fetch(`${partner.url}${path}`, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
  const signedIn = await send('/desk/sign-in', '', { email: 'meera@lender.example', password: deskPassword })
  const session = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  const chosen = await send('/desk/me/theme', session, { theme: 'dark' })
  assert.match(
    chosen.headers.get('set-cookie')!,
    /^desk-theme=dark; Path=\/; HttpOnly; SameSite=Strict; Max-Age=31536000/,
  )
  assert.equal((await send('/desk/me/theme', session, { theme: 'dark; Path=/' })).status, 400)
  const pageWith = async (theme: string) => (await send('/desk/me', `${session}; desk-theme=${theme}`)).text()
  assert.match(await pageWith('dark'), /desk\.css\?theme=dark"[\s\S]*value="dark" aria-pressed="true"/)
  assert.match(await pageWith('pink'), /desk\.css"[\s\S]*value="system" aria-pressed="true"/)
  const sheet = async (query: string) => (await send(`/desk/desk.css${query}`, '')).text()
  assert.match(await sheet(''), /color-scheme:light dark[\s\S]*prefers-color-scheme/)
  assert.match(await sheet('?theme=dark'), /color-scheme:dark[\s\S]*@media all/)
  assert.equal((await send('/desk/desk.css?theme=pink', '')).status, 400)
})
