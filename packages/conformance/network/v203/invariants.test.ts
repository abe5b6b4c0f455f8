// Complete loans satisfy the invariants, and each violation is reported with its section.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { uuidv4 } from '@lendloom/seal/id'
import { type Json, personalLoan, type Step } from '@lendloom/tests/network-messages/personal-loan'
import { faultText } from '@lendloom/wire/network/context'
import { callbackOf, isCallback, type Request } from '@lendloom/wire/network/sequence'
import { signatureHeader, signingKeysFrom } from '@lendloom/wire/network/signing'
import { isLenders } from '#conformance/network/judge-transcript.ts'
import type { RecordedMessage } from '#conformance/network/transcript.ts'
import { invariantsOf } from './invariants.ts'

const keys: Record<string, ReturnType<typeof signingKeysFrom>> = {
  'buyer.lendloom.example': signingKeysFrom(Buffer.alloc(32, 1)),
  'sahyadri.example': signingKeysFrom(Buffer.alloc(32, 2)),
  'gateway.example': signingKeysFrom(Buffer.alloc(32, 3)),
}
const publicKeyOf = ({ subscriberId }: { subscriberId: string }) => keys[subscriberId]?.publicKey ?? null

const header = (body: string, subscriberId: string, at: Date): string =>
  signatureHeader(body, { subscriberId, uniqueKeyId: 'k1', privateKey: keys[subscriberId]!.privateKey, at })

/** The message as the platform stores it, signed by its sender. */
function record({ action, context, message }: Omit<Step, 'step'>, extra: object = {}): RecordedMessage {
  const body = JSON.stringify({ context, message, ...extra })
  const at = new Date(context.timestamp)
  const sender = isCallback(action) ? 'sahyadri.example' : 'buyer.lendloom.example'
  const direction = isCallback(action) ? 'received' : 'sent'
  return {
    at,
    direction,
    party: 'sahyadri.example',
    action,
    headers: { Authorization: header(body, sender, at) },
    body,
  }
}

const endings = ['missed_emi', 'pre_part', 'foreclosure']

/** The messages of a loan up to the disbursal, and those of one ending. */
function loanTo(ending?: string): Step[] {
  const loan = personalLoan()
  const common = loan.slice(0, loan.findIndex(({ step }) => step === 'on_status') + 1)
  return ending ? [...common, ...loan.filter(({ step }) => step.includes(ending))] : common
}

const faultsOf = (steps: Step[]): string[] =>
  invariantsOf(
    steps.map((step) => record(step)),
    publicKeyOf,
  ).map(faultText)

/** The faults of a loan after a value in one step is replaced, or removed if no new value is given. */
function faultsAfter(name: string, path: string, value?: unknown, ending?: string): string {
  const steps = loanTo(ending)
  const keys = path.split('.')
  const holder = keys.slice(0, -1).reduce((at: Json, key) => at[key], stepIn(steps, name))
  if (value === undefined) delete holder[keys.at(-1)!]
  else holder[keys.at(-1)!] = value
  return faultsOf(steps).join('\n')
}

const stepIn = (steps: Step[], name: string): Step => steps.find(({ step }) => step === name)!

/** The faults of a loan without these messages. */
const faultsWithout = (...names: string[]): string =>
  faultsOf(loanTo().filter(({ step }) => !names.includes(step))).join('\n')

test('FIS12 §12.4: a complete loan is valid, with each ending', () => {
  for (const ending of [undefined, ...endings]) assert.deepEqual(faultsOf(loanTo(ending)), [], ending)
})

test('FIS12 §8.1: a loan without account aggregator or monitoring is valid', () => {
  const steps = loanTo().filter(({ step }) => !/_select_1|monitoring|update_ful|on_update_dis|^select_1/.test(step))
  assert.deepEqual(faultsOf(steps), [])
})

const idOf = (name: string): string => stepIn(loanTo(), name).context.message_id

