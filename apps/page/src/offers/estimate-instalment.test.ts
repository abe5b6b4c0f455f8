// Estimated instalments, and the amounts and terms within the lender's limits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthlyRate, regularInstalment, weeklyRate } from '@lendloom/lending/annuity'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import fc from 'fast-check'
import { estimatedInstalment, sliderOf, tenuresOf } from './estimate-instalment.ts'

const offer = (more: Partial<EmbedOffer> = {}) =>
  ({
    interestRate: '12%',
    amountPrincipal: '100000.00',
    tenureMonths: 12,
    numberOfInstallments: 12,
    installmentAmount: '8885.00',
    ...more,
  }) as EmbedOffer

test('the instalment of ₹1,00,000 at 12% over 12 months is ₹8,885', () => {
  assert.equal(estimatedInstalment(offer(), 100_000, 12), 8885)
})

test('a flat rate is recognized by the offered instalment, not by its name', () => {
  assert.equal(estimatedInstalment(offer({ installmentAmount: '9333.00' }), 120_000, 12), 11_200)
  assert.equal(estimatedInstalment(offer({ interestType: 'Fixed' }), 100_000, 12), 8885)
})

test('instalments without interest and weekly instalments are estimated', () => {
  assert.equal(estimatedInstalment(offer({ interestRate: '0', installmentAmount: '8333.00' }), 120_000, 12), 10_000)
  const weekly = estimatedInstalment(offer({ numberOfInstallments: 52, installmentAmount: '2043.00' }), 52_000, 12)!
  assert.ok(weekly > 1000 && weekly < 1100)
})

test('D2 §4: for any amount the estimate equals the lender’s instalment, monthly and weekly', () => {
  const weekly = { tenureMonths: 5, numberOfInstallments: 22, repaymentFrequency: 'WEEKLY' }
  const plans = [
    { terms: {}, months: 12, rate: monthlyRate, instalments: 12 },
    { terms: weekly, months: 5, rate: weeklyRate, instalments: 22 },
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...plans),
      fc.integer({ min: 1_000, max: 5_000_000 }),
      fc.integer({ min: 100, max: 3_600 }),
      ({ terms, months, rate, instalments }, amount, bps) => {
        const plan = { rate: rate(BigInt(bps)), instalments, unit: 100n } as const
        const instalment = (rupees: number) =>
          Number(regularInstalment({ ...plan, principal: BigInt(rupees) * 100n }) / 100n)
        const installmentAmount = `${instalment(100_000)}.00`
        const sample = offer({ ...terms, installmentAmount, interestRate: `${bps / 100}%` })
        assert.equal(estimatedInstalment(sample, amount, months), instalment(amount))
      },
    ),
  )
  const partner = offer({ ...weekly, interestRate: '24%', amountPrincipal: '200000.00', installmentAmount: '9580.00' })
  assert.equal(estimatedInstalment(partner, 180_000, 5), 8622)
})

test('without an amount or a readable rate there is no estimate', () => {
  assert.equal(estimatedInstalment(offer({ interestRate: 'on request' }), 100_000, 12), null)
  assert.equal(estimatedInstalment(offer(), 0, 12), null)
})

test('law: the instalments repay the amount, and a longer term has no higher instalment', () => {
  const amount = fc.integer({ min: 10_000, max: 2_000_000 })
  const tenure = fc.integer({ min: 1, max: 120 })
  const rate = fc.integer({ min: 0, max: 4_800 })
  fc.assert(
    fc.property(amount, tenure, rate, (principal, months, hundredths) => {
      const terms = offer({ interestRate: `${hundredths / 100}%`, installmentAmount: '8333.00' })
      const instalment = estimatedInstalment(terms, principal, months)!
      assert.ok(instalment * months >= principal - months)
      assert.ok(estimatedInstalment(terms, principal, months + 1)! <= instalment)
    }),
  )
})

test('law: the selectable terms are sorted, unique, within the limits, and include both limits and the offered term', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(60), fc.nat(60), (from, more, at) => {
      const to = from + more
      const tenureMonths = from + Math.min(at, more)
      const limits = {
        least: { amount: '1', tenureMonths: from },
        most: { amount: '2', tenureMonths: to },
        tenureMonths,
      }
      const terms = tenuresOf(limits)
      assert.deepEqual(
        terms,
        [...new Set(terms)].sort((a, b) => a - b),
      )
      assert.ok(terms[0] === from && terms.at(-1) === to && terms.includes(tenureMonths))
    }),
  )
})

test('the slider has round amounts between its limits, farther apart the larger they are', () => {
  assert.deepEqual(
    sliderOf(50_000, 400_000).amounts.filter((amount) => amount >= 90_000),
    [
      90_000, 95_000, 100_000, 110_000, 120_000, 130_000, 140_000, 150_000, 160_000, 170_000, 180_000, 190_000, 200_000,
      210_000, 220_000, 230_000, 240_000, 250_000, 275_000, 300_000, 325_000, 350_000, 375_000, 400_000,
    ],
  )
  const { amounts } = sliderOf(10_000, 1_930_500)
  assert.deepEqual(amounts.slice(-3), [1_800_000, 1_900_000, 1_930_500])
  const position = amounts.indexOf(200_000) / (amounts.length - 1)
  assert.ok(position > 0.4 && position < 0.7, `₹2,00,000 is at ${position} of the slider`)
  assert.deepEqual(sliderOf(5_001, 200_000).amounts.slice(0, 3), [5_001, 5_500, 6_000])
  assert.deepEqual(sliderOf(100_000, 100_000).amounts, [100_000])
})

test('FIS12 §17.2: without a minimum the slider starts at a round amount, not at one rupee', () => {
  const ends = (most: number) => {
    const { isOpen, least, most: max } = sliderOf(1, most)
    return { isOpen, least, most: max }
  }
  assert.deepEqual(ends(418_732), { isOpen: true, least: 10_000, most: 418_732 })
  assert.deepEqual(ends(15_250.5), { isOpen: true, least: 1000, most: 15_250 })
  assert.deepEqual(ends(150), { isOpen: true, least: 1, most: 150 })
})

test('law: the slider’s amounts rise from the least to the most, in steps that a thumb can choose', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.nat(1_000_000), (lenderMin, more) => {
      const { least, most, amounts } = sliderOf(lenderMin, lenderMin + more)
      assert.ok(least >= lenderMin && least <= most)
      assert.equal(amounts[0], least)
      assert.equal(amounts.at(-1), most)
      assert.ok(amounts.every((amount, i) => i === 0 || amount > amounts[i - 1]!))
      assert.ok(amounts.length <= 400, `${amounts.length} amounts`)
    }),
  )
})
