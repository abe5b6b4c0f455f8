// The states of the lender's steps in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepState } from './step-texts.ts'

const step = (name: string, status: string) => ({ name, status, attempts: 0, problem: null })

test('steps: what a lender’s single page covers is said to be done there', () => {
  const steps = [step('kyc', 'SUCCESS'), step('eMandate', 'NOT_REQUIRED'), step('loanAgreement', 'NOT_REQUIRED')]
  const onPage = { steps, visitsBranch: false }
  assert.equal(stepState('NOT_REQUIRED', onPage), 'On the lender’s page')
  assert.equal(stepState('SUCCESS', onPage), 'Success')
  assert.equal(stepState('NOT_REQUIRED', { steps, visitsBranch: true }), 'At the branch')
})

test('steps: a step that a lender with steps here leaves out is not required', () => {
  const steps = [step('kyc', 'SUCCESS'), step('eMandate', 'NOT_REQUIRED'), step('loanAgreement', 'READY')]
  assert.equal(stepState('NOT_REQUIRED', { steps, visitsBranch: false }), 'Not required')
})
