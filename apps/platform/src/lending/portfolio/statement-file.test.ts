// Download of a fund statement over HTTP: valid, expired and invalid links, and the log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logTo } from '@lendloom/foundation/log'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { statementUpload, statementUrl } from './statement-file.ts'
import { storePortfolio } from './store.ts'

let now = new Date()
const { url, ctx, tenant, secondTenant } = await testPlatform({}, () => now)
const logLines: string[] = []
ctx.log = logTo('platform', 'info', { write: (line) => void logLines.push(line) })

const holding = (schemeCode: string, rta: string) => ({
  amcCode: 'SHK',
  folio: '4410077/31',
  schemeCode,
  rta,
  units: 312.45,
  nav: '85.025',
  email: 'asha@mail.example',
})
const mfc = {
  pan: 'abcpe1234f',
  mobile: '9876500001',
  holdings: [holding('FLEXG', 'CAMS'), holding('MIDG', 'KFINTECH')],
}
let borrowerCount = 0

async function journeyWith(statement: Record<string, unknown> | null) {
  const started = await ask(`${url}/api/v1/hybrid/personal-loan/borrowers/funds-${++borrowerCount}/journey`, {
    method: 'POST',
    key: tenant.apiKey,
    body: { personal: { contactNumber: '9876500001' } },
  })
  const journey = { tenantId: tenant.tenantId, journeyId: started.body.data.journey_id as string }
  await ctx.db.tx((tx) => storePortfolio({ ...ctx, tx, at: now }, journey, { mfc: statement }))
  return journey
}
const advanceDays = (days: number) => {
  now = new Date(now.getTime() + days * 86_400_000)
}

test('FIS12 §10.3: the download is the canonical statement, without email address and mobile number', async () => {
  const journey = await journeyWith(mfc)
  const file = statementUpload(ctx, journey, now)
  assert.equal(file.format, '.json')
  assert.equal(file.validity, 'P5D')
  const { status, headers, body } = await ask(file.url)
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^application\/json/)
  assert.equal(headers.get('cache-control'), 'no-store')
  const commonFields = {
    folio: '4410077/31',
    amcCode: 'SHK',
    units: '312.450',
    lienUnits: '0.000',
    lockedUnits: '0.000',
  }
  assert.deepEqual(body, {
    pan: 'ABCPE1234F',
    holdings: [
      { schemeCode: 'FLEXG', rta: 'CAMS', ...commonFields, nav: '85.0250' },
      { schemeCode: 'MIDG', rta: 'KFIN', ...commonFields, nav: '85.0250' },
    ],
  })
  const kfinStatement = await ask(statementUrl(ctx, journey, now, 'KFIN'))
  assert.deepEqual(
    kfinStatement.body.holdings.map(({ schemeCode }: { schemeCode: string }) => schemeCode),
    ['MIDG'],
  )
  assert.equal((await ask(file.url)).status, 200, 'repeated downloads are allowed')
})

test('FIS12 §10.3: a link expires after five days', async () => {
  const link = statementUrl(ctx, await journeyWith(mfc), now)
  advanceDays(5 - 1 / 86_400)
  assert.equal((await ask(link)).status, 200)
  advanceDays(1 / 86_400)
  assert.equal((await ask(link)).status, 404)
})

test('every invalid link gets the same 404 answer', async () => {
  const journey = await journeyWith(mfc)
  const link = statementUrl(ctx, journey, now)
  const base = `${url}/files/statement`
  const sealedLink = (value: object, context: string) =>
    `${base}/${ctx.seal.json(value, context).toString('base64url')}`
  const linkContent = { ...journey, registrar: null, ends: now.getTime() + 1000 }
  const endedJourney = await journeyWith(mfc)
  await ctx.db.tx(async (tx) => {
    const lockedJourney = (await lockJourney(tx, endedJourney.tenantId, endedJourney.journeyId))!
    await updateJourney(tx, lockedJourney, { active: false }, now)
  })
  const invalidLinks = {
    expired: statementUrl(ctx, journey, new Date(now.getTime() - 5 * 86_400_000)),
    guessed: `${base}/${'A'.repeat(240)}`,
    changed: `${link.slice(0, -8)}AAAAAAAA`,
    long: `${base}/${'A'.repeat(3000)}`,
    'without a token': `${base}/`,
    'with a further path segment': `${link}/more`,
    'of another purpose': sealedLink(linkContent, 'consent link'),
    'of another tenant': statementUrl(ctx, { ...journey, tenantId: secondTenant.tenantId }, now),
    'of a journey without a statement': statementUrl(ctx, await journeyWith(null), now),
    'of an unreadable statement': statementUrl(ctx, await journeyWith({ holdings: 'many' }), now),
    'of the other registrar': statementUrl(
      ctx,
      await journeyWith({ ...mfc, holdings: [mfc.holdings[0]] }),
      now,
      'KFIN',
    ),
    'of a journey that has ended': statementUrl(ctx, endedJourney, now),
  }
  for (const [name, address] of Object.entries(invalidLinks)) {
    const { status, headers, body } = await ask(address)
    assert.equal(status, 404, name)
    assert.equal(body, 'There is nothing here.', name)
    assert.equal(headers.get('cache-control'), 'no-store', name)
  }
  const validLink = await ask(sealedLink(linkContent, 'statement link'))
  assert.equal(validLink.status, 200, 'the link with another purpose is otherwise valid')
  assert.equal((await ask(link, { method: 'POST' })).status, 405)
})

test('logs every download with its journey and outcome, without personal data', async () => {
  const journey = await journeyWith(mfc)
  const link = statementUrl(ctx, journey, now)
  logLines.length = 0
  await ask(link)
  await ask(statementUrl(ctx, journey, new Date(0)))
  await ask(`${url}/files/statement/guess`)
  const entries = logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a fund statement was requested')
  assert.deepEqual(
    entries.map(({ journeyId, outcome }) => ({ journeyId, outcome })),
    [
      { journeyId: journey.journeyId, outcome: 'downloaded' },
      { journeyId: journey.journeyId, outcome: 'expired' },
      { journeyId: undefined, outcome: 'unknown' },
    ],
  )
  for (const secret of ['ABCPE1234F', '4410077', 'asha', '9876500001', link.slice(-40), 'guess'])
    assert.ok(!logLines.join('').includes(secret), secret)
})

test('every link is different and does not reveal the journey', async () => {
  const journey = await journeyWith(mfc)
  const links = Array.from({ length: 3 }, () => statementUrl(ctx, journey, now))
  assert.equal(new Set(links.map((link) => link.slice(-160))).size, 3)
  for (const link of links) {
    const token = link.split('/').at(-1)!
    assert.ok(token.length <= 512)
    assert.ok(!Buffer.from(token, 'base64url').includes(journey.journeyId))
  }
})
