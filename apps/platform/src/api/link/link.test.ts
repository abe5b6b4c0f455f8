// A link that can be sent, over HTTP: made, opened after a code by SMS, reopened, revoked, expired and guessed at.
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import type { Log } from '@lendloom/foundation/log'
import { deleteOldGuesses } from '@lendloom/identity/guess-count'
import { languages } from '@lendloom/lending/language'
import type { Worker } from '@lendloom/queue/queue'
import { call, enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { consoleUser } from '@lendloom/tests/setup/console'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { deleteExpiredTokens } from '#platform/integrators/access/store.ts'
import { deleteTheme } from '#platform/integrators/access/theme/store.ts'
import { changeTheme, readLogo } from '#platform/integrators/access/theme.ts'
import { eraseBorrower } from '#platform/records/privacy/erase.ts'
import { unsafeSettings } from '#platform/settings-faults.ts'
import { smsWorker } from '#platform/sms/send-sms.ts'

const provider = await startReceiver()
after(() => provider.stop())
let now = new Date()
const advance = (seconds: number) => {
  now = secondsAfter(now, seconds)
}
const sms = { SMS_URL: provider.url('/messages'), SMS_API_KEY: 'key-of-the-sms-provider' }
const platform = await testPlatform({ ...sms, RATE_LIMITS: 'off', TRUSTED_PROXIES: '127.0.0.1/32' }, () => now)
const { url, ctx, tenant, secondTenant } = platform
const { db } = ctx
let worker: Worker
let logged: string[] = []
const note = (...args: unknown[]) => void logged.push(JSON.stringify(args))
const log: Log = { ...ctx.log, warn: note, error: note, info: note, debug: note }

beforeEach(() => {
  provider.received.length = 0
  provider.answer = () => 202
  logged = []
  worker = smsWorker({ ...ctx, log })
})
afterEach(() => worker.stop())

type Applicant = ReturnType<typeof newApplicant>
const request = (applicant: Applicant, linkTtl: string, headers?: Record<string, string>) =>
  openSession(url, tenant, { ...applicant, linkTtl }, headers)

/** A link for a new borrower, with the borrower's number. */
async function newLink(linkTtl = 'P3D') {
  const applicant = newApplicant()
  const { status, body } = await request(applicant, linkTtl)
  assert.equal(status, 201, JSON.stringify(body))
  return {
    ...(body.link as { id: string; url: string; expiresAt: string }),
    embedUrl: body.embedUrl as string,
    applicant,
    mobile: applicant.profile.contactNumber,
  }
}

/** A browser that keeps cookies. Each has its own address unless one is given. */
let addresses = 0
function browser(address = `203.0.113.${++addresses % 250}`) {
  const jar = new Map<string, string>()
  async function send(target: string, form?: Record<string, string>, more: Record<string, string> = {}) {
    const answer = await fetch(new URL(target, url), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        'x-forwarded-for': address,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...more,
      },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^(\w+)=([^;]*)/.exec(cookie)!
      jar.set(name!, value!)
    }
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      headers: answer.headers,
      text: await answer.text(),
    }
  }
  return { send, jar }
}
type Browser = ReturnType<typeof browser>

const codeIdIn = (location: string): string => new URL(location, url).searchParams.get('code')!

/** Asks for a code and returns it as the phone shows it. */
async function requestCode(device: Browser, link: string, lang = 'en') {
  const before = provider.received.length
  const sent = await device.send(`${link}/code?lang=${lang}`, {})
  assert.equal(sent.status, 303, sent.text)
  await until('an SMS', async () => provider.received.length > before)
  const message = JSON.parse(provider.received.at(-1)!.body.toString()) as {
    to: string
    text: string
    template: string
  }
  return { id: codeIdIn(sent.location), code: /\d{6}/.exec(message.text)![0], message }
}

const otherCode = (code: string): string => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))

async function openOn(device: Browser, link: string) {
  provider.received.length = 0
  const { id, code } = await requestCode(device, link)
  const opened = await device.send(link, { id, code })
  assert.equal(opened.status, 303, opened.text)
  return opened
}

const gone = /This link no longer works.*Ask the sender for a new one\./s