test('FIS12 §12.4.1: a changed transaction, party or message_id is reported', () => {
  const cases: [string, string, string, RegExp][] = [
    ['init_1', 'transaction_id', uuidv4(), /#10 init \$\.context\.transaction_id is/],
    ['init_1', 'bap_uri', 'https://else.example', /bap_uri is https/],
    ['on_init_1', 'bpp_uri', 'https://else.example', /bpp_uri is https/],
    ['on_init_1', 'message_id', uuidv4(), /message_id answers no request/],
    ['on_select_2', 'message_id', uuidv4(), /message_id is not that of the select before it/],
    ['on_init_1', 'message_id', idOf('select_2'), /message_id is that of a select/],
    ['init_1', 'message_id', idOf('select_2'), /message_id was used before/],
  ]
  for (const [step, field, value, expected] of cases)
    assert.match(
      faultsAfter(step, `context.${field}`, value),
      new RegExp(`${expected.source}.*\\(FIS12 §12\\.4\\.1\\)`),
    )
})

test('FIS12 §4.1, §3.3: a message in a wrong order or with a wrong time is reported', () => {
  assert.match(faultsWithout('init_2'), /#12 on_init \$ may not follow on_init \(FIS12 §4\.1\)/)
  const { timestamp } = stepIn(loanTo(), 'init_1').context
  assert.match(faultsAfter('init_2', 'context.timestamp', timestamp), /timestamp is not later than the message before/)
})

test('FIS12 §3.1, §3.3: an unanswered request may be repeated or followed by a status request', () => {
  const steps = loanTo()
  const inOrder = (name: string, again: Partial<Step>, ttl: string, outcome = 'ACK') => {
    const at = steps.findIndex(({ step }) => step === name)
    const action = callbackOf((again.action ?? steps[at]!.action) as Request)
    const { context, ...first } = steps[at]!
    const unanswered = { ...first, context: { ...context, ttl } }
    const timestamp = new Date(new Date(context.timestamp).getTime() + 1500).toISOString()
    const second = { ...first, ...again, context: { ...context, message_id: uuidv4(), timestamp } }
    second.context.action = second.action
    const answer = steps[at + 1]!
    const { message_id } = second.context
    const answered = { ...answer, action, context: { ...answer.context, action, message_id } }
    const transcript = [...steps.slice(0, at), unanswered, second, answered].map((step) => record(step))
    transcript[at] = { ...transcript[at]!, outcome }
    return invariantsOf(transcript, publicKeyOf)
      .map(faultText)
      .filter((text) => text.includes('§4.1)'))
  }
  const request = { action: 'status', message: stepIn(steps, 'status').message } as const
  assert.deepEqual(inOrder('init_2', {}, 'PT1S'), [])
  assert.deepEqual(inOrder('confirm', request, 'PT1S'), [])
  assert.deepEqual(inOrder('init_2', {}, 'PT30S', 'NACK 30000'), [])
  assert.deepEqual(inOrder('init_2', {}, 'PT30S'), ['#13 init $ may not follow init (FIS12 §4.1)'])
})

test('FIS12 §4.1, §8.1: each answer to a repeated search counts, even a late one', () => {
  const [search, onSearch, select, ...rest] = loanTo()
  const later = ({ context: { timestamp } }: Step, ms: number) =>
    new Date(new Date(timestamp).getTime() + ms).toISOString()
  const shortTtl = { ...search!, context: { ...search!.context, ttl: 'PT1S' } }
  const id = uuidv4()
  const again = { ...search!, context: { ...search!.context, message_id: id, timestamp: later(search!, 1500) } }
  const answer = { ...onSearch!, context: { ...onSearch!.context, message_id: id, timestamp: later(select!, 1) } }
  const faultsIn = (steps: Step[]) =>
    invariantsOf(
      steps.map((step) => record(step)),
      publicKeyOf,
    )
      .map(faultText)
      .filter((text) => /§4\.1\)|§12\.4\.[12]\)/.test(text))
  assert.equal(search!.action, 'search')
  assert.equal(onSearch!.action, 'on_search')
  assert.equal(select!.action, 'select')
  assert.deepEqual(faultsIn([shortTtl, again, onSearch!, select!, answer, ...rest]), [])
  assert.match(faultsIn([search!, onSearch!, select!, answer, ...rest]).join(), /answers no request/)
})

