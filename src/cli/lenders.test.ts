// The commands about lenders, on a real database: what the console does, and the same words when it is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#kit/http/refusal.ts'
import { offered, terms } from '#test/setup/offered.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { UsageError } from './command.ts'
import { lenders } from './lenders.ts'

const platform = await testPlatform()
const { DATABASE_URL, LENDLOOM_KEYS } = platform.ctx.config
const env = { DATABASE_URL, LENDLOOM_KEYS }

async function run(name: string, args: string[] = [], options: Record<string, string> = {}) {
  const found = lenders.commands.find((each) => each.name === `lenders ${name}`)
  if (!found || !('run' in found)) throw new Error(`there is no command ${name}`)
  const printed = await found.run({ args, options, json: false, env })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return printed as { text: string; data: any }
}

test('a lender is listed, shown with whom it would concern, switched off with these numbers, and on again', async () => {
  const { offers, offerIds, offer } = await offered(platform, [terms])
  const bppId = offers[0]!.lenderId
  assert.match((await run('list')).text, new RegExp(`${bppId}.* on`))
  const { data } = await run('show', [bppId])
  assert.deepEqual(data.effect, { searching: 0, offered: 1, chosen: 0, loans: 0 })
  const confirmed = { reason: 'It answers nobody.', searching: '0', offered: '1' }
  await assert.rejects(run('switch-off', [bppId], { ...confirmed, offered: '2' }), Refusal)
  await assert.rejects(run('switch-off', [bppId], { ...confirmed, reason: 'no' }), UsageError)
  assert.match((await run('switch-off', [bppId], confirmed)).text, /is switched off for all tenants/)
  assert.equal((await offer(offerIds[0]!)).status, 'NO_OFFER_AVAILABLE')
  assert.match((await run('list')).text, new RegExp(`${bppId}.* off for all`))
  await run('switch-on', [bppId])
  await assert.rejects(run('switch-on', [bppId]), Refusal)
  assert.equal((await offer(offerIds[0]!)).status, 'OFFER_RECEIVED')
})
