// Validation of borrowers' data: Aadhaar numbers, reporting all faults, masking.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPersonal } from '@lendloom/foundation/mask'
import { maskedDocument } from '@lendloom/foundation/mask-document'
import { faultsOf, Refusal } from '@lendloom/foundation/refusal'
import { parse } from '@lendloom/foundation/schema'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { BankingInformation } from '#wire/headless/profile.ts'
import { canonicalSession, SessionRequest } from './create-session.ts'
import { Address, GoldProfile, PersonalProfile, WorkProfile } from './profile.ts'
import { refuseAadhaar } from './refused-text.ts'

const aadhaar = '234123412346'

test('D3 §2.1: a full Aadhaar number is refused in any field, also in mutual-fund data', () => {
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

test('D2 §4: an account number of twelve digits is accepted in any spelling of its key', () => {
  refuseAadhaar({ bankingInformation: { accountNumber: aadhaar }, banking_information: { account_number: aadhaar } })
})

test('D1 §4: a folio of twelve digits is accepted', () => {
  refuseAadhaar({
    personal: { contactNumber: aadhaar },
    mfc: { reqId: aadhaar, mobile: aadhaar, data: [{ schemes: [{ folio: aadhaar }, { folio_no: Number(aadhaar) }] }] },
  })
})

const oneOfOrAny = (...texts: unknown[]) => fc.oneof(fc.constantFrom(...texts), fc.jsonValue({ maxDepth: 2 }))
const anyBody = fc.record(
  {
    borrowerProviderID: oneOfOrAny('user-1'),
    journeyType: oneOfOrAny('GOLD_LOAN', 'PERSONAL_LOAN', 'gold'),
    profile: fc.oneof(
      fc.record(
        { contactNumber: oneOfOrAny('9876543210', '98'), dob: oneOfOrAny('2023-02-30'), pan: oneOfOrAny('x') },
        { requiredKeys: [] },
      ),
      fc.jsonValue(),
    ),
    workProfile: fc.oneof(
      fc.record({ income: oneOfOrAny(999, '0'), udyamNumber: oneOfOrAny('UDYAM-MH-18-0000001') }, { requiredKeys: [] }),
      fc.jsonValue(),
    ),
    address: oneOfOrAny({ addressL1: aadhaar, pincode: 'x' }),
    goldLoan: oneOfOrAny({ purity: '22k', requestedAmount: [] }),
    ['__proto__']: oneOfOrAny({ contactNumber: 5 }),
  },
  { requiredKeys: [] },
)

test('D1 §7, property: an invalid session request is rejected with each fault once', () => {
  const at = new Date('2026-11-20T10:00:00Z')
  const canonicalFrom = (body: unknown) =>
    canonicalSession(
      parse(SessionRequest, body, '', (rest) => faultsOf(() => canonicalSession(rest, at))),
      at,
    )
  fc.assert(
    fc.property(anyBody, (body) => {
      const faultPaths = faultsOf(() => canonicalFrom(body)).map(({ path }) => path)
      assert.equal(new Set(faultPaths).size, faultPaths.length, 'each once')
      const { profile } = body as { profile?: { dob?: unknown } }
      if (profile?.dob === '2023-02-30') assert.ok(faultPaths.includes('profile.dob'), faultPaths.join())
    }),
    { numRuns: roundsOf(500) },
  )
})

/** Schemas of personal data, by the name of their object in a request. */
const groups = {
  profile: PersonalProfile,
  workProfile: WorkProfile,
  address: Address,
  goldLoan: GoldProfile,
  bankingInformation: BankingInformation,
}
const fields = Object.entries(groups).flatMap(([group, { properties }]) =>
  Object.keys(properties).map((name) => ({ group, name, path: `${group}.${name}` })),
)

test('D1 §2.1: each profile field is masked unless it identifies no person', () => {
  const unmasked = [
    'workProfile.employmentType',
    'workProfile.businessConstitution',
    'workProfile.industry',
    'workProfile.businessState',
    'address.state',
    'bankingInformation.accountType',
    'goldLoan.userType',
    'goldLoan.constitution',
    'goldLoan.jewelleryWeightGrams',
    'goldLoan.purity',
  ]
  const isMasked = ({ group, name }: { group: string; name: string }): boolean =>
    JSON.stringify(maskedDocument({ [group]: { [name]: 'a value' } })).includes('a value') === false
  assert.deepEqual(
    fields
      .filter((field) => !isMasked(field))
      .map(({ path }) => path)
      .sort(),
    unmasked.sort(),
    'a field is unmasked only if its schema and this list say that it identifies no person',
  )
  for (const group of ['profile', 'workProfile', 'address'])
    assert.ok(isPersonal(group), `${group} is left out of logs as a whole`)
})
