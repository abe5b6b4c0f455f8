// The state and city of PIN codes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOfPincode } from './pincode-place.ts'

test('D1 §2.1: a PIN code has the state of its longest listed prefix, and a city if it belongs to one', () => {
  const places: [pincode: string, state: string | null, city: string | null][] = [
    ['400001', 'Maharashtra', 'Mumbai'],
    ['400601', 'Maharashtra', 'Thane'],
    ['403001', 'Goa', null],
    ['411004', 'Maharashtra', 'Pune'],
    ['560034', 'Karnataka', 'Bengaluru'],
    ['110001', 'Delhi', 'Delhi'],
    ['194101', 'Ladakh', null],
    ['605001', 'Puducherry', 'Puducherry'],
    ['609001', 'Tamil Nadu', null],
    ['248001', 'Uttarakhand', 'Dehradun'],
    ['682555', 'Lakshadweep', null],
    ['682001', 'Kerala', 'Kochi'],
    ['744101', 'Andaman and Nicobar Islands', null],
    ['533464', null, null], // Post offices in Andhra Pradesh and in Puducherry.
    ['900056', null, null], // An army post office.
    ['010001', null, null],
  ]
  for (const [pincode, state, city] of places) assert.deepEqual(placeOfPincode(pincode), { state, city }, pincode)
})
