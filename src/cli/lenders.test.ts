// The commands about lenders, on a real database: the acts and the refusals of the console.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine, keysAndAddressOf } from '#test/setup/command-line.ts'
import { journeyWithOffers, terms } from '#test/setup/offered.ts'
import { testPlatform } from '#test/setup/platform.ts'

const platform = await testPlatform()
const lendloom = commandLine(keysAndAddressOf(platform.ctx))
const run = (...args: string[]) => lendloom.run('lenders', ...args)
const done = (...args: string[]) => lendloom.runJson('lenders', ...args)
const refused = (...args: string[]) => lendloom.runFailing('lenders', ...args)

test('a lender is listed, shown with the affected journeys, switched off with these numbers, and on again', async () => {
  const { offers, offerIds, offer } = await journeyWithOffers(platform, [terms])
  const bppId = offers[0]!.lenderId
  assert.match((await run('list')).text, new RegExp(`${bppId}.* on`))
  assert.deepEqual((await done('show', bppId)).effect, { searching: 0, offered: 1, chosen: 0, loans: 0 })
  const off = (reason: string, count: string) =>
    ['switch-off', bppId, '--reason', reason, '--searching', '0', '--offered', count] as const
  assert.equal((await refused(...off('It answers no request.', '2')))[0], 1)
  assert.match((await refused(...off('no', '1')))[1], /must say why in 10 to 500 characters/)
  assert.equal((await refused(...off('It answers no request.', 'one')))[0], 2)
  assert.match((await run(...off('It answers no request.', '1'))).text, /is switched off for all tenants/)
  assert.equal((await offer(offerIds[0]!)).status, 'NO_OFFER_AVAILABLE')
  assert.match((await run('list')).text, new RegExp(`${bppId}.* off for all`))
  await done('switch-on', bppId)
  assert.equal((await refused('switch-on', bppId))[0], 1)
  assert.equal((await offer(offerIds[0]!)).status, 'OFFER_RECEIVED')
  assert.match((await refused('show', 'lender.example'))[1], /lender lender\.example does not exist/)
})
