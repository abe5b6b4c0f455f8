// The five steps as the API returns them in each state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from '@lendloom/foundation/schema'
import { Steps, type StepView as WireStep } from '@lendloom/wire/headless/step'
import { initialStep, type JourneyStep, type StepName } from '#platform/lending/step/step.ts'
import { toWireSteps } from './step-wire.ts'

const url = 'https://lender.example/page'
const linkTo = ({ name }: JourneyStep) => `https://platform.example/go/${name}`
const step = (name: StepName, more: Partial<JourneyStep>): JourneyStep => ({ ...initialStep(name), ...more })
const completedSteps = (...names: StepName[]): JourneyStep[] =>
  names.map((name) => step(name, { status: 'SUCCESS', attempts: 1 }))
const validSteps = (stored: JourneyStep[], isLive = true) => {
  const steps = toWireSteps(stored, isLive, linkTo)
  assert.deepEqual(faults(Steps, steps), [])
  return steps
}
const wireFields = (each: WireStep) => ({
  status: each.status,
  actionRequired: each.actionRequired,
  resourceType: each.resource.type,
})

test('D2 §2.3: before the lender opens a step, the first step requires WAIT and the other steps NONE', () => {
  const steps = validSteps([])
  assert.deepEqual(wireFields(steps.kyc), { status: 'PENDING', actionRequired: 'WAIT', resourceType: 'NONE' })
  for (const name of ['bankMandate', 'eMandate', 'loanAgreement', 'disbursal'] as const)
    assert.deepEqual(wireFields(steps[name]), { status: 'PENDING', actionRequired: 'NONE', resourceType: 'NONE' }, name)
  assert.equal(steps.kyc.diagnostics, null)
})

test('D2 §2.3: a step on a lender’s page returns a REDIRECT to our link until the lender reports a result', () => {
  for (const name of ['kyc', 'eMandate', 'loanAgreement'] as const) {
    const ready = validSteps([step(name, { status: 'READY', resourceUrl: url })])[name]
    assert.deepEqual(wireFields(ready), { status: 'READY', actionRequired: 'REDIRECT', resourceType: 'REDIRECT' })
    assert.equal(ready.resource.redirectURL, linkTo(step(name, {})), 'the link is ours, not the address of the lender')
    const visited = validSteps([step(name, { status: 'IN_PROGRESS', attempts: 1, resourceUrl: url })])[name]
    assert.deepEqual(wireFields(visited), {
      status: 'IN_PROGRESS',
      actionRequired: 'AWAIT_CALLBACK',
      resourceType: 'REDIRECT',
    })
    assert.deepEqual(visited.diagnostics, { attempts: 1, problem: null, retryable: false })
  }
})

test('D2 §4: the bank mandate returns a FORM with four fields, and WAIT after the fields are sent', () => {
  const ready = validSteps([...completedSteps('kyc'), step('bankMandate', { status: 'READY' })]).bankMandate
  assert.deepEqual(wireFields(ready), { status: 'READY', actionRequired: 'SUBMIT_FORM', resourceType: 'FORM' })
  const names = (ready.resource.form.fields as { name: string }[]).map(({ name }) => name)
  assert.deepEqual(names, ['accountHolderName', 'accountNumber', 'ifsc', 'accountType'])
  const sent = validSteps([
    ...completedSteps('kyc'),
    step('bankMandate', { status: 'IN_PROGRESS', attempts: 1 }),
  ]).bankMandate
  assert.deepEqual(wireFields(sent), { status: 'IN_PROGRESS', actionRequired: 'WAIT', resourceType: 'NONE' })
})

test('D2 §2.3: only a retryable failure requires an action of the borrower', () => {
  const failure = (retryable: boolean) => ({ problem: 'ACCOUNT_NOT_VERIFIED', retryable }) as const
  const retry = validSteps([
    step('bankMandate', { status: 'FAILURE', attempts: 1, diagnostics: failure(true) }),
  ]).bankMandate
  assert.deepEqual(wireFields(retry), { status: 'FAILURE', actionRequired: 'SUBMIT_FORM', resourceType: 'FORM' })
  const problem = 'The bank account could not be verified. Please check the details and send them again.'
  assert.deepEqual(retry.diagnostics, { attempts: 1, problem, retryable: true })
  const page = { status: 'FAILURE', attempts: 2, resourceUrl: url } as const
  assert.deepEqual(wireFields(validSteps([step('kyc', { ...page, diagnostics: failure(true) })]).kyc), {
    status: 'FAILURE',
    actionRequired: 'REDIRECT',
    resourceType: 'REDIRECT',
  })
  assert.deepEqual(wireFields(validSteps([step('kyc', { ...page, diagnostics: failure(false) })]).kyc), {
    status: 'FAILURE',
    actionRequired: 'NONE',
    resourceType: 'NONE',
  })
})

test('D2 §2.3: the disbursal never requires an action of the borrower', () => {
  const earlierSteps = completedSteps('kyc', 'bankMandate', 'eMandate', 'loanAgreement')
  assert.deepEqual(wireFields(validSteps(earlierSteps).disbursal), {
    status: 'PENDING',
    actionRequired: 'WAIT',
    resourceType: 'NONE',
  })
  assert.deepEqual(wireFields(validSteps([...earlierSteps, step('disbursal', { status: 'IN_PROGRESS' })]).disbursal), {
    status: 'IN_PROGRESS',
    actionRequired: 'WAIT',
    resourceType: 'NONE',
  })
  const paid = validSteps([...earlierSteps, ...completedSteps('disbursal')])
  for (const each of Object.values(paid))
    assert.deepEqual(wireFields(each), { status: 'SUCCESS', actionRequired: 'NONE', resourceType: 'NONE' })
})

test('D2 §2.3: no step requires an action after the offer or the journey has ended', () => {
  const steps = validSteps([step('kyc', { status: 'READY', resourceUrl: url })], false)
  assert.ok(Object.values(steps).every(({ actionRequired, resource }) => actionRequired + resource.type === 'NONENONE'))
})