test('FIS12 §3.3: a late answer is ignored only if the request was repeated', () => {
  const steps = loanTo()
  const at = steps.findIndex(({ step }) => step === 'select_2')
  const select = steps[at]!
  const answer = steps[at + 1]!
  const shortTtl = { ...select, context: { ...select.context, ttl: 'PT1S' } }
  const after = ({ timestamp }: Step['context'], ms: number) =>
    new Date(new Date(timestamp).getTime() + ms).toISOString()
  const again = {
    ...select,
    context: { ...select.context, message_id: uuidv4(), timestamp: after(select.context, 1500) },
  }
  const { message_id } = again.context
  const inTime = { ...answer, context: { ...answer.context, message_id, timestamp: after(select.context, 1600) } }
  const late = { ...answer, context: { ...answer.context, timestamp: after(select.context, 1700) } }
  const around = (...between: Step[]) => faultsOf([...steps.slice(0, at), ...between, ...steps.slice(at + 2)])
  assert.deepEqual(around(shortTtl, again, inTime, late), [])
  assert.deepEqual(around(shortTtl, again, late, inTime), [])
  assert.deepEqual(around(shortTtl, late), [])
  assert.deepEqual(around(select, again, inTime, late), [], 'two selects may be pending')
  assert.match(
    around(select, late, { ...late, context: { ...late.context, message_id: uuidv4() } }).join(),
    /may not follow/,
  )
})

test('FIS12 §12.3, §19.3: a loan does not continue after a rejected page or a missed visit', () => {
  const at = 'message.order.items.0.xinput.form_response.status'
  for (const status of ['REJECTED', 'EXPIRED'])
    assert.match(faultsAfter('on_status_kyc', at, status), new RegExp(`init .*continues after KYC was ${status}`))
  assert.match(faultsAfter('on_status_kyc', at, 'PENDING'), /status is PENDING, must be one of/)
})

test('FIS12 §4.1, §3.2: a retried step is in sequence', () => {
  const steps = loanTo()
  const at = steps.findIndex(({ step }) => step === 'on_status_kyc')
  const pushed = record(steps[at]!)
  const { context } = JSON.parse(pushed.body)
  const timestamp = new Date(new Date(context.timestamp).getTime() - 1).toISOString()
  const failed = {
    context: { ...context, timestamp, message_id: '5d3c3ab3-1a5c-4a5f-9d3a-111111111111' },
    error: { code: '80205' },
  }
  const transcript = steps.map((step) => record(step))
  transcript.splice(at, 0, { ...pushed, body: JSON.stringify(failed) })
  assert.deepEqual(
    invariantsOf(transcript, publicKeyOf)
      .map(faultText)
      .filter((text) => text.includes('§4.1')),
    [],
  )
})

test('FIS12 §4.1: an unsolicited message may cross a request', () => {
  const steps = loanTo('foreclosure')
  const status = stepIn(loanTo(), 'status')
  const answer = stepIn(loanTo(), 'on_status')
  const paid = steps.pop()!
  const at = new Date(paid.context.timestamp).getTime()
  const later = (step: Step, seconds: number): Step => {
    const timestamp = new Date(at + seconds * 1000).toISOString()
    return { ...step, context: { ...step.context, message_id: '5d3c3ab3-1a5c-4a5f-9d3a-222222222222', timestamp } }
  }
  for (const seconds of [-1, 1]) {
    const answered = later({ ...answer, message: paid.message }, 2)
    assert.deepEqual(faultsOf([...steps, later(status, seconds), paid, answered]), [], `asked ${seconds} s after`)
  }
  assert.match(faultsOf([...steps, paid, later(answer, 1)]).join(), /on_status \$ may not follow on_update/)
})

test('FIS12 §4.1: a status request and its answer do not change the expected next action', () => {
  const steps = loanTo('foreclosure')
  const paid = steps.pop()!
  const onStatus = stepIn(loanTo(), 'on_status')
  const { quote } = onStatus.message.order
  const stated = { ...onStatus, message: { order: { ...steps.at(-1)!.message.order, quote } } }
  const before = new Date(paid.context.timestamp).getTime()
  const asking = (place: number): Step[] =>
    [stepIn(loanTo(), 'status'), stated].map((step, i) => {
      const timestamp = new Date(before - 500 + 10 * (2 * place + i)).toISOString()
      const message_id = `5d3c3ab3-1a5c-4a5f-9d3a-33333333333${place}`
      return { ...step, context: { ...step.context, message_id, timestamp } }
    })
  assert.deepEqual(faultsOf([...steps, ...asking(0), ...asking(1), paid]), [])
  const [, unsolicited] = asking(3)
  assert.match(faultsOf([...steps, ...asking(0), unsolicited!, paid]).join(), /on_update \$ may not follow on_status/)
})

