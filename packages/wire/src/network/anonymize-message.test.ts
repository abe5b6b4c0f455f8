// No personal data of any message leaves in a report to the network, whether its schema knows the field or not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from '@lendloom/foundation/schema'
import { secondsOf } from '@lendloom/foundation/src/fixtures/seconds-of.ts'
import type { Json } from '@lendloom/tests/network-messages/conversation'
import { goldLoan } from '@lendloom/tests/network-messages/gold-loan'
import { grievance } from '@lendloom/tests/network-messages/grievance'
import { lamf } from '@lendloom/tests/network-messages/lamf'
import { personalLoan } from '@lendloom/tests/network-messages/personal-loan'
import { keyPathsIn, type Path, valueAtPath } from '@lendloom/tests/network-messages/take-apart'
import { canaryOf, leaksIn } from '@lendloom/tests/setup/canaries'
import { roundsOf, runsAllRounds } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { anonymized, anonymizedError, hidden } from './anonymize-message.ts'
import { contexts, NetworkError } from './context.ts'
import { igmSchemas } from './igm/v100/schema.ts'
import { complaintSchemas } from './igm/v200/schema.ts'
import { impersonalEntriesOf, TagGroup } from './tags.ts'
import { messageSchemas as messages203 } from './v203/schema.ts'
import { DrawdownConfirmMessage, DrawdownInitMessage, messageSchemas as messages230 } from './v230/schema.ts'

const section = 'FIS12 §23'
const samples: { action: string; body: Json }[] = [...personalLoan(), ...goldLoan(), ...lamf(), ...grievance()].map(
  ({ action, context, message }) => ({ action, body: { context, message } }),
)

function keptFields(schemas: TSchema[]): string[] {
  const kept = new Set<string>()
  function walk(schema: Json, parent: string, name: string): void {
    if (schema['x-personal'] || schema === TagGroup) return
    const inner = { ...schema.properties, ...schema.patternProperties }
    if (schema.items) walk(schema.items, parent, name)
    for (const [key, each] of Object.entries(inner)) walk(each, name, key)
    if (!schema.items && Object.keys(inner).length === 0 && schema.type) kept.add(`${parent}.${name}`)
  }
  for (const schema of schemas) walk(schema, '', '')
  return [...kept].sort()
}

/** A new field is either marked with `markPersonal` or added here, after a decision that it identifies no one. */
const decided = `
  .action .bap_id .bap_uri .bpp_id .bpp_uri .code .domain .issue_id .message_id .order_id .path .ref_id .timestamp
  .transaction_id .ttl .type .update_target .version actions.action_by actions.id actions.ref_id actions.ref_type
  actions.updated_at actors.id actors.type additional_desc.content_type breakup.title cancellation_fee.percentage
  categories.id categories.parent_category_id city.code complainant_actions.complainant_action
  complainant_actions.updated_at country.code creds.type descriptor.code descriptor.long_desc descriptor.name
  descriptor.short_desc documents.mime_type expected_resolution_time.duration expected_response_time.duration
  external_ref.mimetype form.id form.mime_type form.multiple_submissions form.multiple_sumbissions form.resubmit
  form_response.status form_response.submission_id fulfillments.id fulfillments.state fulfillments.type gros.gro_type
  head.headings images.size_type index.cur index.max index.min instructions.code instructions.name
  instructions.short_desc issue.category issue.complainant_id issue.created_at issue.id issue.issue_type
  issue.last_action_id issue.level issue.rating issue.resolver_ids issue.respondent_ids issue.source_id issue.status
  issue.sub_category issue.updated_at items.category_ids items.fulfillment_ids items.id items.location_ids
  items.matched items.parent_item_id items.quantity items.recommended locations.area_code locations.id
  order.created_at order.id order.ref_order_ids order.status order.updated_at order_details.id
  order_details.merchant_order_id order_details.provider_id order_details.state org.name params.amount params.currency
  payment.collected_by payments.collected_by payments.id payments.status payments.type price.currency price.value
  provider.id providers.id quote.id quote.ttl range.end range.start refs.ref_id refs.ref_type
  resolution.action_triggered resolution.refund_amount resolutions.id resolutions.proposed_by resolutions.ref_id
  resolutions.ref_type resolutions.updated_at respondent_actions.cascaded_level respondent_actions.respondent_action
  respondent_actions.updated_at respondent_info.type source.network_participant_id source.type stops.id
  stops.parent_stop_id stops.type time.duration time.label time.timestamp update_target.action update_target.path
  xinput.required`

test(`${section}: every field that is not marked as personal was decided to stay`, () => {
  const messages = [messages203, messages230, igmSchemas, complaintSchemas].flatMap((schemas) =>
    Object.values<TSchema>(schemas),
  )
  const drawdown = [DrawdownInitMessage, DrawdownConfirmMessage]
  const found = keptFields([...messages, ...drawdown, ...Object.values(contexts), NetworkError])
  assert.deepEqual(found, decided.trim().split(/\s+/))
})

