// Parses and validates the setting PARTNER_CLIENTS.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configFrom } from '@lendloom/foundation/config'
import { clientList, webhookUrl } from './clients-setting.ts'

const settings = { PARTNER_CLIENTS: clientList('Clients') }
const secret = 'a-secret-of-some-length'
const client = {
  sender: 'LENDLOOM',
  bearer: `${secret}-1`,
  keys: [{ keyId: 'k1', secret: `${secret}-2` }],
  webhook: { bearer: `${secret}-3`, keyId: 'p1', secret: `${secret}-4` },
}
const read = (list: unknown) => configFrom(settings, { PARTNER_CLIENTS: JSON.stringify(list) }).PARTNER_CLIENTS

test('D3 §5: a client has a sender, a bearer, one or two signing keys, and webhook credentials', () => {
  assert.deepEqual(read([client]), [client])
  const second = { ...client, sender: 'OTHER', bearer: `${secret}-5`, keys: [...client.keys, { keyId: 'k2', secret }] }
  assert.equal(read([client, second]).length, 2)
})

test('D3 §5: missing, short and duplicate values and a third key are rejected without naming a secret', () => {
  const invalid = [
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
  for (const list of invalid)
    assert.throws(
      () => read(list),
      (error: Error) => /PARTNER_CLIENTS must/.test(error.message) && !error.message.includes(secret),
      JSON.stringify(list),
    )
  assert.throws(() => configFrom(settings, { PARTNER_CLIENTS: '[{' }), /PARTNER_CLIENTS must be a JSON list/)
})

test('D3 §5: a webhook URL of another host must be https', () => {
  const urlSettings = { WEBHOOK_URL: webhookUrl('Webhook', 'http://127.0.0.1:4000/api/partner/webhook') }
  for (const url of ['https://platform.example/hook', 'http://localhost:4000/hook', 'http://[::1]:4000/hook'])
    assert.equal(configFrom(urlSettings, { WEBHOOK_URL: url }).WEBHOOK_URL, url)
  for (const url of ['http://platform.example/hook', 'http://localhost.example/hook', 'ftp://127.0.0.1', 'hook'])
    assert.throws(() => configFrom(urlSettings, { WEBHOOK_URL: url }), /WEBHOOK_URL must be an https URL/, url)
})