test('D1 §2.1: a link is answered beside the embed URL only if the request asks for it', async () => {
  const applicant = newApplicant()
  const plain = await openSession(url, tenant, applicant)
  assert.deepEqual(Object.keys(plain.body), ['embedUrl'])
  const { status, body } = await request(applicant, 'P2DT30M')
  assert.equal(status, 200)
  assert.equal(Date.parse(body.link.expiresAt) - now.getTime(), (2 * 24 * 60 + 30) * 60_000)
  assert.ok(body.link.url.startsWith(`${url}/open/lk_`))
  assert.match(body.embedUrl, /\/lab\/embed\?.*#token=bt_/)
  await enter(url, body.embedUrl)
  const [row] = await db<{ row: string }>`select l::text as row from journey_link l where link_id = ${body.link.id}`
  assert.equal(row!.row.includes(body.link.url.split('/').at(-1)), false, 'only a digest of the token is stored')
})

test('D1 §2.1: a lifetime out of bounds and a platform without SMS are refused by field', async () => {
  for (const linkTtl of ['PT4M59S', 'P7DT1S', 'P1M', 'P0D', '3 days', 'PT-5M', 'P99999999D', '']) {
    const { status, body } = await request(newApplicant(), linkTtl || 'x')
    assert.equal(status, 400, linkTtl)
    assert.equal(body.error.details.field, 'linkTtl')
  }
  for (const linkTtl of ['PT5M', 'P7D', 'P1W', 'PT168H'])
    assert.equal((await request(newApplicant(), linkTtl)).status, 201)
  const { url: withoutSms, tenant: other } = await testPlatform()
  const refused = await openSession(withoutSms, other, { ...newApplicant(), linkTtl: 'P1D' })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.details.field, 'linkTtl')
  assert.match(refused.body.error.message, /SMS_URL/)
  assert.equal((await openSession(withoutSms, other, newApplicant())).status, 201)
})

test('D2 §8: a repeated request gets the same link, also after its embed URL has expired', async () => {
  const applicant = newApplicant()
  const headers = { 'idempotency-key': `link-${applicant.borrowerProviderID}` }
  const first = await request(applicant, 'P1D', headers)
  const repeated = await request(applicant, 'P1D', headers)
  assert.deepEqual(repeated.body, first.body)
  advance(3600)
  const late = await request(applicant, 'P1D', headers)
  assert.deepEqual(late.body.link, first.body.link)
  assert.notEqual(late.body.embedUrl, first.body.embedUrl)
  await enter(url, late.body.embedUrl)
  const [count] = await db<{
    n: number
  }>`select count(*)::integer as n from journey_link where expires_at = ${new Date(first.body.link.expiresAt)}`
  assert.equal(count!.n, 1)
})

test('D1 §2.2: a code to the borrower’s number opens the page, and then the device reopens it without a code', async () => {
  const link = await newLink()
  const phone = browser()
  const start = await phone.send(link.url)
  assert.equal(start.status, 200)
  assert.match(start.headers.get('cache-control')!, /no-store/)
  assert.equal(start.headers.get('referrer-policy'), 'no-referrer')
  const { id, code, message } = await requestCode(phone, link.url)
  assert.equal(message.to, `+91${link.mobile}`)
  assert.equal(message.template, 'link_code_en')
  const [request] = provider.received
  assert.equal(request!.headers.authorization, `Bearer ${sms.SMS_API_KEY}`)
  assert.ok(request!.headers['idempotency-key'])
  const entry = await phone.send(`${link.url}?code=${id}`)
  assert.match(entry.text, /autocomplete="one-time-code"/)
  assert.match(entry.text, /inputmode="numeric"/)
  const opened = await phone.send(link.url, { id, code: `${code.slice(0, 3)} ${code.slice(3)}` })
  assert.equal(opened.status, 303, opened.text)
  assert.match(
    opened.headers.getSetCookie()[0]!,
    /^lendloom_link_\w+=ld_\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
  )
  const { journeyId } = await enter(url, new URL(opened.location, url).href)
  assert.equal(journeyId, (await enter(url, link.embedUrl)).journeyId)
  advance(2 * 86_400)
  const reopened = await phone.send(link.url)
  assert.equal(reopened.status, 303)
  await enter(url, new URL(reopened.location, url).href)
  assert.equal(provider.received.length, 1)
  assert.equal((await phone.send(link.url, { id, code })).status, 422, 'the code was used')
})

