// The look-up of an IFSC's bank and branch, which needs a borrower's session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter, newApplicant, openSession } from '#test/setup/borrower.ts'
import { ask, testPlatform } from '#test/setup/platform.ts'

const { tenant, url } = await testPlatform()

test('D1 §1: returns to a borrower the bank of an IFSC, and whether the IFSC is known', async () => {
  const { body } = await openSession(url, tenant, newApplicant())
  const { sessionToken: key } = await enter(url, body.embedUrl)
  const find = (ifsc: string, sessionKey: string | null = key) =>
    ask(`${url}/api/embed/ifsc/${ifsc}`, sessionKey === null ? {} : { key: sessionKey })
  assert.deepEqual((await find('hdfc0000001')).body, { bank: 'HDFC Bank', branch: null, isKnown: true })
  assert.deepEqual((await find('ZZZZ0000001')).body, { bank: null, branch: null, isKnown: false })
  assert.equal((await find('HDFC')).status, 400)
  assert.equal((await find('HDFC0000001', null)).status, 401)
})