test('FIS12 §3.3: an identical repeat is a retry, but another body with the same id is a fault', () => {
  const steps = loanTo()
  const twice = steps.map((step) => record(step)).flatMap((each) => [each, each])
  assert.deepEqual(invariantsOf(twice, publicKeyOf), [])
  const again = record({ ...steps[2]!, message: { ...steps[2]!.message, note: 1 } })
  const faults = invariantsOf([...steps.slice(0, 3).map((step) => record(step)), again], publicKeyOf)
  assert.deepEqual(faults.map(faultText), ['#4 select $ repeats a message_id with another body (FIS12 §3.3)'])
})

test('FIS12 §12.4.2: every kind of id must have been issued', () => {
  const cases: [string, string, string, RegExp][] = [
    ['select_2', 'order.provider.id', 'nobody', /provider nobody/],
    ['select_2', 'order.items.0.id', 'nothing', /item nothing/],
    ['select_2', 'order.items.0.xinput.form.id', 'no-form', /form no-form/],
    ['on_select_1', 'order.items.0.xinput.form_response.submission_id', 'S', /submission S/],
    ['init_2', 'order.payments.0.id', 'P', /payment P/],
    ['on_confirm', 'order.payments.0.id', 'P', /payment P/],
    ['on_init_1', 'order.quote.id', 'Q', /quote Q/],
    ['on_update_disbursed', 'order.id', 'O', /order O/],
    ['update_fulfillment', 'order.id', 'O', /order O/],
    ['status', 'ref_id', 'elsewhere', /reference elsewhere/],
    ['on_search', 'catalog.providers.0.items.0.category_ids.1', 'C9', /category C9/],
  ]
  for (const [step, path, value, expected] of cases)
    assert.match(
      faultsAfter(step, `message.${path}`, value),
      new RegExp(`names a ${expected.source} that was never issued \\(FIS12 §12\\.4\\.2\\)`),
    )
  assert.match(faultsWithout('select_2', 'on_select_2'), /names a form form-AMOUNT that was never issued/)
})