test('D1 §2.2: a forwarded link shows nothing of the journey or the person, and another device needs its own code', async () => {
  const link = await newLink()
  await openOn(browser(), link.url)
  const other = browser()
  const texts = [(await other.send(link.url)).text]
  const { id, code, message } = await requestCode(other, link.url)
  texts.push((await other.send(`${link.url}?code=${id}`)).text)
  texts.push((await other.send(link.url, { id, code: otherCode(code) })).text)
  const { applicant, mobile } = link
  for (const text of texts) {
    // The style, the icons and the ids have digits of their own, which may be those of the number by chance.
    const words = text.replace(/<style.*?<\/style>|<[^>]*>/gs, ' ')
    assert.match(words, /code/i)
    assert.equal(words.includes(mobile.slice(-3)), false, 'at most the last two digits')
    assert.equal(words.includes(code), false)
    assert.equal(text.includes(mobile), false)
    assert.equal(text.includes(applicant.borrowerProviderID), false)
  }
  assert.ok(texts[0]!.includes(`ending in ${mobile.slice(-2)}`))
  assert.equal(message.to, `+91${mobile}`)
  assert.equal((await other.send(link.url, { id, code })).status, 303)
})

test('D1 §2.2: a link opens on five devices, and then it is used up', async () => {
  const link = await newLink()
  const phones = Array.from({ length: 5 }, () => browser())
  for (const phone of phones) await openOn(phone, link.url)
  const sixth = await browser().send(link.url)
  assert.equal(sixth.status, 404)
  assert.match(sixth.text, gone)
  assert.equal((await phones[0]!.send(link.url)).status, 303)
})

test('D1 §2.2: several devices that enter their codes at once do not exceed the five', async () => {
  const link = await newLink()
  for (let i = 0; i < 4; i++) await openOn(browser(), link.url)
  const entries: { device: Browser; id: string; code: string }[] = []
  for (const pause of [0, 30, 60]) {
    advance(pause)
    const device = browser()
    entries.push({ device, ...(await requestCode(device, link.url)) })
  }
  const answers = await Promise.all(entries.map(({ device, id, code }) => device.send(link.url, { id, code })))
  // A request that comes after the fifth device finds the link used up.
  assert.equal(answers.filter(({ status }) => status === 303).length, 1)
  assert.ok(answers.every(({ status }) => [303, 404, 422].includes(status)))
})

test('D1 §2.2: unknown, malformed, expired and revoked links get the same answer', async () => {
  const expired = await newLink('PT5M')
  const revoked = await newLink()
  const phone = browser()
  await openOn(phone, expired.url)
  assert.equal((await ask(`${url}/api/lab/links/${revoked.id}`, { method: 'DELETE', key: tenant.apiKey })).status, 204)
  advance(300)
  const unknown = revoked.url.replace(/.{6}$/, '000000')
  const answers = []
  for (const address of [expired.url, revoked.url, unknown, `${url}/open/abc`, `${url}/open/%00`]) {
    for (const form of [undefined, { id: crypto.randomUUID(), code: '123456' }])
      answers.push(await phone.send(address, form))
    answers.push(await phone.send(`${address}/code`, {}))
  }
  for (const { status, text } of answers) {
    assert.equal(status, 404)
    assert.equal(text, answers[0]!.text)
  }
  assert.match(answers[0]!.text, gone)
})

