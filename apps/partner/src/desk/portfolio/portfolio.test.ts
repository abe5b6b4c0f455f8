// The portfolio dashboard over real HTTP, checked against figures computed by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays } from '@lendloom/lending/calendar'
import { accountsOn } from '@lendloom/tests/setup/account'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { percentText, shortRupees, ticksFor } from '#partner/desk/parts/chart.ts'
import { bucketOf, curvesOf, monthsBetween, rollRows, shareOf } from './figures.ts'

const now = new Date('2027-02-10T06:00:00.000Z')

/** A lender without loans, on 10 February 2027. */
async function startDesk() {
  const partner = await startTestPartner({ PARTNER_MODE: 'api' }, () => now)
  const meera = await deskPerson(partner, 'Meera', 'viewer')
  return { ...accountsOn(partner.db), meera }
}

/** A lender with two loans of 20 November 2026, of which one is paid until the end of that year. */
async function deskWithLoans() {
  const desk = await startDesk()
  const { open, receive, endDay } = desk
  const payingLoan = await open()
  await open()
  for (let on = '2026-11-20'; on < '2027-02-10'; on = plusDays(on, 1)) {
    // The borrower pays each weekly instalment of ₹4,790 on its due date.
    const isDue = on > '2026-11-20' && (Date.parse(on) - Date.parse('2026-11-20')) % (7 * 86_400_000) === 0
    if (isDue && on <= '2026-12-31') await receive(payingLoan, 4790_00n, on)
    await endDay(on)
  }
  return desk
}

test('an empty dashboard says when figures will appear', async () => {
  const { meera } = await startDesk()
  const { status, text } = await meera.view('/desk/portfolio')
  assert.equal(status, 200)
  assert.match(text, /No loans were paid out by this day/)
})

test('the dashboard shows disbursements, outstanding principal by bucket, collections, vintages and roll rates', async () => {
  const { meera } = await deskWithLoans()
  const { text } = await meera.view('/desk/portfolio')
  assert.match(text, /Disbursed by month[\s\S]*November 2026\s*2\s*₹2,00,000/)
  // Paid instalments of both loans: 1 of 2 in November, 4 of 8 in December, 0 of 10 in January, 0 of 2 in February so
  // far.
  assert.match(text, /November 2026₹9,580₹4,79050%/)
  assert.match(text, /December 2026₹38,320₹19,16050%/)
  assert.match(text, /January 2027₹47,900₹00%/)
  assert.match(text, /February 2027 so far₹9,580₹00%/)
  assert.match(text, /Due in February 2027 so far: ₹9,580, of which ₹0 is paid\./)
  // The unpaid loan is SMA-1 at the end of December and SMA-2 at the end of January. The paying loan, due on 1 January,
  // is 31 days past due then.
  assert.match(text, /Roll rates, January 2027[\s\S]*Standard1₹78,150––100%/)
  assert.match(text, /SMA-11₹1,00,000–––100%/)
  assert.match(text, /November 20262₹2,00,0000%50%89%/)
})

test('the dashboard of a past day leaves later months out, and an invalid or future day is refused', async () => {
  const { meera } = await deskWithLoans()
  const { text } = await meera.view('/desk/portfolio?on=2026-12-15')
  assert.match(text, /Roll rates, November 2026|roll rates appear/)
  assert.ok(text.includes('November 2026') && !text.includes('December 2026₹') && !text.includes('January 2027'))
  for (const on of ['2027-02-30', 'yesterday', '2027-02-11'])
    assert.equal((await meera.view(`/desk/portfolio?on=${on}`)).status, 400, on)
})

test('shares, buckets, vintage curves and roll rates follow their definitions', () => {
  assert.equal(shareOf(1n, 3n), 0.333333)
  assert.equal(shareOf(1n, 0n), null)
  assert.equal(bucketOf('SMA_2'), 'SMA_2')
  assert.equal(bucketOf('DOUBTFUL_3'), 'NPA')
  assert.equal(bucketOf('LOSS'), 'NPA')
  assert.equal(monthsBetween('2026-11-01', '2027-02-28'), 3)
  const vintage = (monthEnd: string, latePaise: bigint) => ({
    monthEnd,
    lentMonth: '2026-11-01',
    loans: 2,
    lentPaise: 100n,
    latePaise,
  })
  const [curve] = curvesOf([vintage('2026-12-31', 10n), vintage('2027-02-28', 40n)])
  assert.deepEqual(curve!.shares, [null, 0.1, null, 0.4])
  const roll = (fromState: string, toState: string, principalPaise: bigint) => ({
    monthEnd: '2026-12-31',
    fromState,
    toState,
    loans: 1,
    principalPaise,
  })
  const rows = rollRows([
    roll('NEW', 'STANDARD', 9n),
    roll('STANDARD', 'SMA_0', 25n),
    roll('STANDARD', 'CLOSED', 75n),
    roll('SUB_STANDARD', 'DOUBTFUL_1', 50n),
    roll('DOUBTFUL_1', 'WRITTEN_OFF', 50n),
  ])
  assert.deepEqual(
    rows.map(({ from, loans }) => ({ from, loans })),
    [
      { from: 'STANDARD', loans: 2 },
      { from: 'NPA', loans: 2 },
    ],
  )
  assert.equal(rows[0]!.shares.SMA_0, 0.25)
  assert.equal(rows[0]!.shares.CLOSED, 0.75)
  assert.equal(rows[0]!.shares.STANDARD, 0)
  assert.equal(rows[1]!.shares.NPA, 0.5)
  assert.equal(rows[1]!.shares.WRITTEN_OFF, 0.5)
})

test('chart axes have round values up to or above the largest value', () => {
  assert.deepEqual(ticksFor(0.93), [0, 0.25, 0.5, 0.75, 1])
  assert.deepEqual(ticksFor(1), [0, 0.25, 0.5, 0.75, 1])
  assert.deepEqual(ticksFor(1_350_000), [0, 500_000, 1_000_000, 1_500_000])
  for (const max of [0, 1, 7, 99, 12_345, 9.7e9]) {
    const ticks = ticksFor(max)
    assert.ok(ticks.at(-1)! >= max && ticks.length <= 6, String(ticks))
  }
  assert.deepEqual([12_345_678, 250_000, 1500, 40].map(shortRupees), ['₹1.23 Cr', '₹2.5 L', '₹1.5 K', '₹40'])
  assert.deepEqual([0.0512, 0.5, 0, 1].map(percentText), ['5.1%', '50%', '0%', '100%'])
})
