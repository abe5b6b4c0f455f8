// The look-up of the bank and branch of an IFSC in a borrower's session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'

const { tenant, url } = await testPlatform()

test('D1 §1: a borrower can look up the bank of an IFSC', async () => {
  const { body } = await openSession(url, tenant, newApplicant())
  const { sessionToken: key } = await enter(url, body.embedUrl)
  const lookUp = (ifsc: string, sessionKey: string | null = key) =>
    ask(`${url}/api/embed/ifsc/${ifsc}`, sessionKey === null ? {} : { key: sessionKey })
  assert.deepEqual((await lookUp('hdfc0000001')).body, { bank: 'HDFC Bank', branch: null, isKnown: true })
  assert.deepEqual((await lookUp('ZZZZ0000001')).body, { bank: null, branch: null, isKnown: false })
  assert.equal((await lookUp('HDFC')).status, 400)
  assert.equal((await lookUp('HDFC0000001', null)).status, 401)
})
