// What a client is told of the five steps, state by state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Steps, type StepView as WireStep } from '#contract/headless/step.ts'
import { faults } from '#kit/http/schema.ts'
import { type JourneyStep, type StepName, untouched } from '#platform/step/store.ts'
import { stepsWire } from './step-wire.ts'

const url = 'https://lender.example/page'
const linkTo = ({ name }: JourneyStep) => `https://platform.example/go/${name}`
const step = (name: StepName, more: Partial<JourneyStep>): JourneyStep => ({ ...untouched(name), ...more })
const done = (...names: StepName[]): JourneyStep[] =>
  names.map((name) => step(name, { status: 'SUCCESS', attempts: 1 }))
const wire = (stored: JourneyStep[], live = true) => {
  const steps = stepsWire(stored, live, linkTo)
  assert.deepEqual(faults(Steps, steps), [])
  return steps
}
const wireFields = (each: WireStep) => [each.status, each.actionRequired, each.resource.type]

test('D2 §2.3: before the lender asks for anything the next step is waited for, the others ask nothing', () => {
  const steps = wire([])
  assert.deepEqual(wireFields(steps.kyc), ['PENDING', 'WAIT', 'NONE'])
  for (const name of ['bankMandate', 'eMandate', 'loanAgreement', 'disbursal'] as const)
    assert.deepEqual(wireFields(steps[name]), ['PENDING', 'NONE', 'NONE'], name)
  assert.equal(steps.kyc.diagnostics, null)
})

test('D2 §2.3: a page that is due is a REDIRECT to our link, and stays one while the proof is awaited', () => {
  for (const name of ['kyc', 'eMandate', 'loanAgreement'] as const) {
    const ready = wire([step(name, { status: 'READY', resourceUrl: url })])[name]
    assert.deepEqual(wireFields(ready), ['READY', 'REDIRECT', 'REDIRECT'])
    assert.equal(ready.resource.redirectURL, linkTo(step(name, {})), "never the lender's own address")
    const begun = wire([step(name, { status: 'IN_PROGRESS', attempts: 1, resourceUrl: url })])[name]
    assert.deepEqual(wireFields(begun), ['IN_PROGRESS', 'AWAIT_CALLBACK', 'REDIRECT'])
    assert.deepEqual(begun.diagnostics, { attempts: 1, problem: null, retryable: false })
  }
})

test('D2 §4: the bank mandate is a FORM with the four fields, then the lender verifies', () => {
  const ready = wire([...done('kyc'), step('bankMandate', { status: 'READY' })]).bankMandate
  assert.deepEqual(wireFields(ready), ['READY', 'SUBMIT_FORM', 'FORM'])
  const names = (ready.resource.form.fields as { name: string }[]).map(({ name }) => name)
  assert.deepEqual(names, ['accountHolderName', 'accountNumber', 'ifsc', 'accountType'])
  const sent = wire([...done('kyc'), step('bankMandate', { status: 'IN_PROGRESS', attempts: 1 })]).bankMandate
  assert.deepEqual(wireFields(sent), ['IN_PROGRESS', 'WAIT', 'NONE'])
})

test('D2 §2.3: a retryable failure says why and asks again; a final one asks nothing', () => {
  const failed = (retryable: boolean) => ({ problem: 'ACCOUNT_NOT_VERIFIED', retryable }) as const
  const again = wire([step('bankMandate', { status: 'FAILURE', attempts: 1, diagnostics: failed(true) })]).bankMandate
  assert.deepEqual(wireFields(again), ['FAILURE', 'SUBMIT_FORM', 'FORM'])
  const problem = 'The bank account could not be verified. Please check the details and send them again.'
  assert.deepEqual(again.diagnostics, { attempts: 1, problem, retryable: true })
  const page = { status: 'FAILURE', attempts: 2, resourceUrl: url } as const
  assert.deepEqual(wireFields(wire([step('kyc', { ...page, diagnostics: failed(true) })]).kyc), [
    'FAILURE',
    'REDIRECT',
    'REDIRECT',
  ])
  assert.deepEqual(wireFields(wire([step('kyc', { ...page, diagnostics: failed(false) })]).kyc), [
    'FAILURE',
    'NONE',
    'NONE',
  ])
})

test('D2 §2.3: the disbursal is only ever waited for', () => {
  const before = done('kyc', 'bankMandate', 'eMandate', 'loanAgreement')
  assert.deepEqual(wireFields(wire(before).disbursal), ['PENDING', 'WAIT', 'NONE'])
  assert.deepEqual(wireFields(wire([...before, step('disbursal', { status: 'IN_PROGRESS' })]).disbursal), [
    'IN_PROGRESS',
    'WAIT',
    'NONE',
  ])
  const paid = wire([...before, ...done('disbursal')])
  assert.ok(Object.values(paid).every((each) => wireFields(each).join() === 'SUCCESS,NONE,NONE'))
})

test('D2 §2.3: where nothing can happen any more nothing is asked, whatever the steps say', () => {
  const steps = wire([step('kyc', { status: 'READY', resourceUrl: url })], false)
  assert.ok(Object.values(steps).every(({ actionRequired, resource }) => actionRequired + resource.type === 'NONENONE'))
})
