// Every screen belongs to a step of the progress bar, or is an end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, constantFrom, assert as law, property, tuple } from 'fast-check'
import { type EmbedView, type Screen, screens } from '#contract/hosted/embed.ts'
import { productIds } from '#contract/product/products.ts'
import { furthestStep, screenStepOf, screenStepsOf } from './screen-step.ts'
import { usual } from './usual-steps.ts'

const names = ['kyc', 'bankMandate', 'eMandate', 'loanAgreement', 'disbursal'] as const
const stepsAt = (...statuses: string[]) =>
  Object.fromEntries(
    names.map((name, i) => [name, { status: statuses[i] ?? 'PENDING' }]),
  ) as unknown as EmbedView['steps']
const screenStepOn = (journeyType: EmbedView['journeyType'], screen: Screen, ...statuses: string[]) =>
  screenStepOf({ journeyType, screen, steps: stepsAt(...statuses), selected: null })
/** -1 where a step has no place on the way. */
const placeOn = (shape: Parameters<typeof screenStepsOf>[0], step: string | null): number => {
  const way: readonly (string | null)[] = screenStepsOf(shape) ?? usual
  return way.indexOf(step)
}
const at = (screen: Screen, ...statuses: string[]) => screenStepOn('PERSONAL_LOAN', screen, ...statuses)

test('D1 §3: endings without a loan have no step', () => {
  for (const screen of ['NOT_OFFERED', 'REJECTED', 'NO_ANSWER', 'EXPIRED'] as const)
    assert.equal(at(screen), null, screen)
})

test('while the lender works, the next open step is the current one', () => {
  assert.equal(at('LENDER_WORKING'), 'kyc')
  assert.equal(at('LENDER_WORKING', 'SUCCESS', 'NOT_REQUIRED'), 'mandate')
  assert.equal(at('LENDER_WORKING', 'SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS'), 'money')
})

test('every other screen has its own step', () => {
  assert.deepEqual(
    (['PROFILE', 'OFFERS', 'BANK', 'DISBURSED'] as const).map((screen) => at(screen)),
    ['details', 'offers', 'bank', 'money'],
  )
})

test('a gold loan has four steps: the branch handles the others', () => {
  const gold = (screen: Screen, ...statuses: string[]) => screenStepOn('GOLD_LOAN', screen, ...statuses)
  const steps = stepsAt()
  assert.deepEqual(screenStepsOf({ journeyType: 'GOLD_LOAN', steps, selected: null }), [
    'details',
    'offers',
    'visit',
    'money',
  ])
  assert.equal(screenStepsOf({ journeyType: 'PERSONAL_LOAN', steps, selected: null }), null)
  assert.deepEqual(
    (['PROFILE', 'FINAL_OFFER', 'VISIT', 'DISBURSAL', 'REJECTED'] as const).map((screen) => gold(screen)),
    ['details', 'offers', 'visit', 'money', null],
  )
  assert.equal(gold('LENDER_WORKING'), 'visit')
  assert.equal(gold('LENDER_WORKING', 'SUCCESS'), 'visit')
  assert.equal(gold('LENDER_WORKING', 'SUCCESS', 'NOT_REQUIRED', 'NOT_REQUIRED', 'SUCCESS'), 'money')
})

test('FIS12 §19.3: a lender that continues outside the app leaves out the steps it handles', () => {
  const way = (...statuses: string[]) =>
    screenStepsOf({ journeyType: 'PERSONAL_LOAN', steps: stepsAt(...statuses), selected: null })
  const offline = ['READY', 'NOT_REQUIRED', 'NOT_REQUIRED', 'NOT_REQUIRED']
  assert.deepEqual(way(...offline), ['details', 'offers', 'sign', 'money'])
  assert.deepEqual([at('KYC', ...offline), at('LENDER_WORKING', 'SUCCESS', ...offline.slice(1))], ['sign', 'money'])
  const signed = way('SUCCESS', 'NOT_REQUIRED', 'NOT_REQUIRED', 'READY')
  assert.deepEqual(signed, ['details', 'offers', 'kyc', 'sign', 'money'])
})

test('FIS12 §10.2: a mutual fund lender with one page for everything has one step', () => {
  const funds = (screen: Screen, ...statuses: string[]) => screenStepOn('LAMF_LOAN', screen, ...statuses)
  const onOnePage = ['SUCCESS', 'NOT_REQUIRED', 'NOT_REQUIRED'] as const
  const all = ['details', 'offers', 'bank', 'kyc', 'pledge', 'mandate', 'sign', 'money']
  const way = (ownPage: boolean, ...statuses: string[]) => {
    const selected = { terms: { ownPage } } as EmbedView['selected']
    return screenStepsOf({ journeyType: 'LAMF_LOAN', steps: stepsAt(...statuses), selected })
  }
  const short = ['details', 'offers', 'bank', 'sign', 'money']
  assert.deepEqual(way(false), all)
  assert.deepEqual(way(true), short, 'its offer says so')
  assert.deepEqual(way(false, 'READY', ...onOnePage), short, 'the page alone says so')
  assert.deepEqual([funds('KYC', 'READY', 'SUCCESS'), funds('LIEN', 'SUCCESS', 'SUCCESS')], ['kyc', 'pledge'])
  assert.deepEqual(
    [funds('KYC', 'READY', ...onOnePage), funds('LENDER_WORKING', 'SUCCESS', ...onOnePage)],
    ['sign', 'money'],
  )
})

test('FIS12 §10.2: in a mutual fund loan the final offer precedes the account, and the pledge the mandate', () => {
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
  const places = stages.map(([screen, ...statuses]) => {
    const shape = { journeyType: 'LAMF_LOAN', steps: stepsAt(...statuses), selected: null } as const
    return placeOn(shape, screenStepOn('LAMF_LOAN', screen, ...statuses))
  })
  assert.deepEqual(places, [1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7])
})

test('D3 §2.3: a partner that requests the account before its final offer never moves the progress back', () => {
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
  const places = stages.map(([screen, ...statuses]) => {
    const shape = { journeyType: 'PERSONAL_LOAN', steps: stepsAt(...statuses), selected: null } as const
    return placeOn(shape, at(screen, ...statuses))
  })
  assert.deepEqual(places, [1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6])
})

test('the progress never moves back when a lender reverses a step', () => {
  const statuses = tuple(...names.map(() => constantFrom('PENDING', 'READY', 'IN_PROGRESS', 'SUCCESS', 'FAILURE')))
  const seen = tuple(constantFrom(...screens), statuses)
  law(
    property(constantFrom(...productIds), array(seen, { maxLength: 20 }), (journeyType, views) => {
      const stepOf = furthestStep()
      let before = 0
      for (const [screen, each] of views) {
        const view = { journeyId: 'one', journeyType, screen, steps: stepsAt(...each), selected: null }
        const shown = stepOf(view, screenStepsOf(view) ?? usual)
        if (shown === null) continue
        const now = placeOn(view, shown)
        assert.ok(now >= before, `${screen}: ${now} after ${before}`)
        before = now
      }
    }),
  )
})