test('D1 §2.1: revoking and expiry end what was opened with the link; another tenant cannot revoke it', async () => {
  const link = await newLink('PT20M')
  const phone = browser()
  const session = await enter(url, new URL((await openOn(phone, link.url)).location, url).href)
  const own = await enter(url, link.embedUrl)
  const waiting = await phone.send(link.url)
  const path = `${url}/api/lab/links/${link.id}`
  assert.equal((await ask(path, { method: 'DELETE', key: secondTenant.apiKey })).status, 404)
  assert.equal((await ask(`${url}/api/lab/links/none`, { method: 'DELETE', key: tenant.apiKey })).status, 404)
  assert.equal((await call(session, 'GET', '/journey')).status, 200)
  assert.equal((await ask(path, { method: 'DELETE', key: tenant.apiKey })).status, 204)
  assert.equal((await ask(path, { method: 'DELETE', key: tenant.apiKey })).status, 204, 'again')
  await assert.rejects(enter(url, new URL(waiting.location, url).href), /could not be opened/)
  assert.equal((await phone.send(link.url)).status, 404)
  // Look-ups of sessions are cached for five seconds.
  advance(6)
  assert.equal((await call(session, 'GET', '/journey')).status, 401)
  assert.equal((await call(own, 'GET', '/journey')).status, 200, 'the embed URL is another door')

  const brief = await newLink('PT10M')
  const opened = await enter(url, new URL((await openOn(browser(), brief.url)).location, url).href)
  advance(599)
  assert.equal((await call(opened, 'GET', '/journey')).status, 200)
  advance(2)
  assert.equal((await call(opened, 'GET', '/journey')).status, 401, 'half an hour is more than the link had')
})

test('D1 §5: a code has five tries however many connections, and pauses grow, also for a new code', async () => {
  const link = await newLink()
  const phone = browser()
  const { id, code } = await requestCode(phone, link.url)
  const wrong = otherCode(code)
  const answers = await Promise.all(Array.from({ length: 40 }, () => browser().send(link.url, { id, code: wrong })))
  assert.equal(answers.filter(({ status }) => status === 422).length, 4, 'wrong, with tries left')
  assert.equal(answers.filter(({ status }) => status === 429).length, 36)
  assert.equal((await phone.send(link.url, { id, code })).status, 429, 'the right one too')
  const paused = await phone.send(`${link.url}/code`, {})
  assert.equal(paused.status, 429)
  assert.ok(Number(paused.headers.get('retry-after')) > 800)
  assert.match(paused.text, /Too many wrong codes/)
  advance(15 * 60 + 1)
  assert.match((await phone.send(link.url, { id, code })).text, /no longer works/, 'the code has expired')
  provider.received.length = 0
  const second = await requestCode(phone, link.url)
  for (let i = 0; i < 5; i++) await phone.send(link.url, { id: second.id, code: otherCode(second.code) })
  advance(16 * 60)
  assert.equal((await phone.send(`${link.url}/code`, {})).status, 429, 'the second pause is an hour')
  advance(45 * 60)
  await openOn(phone, link.url)
})

test('D1 §5: an expired code is refused, and a code of another link', async () => {
  const link = await newLink()
  const other = await newLink()
  const phone = browser()
  const { id, code } = await requestCode(phone, link.url)
  assert.equal((await phone.send(other.url, { id, code })).status, 422)
  assert.equal((await phone.send(link.url, { id, code: '12345' })).status, 422)
  assert.equal((await phone.send(link.url, { id: 'x', code })).status, 422)
  advance(5 * 60)
  assert.equal((await phone.send(link.url, { id, code })).status, 422)
})

test('D1 §5: codes are sent with growing pauses per journey, also by another link', async () => {
  const link = await newLink()
  const phone = browser()
  const send = async (address = link.url) => (await phone.send(`${address}/code`, {})).status
  const results = await Promise.all(Array.from({ length: 10 }, () => send()))
  assert.equal(results.filter((status) => status === 303).length, 1)
  assert.equal(await send(), 429)
  const again = await request(link.applicant, 'P1D')
  assert.equal(await send(again.body.link.url), 429)
  for (const pause of [30, 60, 300, 900, 3600]) {
    advance(pause - 1)
    assert.equal(await send(), 429, `before ${pause} s`)
    advance(1)
    assert.equal(await send(), 303, `after ${pause} s`)
  }
  await deleteOldGuesses(db, daysAfter(now, -2))
  assert.equal(await send(), 429, 'the sweep keeps a pause')
})

