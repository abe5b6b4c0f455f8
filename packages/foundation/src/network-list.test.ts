// Validates networks, and matches addresses to them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNetwork, isWithin } from './config.ts'

test('recognizes addresses and networks', () => {
  for (const network of ['10.0.0.0/8', '203.0.113.7', '2001:db8::/32', '::1']) assert.ok(isNetwork(network), network)
  for (const text of ['', '10.0.0.0/33', '10.0.0/8', 'example.com', '::1/129', '10.0.0.0/8/8', '10.0.0.0/x'])
    assert.equal(isNetwork(text), false, text)
})

test('matches an address to a network in every notation', () => {
  const networks = ['10.1.0.0/16', '203.0.113.7', '2001:db8::/32']
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '203.0.113.7', '2001:db8:1::5'])
    assert.ok(isWithin(address, networks), address)
  for (const address of ['10.2.0.1', '203.0.113.8', '2001:db9::1', 'not an address', ''])
    assert.equal(isWithin(address, networks), false, address)
})
