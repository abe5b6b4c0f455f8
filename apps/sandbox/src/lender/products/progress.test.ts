// The state machines of the products: each step leads to the next, and no step can be skipped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTerminal } from '@lendloom/foundation/machine'
import { requestOf } from '@lendloom/wire/network/sequence'
import { fundsWithStops, withStops } from '#sandbox/core/lender-version.ts'
import { hasLapsed, type LoanStatus, nextStatus, requireNextStatus } from '#sandbox/lender/core/conversation.ts'
import { statusOfOpenForm } from '#sandbox/lender/core/find-step.ts'
import { policyFor, products } from './products.ts'

const lender = 'meridian'
const { PERSONAL_LOAN, GOLD_LOAN, LAMF } = products

test('FIS12 §8.1, §9.1: the steps of a product lead in order from the search to the sanction', () => {
  for (const product of [PERSONAL_LOAN, GOLD_LOAN]) {
    let status: LoanStatus = 'SEARCHED'
    for (const step of product.steps({ lender })) {
      assert.equal(statusOfOpenForm(product, { lender }, step), status)
      if (step.heading === 'JOURNEY_OFFLINE') status = requireNextStatus(product, { status }, 'book')
      status = requireNextStatus(product, { status }, step.completionMove)
      assert.throws(() => requireNextStatus(product, { status: 'SEARCHED' }, step.move), /not possible/)
      status = requireNextStatus(product, { status }, step.move)
      assert.equal(status, step.statusAfter)
      assert.equal(requestOf(step.callback), step.request)
      assert.ok(step.headings.includes(step.heading))
    }
    assert.equal(requireNextStatus(product, { status }, 'disburse'), 'DISBURSED')
  }
})

test('FIS12 §26.2: with stops, one page leads to the payout, online or with the lender’s people', () => {
  const { product } = policyFor({ lender, product: 'PERSONAL_LOAN', version: withStops })
  for (const scenario of [null, 'offline'] as const) {
    const [application, page, ...more] = product.steps({ lender, scenario })
    assert.deepEqual(more, [])
    assert.equal(requireNextStatus(product, { status: 'PROFILED' }, application!.move), application!.statusAfter)
    assert.equal(statusOfOpenForm(product, { lender, scenario }, page!), 'QUOTED')
    const moves = [...(page!.reportedMoves ?? []), page!.completionMove, page!.move]
    const status = moves.reduce<LoanStatus>(
      (from, move) => requireNextStatus(product, { status: from }, move),
      'QUOTED',
    )
    assert.equal(status, page!.statusAfter)
  }
  assert.equal(product.handlers.init, undefined)
})

test('FIS12 §26.4: with stops, a gold loan leads from the branch to the payout', () => {
  const { product } = policyFor({ lender, product: 'GOLD_LOAN', version: withStops })
  const moves = ['profile', 'offer', 'quote', 'book', 'visit', 'disburse'] as const
  const status = moves.reduce<LoanStatus>(
    (from, move) => requireNextStatus(product, { status: from }, move),
    'SEARCHED',
  )
  assert.equal(status, 'DISBURSED')
})

test('FIS12 §27.2: with stops, each move on the page of a loan against mutual funds can be reported, and the order follows', () => {
  const { product } = policyFor({ lender: 'tulsi', product: 'LAMF', version: fundsWithStops })
  const [page, ...more] = product.steps({ lender: 'tulsi' })
  assert.deepEqual(more, [])
  const status = requireNextStatus(product, { status: 'OFFERED' }, 'quote')
  assert.equal(statusOfOpenForm(product, { lender: 'tulsi' }, page!), status)
  for (const move of page!.reportedMoves!) assert.ok(nextStatus(product, { status }, move), move)
  const signed = requireNextStatus(product, { status }, page!.completionMove)
  assert.equal(requireNextStatus(product, { status: signed }, page!.move), page!.statusAfter)
  assert.equal(requireNextStatus(product, { status: page!.statusAfter }, 'sanction'), 'SANCTIONED')
  assert.equal(product.handlers.init, undefined)
  assert.equal(product.handlers.confirm, undefined)
})

test('FIS12 §10.2: the pages of a loan against mutual funds lead from the account to the sanction', () => {
  const product = LAMF
  const openingMoves = ['offer', 'quote', 'initiate'] as const
  for (const [lender, pages] of [
    ['meridian', ['KYC', 'LIEN_MARKING', 'EMANDATE', 'LOAN_AGREEMENT']],
    ['tulsi', ['JOURNEY_OFFLINE']],
  ] as const) {
    let status = openingMoves.reduce<LoanStatus>(
      (from, move) => requireNextStatus(product, { status: from }, move),
      'SEARCHED',
    )
    const steps = product.steps({ lender })
    assert.deepEqual(
      steps.map(({ heading }) => heading),
      pages,
    )
    for (const step of steps) {
      assert.equal(statusOfOpenForm(product, { lender }, step), status)
      assert.equal(nextStatus(product, { status }, step.move), undefined, step.heading)
      status = requireNextStatus(
        product,
        { status: requireNextStatus(product, { status }, step.completionMove) },
        step.move,
      )
      assert.equal(status, step.statusAfter)
    }
    assert.equal(
      requireNextStatus(product, { status: requireNextStatus(product, { status }, 'sanction') }, 'disburse'),
      'DISBURSED',
    )
  }
})

test('FIS12 §12.4.4: no step can be requested before its form is submitted', () => {
  for (const product of [PERSONAL_LOAN, GOLD_LOAN])
    for (const [i, step] of product.steps({ lender }).entries()) {
      const openStatus = statusOfOpenForm(product, { lender }, step)
      assert.equal(nextStatus(product, { status: openStatus }, step.move), undefined, step.heading)
      for (const later of product.steps({ lender }).slice(i + 1))
        assert.equal(nextStatus(product, { status: openStatus }, later.completionMove), undefined)
    }
})

test('disbursed, refused, rejected and expired are terminal', () => {
  for (const product of [PERSONAL_LOAN, LAMF])
    for (const status of ['DISBURSED', 'REFUSED', 'REJECTED', 'EXPIRED'] as const)
      assert.ok(isTerminal(product.moves, status))
})

test('an offer lapses only before its acceptance', () => {
  const product = PERSONAL_LOAN
  const lapsesAt = new Date('2026-11-20T06:00:00Z')
  const later = new Date('2026-11-20T06:00:01Z')
  for (const status of ['OFFERED', 'CHOSEN', 'QUOTED', 'IDENTIFIED', 'BOOKED'] as const)
    assert.ok(hasLapsed(product, { status, lapsesAt }, later))
  for (const status of ['PROFILED', 'INITIATED', 'SIGNED', 'VISITED', 'SANCTIONED'] as const)
    assert.ok(!hasLapsed(product, { status, lapsesAt }, later))
  assert.ok(!hasLapsed(product, { status: 'OFFERED', lapsesAt }, new Date('2026-11-20T05:59:59Z')))
})