test('FIS12 §12.4.3: quotes add up, the schedule equals the amount owed, and the accepted offer stays', () => {
  const cases: [string, string, string | undefined, RegExp][] = [
    ['on_select_2', 'quote.price.value', '326593.62', /the quote says 326593\.62, its rows add up to 326093\.62/],
    ['on_select_3', 'items.0.price.value', '1.00', /but the item's price is 1\.00/],
    ['on_select_3', 'quote.breakup.6.price.value', '200000.00', /says 200000\.00 is disbursed, must be 197140\.00/],
    ['on_select_3', 'quote.breakup.0.price.value', 'two lakh', /must be an amount of rupees/],
    ['on_confirm', 'payments.12.params.amount', '17957.42', /instalments add up to 215489\.04/],
    ['on_init_1', 'quote.breakup.1.price.value', '16489.09', /changes INTEREST of the accepted offer/],
    ['on_status', 'quote.breakup.6.title', 'TAX', /has no NET_DISBURSED_AMOUNT/],
  ]
  for (const [step, path, value, expected] of cases)
    assert.match(
      faultsAfter(step, `message.order.${path}`, value),
      new RegExp(`${expected.source}.*\\(FIS12 §12\\.4\\.3\\)`),
    )
})

test('FIS12 §12.4.4: steps, confirmation and disbursal must follow in order', () => {
  assert.match(faultsWithout('on_status_kyc'), /#9 init .*answers KYC before the lender reported its success/)
  assert.match(faultsWithout('init_3', 'on_init_3', 'on_status_esign'), /confirm .*comes before LOAN_AGREEMENT is done/)
  const cases: [string, string, string | undefined, RegExp][] = [
    ['on_status_mandate', 'items.0.xinput.form_response.status', 'REJECTED', /init .*answers EMANDATE before/],
    ['init_2', 'items.0.xinput', undefined, /on_init .*offers EMANDATE before ACCOUNT_INFORMATION is done/],
    ['on_status_esign', 'fulfillments.0.state.descriptor.code', 'DISBURSED', /is DISBURSED before on_confirm/],
  ]
  for (const [step, path, value, expected] of cases)
    assert.match(
      faultsAfter(step, `message.order.${path}`, value),
      new RegExp(`${expected.source}.*\\(FIS12 §12\\.4\\.4\\)`),
    )
})

test('FIS12 §19.2: an answered form that is repeated with a consent request is not a new page', () => {
  assert.equal(
    faultsAfter('on_select_1', 'message.order.items.0.xinput.form.url', 'https://sahyadri.example/forms/1'),
    '',
  )
})

test('FIS12 §12.4.5: a schedule changes only when the request is paid', () => {
  assert.match(
    faultsAfter('on_update_foreclosure', 'message.order.payments.13.status', 'DEFERRED', 'foreclosure'),
    /payments\[13\] changes before FORECLOSURE is PAID \(FIS12 §12\.4\.5\)/,
  )
  assert.match(
    faultsAfter('on_update_pre_part', 'message.order.payments.13.params.amount', '1.00', 'pre_part'),
    /payments\[13\] changes before PRE_PART_PAYMENT is PAID/,
  )
  assert.match(
    faultsAfter(
      'on_update_pre_part',
      'message.order.payments.13.time.range.end',
      '2028-01-31T23:59:59.999Z',
      'pre_part',
    ),
    /payments\[13\] changes before PRE_PART_PAYMENT is PAID/,
  )
  const loan = loanTo('pre_part')
  const [{ id }] = stepIn(loan, 'on_update_pre_part').message.order.payments.splice(13, 1)
  assert.match(
    faultsOf(loan).join('\n'),
    new RegExp(`payments omits ${id} before PRE_PART_PAYMENT is PAID \\(FIS12 §12\\.4\\.5\\)`),
  )
})

test('FIS12 §18.1, §18.2, §18.4: after the disbursal, payments may have new ids and the price may be outdated', () => {
  const loan = loanTo('pre_part')
  for (const name of ['on_update_pre_part', 'on_update_pre_part_paid']) {
    const { order } = stepIn(loan, name).message
    for (const payment of order.payments) {
      const isInstallment = payment.time?.label === 'INSTALLMENT'
      payment.id = isInstallment ? 'INSTALLMENTS' : payment.url ? 'pre_part_1' : 'PAYMENT'
      if (isInstallment) payment.time.range.start = '2023-07-01T00:00:00.000Z'
    }
    order.items[0].price = { currency: 'INR', value: '218349.09' }
  }
  assert.deepEqual(faultsOf(loan), [])
  stepIn(loan, 'on_update_pre_part').message.order.payments.at(-1).params.amount = '1.00'
  assert.match(faultsOf(loan).join('\n'), /changes before PRE_PART_PAYMENT is PAID/)
  assert.equal(faultsAfter('on_select_2', 'message.order.items.0.price.value', '1.00'), '', 'a first price may differ')
  const submission = stepIn(loanTo(), 'select_2').message.order.items[0].xinput.form_response.submission_id
  assert.equal(faultsAfter('status', 'message.ref_id', submission), '')
})

test('FIS12 §12.4.6: an unsigned, altered or expired message, or one with another party’s signature, is reported', () => {
  const transcript = loanTo().map((step) => record(step))
  const sent = transcript[2]!
  const received = transcript[3]!
  const faultsWith = (i: number, change: Partial<RecordedMessage>) =>
    invariantsOf(
      transcript.map((each, at) => (at === i ? { ...each, ...change } : each)),
      publicKeyOf,
    ).map(faultText)
  assert.deepEqual(faultsWith(2, { headers: {} }), [
    '#3 select header authorization does not verify: absent (FIS12 §12.4.6)',
  ])
  assert.deepEqual(faultsWith(2, { body: `${sent.body} ` }), [
    '#3 select header authorization does not verify: bad-signature (FIS12 §12.4.6)',
  ])
  assert.deepEqual(faultsWith(3, { at: secondsAfter(received.at as Date, 3600) }), [
    '#4 on_select header authorization does not verify: expired (FIS12 §12.4.6)',
  ])
  const foreign = header(received.body, 'gateway.example', received.at as Date)
  assert.deepEqual(faultsWith(3, { headers: { authorization: foreign } }), [
    '#4 on_select header authorization does not verify: wrong-sender (FIS12 §12.4.6)',
  ])
  const unknown = foreign.replace('gateway.example', 'ghost.example')
  assert.deepEqual(faultsWith(3, { headers: { authorization: unknown } }), [
    '#4 on_select header authorization is signed by an unknown key ghost.example|k1 (FIS12 §12.4.6)',
  ])
})

test('FIS12 §12.4.6: a broadcast search also needs the gateway’s signature', () => {
  const sent = record(loanTo()[0]!)
  const received: RecordedMessage = { ...sent, direction: 'received' }
  const gateway = header(sent.body, 'gateway.example', sent.at as Date)
  assert.match(
    invariantsOf([received], publicKeyOf).map(faultText).join(),
    /x-gateway-authorization does not verify: absent/,
  )
  const both = { ...received, headers: { ...sent.headers, 'X-Gateway-Authorization': gateway } }
  assert.deepEqual(invariantsOf([both], publicKeyOf), [])
})

test('FIS12 §21: descriptions beside codes are required in our messages only', () => {
  const [search, onSearch] = personalLoan(true).map((step) => record(step))
  assert.deepEqual(
    invariantsOf([search!, onSearch!], publicKeyOf),
    [],
    'a lender may omit descriptions, and a search needs none',
  )
  const ours = invariantsOf([search!, onSearch!], publicKeyOf, () => true).map(faultText)
  assert.ok(
    ours.some((text) => /^#2 on_search .*tags\[0\].descriptor.name must be .* \(FIS12 §21\)$/.test(text)),
    ours[0],
  )
})

test('FIS12 §3.2: an error callback is a valid answer if it is well-formed', () => {
  const [search, onSearch, select, onSelect] = loanTo()
  const refusal = { ...onSelect!, message: undefined }
  const transcript = (error: object) => [
    record(search!),
    record(onSearch!),
    record(select!),
    record(refusal, { error }),
  ]
  assert.deepEqual(invariantsOf(transcript({ code: '80226', message: 'low score' }), publicKeyOf), [])
  assert.deepEqual(invariantsOf(transcript({ message: 'no' }), publicKeyOf).map(faultText), [
    '#4 on_select $.error.code is required (FIS12 §3.2)',
  ])
})

test('FIS12 §4: an unreadable body is reported, and the other messages are still checked', () => {
  const [search, onSearch] = loanTo().map((step) => record(step))
  const faults = invariantsOf(
    [search!, { ...onSearch!, body: '{' }, { ...onSearch!, action: 'on_select' }],
    publicKeyOf,
  )
  assert.deepEqual(faults.map(faultText), [
    '#2 on_search $ is not a JSON object (FIS12 §4)',
    '#3 on_select $.context.action is on_search (FIS12 §4)',
  ])
})

test("FIS12 §12: a fault is the lender's only if it is in what the lender states", () => {
  const cases: [step: string, path: string, value: string, isLenders: boolean][] = [
    ['on_confirm', 'message.order.provider.id', 'other', true],
    ['on_confirm', 'message.order.note', 'unknown', true],
    ['on_confirm', 'message.order.quote.id', 'another', true],
    ['on_init_1', 'message.order.quote.price.value', '1.00', true],
    ['on_select_2', 'message.order.items.0.descriptor.code', 'OTHER', true],
    ['select_2', 'message.order.provider.id', 'other', false],
    ['on_select_1', 'context.message_id', uuidv4(), false],
    ['on_init_1', 'context.timestamp', '2020-01-01T00:00:00.000Z', false],
    ['on_init_1', 'message.order.fulfillments.0.state.descriptor.code', 'DISBURSED', false],
  ]
  for (const [name, path, value, expected] of cases) {
    const steps = loanTo()
    const keys = path.split('.')
    keys.slice(0, -1).reduce((at: Json, key) => at[key], stepIn(steps, name))[keys.at(-1)!] = value
    const faults = invariantsOf(
      steps.map((step) => record(step)),
      publicKeyOf,
    )
    assert.ok(faults.length > 0, path)
    assert.equal(faults.every(isLenders), expected, `${name} ${path}: ${faults.map(faultText)}`)
  }
})
