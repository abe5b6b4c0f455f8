// Changes between the offer and the final terms, as the borrower sees them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { changesOf } from './changed-terms.ts'

const firstOffer = {
  id: 'o1',
  amountPrincipal: '200000.00',
  tenureMonths: 24,
  interestRate: '12.00%',
  annualPercentageRate: '13.10%',
  processingFees: '1000.00',
}
const view = (terms: object, offers: object[] = [firstOffer]) =>
  ({
    offers,
    selected: { offerId: 'o1', amount: '200000.00', tenureMonths: 24, terms: { ...firstOffer, ...terms } },
  }) as unknown as EmbedView

test('final terms are compared with the request and with the first offer', () => {
  const changes = changesOf(view({ amountPrincipal: '150000.00', annualPercentageRate: '13.90%' }))
  assert.deepEqual(changes, [
    { figure: 'amount', was: '200000.00', now: '150000.00' },
    { figure: 'apr', was: '13.10%', now: '13.90%' },
  ])
})

test('APR and fee are not compared when the first offer was for another amount or term', () => {
  const largerOffer = { ...firstOffer, amountPrincipal: '1930000.00', tenureMonths: 60, processingFees: '5900.00' }
  const final = {
    amountPrincipal: '200000.00',
    tenureMonths: 24,
    annualPercentageRate: '12.22%',
    processingFees: '1180.00',
  }
  assert.deepEqual(changesOf(view(final, [largerOffer])), [])
  assert.deepEqual(changesOf(view(final, [{ ...largerOffer, amountPrincipal: '200000.00' }])), [], 'another term')
  assert.deepEqual(changesOf(view({ ...final, interestRate: '12.5%' }, [largerOffer])), [
    { figure: 'rate', was: '12.00%', now: '12.5%' },
  ])
})

test('a figure in another notation is not shown as a change', () => {
  assert.deepEqual(changesOf(view({ amountPrincipal: '200000.00', interestRate: '12%' })), [])
})

test('an APR told with more decimals is no change, but a rate is never rounded', () => {
  const rounded = { ...firstOffer, annualPercentageRate: '13.9%', interestRate: '12.0%' }
  const final = { amountPrincipal: '200000.00', annualPercentageRate: '13.93%', interestRate: '12.0%' }
  assert.deepEqual(changesOf(view(final, [rounded])), [])
  assert.deepEqual(changesOf(view({ ...final, annualPercentageRate: '13.96%', interestRate: '12.04%' }, [rounded])), [
    { figure: 'rate', was: '12.0%', now: '12.04%' },
    { figure: 'apr', was: '13.9%', now: '13.96%' },
  ])
})

test('without a first offer the final terms are compared with the request only', () => {
  assert.deepEqual(changesOf(view({ amountPrincipal: '200000.00', interestRate: '15%' }, [])), [])
})