test('D1 §5: one number gets one code at a time, however many journeys and networks ask', async () => {
  const contactNumber = `97${String(Date.now()).slice(-8)}`
  const links: string[] = []
  for (let i = 0; i < 6; i++) {
    const { body } = await request(newApplicant({ profile: { contactNumber } }), 'P3D')
    links.push(body.link.url)
  }
  const answers = await Promise.all(links.map((link) => browser().send(`${link}/code`, {})))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 429, 429, 429, 429, 429])
  await until('an SMS', async () => provider.received.length > 0)
  await db`delete from guess_count where subject like 'link-send %'`
  await openOn(browser(), links[0]!)
})

test('D1 §5: codes and wrong codes are counted per network; right ones are taken back', async () => {
  const address = '198.51.100.7'
  for (let i = 0; i < 32; i++) await openOn(browser(address), (await newLink()).url)
  const links = []
  for (let i = 0; i < 31; i++) links.push(await newLink())
  const statuses = []
  for (const { url: each } of links) statuses.push((await browser(address).send(`${each}/code`, {})).status)
  assert.deepEqual(
    statuses.filter((status) => status === 429).length,
    1,
    'thirty customers of a branch may be sent a code at once, and no more',
  )
  assert.equal((await browser().send(`${links[30]!.url}/code`, {})).status, 429, 'its own pause has begun')
  assert.equal((await browser().send(`${(await newLink()).url}/code`, {})).status, 303, 'another network')
})

test('SMS: a failed message is sent again with the same id, but not after its code has expired', async () => {
  const link = await newLink()
  let failures = 2
  provider.answer = () => (failures-- > 0 ? 503 : 200)
  await browser().send(`${link.url}/code`, {})
  const stepUntil = async (count: number) =>
    until(`${count} attempts`, async () => {
      advance(1)
      db.wake('sms')
      return provider.received.length >= count
    })
  await stepUntil(3)
  assert.equal(new Set(provider.received.map(({ headers }) => headers['idempotency-key'])).size, 1)
  const waiting = async () => (await db<{ n: number }>`select count(*)::integer as n from job where kind = 'sms'`)[0]!.n
  await until('the end of the job', async () => (await waiting()) === 0)
  provider.received.length = 0
  provider.answer = () => 503
  advance(600)
  await browser().send(`${link.url}/code`, {})
  await stepUntil(1)
  advance(301)
  const tries = provider.received.length
  await until('the end of the job', async () => {
    advance(10)
    db.wake('sms')
    return (await waiting()) === 0
  })
  assert.equal(provider.received.length, tries)
})

