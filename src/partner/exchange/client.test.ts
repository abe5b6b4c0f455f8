// Who may call is read from the configuration, or refused at start without a secret being repeated.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configFrom } from '#kit/runtime/config.ts'
import { clientList, webhookUrl } from './client.ts'

const settings = { PARTNER_CLIENTS: clientList('Who may call') }
const secret = 'a-secret-of-some-length'
const client = {
  sender: 'LENDLOOM',
  bearer: `${secret}-1`,
  keys: [{ keyId: 'k1', secret: `${secret}-2` }],
  webhook: { bearer: `${secret}-3`, keyId: 'p1', secret: `${secret}-4` },
}
const read = (list: unknown) => configFrom(settings, { PARTNER_CLIENTS: JSON.stringify(list) }).PARTNER_CLIENTS

test('D3 §5: a client has a sender, a bearer, one or two signing keys, and what we present to it', () => {
  assert.deepEqual(read([client]), [client])
  const second = { ...client, sender: 'OTHER', bearer: `${secret}-5`, keys: [...client.keys, { keyId: 'k2', secret }] }
  assert.equal(read([client, second]).length, 2)
})

test('D3 §5: what is missing, short, doubled or three at a time is refused, and no secret is repeated', () => {
  const wrong = [
    {},
    [],
    [{ ...client, sender: '' }],
    [{ ...client, bearer: 'short' }],
    [{ ...client, keys: [] }],
    [{ ...client, keys: ['k1', 'k2', 'k3'].map((keyId) => ({ keyId, secret })) }],
    [{ ...client, keys: [client.keys[0], client.keys[0]] }],
    [{ ...client, webhook: undefined }],
    [{ ...client, webhook: { ...client.webhook, url: 'ftp://x' } }],
    [{ ...client, webhook: { ...client.webhook, url: 'http://platform.example/webhook' } }],
    [client, { ...client, sender: 'OTHER' }],
    [client, { ...client, bearer: `${secret}-6` }],
  ]
  for (const list of wrong)
    assert.throws(
      () => read(list),
      (error: Error) => /PARTNER_CLIENTS must/.test(error.message) && !error.message.includes(secret),
      JSON.stringify(list),
    )
  assert.throws(() => configFrom(settings, { PARTNER_CLIENTS: '[{' }), /PARTNER_CLIENTS must be a JSON list/)
})

test('D3 §5: events leave this machine by https alone', () => {
  const where = { WHERE: webhookUrl('Where events go', 'http://127.0.0.1:4000/api/partner/webhook') }
  for (const url of ['https://platform.example/hook', 'http://localhost:4000/hook', 'http://[::1]:4000/hook'])
    assert.equal(configFrom(where, { WHERE: url }).WHERE, url)
  for (const url of ['http://platform.example/hook', 'http://localhost.example/hook', 'ftp://127.0.0.1', 'hook'])
    assert.throws(() => configFrom(where, { WHERE: url }), /WHERE must be an https URL/, url)
})
