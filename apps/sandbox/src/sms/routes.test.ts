// The sandbox as SMS provider, over real HTTP: it takes a message once, shows it, and answers only at its own address.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { testDatabase } from '@lendloom/tests/setup/database'
import { ask } from '@lendloom/tests/setup/platform'
import { openSandbox } from '@lendloom/tests/setup/sandbox/open-sandbox'
import { smsKey } from '@lendloom/wire/sandbox/provider-settings'

const { url } = await openSandbox(() => testDatabase('sandbox'))

const send = (body: object, { key = smsKey, id = crypto.randomUUID() as string } = {}) =>
  ask(`${url}/sms/messages`, { method: 'POST', key, body, headers: { 'idempotency-key': id } })
const sms = { to: '+919812345678', text: '123456 <b>is</b> your code', template: 'link_code_en' }

test('a message is kept once, and shown as text to its number', async () => {
  const id = crypto.randomUUID()
  for (let i = 0; i < 2; i++) assert.equal((await send(sms, { id })).status, 202)
  assert.equal((await send({ ...sms, to: '+919800000001', text: 'another' })).status, 202)
  const { body } = await ask(`${url}/sms/messages?number=98123%2045678`)
  assert.deepEqual(
    body.items.map(({ smsId, text }: { smsId: string; text: string }) => ({ smsId, text })),
    [{ smsId: id, text: sms.text }],
  )
  const page = (await ask(`${url}/sms`)).body
  assert.match(page, /123456 &lt;b&gt;is&lt;\/b&gt; your code/)
  assert.match(page, /another/)
})

test('a message without the key, a number or an id is refused', async () => {
  assert.equal((await send(sms, { key: 'another-key' })).status, 401)
  assert.equal((await send({ ...sms, to: '98' })).status, 422)
  assert.equal((await send(sms, { id: 'x' })).status, 422)
})

test('docs/explanation/threat-model.md: the inbox answers no page that resolves another name to this machine', async () => {
  for (const path of ['/sms', '/sms/messages', '/sms/sms.js']) {
    const sent = request(`${url}${path}`, { headers: { host: 'evil.example' }, agent: false }).end()
    const [response]: IncomingMessage[] = await once(sent, 'response')
    response?.resume()
    assert.equal(response?.statusCode, 403, path)
  }
})