test(`${section}: the people, accounts and links of every model message are hidden, city and area code are not`, () => {
  const texts = samples.map(({ action, body }) => JSON.stringify(anonymized(action, body)))
  const links = /https?:\/\/(?!\S*\/ondc")[^"]*/
  const people = /Kavita|Joshi|Kamble|Pawar|Vikram|Vora|Sunil|mail\.example|98000000\d\d|6020008811|UTR|BARB0|8820131/
  for (const text of texts) {
    assert.doesNotMatch(text, people)
    assert.doesNotMatch(text.replace(/"ba?pp?_uri":"[^"]*"/g, ''), links)
  }
  const all = texts.join()
  for (const kept of ['"area_code":"4', '"city":{"code":"*"}', '"value":"PT60M"', '"code":"SANCTIONED"'])
    assert.ok(all.includes(kept), kept)
  const { context } = samples[0]!.body
  assert.deepEqual(anonymized('search', { context }).context, context)
})

const isHiddenAt = (action: string, body: Json, path: Path): boolean => {
  let value: Json = anonymized(action, body)
  for (const key of path) {
    if (value === undefined || value === hidden) return true
    value = value[key]
  }
  return value === undefined || value === hidden
}

test(`${section}: identifiers that are planted anywhere, and names in personal and unknown places, never leave`, () => {
  const plant = fc.record({
    sample: fc.nat(samples.length - 1),
    place: fc.nat(),
    kind: fc.constantFrom('pan', 'mobile', 'email', 'account', 'name', 'address'),
    shape: fc.constantFrom('text', 'prose', 'number', 'object', 'list', 'key', 'unknown', 'unknown key'),
  })
  let planted = 0
  fc.assert(
    fc.property(plant, ({ sample, place, kind, shape }) => {
      const { action, body } = structuredClone(samples[sample]!)
      const paths = [...keyPathsIn(body)]
      const path = paths[place % paths.length]!
      const text = canaryOf[kind as keyof typeof canaryOf]()
      const holder = valueAtPath(body, path.slice(0, -1))
      const key = path.at(-1)!
      if (shape.startsWith('unknown') || shape === 'key')
        holder[shape === 'unknown' ? 'note' : text] = shape === 'key' ? { value: 1 } : text
      else if (['name', 'address'].includes(kind) && !isHiddenAt(action, body, path)) return
      else if (shape === 'number' && /^\d+$/.test(text)) holder[key] = Number(text)
      else if (shape === 'prose') holder[key] = `Please call ${text} today`
      else if (shape === 'object') holder[key] = { [text]: text, value: text }
      else holder[key] = shape === 'list' ? [text] : text
      planted++
      assert.deepEqual(leaksIn(JSON.stringify(anonymized(action, body))), [], `${action} ${path.join('.')} ${shape}`)
    }),
    { numRuns: roundsOf(3000) },
  )
  if (runsAllRounds()) assert.ok(planted > 1000, `${planted} values were planted`)
})

test(`${section}: hostile messages are hidden, neither thrown at nor searched for long`, () => {
  const { context } = samples[0]!.body
  for (const body of [null, 7, [], 'x', {}, { context: 1, message: 2, error: 3 }])
    assert.doesNotThrow(() => anonymized('on_search', body))
  const prototype = anonymized('on_search', JSON.parse('{"message":{"__proto__":{"a":"Anil Kamble"},"catalog":[]}}'))
  assert.equal(JSON.stringify(prototype.message), '{"__proto__":"***","catalog":"***"}')
  assert.equal(anonymized('advertise', { context, message: { phone: '9800000077' } }).message, hidden)
  const deep = JSON.parse(`${'{"order":'.repeat(5000)}1${'}'.repeat(5000)}`)
  assert.doesNotThrow(() => anonymized('on_status', { context, message: deep }))
  const items = Array.from({ length: 1000 }, () => ({ id: '9 8'.repeat(330), tags: [] }))
  const message = { order: { provider: { id: 'x' }, items } }
  assert.ok(secondsOf(() => anonymized('on_select', { context, message })) < 10)
})

test(`${section}: a tag keeps its value only in an official entry without personal data`, () => {
  assert.equal(impersonalEntriesOf('CONTACT_INFO'), null)
  assert.equal(impersonalEntriesOf('__proto__'), null)
  assert.ok(!impersonalEntriesOf('PLEDGE_REQUIREMENTS')!.includes('FOLIO_ID'))
  assert.ok(!impersonalEntriesOf('LOAN_INFO')!.some((code) => code.endsWith('LINK')))
})

test(`${section}: identifiers beside separators, and those in a receiver's error, are hidden`, () => {
  const { context } = samples[0]!.body
  for (const id of ['PL-9876543210', 'KFS_ABCPK1234F.pdf', 'LAN-123456789012']) {
    const { message } = anonymized('on_status', { context, message: { order: { id, provider: { id: 'p' } } } })
    assert.doesNotMatch(JSON.stringify(message), /9876543210|ABCPK1234F|123456789012/)
  }
  const error = { code: 'ABCPK1234F 9876543210', type: 'anil@mail.example' }
  assert.deepEqual(anonymizedError(error), { code: hidden, type: hidden })
})
