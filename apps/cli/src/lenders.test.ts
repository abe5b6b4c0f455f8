// The commands about lenders, on a real database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'

const platform = await testPlatform()
const lendloom = commandLine(keysAndAddressOf(platform.ctx))
const run = (...args: string[]) => lendloom.run('lenders', ...args)
const runJson = (...args: string[]) => lendloom.runJson('lenders', ...args)
const runFailing = (...args: string[]) => lendloom.runFailing('lenders', ...args)

test('a lender can be switched off with the numbers of affected journeys, and on again', async () => {
  const { offers, offerIds, offer } = await journeyWithOffers(platform, [terms])
  const bppId = offers[0]!.lenderId
  assert.match((await run('list')).text, new RegExp(bppId))
  assert.deepEqual(await runJson('effect', bppId), { searching: 0, offered: 1, chosen: 0, loans: 0 })
  const off = (reason: string, count: string) =>
    ['switch-off', bppId, '--reason', reason, '--searching', '0', '--offered', count] as const
  assert.equal((await runFailing(...off('It answers no request.', '2'))).code, 1)
  assert.match((await runFailing(...off('no', '1'))).errorOutput, /must say why in 10 to 500 characters/)
  assert.equal((await runFailing(...off('It answers no request.', 'one'))).code, 2)
  assert.match((await run(...off('It answers no request.', '1'))).text, /is switched off/)
  assert.equal((await offer(offerIds[0]!)).status, 'NO_OFFER_AVAILABLE')
  assert.match((await run('show', bppId)).text, /OFF\nFOR ALL/)
  await runJson('switch-on', bppId)
  assert.equal((await runFailing('switch-on', bppId)).code, 1)
  assert.equal((await offer(offerIds[0]!)).status, 'OFFER_RECEIVED')
  assert.match((await runFailing('show', 'lender.example')).errorOutput, /lender lender\.example does not exist/)
})
