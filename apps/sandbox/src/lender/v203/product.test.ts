// Pages of the sandbox's lenders at which a borrower accepts one of two offers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceStep, customerPageLink } from './product.ts'

test('FIS12 §19.1: accepting one of two offers links to the customer form instead of the amount', () => {
  assert.equal(choiceStep.pageLink, undefined)
  assert.deepEqual({ ...choiceStep, ...customerPageLink }.pageLink, { path: 'forms/customer', purpose: 'customer' })
})
