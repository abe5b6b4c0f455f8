// The states of the lender's steps in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepState, triesText } from './step-texts.ts'

const step = (name: string, status: string) => ({ name, status, attempts: 0, problem: null })

test('steps: what a lender’s single page covers is said to be done there', () => {
  const steps = [step('kyc', 'SUCCESS'), step('eMandate', 'NOT_REQUIRED'), step('loanAgreement', 'NOT_REQUIRED')]
  const onPage = { steps, visitsBranch: false, isOpened: false }
  assert.equal(stepState('NOT_REQUIRED', onPage), 'On the lender’s page')
  assert.equal(stepState('SUCCESS', onPage), 'Success')
  assert.equal(stepState('NOT_REQUIRED', { ...onPage, visitsBranch: true }), 'At the branch')
  assert.equal(stepState('NOT_REQUIRED', { ...onPage, isOpened: true }), 'Done at the lender')
  assert.equal(stepState('NOT_REQUIRED', { steps, visitsBranch: true, isOpened: true }), 'Done at the branch')
})

test('steps: a step that a lender with steps here leaves out is not required', () => {
  const steps = [step('kyc', 'SUCCESS'), step('eMandate', 'NOT_REQUIRED'), step('loanAgreement', 'READY')]
  assert.equal(stepState('NOT_REQUIRED', { steps, visitsBranch: false, isOpened: true }), 'Not required')
})

test('steps: the account at a lending partner counts its two acts, which are no tries of one', () => {
  const step = (attempts: number) => ({ name: 'bankMandate', attempts })
  const partner = { caseRef: '01930000-0000-7000-8000-000000000000' }
  assert.equal(triesText(step(1), partner), '')
  assert.equal(triesText(step(2), partner), 'Account given, then its statement page opened')
  assert.equal(triesText(step(4), partner), 'Account given, then its statement page opened 3 times')
  assert.equal(triesText(step(2), { caseRef: null }), '2 tries')
  assert.equal(triesText({ name: 'kyc', attempts: 2 }, partner), '2 tries')
})
