// The model loans satisfy the invariants, and each violation is reported with its section.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversation, type Json, type Step } from '@lendloom/tests/network-messages/lamf'
import { faultText } from '@lendloom/wire/network/context'
import { isCallback } from '@lendloom/wire/network/sequence'
import { signatureHeader, signingKeysFrom } from '@lendloom/wire/network/signing'
import type { RecordedMessage } from '#conformance/network/transcript.ts'
import { invariantsOf } from './invariants.ts'

const keys: Record<string, ReturnType<typeof signingKeysFrom>> = {
  'buyer.lendloom.example': signingKeysFrom(Buffer.alloc(32, 1)),
  'girnar.example': signingKeysFrom(Buffer.alloc(32, 2)),
}
const publicKeyOf = ({ subscriberId }: { subscriberId: string }) => keys[subscriberId]?.publicKey ?? null

/** The message as the platform stores it, signed by its sender. */
function record({ action, context, message }: Step): RecordedMessage {
  const body = JSON.stringify({ context, message })
  const at = new Date(context.timestamp)
  const subscriberId = isCallback(action) ? 'girnar.example' : 'buyer.lendloom.example'
  const { privateKey } = keys[subscriberId]!
  const authorization = signatureHeader(body, { subscriberId, uniqueKeyId: 'k1', privateKey, at })
  const direction = isCallback(action) ? 'received' : 'sent'
  return { at, direction, party: 'girnar.example', action, headers: { authorization }, body }
}

const faultsOf = (steps: Step[]): string => invariantsOf(steps.map(record), publicKeyOf).map(faultText).join('\n')

type Change = (message: Json, context: Json) => unknown

/** The faults of a journey after a change in one step. */
function faultsAfter(name: string, change: Change, variant: Parameters<typeof conversation>[0] = 'mfc'): string {
  const steps = conversation(variant)
  const { message, context } = steps.find(({ step }) => step === name)!
  change(message, context)
  return faultsOf(steps)
}

const faultsWithout = (...names: string[]): string =>
  faultsOf(conversation('mfc').filter(({ step }) => !names.includes(step)))

function assertFaults(section: RegExp, cases: [step: string, change: Change, fault: RegExp][]) {
  for (const [step, change, expected] of cases)
    assert.match(faultsAfter(step, change), new RegExp(`${expected.source}.*\\(FIS12 ${section.source}\\)`), step)
}

test('FIS12 §12.4: a term loan, a line with a consent, and a line on the lender’s page are valid', () => {
  for (const variant of ['mfc', 'aa', 'offline'] as const) assert.equal(faultsOf(conversation(variant)), '', variant)
})

test('FIS12 §4: a message with the version of the other dialect is reported', () => {
  assert.match(
    faultsAfter('select', (_, context) => (context.version = '2.0.3')),
    /#5 select \$\.context\.version must be/,
  )
})

