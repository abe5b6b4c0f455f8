// The step of the progress bar to which each screen belongs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productIds } from '@lendloom/lending/product/products'
import { type EmbedView, type Screen, screens } from '@lendloom/wire/hosted/embed-view'
import { array, constantFrom, assert as law, property, tuple } from 'fast-check'
import { furthestStep, screenStepOf, screenStepsOf } from './progress-step.ts'
import { usualSteps } from './progress-steps.ts'

const stepNames = ['kyc', 'bankMandate', 'eMandate', 'loanAgreement', 'disbursal'] as const
const stepsAt = (...statuses: string[]) =>
  Object.fromEntries(
    stepNames.map((name, i) => [name, { status: statuses[i] ?? 'PENDING' }]),
  ) as unknown as EmbedView['steps']
const screenStepOn = (journeyType: EmbedView['journeyType'], screen: Screen, ...statuses: string[]) =>
  screenStepOf({ journeyType, screen, steps: stepsAt(...statuses), selected: null })
/** Position of a step on the progress bar; -1 if it is not part of it. */
const positionOf = (shape: Parameters<typeof screenStepsOf>[0], step: string | null): number => {
  const steps: readonly (string | null)[] = screenStepsOf(shape) ?? usualSteps
  return steps.indexOf(step)
}
const stepOn = (screen: Screen, ...statuses: string[]) => screenStepOn('PERSONAL_LOAN', screen, ...statuses)

test('D1 §3: an ending without a loan has no step', () => {
  for (const screen of ['DISBURSED', 'CLOSED', 'NOT_OFFERED', 'REJECTED', 'NO_ANSWER', 'EXPIRED'] as const)
    assert.equal(stepOn(screen), null, screen)
})

