// The mailbox over real HTTP: at which addresses it answers.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { testDatabase } from '@lendloom/tests/setup/database'
import { openSandbox } from '@lendloom/tests/setup/sandbox/open-sandbox'

const { url } = await openSandbox(() => testDatabase('sandbox'))

async function statusFor(method: 'GET' | 'POST', path: string, host: string): Promise<number | undefined> {
  const sent = request(`${url}${path}`, { method, headers: { host }, agent: false }).end()
  const [response]: IncomingMessage[] = await once(sent, 'response')
  response?.resume()
  return response?.statusCode
}

test('docs/explanation/threat-model.md: the mailbox answers no page that resolves another name to this machine', async () => {
  for (const host of ['evil.example', '127.0.0.1.evil.example:4200', 'localhost.evil.example', 'localhost.example'])
    for (const path of ['/mailbox', '/mailbox/mails', '/mailbox/0/raw', '/mailbox/mailbox.js'])
      assert.equal(await statusFor('GET', path, host), 403, `${host} ${path}`)
  assert.equal(await statusFor('POST', '/mailbox/mails', 'evil.example'), 403)
  for (const host of ['localhost:4200', '127.0.0.1', '[::1]:4200', '10.0.0.7'])
    assert.equal(await statusFor('GET', '/mailbox/mails', host), 200, host)
})
