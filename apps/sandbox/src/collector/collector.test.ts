// The collector of the sandbox accepts what the platform reports, and refuses what the network would, and personal data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@lendloom/tests/network-messages/conversation'
import { goldLoan } from '@lendloom/tests/network-messages/gold-loan'
import { grievance } from '@lendloom/tests/network-messages/grievance'
import { lamf } from '@lendloom/tests/network-messages/lamf'
import { personalLoan } from '@lendloom/tests/network-messages/personal-loan'
import { testDatabase } from '@lendloom/tests/setup/database'
import { openSandbox } from '@lendloom/tests/setup/sandbox/open-sandbox'
import { reportedActions, reportsOf } from '@lendloom/wire/network/collector-reports'
import { settings } from '#sandbox/settings.ts'

const section = 'FIS12 §23'
const sandbox = await openSandbox(() => testDatabase('sandbox'))
const token = settings.NETWORK_OBSERVABILITY_TOKEN.fallback

async function push(report: unknown, authorization = `Bearer ${token}`) {
  const response = await fetch(`${sandbox.url}/observability/v1/api/push-txn-logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify(report),
  })
  const body = (await response.json()) as Json
  return { status: response.status, body }
}

test(`${section}: every model message and its answer is accepted after it was made anonymous`, async () => {
  const steps = [...personalLoan(), ...goldLoan(), ...lamf(), ...grievance()]
  const acknowledged = { status: 200, body: '{"message":{"ack":{"status":"ACK"}}}' }
  for (const { action, context, message } of steps) {
    const body = Buffer.from(JSON.stringify({ context, message }))
    for (const report of reportsOf({ action, body, direction: 'sent', outcome: 'ACK', answer: acknowledged }))
      assert.deepEqual(await push(report), { status: 200, body: { message: 'Successful' } }, action)
  }
  const page = await (await fetch(sandbox.url)).text()
  assert.match(page, /It accepted \d{2,3} reports of messages, \d+ of them more than once, and refused 0\./)
})

test(`${section}: a callback with an error in any form, and no message, is reported in the form of the collector`, async () => {
  const errors = [
    { code: '40000' },
    { code: '40000', type: 'DOMAIN-ERROR', message: 'Anil ABCPE1234F', path: '$.message' },
    { message: 'no code' },
    {},
    'a text',
    ['a list'],
    40000,
    null,
    undefined,
  ]
  const { context } = personalLoan().find(({ action }) => action === 'on_confirm')!
  for (const action of reportedActions.filter((each) => each.startsWith('on_')))
    for (const error of errors) {
      const body = Buffer.from(JSON.stringify({ context: { ...context, action }, error }))
      for (const outcome of ['ACK', 'LATE', 'NACK 20006 error.code is required'])
        for (const report of reportsOf({ action, body, direction: 'received', outcome, answer: null }))
          assert.deepEqual(await push(report), { status: 200, body: { message: 'Successful' } }, JSON.stringify(error))
    }
})

test(`${section}: a report with personal data, a wrong form or a type outside the list is refused by code and path`, async () => {
  const { context, message } = personalLoan().find(({ action }) => action === 'on_confirm')!
  const raw = await push({ type: 'on_confirm', data: { context, message } })
  assert.equal(raw.status, 400)
  const path = '$.data.message.order.fulfillments.0.customer.contact'
  assert.deepEqual(
    raw.body.errors.filter((error: { path: string }) => error.path.startsWith(path)).map((error: object) => error),
    [`${path}.phone`, `${path}.email`].map((each) => ({
      error_code: 4002,
      error_description: 'INVALID_DATA_TYPE',
      message: 'must not contain personal data',
      path: each,
    })),
  )
  const codesOf = async (report: unknown) => {
    const { status, body } = await push(report)
    return [status, ...(body.errors ?? []).map((each: Record<string, string>) => `${each.error_code} ${each.path}`)]
  }
  assert.deepEqual(await codesOf({}), [400, '4001 $.type', '4001 $.data'])
  assert.deepEqual(await codesOf({ type: 'support', data: { context: { action: 'support' }, message: {} } }), [
    400,
    '4003 $.type',
  ])
  assert.deepEqual(await codesOf({ type: 'on_init', data: { context, message: {} } }), [
    400,
    '4003 $.data.context.action',
  ])
  assert.deepEqual(await codesOf({ type: 7, data: [] }), [400, '4002 $.type', '4002 $.data'])
  assert.ok(!reportedActions.includes('support'))
})

test(`${section}: an extra field is accepted with a warning, an unknown bearer and no JSON are not`, async () => {
  const { context } = personalLoan()[0]!
  const extra = await push({ type: 'search', data: { context, message: {} }, note: 1 })
  assert.equal(extra.status, 200)
  assert.equal(extra.body.warnings[0].code, 2001)
  assert.equal(extra.body.warnings[0].path, '$.note')
  assert.equal((await push({}, 'Bearer x')).status, 401)
  assert.equal((await push(undefined)).status, 400)
})
