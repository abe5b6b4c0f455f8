// The statement over HTTP: given to who holds the link, for five days and while the journey goes on; to nobody else anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logTo } from '#kit/runtime/log.ts'
import { lockJourney, updateJourney } from '#platform/journey/store.ts'
import { ask, testPlatform } from '#test/setup/platform.ts'
import { statementUpload, statementUrl } from './statement-file.ts'
import { keepPortfolio } from './store.ts'

let now = new Date()
const { url, ctx, tenant, secondTenant } = await testPlatform({}, () => now)
const lines: string[] = []
ctx.log = logTo('platform', 'info', { write: (line) => void lines.push(line) })

const holding = (schemeCode: string, rta: string) => ({
  ...{ amcCode: 'SHK', folio: '4410077/31', schemeCode, rta, units: 312.45, nav: '85.025', email: 'asha@mail.example' },
})
const mfc = {
  pan: 'abcpe1234f',
  mobile: '9876500001',
  holdings: [holding('FLEXG', 'CAMS'), holding('MIDG', 'KFINTECH')],
}
let people = 0

async function journeyWith(statement: Record<string, unknown> | null) {
  const started = await ask(`${url}/api/v1/hybrid/personal-loan/borrowers/funds-${++people}/journey`, {
    ...{ method: 'POST', key: tenant.apiKey, body: { personal: { contactNumber: '9876500001' } } },
  })
  const journey = { tenantId: tenant.tenantId, journeyId: started.body.data.journey_id as string }
  await ctx.db.tx((tx) => keepPortfolio({ ...ctx, tx, at: now }, journey, { mfc: statement }))
  return journey
}
const later = (days: number) => {
  now = new Date(now.getTime() + days * 86_400_000)
}

test('FIS12 §10.3: a lender downloads the canonical statement, and nothing that it does not need', async () => {
  const journey = await journeyWith(mfc)
  const file = statementUpload(ctx, journey, now)
  assert.deepEqual([file.format, file.validity], ['.json', 'P5D'])
  const { status, headers, body } = await ask(file.url)
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^application\/json/)
  assert.equal(headers.get('cache-control'), 'no-store')
  const holding = { folio: '4410077/31', amcCode: 'SHK', units: '312.450', lienUnits: '0.000', lockedUnits: '0.000' }
  assert.deepEqual(body, {
    pan: 'ABCPE1234F',
    holdings: [
      { schemeCode: 'FLEXG', rta: 'CAMS', ...holding, nav: '85.0250' },
      { schemeCode: 'MIDG', rta: 'KFIN', ...holding, nav: '85.0250' },
    ],
  })
  const part = await ask(statementUrl(ctx, journey, now, 'KFIN'))
  assert.deepEqual(
    part.body.holdings.map(({ schemeCode }: { schemeCode: string }) => schemeCode),
    ['MIDG'],
  )
  assert.equal((await ask(file.url)).status, 200, 'as often as it is needed')
})

test('FIS12 §10.3: after five days there is nothing', async () => {
  const link = statementUrl(ctx, await journeyWith(mfc), now)
  later(5 - 1 / 86_400)
  assert.equal((await ask(link)).status, 200)
  later(1 / 86_400)
  assert.equal((await ask(link)).status, 404)
})

test('whatever is wrong with a link looks the same, and says nothing', async () => {
  const journey = await journeyWith(mfc)
  const link = statementUrl(ctx, journey, now)
  const place = `${url}/files/statement`
  const sealed = (value: object, context: string) => `${place}/${ctx.seal.json(value, context).toString('base64url')}`
  const linked = { ...journey, registrar: null, ends: now.getTime() + 1000 }
  const ended = await journeyWith(mfc)
  await ctx.db.tx(async (tx) => {
    const last = (await lockJourney(tx, ended.tenantId, ended.journeyId))!
    await updateJourney(tx, last, { active: false }, now)
  })
  const wrong = {
    expired: statementUrl(ctx, journey, new Date(now.getTime() - 5 * 86_400_000)),
    guessed: `${place}/${'A'.repeat(240)}`,
    changed: `${link.slice(0, -8)}AAAAAAAA`,
    long: `${place}/${'A'.repeat(3000)}`,
    none: `${place}/`,
    deeper: `${link}/more`,
    'of another purpose': sealed(linked, 'consent link'),
    'of another tenant': statementUrl(ctx, { ...journey, tenantId: secondTenant.tenantId }, now),
    'of a journey without a statement': statementUrl(ctx, await journeyWith(null), now),
    'of a statement that nobody understands': statementUrl(ctx, await journeyWith({ holdings: 'many' }), now),
    'of the other registrar': statementUrl(
      ctx,
      await journeyWith({ ...mfc, holdings: [mfc.holdings[0]] }),
      now,
      'KFIN',
    ),
    'of a journey that has ended': statementUrl(ctx, ended, now),
  }
  for (const [how, address] of Object.entries(wrong)) {
    const { status, headers, body } = await ask(address)
    assert.deepEqual([status, body], [404, 'Page not found.'], how)
    assert.equal(headers.get('cache-control'), 'no-store', how)
  }
  const sealedHere = await ask(sealed(linked, 'statement link'))
  assert.equal(sealedHere.status, 200, 'what was sealed above lacks nothing but its purpose')
  assert.equal((await ask(link, { method: 'POST' })).status, 405)
})

test('every look is logged with its journey and what came of it, and without the borrower', async () => {
  const journey = await journeyWith(mfc)
  const link = statementUrl(ctx, journey, now)
  lines.length = 0
  await ask(link)
  await ask(statementUrl(ctx, journey, new Date(0)))
  await ask(`${url}/files/statement/guess`)
  const seen = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a statement was asked for')
  assert.deepEqual(
    seen.map(({ journeyId, outcome }) => [journeyId, outcome]),
    [
      [journey.journeyId, 'given'],
      [journey.journeyId, 'expired'],
      [undefined, 'unknown'],
    ],
  )
  for (const secret of ['ABCPE1234F', '4410077', 'asha', '9876500001', link.slice(-40), 'guess'])
    assert.ok(!lines.join('').includes(secret), secret)
})

test('no two links are alike, and none says whose it is', async () => {
  const journey = await journeyWith(mfc)
  const links = Array.from({ length: 3 }, () => statementUrl(ctx, journey, now))
  assert.equal(new Set(links.map((link) => link.slice(-160))).size, 3)
  for (const link of links) {
    const token = link.split('/').at(-1)!
    assert.ok(token.length <= 512)
    assert.ok(!Buffer.from(token, 'base64url').includes(journey.journeyId))
  }
})
