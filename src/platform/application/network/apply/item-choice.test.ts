// Which way to a loan against mutual funds is taken: what can be answered, what is preferred, what asks least of the borrower.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CatalogItem, readOnSearch } from '#contract/network/v230/search.ts'
import { stepNamed } from '#test/network-messages/lamf.ts'
import { chosenItems } from './catalogue.ts'

const { items } = readOnSearch(stepNamed('on_search').message)
const profile = {
  pan: 'ABCPE1234F',
  fullName: 'Ravi Patil',
  constitution: 'INDIVIDUAL',
  gender: 'male',
  employmentType: 'salaried',
  dob: '1990-04-12',
  annualIncome: '1200000',
  mobileNumber: '9876500001',
  emailId: 'ravi@mail.example',
  bureauConsent: 'true',
}
const statementUpload = { url: 'https://buyer.example/files/1', format: '.json', validity: 'P5D' }
const online = (known: Parameters<typeof chosenItems>[1], product: Parameters<typeof chosenItems>[2] = null) =>
  chosenItems(items, known, product).map((way) => [way.portfolio, way.product, way.offline])

test('FIS12 §10.1: with a statement it is read, without one the lender asks for a consent', () => {
  assert.deepEqual(online({ ...profile, statementUpload }), [['mfc', 'TERM_LOAN', false]])
  assert.deepEqual(online(profile), [['account-aggregator', 'CREDIT_LINE', false]])
})

test('D1 §4: the product that is preferred is the only one asked for', () => {
  assert.deepEqual(online({ ...profile, statementUpload }, 'TERM_LOAN'), [['mfc', 'TERM_LOAN', false]])
  assert.equal(online({ ...profile, statementUpload }, 'CREDIT_LINE')[0]?.[1], 'CREDIT_LINE')
  assert.deepEqual(online(profile, 'TERM_LOAN'), [])
})

test('FIS12 §7.7: a lender whose form cannot be answered in full is not asked', () => {
  const { emailId, ...incomplete } = profile
  assert.deepEqual(online({ ...incomplete, statementUpload }), [])
})

test('FIS12 §10.1: of one provider one way, of each provider its own; a registrar’s only where it is known', () => {
  const other = (item: CatalogItem): CatalogItem => ({ ...item, providerId: 'PROV-2' })
  const both = chosenItems([...items, ...items.map(other)], { ...profile, statementUpload }, null)
  assert.deepEqual(new Set(both.map(({ providerId }) => providerId)).size, 2)
  const atRegistrar = items.filter(({ portfolio }) => portfolio === 'rta')
  assert.deepEqual(chosenItems(atRegistrar, { ...profile, statementUpload }, null), [])
  assert.equal(
    chosenItems(atRegistrar, { ...profile, statementUpload, rtaName: 'CAMS' }, null).length,
    Math.min(1, atRegistrar.length),
  )
})