test('DPDP §8(5): neither number nor code is in clear in the database or the log', async () => {
  const link = await newLink()
  await worker.stop()
  await browser().send(`${link.url}/code`, {})
  const dump = async () => {
    const tables = await db<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
    const texts: string[] = []
    for (const { name } of tables)
      texts.push(JSON.stringify((await db.pool.query(`select t::text from "${name}" t`)).rows))
    return texts.join()
  }
  const waiting = await dump()
  provider.answer = () => 400
  worker = smsWorker({ ...ctx, log })
  await provider.waitForRequests(1)
  const code = /\d{6}/.exec(JSON.parse(provider.received[0]!.body.toString()).text)![0]
  await until('the log', async () => logged.length > 0)
  await until('the end of the job', async () => (await db`select from job where kind = 'sms'`).length === 0)
  for (const text of [waiting, await dump(), logged.join()]) {
    assert.equal(text.includes(link.mobile), false)
    assert.equal(new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`).test(text), false)
  }
  assert.match(logged.join(), /refused/)
})

test('DPDP §12: an erasure removes links, codes and devices, and the link no longer works', async () => {
  const link = await newLink()
  const phone = browser()
  await openOn(phone, link.url)
  const { tenantId } = tenant
  const [row] = await db<{ journeyId: string; borrowerId: string }>`
    select l.journey_id, j.borrower_id from journey_link l join journey j using (bucket, tenant_id, journey_id) where l.link_id = ${link.id}`
  await db`update journey set active = false, status = 'NOT_OFFERED' where journey_id = ${row!.journeyId}`
  const { erased } = await db.tx((tx) =>
    eraseBorrower(
      { ...ctx, tx, at: now },
      { tenantId, borrowerId: row!.borrowerId },
      { isRequested: true, openedUntil: now },
    ),
  )
  assert.equal(erased, 1)
  for (const table of ['journey_link', 'journey_link_code', 'journey_link_device'])
    assert.equal((await db.pool.query(`select from ${table} where link_id = $1`, [link.id])).rows.length, 0, table)
  assert.equal((await phone.send(link.url)).status, 404)
})

test('the sweep deletes codes a day after they expired', async () => {
  const link = await newLink()
  await requestCode(browser(), link.url)
  await deleteExpiredTokens(db, now)
  const count = async () => (await db`select from journey_link_code where link_id = ${link.id}`).length
  assert.equal(await count(), 1)
  await deleteExpiredTokens(db, daysAfter(now, 1))
  assert.equal(await count(), 0)
})

test('the journey’s timeline says when a link was made, opened and revoked', async () => {
  const link = await newLink()
  await openOn(browser(), link.url)
  advance(1)
  await ask(`${url}/api/lab/links/${link.id}`, { method: 'DELETE', key: tenant.apiKey })
  const { journeyId } = await enter(url, link.embedUrl).catch(() => ({ journeyId: '' }))
  assert.ok(journeyId)
  const developer = await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId })
  const { body } = await developer.ask('GET', `/journeys/${journeyId}/timeline?kinds=request&reads=omit`)
  const codes = body.items
    .map(({ title }: { title: { code: string } }) => title.code)
    .filter((code: string) => code !== 'request')
  assert.deepEqual(codes.toSorted(), ['link-made', 'link-opened', 'link-revoked'])
  assert.doesNotMatch(JSON.stringify(body), new RegExp(link.mobile))
  const entry = await developer.ask('GET', `/journeys/${journeyId}/timeline/link.${link.id}.made`)
  assert.equal(entry.status, 200)
})

test('D1 §1: the pages and the SMS are in the borrower’s language', async () => {
  for (const lang of languages) {
    const link = await newLink()
    const phone = browser()
    const { text } = await phone.send(`${link.url}?lang=${lang}`)
    assert.match(text, new RegExp(`<html lang="${lang}">`))
    provider.received.length = 0
    const { message } = await requestCode(phone, link.url, lang)
    assert.equal(message.template, `link_code_${lang}`)
    assert.equal(/(?!\p{Script=Latin})\p{L}/u.test(message.text), lang !== 'en')
  }
})

test('D1 §2.2: the page has the name, the colour and the logo of the application', async () => {
  const link = await newLink()
  const { tenantId, applicationId } = tenant
  const logo = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40z"/></svg>',
  )
  const theme = { name: 'Asha Pay', accent: '#a3195b', corner: 'round', font: 'serif' } as const
  const parsed = await readLogo(logo.toString('base64'))
  await changeTheme(db, { tenantId, applicationId }, { ...theme, logo: parsed }, now)
  const { text, headers } = await browser().send(link.url)
  await deleteTheme(db, { tenantId, applicationId })
  assert.match(text, /<b>Asha Pay <\/b>/)
  assert.match(text, /--logo:url\("\/lab\/application-logo\?/)
  assert.match(text, /font-family:Charter/)
  assert.match(headers.get('content-security-policy')!, /img-src 'self'/)
  assert.equal(text.includes('--accent:#2b4fb0'), false, 'not the colour of the default look')
})

test('a page of another site cannot send a code or enter one', async () => {
  const link = await newLink()
  const other = { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' }
  assert.equal((await browser().send(`${link.url}/code`, {}, other)).status, 403)
  assert.equal((await browser().send(link.url, { id: crypto.randomUUID(), code: '123456' }, other)).status, 403)
})

test('outside the sandbox, the SMS provider needs https and a key', () => {
  const faults = (values: object) =>
    unsafeSettings({ SANDBOX: false, ...values }).filter((each) => each.startsWith('SMS_'))
  assert.deepEqual(faults({ SMS_URL: null, SMS_API_KEY: '' }), [])
  assert.equal(faults({ SMS_URL: 'http://sms.example/send', SMS_API_KEY: '' }).length, 2)
  assert.deepEqual(faults({ SMS_URL: 'https://sms.example/send', SMS_API_KEY: 'k' }), [])
})
