// Choice of a catalogue item for a loan against mutual funds, by the data that its form requires, the borrower's preferred
// product, and the steps that the item costs the borrower.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepNamed } from '@lendloom/tests/network-messages/lamf'
import { type CatalogItem, readOnSearch } from '@lendloom/wire/network/v230/search'
import { chosenItems } from '#platform/lenders/network/reactions/appliers/search-answer.ts'

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
const choicesFor = (
  availableAnswers: Parameters<typeof chosenItems>[1],
  product: Parameters<typeof chosenItems>[2] = null,
) =>
  chosenItems(items, availableAnswers, product).map(({ portfolio, product, offline }) => ({
    portfolio,
    product,
    offline,
  }))

test('FIS12 §10.1: an uploaded statement is used if there is one, otherwise the account aggregator', () => {
  assert.deepEqual(choicesFor({ ...profile, statementUpload }), [
    { portfolio: 'mfc', product: 'TERM_LOAN', offline: false },
  ])
  assert.deepEqual(choicesFor(profile), [{ portfolio: 'account-aggregator', product: 'CREDIT_LINE', offline: false }])
})

test('D1 §4: only items of the preferred product are chosen', () => {
  assert.deepEqual(choicesFor({ ...profile, statementUpload }, 'TERM_LOAN'), [
    { portfolio: 'mfc', product: 'TERM_LOAN', offline: false },
  ])
  assert.equal(choicesFor({ ...profile, statementUpload }, 'CREDIT_LINE')[0]?.product, 'CREDIT_LINE')
  assert.deepEqual(choicesFor(profile, 'TERM_LOAN'), [])
})

test('FIS12 §7.7: an item whose form we cannot complete is not chosen', () => {
  const { emailId, ...incomplete } = profile
  assert.deepEqual(choicesFor({ ...incomplete, statementUpload }), [])
})

test('FIS12 §10.1: one item per provider is chosen, and a registrar item only if the registrar is known', () => {
  const atSecondProvider = (item: CatalogItem): CatalogItem => ({ ...item, providerId: 'PROV-2' })
  const choices = chosenItems([...items, ...items.map(atSecondProvider)], { ...profile, statementUpload }, null)
  assert.equal(new Set(choices.map(({ providerId }) => providerId)).size, 2)
  const atRegistrar = items.filter(({ portfolio }) => portfolio === 'rta')
  assert.deepEqual(chosenItems(atRegistrar, { ...profile, statementUpload }, null), [])
  assert.equal(
    chosenItems(atRegistrar, { ...profile, statementUpload, rtaName: 'CAMS' }, null).length,
    Math.min(1, atRegistrar.length),
  )
})
