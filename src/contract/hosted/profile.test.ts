// Which twelve digits are refused as an Aadhaar number, and where they are a number of another kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#kit/refusal.ts'
import { refuseAadhaar } from './profile.ts'

const aadhaar = '234123412346'

test('D3 §2.1: a full Aadhaar number is refused wherever it stands, also in mutual-fund data', () => {
  for (const body of [
    { address: { addressL1: aadhaar } },
    { mfc: { investor: { id: aadhaar } } },
    { mfc: { folios: [{ holder: '2341 2341 2346' }] } },
    { mfc: { folio: { uid: Number(aadhaar) } } },
    { note: { folio: aadhaar } },
    { bankingInformation: { accountHolderName: aadhaar, accountNumber: '123456789' } },
    { rejectionReason: aadhaar },
  ])
    assert.throws(() => refuseAadhaar(body), Refusal, JSON.stringify(body))
})

test('D2 §4: an account number of twelve digits is one, however its name is written', () => {
  refuseAadhaar({ bankingInformation: { accountNumber: aadhaar }, banking_information: { account_number: aadhaar } })
})

test('D1 §4: a folio of twelve digits is a folio', () => {
  refuseAadhaar({
    personal: { contactNumber: aadhaar },
    mfc: { reqId: aadhaar, mobile: aadhaar, data: [{ schemes: [{ folio: aadhaar }, { folio_no: Number(aadhaar) }] }] },
  })
})
