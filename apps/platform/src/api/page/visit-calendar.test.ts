// The time of a visit to the branch: on the page, and as a calendar file in the reader's language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from '@lendloom/foundation/schema'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { spoil } from '@lendloom/tests/setup/spoil'
import { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { findJourney, lockJourney } from '#platform/lending/journey/store.ts'
import { recordVisitBooked, recordVisitFailed } from '#platform/lending/offer/branch-visit.ts'
import { findOffer, setBranches, setSelected } from '#platform/lending/offer/store.ts'
import { pageViewOf } from './page-view.ts'

const platform = await testPlatform()
const { ctx, tenant, url } = platform
const { tenantId } = tenant
const visitAt = new Date('2026-12-01T05:30:00.000Z')

const branch = {
  id: 'satara',
  name: 'Satara; Main',
  address: 'Rajpath, Satara\r\nATTENDEE:x',
  pincode: '415001',
  at: null,
}

async function chosenOffer() {
  const { journeyId, offerIds } = await journeyWithOffers(platform, [terms])
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const offer = (await findOffer(tx, journey, offerIds[0]!))!
    const choice = { offerId: offer.offerId, lockSource: 'hosted', branchId: branch.id, pledges: [] }
    await setBranches(tx, offer, { branches: [branch], agent: null }, ctx.clock())
    await setSelected(tx, journey, choice, ctx.clock())
  })
  const journey = (await findJourney(ctx.db, tenantId, journeyId))!
  const { conversationId } = (await findOffer(ctx.db, journey, offerIds[0]!))!
  const book = (time: Date | null) =>
    ctx.db.tx((tx) => recordVisitBooked({ tx, at: ctx.clock() }, journey, conversationId, time))
  const fail = () => ctx.db.tx((tx) => recordVisitFailed(tx, journey, conversationId, ctx.clock()))
  const visitOnPage = async () => {
    const view = await pageViewOf(ctx, { tenantId, journeyId }, null, ctx.clock())
    assert.deepEqual(faults(EmbedView, view), [])
    return view.selected!.visit
  }
  return { book, fail, visitOnPage }
}

test('FIS12 §9.1: the page has the time of a visit until the visit fails, and no time that the lender did not send', async () => {
  const { book, fail, visitOnPage } = await chosenOffer()
  for (const time of [null, new Date('9999-12-31T23:59:59-23:59'), new Date('1970-01-01T00:00:00Z')]) {
    await book(time)
    assert.equal(await visitOnPage(), null)
  }
  await book(visitAt)
  await book(null)
  assert.equal((await visitOnPage())?.at, visitAt.toISOString(), 'a repeated message without a time keeps it')
  const moved = new Date(visitAt.getTime() + 86_400_000)
  await book(moved)
  assert.equal((await visitOnPage())?.at, moved.toISOString())
  await fail()
  assert.equal(await visitOnPage(), null)
})

test('RFC 5545: the visit is an hour in a calendar file with the branch, in six languages, behind a link that cannot be guessed', async () => {
  const { book, fail, visitOnPage } = await chosenOffer()
  await book(visitAt)
  const { calendarUrl } = (await visitOnPage())!
  const { status, headers, body } = await ask(`${calendarUrl}?lang=en`)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/calendar; charset=utf-8')
  const lines = body.replaceAll('\r\n ', '').split('\r\n')
  assert.ok(lines.includes('DTSTART:20261201T053000Z') && lines.includes('DURATION:PT1H'))
  assert.ok(lines.includes('LOCATION:Satara\\; Main\\, Rajpath\\, Satara\\nATTENDEE:x\\, 415001'), body)
  assert.ok(lines.some((line: string) => /^SUMMARY:Visit to Lender \w+ with your gold$/.test(line)))
  const titles = await Promise.all(
    ['en', 'hi', 'ta', 'te', 'mr', 'bn'].map(
      async (lang) => /^SUMMARY:(.*)$/m.exec((await ask(`${calendarUrl}?lang=${lang}`)).body)?.[1],
    ),
  )
  assert.equal(new Set(titles).size, 6)
  assert.equal((await ask(spoil(calendarUrl))).status, 404)
  assert.equal(
    (await ask(`${url}/lab/reminders/${calendarUrl.split('/').at(-1)}`)).status,
    404,
    'a link of another kind',
  )
  await fail()
  assert.equal((await ask(calendarUrl)).status, 404, 'a visit that no longer takes place')
})
