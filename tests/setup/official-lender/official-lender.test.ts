// The strict lender: its signatures against the published vector, and its flows against the flow table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkFlows } from '@lendloom/wire/network/flows'
import { officialFlows } from './flows.ts'
import { authorizationHeader, privateKeyOf, signatureFault } from './wire.ts'

const body =
  '{"context":{"domain":"nic2004:60212","country":"IND","city":"Kochi","action":"search","core_version":"0.9.1","bap_id":"bap.stayhalo.in","bap_uri":"https://8f9f-49-207-209-131.ngrok.io/protocol/","transaction_id":"e6d9f908-1d26-4ff3-a6d1-3af3d3721054","message_id":"a2fe6d52-9fe4-4d1a-9d0b-dccb8b48522d","timestamp":"2022-01-04T09:17:55.971Z","ttl":"P1M"},"message":{"intent":{"fulfillment":{"start":{"location":{"gps":"10.108768, 76.347517"}},"end":{"location":{"gps":"10.102997, 76.353480"}}}}}}'
const publicKey = 'awGPjRK6i/Vg/lWr+0xObclVxlwZXvTjWYtlu6NeOHk='
const privateKey = privateKeyOf(
  'lP3sHA+9gileOkXYJXh4Jg8tK0gEEMbf9yCPnFpbldhrAY+NErqL9WD+Vav7TE5tyVXGXBle9ONZi2W7o144eQ==',
)
const signer = { id: 'bap.stayhalo.in', keyId: 'key-1', privateKey }

test('FIS12 §5: signs the published test vector byte for byte', () => {
  const signature = /signature="([^"]+)"/.exec(authorizationHeader(body, signer, 1641287875, 3600))![1]
  assert.equal(signature, 'cjbhP0PFyrlSCNszJM1F/YmHDVAWsZqJUPzojnE/7TJU3fJ/rmIlgaUHEr5E0/2PIyf0tpSnWtT6cyNNlpmoAQ==')
})

test('FIS12 §5: rejects another byte, sender, time or key', () => {
  const keyOf = (id: string, key: string) => (id === signer.id && key === 'key-1' ? publicKey : undefined)
  const now = authorizationHeader(body, signer)
  assert.equal(signatureFault(body, now, signer.id, keyOf), null)
  assert.match(signatureFault(`${body} `, now, signer.id, keyOf)!, /does not verify/)
  assert.match(signatureFault(body, now, 'stranger.example', keyOf)!, /sent by stranger/)
  assert.match(signatureFault(body, authorizationHeader(body, signer, 1641287875), signer.id, keyOf)!, /not now/)
  assert.match(
    signatureFault(body, authorizationHeader(body, { ...signer, keyId: 'key-2' }), signer.id, keyOf)!,
    /unknown key/,
  )
  assert.match(signatureFault(body, undefined, signer.id, keyOf)!, /signature is missing/)
})
test('FIS12 §8–§11, §16–§22: the strict lender plays every supported flow in its version', () => {
  const played = new Map(officialFlows.map(({ id, version }) => [id, version]))
  for (const { id, version, spoken } of networkFlows)
    if (spoken === 'yes') assert.equal(played.get(id), version, `the strict lender must play ${id}`)
  const listed = networkFlows.map(({ id }) => id)
  assert.equal(new Set(listed).size, listed.length)
  for (const id of played.keys())
    assert.ok(
      listed.includes(id) || listed.includes(id.replace(/-(consent|rejected)$/, '')),
      `${id} is not in the table`,
    )
})

test('FIS12 §16: every unsupported flow has a reason', () => {
  for (const { id, spoken, why } of networkFlows) if (spoken === 'no') assert.ok(why.length > 10, id)
})
