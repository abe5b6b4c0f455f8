// Message contexts, their expiry, and the allowed sequence of actions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ack, actionUrl, contextFaults, contextOf, expiresAt, isLate, type MessageContext, nack } from './context.ts'
import { type Action, actions, mayFollow } from './sequence.ts'

const bap = { id: 'buyer.lendloom.example', uri: 'https://buyer.lendloom.example/ondc' }
const bpp = { id: 'sahyadri.example', uri: 'http://localhost:4100/ondc' }
const at = new Date('2026-11-20T06:00:02.000Z')
const ids = { transactionId: 't-1', messageId: 'm-1', at }
const search = contextOf({ action: 'search', bap, ...ids })
const select = contextOf({ action: 'select', bap, bpp, ...ids, ttl: 'PT10M' })

test('FIS12 §4: only a broadcast search has no lender', () => {
  assert.deepEqual(search, {
    domain: 'ONDC:FIS12',
    location: { country: { code: 'IND' }, city: { code: '*' } },
    version: '2.0.3',
    action: 'search',
    bap_id: bap.id,
    bap_uri: bap.uri,
    transaction_id: 't-1',
    message_id: 'm-1',
    timestamp: '2026-11-20T06:00:02.000Z',
    ttl: 'PT30S',
  })
  assert.deepEqual(contextFaults(search), [])
  assert.deepEqual(contextFaults(select), [])
  const faultsWithoutLender = contextFaults({ ...search, action: 'select' }).map(({ path }) => path)
  assert.deepEqual(faultsWithoutLender, ['context.bpp_id', 'context.bpp_uri'])
})

test('FIS12 §4: an invalid field is reported by path', () => {
  const invalidValues: [keyof MessageContext, unknown[]][] = [
    ['domain', ['ONDC:RET10']],
    ['location', [{ country: { code: 'IND' }, city: { code: 'std:080' } }, undefined]],
    ['version', ['2.3.0', '1.0']],
    ['action', ['advertise']],
    [
      'bap_id',
      ['buyer', 'https://buyer.example', 'www.buyer.example', 'buyer.example/ondc', 'buyer.www.example', 'a_b.example'],
    ],
    ['bpp_id', ['sahyadri']],
    ['bap_uri', ['buyer.example', 'ftp://buyer.example', 'https://']],
    ['transaction_id', ['', 7]],
    ['message_id', ['', undefined]],
    ['timestamp', ['2026-11-20', '2026-11-20T06:00:02', 1700000000]],
    ['ttl', ['30', 'PT', 'P', undefined]],
  ]
  for (const [field, values] of invalidValues)
    for (const value of values) {
      const faults = contextFaults({ ...select, [field]: value }).map(({ path }) => path)
      assert.ok(faults.length > 0 && faults.every((path) => path.startsWith(`context.${field}`)), `${field} ${value}`)
    }
  assert.deepEqual(contextFaults(null), [{ path: 'context', message: 'must be object' }])
})

test('FIS12 §4: each dialect accepts only the contexts that it allows', () => {
  const lender = { ...bpp, uri: 'https://sahyadri.example/ondc' }
  const select230 = contextOf({ action: 'select', bap, bpp: lender, ...ids, version: '2.3.0' })
  const faultsOf = (context: unknown) =>
    contextFaults(context, 'context', '2.3.0')
      .map(({ path }) => path)
      .sort()
  assert.deepEqual(faultsOf(select230), [])
  assert.deepEqual(contextFaults(select230), [{ path: 'context.version', message: 'must be one of 2.0.3' }])
  for (const version of ['1.0', '2.0.0', null, ['2.0.1']])
    assert.deepEqual(contextFaults({ ...select, version }), [
      { path: 'context.version', message: 'must be one of 2.0.1, 2.0.2, 2.0.3, 2.3.0' },
    ])
  for (const version of ['2.0.1', '2.0.2'] as const) {
    assert.deepEqual(contextFaults({ ...select, version }, 'context', version), [])
    assert.equal(contextFaults({ ...select, version })[0]!.message, 'must be one of 2.0.3')
  }
  assert.deepEqual(faultsOf(select), ['context.bpp_uri', 'context.version'])
  const inCity = (code: string) => faultsOf({ ...select230, location: { country: { code: 'IND' }, city: { code } } })
  assert.deepEqual(inCity('std:080'), [])
  for (const code of ['080', 'std:8', 'std:08012', '**']) assert.deepEqual(inCity(code), ['context.location.city.code'])
  for (const uri of ['http://127.0.0.1:4000', 'https://sahyadri.example:443/ondc', 'sahyadri.example'])
    assert.deepEqual(faultsOf({ ...select230, bpp_uri: uri, bap_uri: uri }), ['context.bap_uri', 'context.bpp_uri'])
  const faultsWithoutLender = faultsOf({ ...select230, bpp_id: undefined, bpp_uri: undefined })
  assert.deepEqual(faultsWithoutLender, ['context.bpp_id', 'context.bpp_uri'])
})

test('FIS12 §3.3: a message is late once its ttl has passed since its timestamp', () => {
  assert.equal(expiresAt(select).toISOString(), '2026-11-20T06:10:02.000Z')
  assert.equal(expiresAt({ ...select, ttl: 'P30M' }).toISOString(), '2026-11-20T06:30:02.000Z', 'minutes, not months')
  assert.deepEqual(contextFaults({ ...select, ttl: 'P30M' }), [])
  assert.ok(!isLate(search, new Date('2026-11-20T06:00:32.000Z')))
  assert.ok(isLate(search, new Date('2026-11-20T06:00:32.001Z')))
})

test('FIS12 §2: the action is appended to the address with one slash', () => {
  assert.equal(actionUrl('https://a.example/ondc', 'on_search'), 'https://a.example/ondc/on_search')
  assert.equal(actionUrl('https://a.example/ondc//', 'select'), 'https://a.example/ondc/select')
})

test('FIS12 §4.1: only the listed sequences are allowed', () => {
  const allowed: Record<Action | 'start', string> = {
    start: 'search',
    search: 'on_search',
    on_search: 'select',
    select: 'on_select select',
    on_select: 'init on_status select',
    init: 'on_init',
    on_init: 'confirm init on_status',
    confirm: 'on_confirm',
    on_confirm: 'on_cancel on_status on_update status update',
    update: 'on_cancel on_update',
    on_update: 'on_cancel on_update status update',
    status: 'on_cancel on_status',
    on_status: 'confirm init on_cancel on_status status update',
    on_cancel: 'on_cancel on_status on_update status update',
  }
  for (const [last, expected] of Object.entries(allowed)) {
    const found = actions.filter((action) => mayFollow(last as Action, action)).sort()
    assert.equal(found.join(' '), expected, last)
  }
})

test('FIS12 §3.1: ACK and NACK have the published JSON', () => {
  assert.equal(JSON.stringify(ack), '{"message":{"ack":{"status":"ACK"}}}')
  assert.equal(
    JSON.stringify(nack({ code: '30000', message: '$.message.order.id must be present' })),
    '{"message":{"ack":{"status":"NACK"}},"error":{"code":"30000","message":"$.message.order.id must be present"}}',
  )
})
