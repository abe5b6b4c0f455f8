// Loans against mutual funds over real HTTP and a real database, in dialect 2.3.0: the units, the lien, the money, and every rule on the way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { search } from '#contract/network/v230/search.ts'
import { uuidv4 } from '#kit/id.ts'
import { testDatabase } from '#test/setup/database.ts'
import { json } from './lender/fixtures/buyer.ts'
import { openWorld } from './lender/fixtures/open-world.ts'

const { buyer } = await openWorld(() => testDatabase('sandbox'))
const terms = { staticTerms: 'https://buyer.example/terms', offlineContract: true }

test('FIS12 §4: each door judges a message by the dialect that it names', async () => {
  const broadcast = { transactionId: uuidv4(), version: '2.3.0' } as const
  assert.equal(json(await buyer.send('search', search(terms), broadcast)).message.ack.status, 'ACK')
  const spelled = (version: string, uri: string) => (header: string, body: string) => {
    const { context, message } = JSON.parse(body)
    return [header, JSON.stringify({ context: { ...context, version, bap_uri: uri }, message })] as [string, string]
  }
  for (const [version, uri, path] of [
    ['2.3.0', 'http://127.0.0.1:4000/ondc', '$.context.bap_uri'],
    ['2.4.0', 'http://buyer.example/ondc', '$.context.version'],
  ] as const) {
    const sent = await buyer.send('search', search(terms), { ...broadcast, spoil: spelled(version, uri) })
    assert.equal(json(sent).error.path, path)
  }
  const lender = { id: 'meridian.sandbox.example', uri: 'http://meridian.sandbox.example/lenders/meridian/ondc' }
  const order = { provider: { id: 'PROV-MERIDIAN' }, items: [{ id: 'ITEM' }] }
  const unknown = await buyer.send('select', { order }, { transactionId: uuidv4(), version: '2.3.0', lender })
  assert.equal(json(unknown).error.code, '30018')
})
