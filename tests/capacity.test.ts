// The capacity model: requirements of a load, predictions for other benchmarks, and the tables of its document.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { measured, points } from '../bench/capacity/measured.ts'
import { countsOf, limitsOf, needsOf, type Question, spentOn, stepOf } from '../bench/capacity/model.ts'
import { help, InvalidOption, readOptions } from '../bench/capacity/options.ts'
import { predictionOf } from '../bench/capacity/points.ts'
import { kinds, parts } from '../bench/capacity/spent.ts'
import { costTable, limitTable, loadTable, pointTable } from '../bench/capacity/tables.ts'

const { question } = readOptions([])
const at = (journeysPerDay: number, change: Partial<Question['load']> = {}): Question => ({
  ...question,
  load: { ...question.load, ...change, journeysPerDay },
})

test('counts each journey as one kind and each week of a loan once', () => {
  const counts = countsOf({
    ...at(1000).load,
    offersShare: 0.7,
    loansShare: 0.3,
    partnerShare: 0.5,
    weeks: 22,
    polls: 60,
  })
  assert.deepEqual(
    mappedTo(counts, (value) => Math.round(value)),
    { session: 300, poll: 42_000, offers: 400, network: 150, partner: 150, week: 3300, event: 0 },
  )
})

const mappedTo = (values: Record<string, number>, change: (value: number) => number) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

test('doubles the cost when the load doubles', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e7 }),
      fc.integer({ min: 0, max: 70 }).map((share) => share / 100),
      (journeys, loansShare) => {
        const spent = (times: number) => spentOn(countsOf(at(journeys * times, { loansShare }).load), measured)
        const one = spent(1)
        const two = spent(2)
        for (const part of parts) near(two.cpuMs[part], 2 * one.cpuMs[part])
        near(two.walBytes.platform, 2 * one.walBytes.platform)
        near(two.storedBytes.partner, 2 * one.storedBytes.partner)
        assert.ok(
          needsOf(at(2 * journeys, { loansShare }), measured).cost.all >=
            needsOf(at(journeys, { loansShare }), measured).cost.all,
        )
      },
    ),
  )
})

const near = (value: number, expected: number, share = 1e-9) =>
  assert.ok(Math.abs(value - expected) <= share * Math.abs(expected), `${value} is not ${expected}`)

test('sorts limits by the load that reaches them', () => {
  const [first, ...others] = limitsOf(at(1e6), measured)
  assert.ok(first)
  const then = limitsOf(at(first.journeysPerDay), measured)
  // Idle cost and whole processes are not proportional to the load.
  near(then.find(({ name }) => name === first.name)?.needed ?? 0, first.available, 0.1)
  for (const { name, journeysPerDay } of others) assert.ok(journeysPerDay >= first.journeysPerDay, name)
})

test('plans one primary until its cores or storage are exhausted, then several installations', () => {
  const { nodeCores, nodeTerabytes, distribution, coordination, standbys } = question.machines
  for (const journeys of [1e3, 1e5, 1e6, 1e7]) {
    const load = at(journeys)
    for (const { cores, gigabytes, primaries, byCores, nodes, distributed } of Object.values(
      needsOf(load, measured).databases,
    )) {
      const byStorage = Math.ceil(gigabytes / 1000 / nodeTerabytes)
      assert.equal(byCores, Math.ceil(cores / nodeCores))
      assert.equal(primaries, Math.max(byCores, byStorage))
      assert.equal(nodes, primaries * (1 + standbys))
      assert.equal(distributed.servers, Math.max(byStorage, Math.ceil((cores * distribution) / nodeCores)))
      assert.equal(distributed.coordinatorCores, cores * coordination)
      if (primaries > 1) assert.equal(stepOf(load, measured), 4)
    }
  }
  const steps = [1e2, 1e3, 1e4, 1e5, 1e6, 1e7].map((journeys) => stepOf(at(journeys), measured))
  assert.deepEqual(steps, steps.toSorted(), 'more journeys never need an earlier step')
})

test('converts --loans to journeys by --loans-share', () => {
  const { load } = readOptions(['--loans', '1000000', '--loans-share', '0.25']).question
  assert.equal(load.journeysPerDay, 4_000_000)
  assert.equal(needsOf(at(load.journeysPerDay, load), measured).loansPerDay, 1_000_000)
})

test('names an invalid option and lists every option in the help', () => {
  const wrong = [
    [['--journeys', 'many'], /--journeys must be a number from 1, not "many"/],
    [['--journeys', '-1'], /--journeys/],
    [['--loans-share', '1.5'], /--loans-share must be a number from 0 to 1, not "1.5"/],
    [['--offers-share', '0.1'], /--offers-share must not be below --loans-share/],
    [['--loans', '10', '--journeys', '10'], /--loans and --journeys/],
    [['--loans', '10', '--loans-share', '0'], /--loans-share must not be 0/],
    [['--utilisation', ''], /--utilisation/],
    [['--price', '1'], /--price/],
    [['1000'], /1000/],
  ] as const
  for (const [args, message] of wrong) {
    assert.throws(
      () => readOptions([...args]),
      (error) => error instanceof InvalidOption && message.test(error.message),
      args.join(' '),
    )
  }
  for (const name of ['journeys', 'loans', 'price-core-hour', 'kept-days', 'json'])
    assert.match(help, new RegExp(`--${name} `))
})

test('predicts the results of other benchmarks within their tolerance', () => {
  assert.ok(points.length >= 3)
  for (const point of points) {
    const predicted = predictionOf(point, measured)
    for (const [name, ratio] of [
      ['CPU', predicted.cpuUs / point.cpuUs],
      ['rate', predicted.perSecond / point.perSecond],
    ] as const)
      assert.ok(
        ratio <= point.tolerance && ratio >= 1 / point.tolerance,
        `${point.what}: ${name} is ${ratio.toFixed(2)} of what was measured`,
      )
  }
})

test('has a non-negative measured cost for every kind', () => {
  for (const kind of kinds) {
    const { cpuMs, walBytes, storedBytes } = measured.costs[kind]
    for (const value of [cpuMs, walBytes, storedBytes].flatMap((values) => Object.values(values)))
      assert.ok(value >= 0, kind)
  }
})

test('the tables of the document match the model', () => {
  const text = readFileSync(join(import.meta.dirname, '..', 'docs', 'explanation', 'capacity.md'), 'utf8')
  for (const table of [
    costTable(measured),
    loadTable(question, measured),
    limitTable(question, measured),
    pointTable(points, measured),
  ])
    assert.ok(text.includes(table), `update the document with npm run capacity -- --tables:\n${table}`)
})
