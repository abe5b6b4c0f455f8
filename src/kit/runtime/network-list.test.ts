// Recognizing and matching addresses and networks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNetwork, isWithin } from '#kit/runtime/config.ts'

test('recognizes addresses and networks', () => {
  for (const right of ['10.0.0.0/8', '203.0.113.7', '2001:db8::/32', '::1']) assert.ok(isNetwork(right), right)
  for (const wrong of ['', '10.0.0.0/33', '10.0.0/8', 'example.com', '::1/129', '10.0.0.0/8/8', '10.0.0.0/x'])
    assert.equal(isNetwork(wrong), false, wrong)
})

test('matches an address to a network in every notation', () => {
  const networks = ['10.1.0.0/16', '203.0.113.7', '2001:db8::/32']
  for (const inside of ['10.1.2.3', '::ffff:10.1.2.3', '203.0.113.7', '2001:db8:1::5'])
    assert.ok(isWithin(inside, networks), inside)
  for (const outside of ['10.2.0.1', '203.0.113.8', '2001:db9::1', 'not an address', ''])
    assert.equal(isWithin(outside, networks), false, outside)
})
