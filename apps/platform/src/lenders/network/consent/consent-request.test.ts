// The borrower's handle at the account aggregator (D1 §2.1 goldLoan.aaID, FIS12 §7.7 aa_id).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { handleOf } from './consent-request.ts'

const config = { AA_ID: 'aa.example', AA_HANDLE: 'sandbox-aa', PROVIDER_CHOICES: [] }
const ctx = { config } as unknown as Parameters<typeof handleOf>[0]

test('D1 §2.1: the handle is the app’s if it belongs to our aggregator, otherwise it contains the mobile number', () => {
  const handleFor = (aaId?: string) =>
    handleOf(
      ctx,
      { applicationId: 'app-1' },
      { bppId: 'lender.example' },
      {
        personal: { mobile: '9876500001' },
        work: {},
        address: {},
        gold: aaId === undefined ? null : { aaId },
      },
    )
  const fallback = '9876500001@sandbox-aa'
  assert.equal(handleFor('asha.rao@sandbox-aa'), 'asha.rao@sandbox-aa')
  assert.equal(handleFor(' asha.rao@sandbox-aa '), 'asha.rao@sandbox-aa')
  for (const foreignHandle of [undefined, 'asha@elsewhere', '@sandbox-aa', 'asha rao@sandbox-aa', 'a@b@sandbox-aa'])
    assert.equal(handleFor(foreignHandle), fallback, foreignHandle)
})
