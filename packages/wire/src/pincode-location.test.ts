// The approximate locations of PIN codes suffice to sort branches.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameDistrict, kilometres, pointOfPincode } from './pincode-location.ts'

const from = (pincode: string) => pointOfPincode(pincode)!
const mumbai = { latitude: 18.9388, longitude: 72.8354 }
const pune = { latitude: 18.5204, longitude: 73.8567 }
const chennai = { latitude: 13.0827, longitude: 80.2707 }

test('FIS12 §9.1: branches near a PIN code come first', () => {
  assert.ok(Math.abs(kilometres(mumbai, pune) - 118) < 3, 'Mumbai and Pune are 118 km apart')
  assert.ok(Math.abs(kilometres(mumbai, chennai) - 1028) < 15)
  assert.equal(kilometres(pune, pune), 0)
  const order = (pincode: string) =>
    Object.entries({ mumbai, pune, chennai })
      .sort(([, a], [, b]) => kilometres(from(pincode), a) - kilometres(from(pincode), b))
      .map(([name]) => name)
  assert.deepEqual(order('400001'), ['mumbai', 'pune', 'chennai'])
  assert.deepEqual(order('411004'), ['pune', 'mumbai', 'chennai'])
  assert.deepEqual(order('600042'), ['chennai', 'pune', 'mumbai'])
  assert.equal(pointOfPincode('010001'), null)
  assert.equal(pointOfPincode('290001'), null)
  assert.ok(isSameDistrict('411004', '411038') && !isSameDistrict('411004', '412105'))
})
