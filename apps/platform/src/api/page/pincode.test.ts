// The look-up of the place of a PIN code in a borrower's session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'

const { tenant, url } = await testPlatform()

test('D1 §2.1: a borrower can look up the state and city of a PIN code', async () => {
  const { body } = await openSession(url, tenant, newApplicant())
  const { sessionToken: key } = await enter(url, body.embedUrl)
  const lookUp = (pincode: string, sessionKey: string | null = key) =>
    ask(`${url}/api/embed/pincode/${pincode}`, sessionKey === null ? {} : { key: sessionKey })
  assert.deepEqual((await lookUp('411004')).body, { state: 'Maharashtra', city: 'Pune' })
  assert.deepEqual((await lookUp('900056')).body, { state: null, city: null })
  for (const pincode of ['4110', '4110044', '011004', '41100a', '%27%20or%201'])
    assert.equal((await lookUp(pincode)).status, 400, pincode)
  assert.equal((await lookUp('411004', null)).status, 401)
})