test('FIS12 §4.1, §12.4.1: a wrong order or an unknown message_id is reported', () => {
  assert.match(faultsWithout('on_init_1'), /#9 init \$ may not follow init \(FIS12 §4\.1\)/)
  const other = '0c7b2a55-3ddf-4e77-ad5a-25c542d6b1fe'
  assert.match(
    faultsAfter('on_init_1', (_, context) => (context.message_id = other)),
    /message_id answers no request/,
  )
  assert.equal(
    faultsAfter('on_search_offers', (_, context) => (context.message_id = other)),
    '',
  )
})

test('FIS12 §12.4.2: every kind of id must have been issued', () => {
  assertFaults(/§12\.4\.2/, [
    ['search_profile', ({ intent }) => (intent.provider.id = 'nobody'), /provider nobody/],
    ['search_profile', ({ intent }) => (intent.provider.items[0].id = 'nothing'), /item nothing/],
    ['search_profile', ({ intent }) => (intent.provider.items[0].xinput.form.id = 'F'), /form F/],
    ['on_search', ({ catalog }) => (catalog.providers[0].categories[1].parent_category_id = '1'), /category 1/],
    ['on_search', ({ catalog }) => catalog.providers[0].categories.pop(), /category 104142/],
    ['on_search_offers', ({ catalog }) => (catalog.providers[0].items[1].parent_item_id = 'P'), /item P/],
    ['select', ({ order }) => (order.items[0].id = 'offer-0'), /item offer-0/],
    ['select', ({ order }) => (order.items[0].parent_item_id = 'P'), /item P/],
    ['select', ({ order }) => (order.fulfillments[0].id = 'G'), /fulfillment G/],
    ['on_select', ({ order }) => (order.items[0].fulfillment_ids[0] = 'G'), /fulfillment G/],
    ['init_1', ({ order }) => (order.payments[0].id = 'P'), /payment P/],
    ['on_confirm', ({ order }) => (order.payments[0].id = 'P'), /payment P/],
    ['on_init_1', ({ order }) => (order.quote.id = 'Q'), /quote Q/],
    ['init_2', ({ order }) => (order.items[0].xinput.form_response.submission_id = 'S'), /submission S/],
    ['on_update_disbursed', ({ order }) => (order.id = 'O'), /order O/],
    ['status', (message) => (message.order_id = 'O'), /order O/],
  ])
})

const row =
  (title: string, value: string): Change =>
  ({ order }) => {
    order.quote.breakup.find((each: Json) => each.title === title).price.value = value
  }

test('FIS12 §12.4.3: amounts of offers and quotes add up, equal the schedule, and do not change', () => {
  const offer = ({ catalog }: Json, position: number): Json => catalog.providers[0].items[1].tags[1].list[position]
  assertFaults(/§12\.4\.3/, [
    ['on_search_offers', (m) => (offer(m, 1).value = '4760.29 INR'), /items\[1\] as.*its rows add up to 156240\.29/],
    ['on_search_offers', (m) => (offer(m, 6).value = '150000.00 INR'), /is disbursed, must be 148520\.00/],
    ['on_select', row('NET_DISBURSED_AMOUNT', '150000.00'), /is disbursed, must be 148520\.00/],
    ['on_select', ({ order }) => (order.items[0].price.value = '1.00'), /but the item's price is 1\.00/],
    [
      'on_select',
      row('INTEREST_AMOUNT', '4000.00'),
      /changes INTEREST of the offer, although all requested units are pledged/,
    ],
    ['on_confirm', row('PRINCIPAL_AMOUNT', '160000.00'), /changes PRINCIPAL of the accepted offer/],
    ['on_confirm', ({ order }) => (order.payments[1].params.amount = '1.00'), /instalments add up to/],
  ])
})

test('FIS12 §17.2, §17.5: a line keeps its price and limit, and is not drawn before it is open', () => {
  const offline = (step: string, change: Change) => faultsAfter(step, change, 'offline')
  const cases: [step: string, change: Change, fault: RegExp][] = [
    [
      'offline_on_select',
      ({ order }) => (order.items[0].price.value = '1.00'),
      /is 1480\.00, but the item's price is 1\.00/,
    ],
    ['offline_on_init_1', row('OVERDRAFT_LIMIT', '140000.00'), /changes OVERDRAFT_LIMIT of the accepted offer, 150000/],
    ['offline_on_init_2', row('CURRENT_UTILIZATION', '1.00'), /is drawn before the line is open/],
    [
      'offline_on_update_drawn',
      row('CURRENT_UTILIZATION', '150000.01'),
      /150000\.01 is drawn of a limit of 150000\.00/,
    ],
    [
      'offline_on_select',
      row('OVERDRAFT_LIMIT', '140000.00'),
      /changes OVERDRAFT_LIMIT of the offer, although all requested units are pledged/,
    ],
  ]
  for (const [step, change, expected] of cases) assert.match(offline(step, change), expected, step)
})

test('FIS12 §10.2, §12.4.3: only requested units are pledged, and the pledge does not change', () => {
  const units = ({ order }: Json): Json => order.items[0].tags[0].list
  assertFaults(/§12\.4\.3/, [
    ['select', (m) => (units(m)[0].value = 'OTHER'), /#5 select .*pledges OTHER, which was not requested/],
    ['init_3', (m) => (units(m)[1].value = '1.000'), /#13 init .*pledges other units than select did/],
    ['confirm', ({ order }) => order.items[0].tags.pop(), /confirm .*pledges other units than select did/],
  ])
  const less: Step[] = conversation('mfc')
  for (const { action, message } of less)
    if (['select', 'init', 'confirm'].includes(action)) units(message)[1].value = '300.000'
  assert.equal(faultsOf(less), '')
})

test('FIS12 §12.4.4: pages, confirmation and disbursal must follow in order', () => {
  assert.match(faultsWithout('on_status_kyc'), /init .*answers KYC before the lender reported its success/)
  const failed: Change = ({ order }) => (order.items[0].xinput.form_response.status = 'REJECTED')
  const tooEarly: Change = ({ order }) => (order.fulfillments[0].state.descriptor.code = 'DISBURSED')
  assertFaults(/§12\.4\.4/, [
    ['on_status_lien', failed, /init .*answers LIEN_MARKING before/],
    ['init_2', ({ order }) => delete order.items[0].xinput, /on_init .*offers LIEN_MARKING before KYC is done/],
    ['init_5', ({ order }) => delete order.items[0].xinput, /confirm .*comes before LOAN_AGREEMENT is done/],
    ['on_status_agreement', tooEarly, /is DISBURSED before on_confirm/],
  ])
})

test('FIS12 §12.4.5: a schedule changes only when the request is paid', () => {
  assertFaults(/§12\.4\.5/, [
    [
      'on_update_foreclosure',
      ({ order }) => (order.payments[4].status = 'DEFERRED'),
      /payments\[4\] changes before FORECLOSURE is PAID/,
    ],
  ])
})

test('FIS12 §12.4.6: an altered message does not verify', () => {
  const transcript = conversation('mfc').map(record)
  transcript[2]!.body += ' '
  const faults = invariantsOf(transcript, publicKeyOf).map(faultText)
  assert.deepEqual(faults, ['#3 search header authorization does not verify: bad-signature (FIS12 §12.4.6)'])
})