test('the first unfinished step is current while the lender works', () => {
  assert.equal(stepOn('LENDER_WORKING'), 'kyc')
  assert.equal(stepOn('LENDER_WORKING', 'SUCCESS', 'NOT_REQUIRED'), 'mandate')
  assert.equal(stepOn('LENDER_WORKING', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS'), 'money')
})

test('a screen of the borrower has the step of its subject', () => {
  assert.deepEqual(
    (['PROFILE', 'OFFERS', 'BANK', 'DISBURSAL'] as const).map((screen) => stepOn(screen)),
    ['details', 'offers', 'bank', 'money'],
  )
})

test('a gold loan has four steps, because the branch handles the others', () => {
  const goldStepOn = (screen: Screen, ...statuses: string[]) => screenStepOn('GOLD_LOAN', screen, ...statuses)
  const steps = stepsAt()
  assert.deepEqual(screenStepsOf({ journeyType: 'GOLD_LOAN', steps, selected: null }), [
    'details',
    'offers',
    'visit',
    'money',
  ])
  assert.equal(screenStepsOf({ journeyType: 'PERSONAL_LOAN', steps, selected: null }), null)
  assert.deepEqual(
    (['PROFILE', 'FINAL_OFFER', 'VISIT', 'DISBURSAL', 'REJECTED'] as const).map((screen) => goldStepOn(screen)),
    ['details', 'offers', 'visit', 'money', null],
  )
  assert.equal(goldStepOn('LENDER_WORKING'), 'visit')
  assert.equal(goldStepOn('LENDER_WORKING', 'SUCCESS'), 'visit')
  assert.equal(goldStepOn('LENDER_WORKING', 'SUCCESS', 'NOT_REQUIRED', 'NOT_REQUIRED', 'SUCCESS'), 'money')
})

test('FIS12 §19.3: steps that the lender handles outside the app are omitted', () => {
  const stepsFor = (...statuses: string[]) =>
    screenStepsOf({ journeyType: 'PERSONAL_LOAN', steps: stepsAt(...statuses), selected: null })
  const offline = ['READY', 'NOT_REQUIRED', 'NOT_REQUIRED', 'NOT_REQUIRED']
  assert.deepEqual(stepsFor(...offline), ['details', 'offers', 'sign', 'money'])
  assert.equal(stepOn('KYC', ...offline), 'sign')
  assert.equal(stepOn('LENDER_WORKING', 'SUCCESS', ...offline.slice(1)), 'money')
  const signed = stepsFor('SUCCESS', 'NOT_REQUIRED', 'NOT_REQUIRED', 'READY')
  assert.deepEqual(signed, ['details', 'offers', 'kyc', 'sign', 'money'])
})

test('FIS12 §10.2: a mutual fund lender with one page for everything has one step', () => {
  const fundsStepOn = (screen: Screen, ...statuses: string[]) => screenStepOn('LAMF_LOAN', screen, ...statuses)
  const onOnePage = ['SUCCESS', 'NOT_REQUIRED', 'NOT_REQUIRED'] as const
  const allSteps = ['details', 'offers', 'bank', 'kyc', 'pledge', 'mandate', 'sign', 'money']
  const stepsFor = (ownPage: boolean, ...statuses: string[]) => {
    const selected = { terms: { ownPage }, lenderPage: null } as EmbedView['selected']
    return screenStepsOf({ journeyType: 'LAMF_LOAN', steps: stepsAt(...statuses), selected })
  }
  const onePageSteps = ['details', 'offers', 'bank', 'sign', 'money']
  assert.deepEqual(stepsFor(false), allSteps)
  assert.deepEqual(stepsFor(true), onePageSteps, 'the offer says so')
  assert.deepEqual(stepsFor(false, 'READY', ...onOnePage), onePageSteps, 'only the page says so')
  const lenderPage = { isOnline: true, stops: [] }
  const withStops = { terms: { ownPage: false }, lenderPage } as unknown as EmbedView['selected']
  const stops = screenStepsOf({ journeyType: 'LAMF_LOAN', steps: stepsAt(), selected: withStops })
  assert.deepEqual(stops, ['details', 'offers', 'sign', 'money'], 'the page asks for the account too (FIS12 §27)')
  assert.equal(fundsStepOn('KYC', 'READY', 'SUCCESS'), 'kyc')
  assert.equal(fundsStepOn('LIEN', 'SUCCESS', 'SUCCESS'), 'pledge')
  assert.equal(fundsStepOn('KYC', 'READY', ...onOnePage), 'sign')
  assert.equal(fundsStepOn('LENDER_WORKING', 'SUCCESS', ...onOnePage), 'money')
})

test('FIS12 §10.2: a loan against mutual funds moves through its steps in order', () => {
  const stages: [Screen, ...string[]][] = [
    ['OFFERS'],
    ['FINALISING', 'PENDING', 'READY'],
    ['FINAL_OFFER', 'PENDING', 'READY'],
    ['BANK', 'PENDING', 'READY'],
    ['LENDER_WORKING', 'PENDING', 'IN_PROGRESS'],
    ['KYC', 'READY', 'SUCCESS'],
    ['LENDER_WORKING', 'SUCCESS', 'SUCCESS'],
    ['LIEN', 'SUCCESS', 'SUCCESS', 'READY'],
    ['LENDER_WORKING', 'SUCCESS', 'SUCCESS', 'IN_PROGRESS'],
    ['E_MANDATE', 'SUCCESS', 'SUCCESS', 'READY'],
    ['LOAN_AGREEMENT', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'READY'],
    ['DISBURSAL', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS'],
  ]
  const positions = stages.map(([screen, ...statuses]) => {
    const shape = { journeyType: 'LAMF_LOAN', steps: stepsAt(...statuses), selected: null } as const
    return positionOf(shape, screenStepOn('LAMF_LOAN', screen, ...statuses))
  })
  assert.deepEqual(positions, [1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7])
})

test('D3 §2.3: the progress does not move back when a partner requests the account before its final offer', () => {
  const stages: [Screen, ...string[]][] = [
    ['OFFERS'],
    ['FINALISING'],
    ['BANK', 'PENDING', 'READY'],
    ['STATEMENT', 'PENDING', 'READY'],
    ['FINALISING', 'PENDING', 'SUCCESS'],
    ['FINAL_OFFER', 'PENDING', 'SUCCESS'],
    ['KYC', 'READY', 'SUCCESS'],
    ['KYC', 'FAILURE', 'SUCCESS'],
    ['E_MANDATE', 'SUCCESS', 'SUCCESS', 'READY'],
    ['LOAN_AGREEMENT', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'READY'],
    ['DISBURSAL', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS'],
  ]
  const positions = stages.map(([screen, ...statuses]) => {
    const shape = { journeyType: 'PERSONAL_LOAN', steps: stepsAt(...statuses), selected: null } as const
    return positionOf(shape, stepOn(screen, ...statuses))
  })
  assert.deepEqual(positions, [1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6])
})

test('law: the progress never moves back', () => {
  const statuses = tuple(...stepNames.map(() => constantFrom('PENDING', 'READY', 'IN_PROGRESS', 'SUCCESS', 'FAILURE')))
  const viewStates = tuple(constantFrom(...screens), statuses)
  law(
    property(constantFrom(...productIds), array(viewStates, { maxLength: 20 }), (journeyType, views) => {
      const stepOf = furthestStep()
      let previous = 0
      for (const [screen, each] of views) {
        const view = { journeyId: 'one', journeyType, screen, steps: stepsAt(...each), selected: null }
        const step = stepOf(view, screenStepsOf(view) ?? usualSteps)
        if (step === null) continue
        const position = positionOf(view, step)
        assert.ok(position >= previous, `${screen}: ${position} after ${previous}`)
        previous = position
      }
    }),
  )
})
