// The lead in the partner's format, including the borrower's free text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxEventBytes } from '@lendloom/wire/exchange/envelope'
import { fullName } from '@lendloom/wire/exchange/lead'
import fc from 'fast-check'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import { applicantOf, fitsPartnerProduct, namesOf } from './applicant.ts'
import { reasonForPartner } from './decide-case.ts'
import { type Evidence, leadFaults, leadOf } from './lead.ts'

const at = new Date('2026-11-20T10:00:00.000Z')
const person: BorrowerDetails = {
  personal: { mobile: '9876543210', pan: 'ABCPE1234F', panName: 'Asha  Devi\tKulkarni', dob: '1992-02-29' },
  work: {
    employmentType: 'selfEmployed',
    companyName: 'Asha Stores',
    income: 85_000,
    udyamNumber: 'UDYAM-MH-18-0000001',
  },
  address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
  gold: null,
}
const evidence: Evidence = {
  bureau: {
    provider: 'SANDBOX_BUREAU',
    status: 'AVAILABLE',
    reference: 'B-1',
    pulledAt: at.toISOString(),
    score: 742,
    reportData: null,
    unavailableReason: null,
    documents: [],
  },
  recommendation: { referenceId: 'R-1', ruleReference: 'income-and-score-1:R-1', decision: 'ELIGIBLE' },
}
const consentTimes = { bureau: at, bankAnalysis: null, dataSharing: at, submission: at }
const lead = (borrower: BorrowerDetails, change: Partial<Parameters<typeof leadOf>[0]> = {}) =>
  leadOf(
    {
      dedupeReferenceId: 'DD-1',
      applicant: applicantOf(borrower)!,
      consents: consentTimes,
      evidence,
      statement: null,
      amountPaise: 150_000_00n,
      documents: [{ documentReferenceId: 'DOC-1', documentType: 'BUREAU_REPORT' }],
      ...change,
    },
    at,
  )

test('D3 §2.3: a lead is valid without business data, which are then “not stated”', () => {
  const data = lead(person)
  assert.deepEqual(leadFaults(data), [])
  const { first_name, middle_name, last_name, monthly_income, employment_type } = data.borrower
  assert.equal(first_name, 'Asha')
  assert.equal(middle_name, 'Devi')
  assert.equal(last_name, 'Kulkarni')
  assert.equal(monthly_income, '85000.00')
  assert.equal(employment_type, 'SELF_EMPLOYED')
  assert.equal(data.business.constitution, 'Not stated')
  assert.equal(data.business.gstin, null)
  assert.equal(data.business.udyam_number, 'UDYAM-MH-18-0000001')
  assert.equal(data.banking.status, 'NOT_PROVIDED')
  assert.equal(data.banking.account, null)
  assert.equal(data.proposed_offer.loan_amount, '150000.00')
})

test('D3 §2.3: the lead contains the borrower’s business data, and the PAN from the GSTIN', () => {
  const shopAddress = { businessAddressL1: 'Shop 4, Market Road', businessCity: 'Pune', businessState: 'Maharashtra' }
  const work: BorrowerDetails['work'] = {
    ...person.work,
    businessConstitution: 'proprietorship',
    industry: 'retail',
    gstin: '27AAPFU0939F1ZV',
    annualTurnover: 1_200_000,
    ...shopAddress,
    businessPincode: '411001',
  }
  const data = lead({ ...person, work })
  assert.deepEqual(leadFaults(data), [])
  const { constitution, industry, gstin, pan, annual_turnover, address } = data.business
  assert.equal(constitution, 'Sole proprietorship')
  assert.equal(industry, 'Retail trade')
  assert.equal(gstin, '27AAPFU0939F1ZV')
  assert.equal(pan, 'AAPFU0939F')
  assert.equal(annual_turnover, '1200000.00')
  assert.equal(address.line1, 'Shop 4, Market Road')
  assert.equal(address.postal_code, '411001')
  const withoutPincode = lead({ ...person, work: { ...work, businessPincode: null } })
  assert.equal(withoutPincode.business.address.line1, '7 Fort Road', 'an incomplete business address is ignored')
})

test('D3 §2.3: a missing bureau consent or report is a fault of that field', () => {
  assert.match(leadFaults(lead(person, { documents: [] })).join(), /bureau\.report_data/)
  const noBureauConsent = { ...consentTimes, bureau: null as unknown as Date }
  assert.match(leadFaults(lead(person, { consents: noBureauConsent })).join(), /consents\.bureau/)
})

test('D3 §8: a report that is too long for an event is sent only as a file', () => {
  const evidenceWithReport = (characters: number) => ({
    ...evidence,
    bureau: { ...evidence.bureau, reportData: { accounts: 'x'.repeat(characters) } },
  })
  const tooLong = lead(person, { evidence: evidenceWithReport(maxEventBytes) })
  assert.equal(tooLong.bureau.report_data, null)
  assert.deepEqual(leadFaults(tooLong), [])
  assert.notEqual(lead(person, { evidence: evidenceWithReport(1000) }).bureau.report_data, null)
  const largest = lead(person, { evidence: evidenceWithReport(1024 * 1024 - 20) })
  assert.notEqual(largest.bureau.report_data, null)
  assert.ok(JSON.stringify(largest).length < maxEventBytes)
})

test('D3 §2.3: a lead says that the last name of a borrower with one name is a filler', () => {
  const { borrower } = lead({ ...person, personal: { ...person.personal, panName: 'Asha' } })
  assert.equal(borrower.first_name, 'Asha')
  assert.equal(borrower.last_name, 'Asha', 'D3 §2.3 requires a last name')
  assert.equal(borrower.last_name_is_filler, true)
  assert.equal(fullName(borrower), 'Asha')
  assert.equal(lead(person).borrower.last_name_is_filler, undefined)
})

test('D3 §2.3: every name, even of one word, yields a first and a last name', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[A-Za-z]{1,12}$/), { minLength: 1, maxLength: 6 }), (words) => {
      const { first, middle, last, isLastFiller } = namesOf(words.join(' '))
      assert.equal(isLastFiller, words.length === 1)
      assert.equal(
        [first, ...(middle === null ? [] : [middle]), ...(words.length > 1 ? [last] : [])].join(' '),
        words.join(' '),
      )
      assert.notEqual(last, '')
    }),
  )
})

test('D3 §1: the partner’s product fits only personal loans of self-employed borrowers', () => {
  assert.equal(fitsPartnerProduct({ type: 'PERSONAL_LOAN' }, person), true)
  assert.equal(fitsPartnerProduct({ type: 'GOLD_LOAN' }, person), false)
  for (const employmentType of ['salaried', undefined] as const)
    assert.equal(
      fitsPartnerProduct(
        { type: 'PERSONAL_LOAN' },
        { ...person, work: { ...person.work, employmentType } as BorrowerDetails['work'] },
      ),
      false,
    )
  assert.equal(applicantOf({ ...person, address: { pincode: '400001' } }), null)
})

test('D3 §2.1: the partner receives the borrower’s reason without control characters or an Aadhaar number', () => {
  assert.equal(reasonForPartner('Too\nlittle\u0007'), 'Too little')
  for (const unusable of [null, '', ' \t', 'my aadhaar is 2341 2341 2346'])
    assert.equal(reasonForPartner(unusable), null)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1500 }), (text) => {
      const reason = reasonForPartner(text)
      assert.ok(
        reason === null ||
          ([...reason].length <= 1000 && reason.trim() !== '' && !/\p{Cc}/u.test(reason) && reason.isWellFormed()),
      )
    }),
  )
})
