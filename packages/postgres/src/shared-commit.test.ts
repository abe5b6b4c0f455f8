// Transactions that share a commit: grouping, concurrency, and the effect of one failure on the others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { sharedCommit } from './shared-commit.ts'

interface Member {
  owner: string
  number: number
  /** `refused` fails alone; `unknown` makes the commit of its whole group unknown. */
  ending: 'success' | 'refused' | 'unknown'
}
class UnknownCommit extends Error {}

/** Runs members without a database, checks the grouping rules, and records which members took effect. */
function checkedCommit(pause: () => Promise<unknown> = nextTurn) {
  const committed: number[] = []
  const alone: number[] = []
  const sizes: number[] = []
  const busy = new Set<string>()
  let running = 0

  async function attempt(members: Member[]): Promise<number[]> {
    await pause()
    if (members.some(({ ending }) => ending === 'refused')) throw new Error('refused')
    committed.push(...members.map(({ number }) => number))
    if (members.some(({ ending }) => ending === 'unknown')) throw new UnknownCommit('the answer to the commit was lost')
    return members.map(({ number }) => number * 2)
  }

  async function runTogether(members: Member[]): Promise<number[]> {
    const owners = members.map(({ owner }) => owner)
    assert.deepEqual(owners, owners.toSorted(), 'sorted by owner')
    assert.equal(new Set(owners).size, owners.length, 'one member per owner')
    assert.ok(members.length > 1 && members.length <= 16)
    assert.ok(
      owners.every((owner) => !busy.has(owner)),
      'an owner is in only one running group',
    )
    assert.ok(++running <= 3)
    for (const owner of owners) busy.add(owner)
    sizes.push(members.length)
    return attempt(members).finally(() => {
      running--
      for (const owner of owners) busy.delete(owner)
    })
  }

  const run = sharedCommit<Member, number>({
    ownerOf: ({ owner }) => owner,
    runTogether,
    async runAlone(member) {
      alone.push(member.number)
      const [outcome] = await attempt([member])
      return outcome!
    },
    isGroupFailure: (error) => error instanceof UnknownCommit,
  })
  return { run, committed, alone, sizes }
}

const member = (owner: string, number: number, ending: Member['ending'] = 'success'): Member => ({
  owner,
  number,
  ending,
})

test('members that arrive while three groups run share groups of at most sixteen', async () => {
  const { run, sizes, alone } = checkedCommit()
  const first = ['a', 'b', 'c'].map(async (owner, i) => {
    for (let turns = 0; turns < i; turns++) await nextTurn()
    return run(member(owner, i))
  })
  await Promise.all([...first, ...Array.from({ length: 40 }, (_, i) => run(member(`borrower-${i}`, i)))])
  assert.ok(Math.max(...sizes) === 16 && sizes.length + alone.length <= 6, `${sizes}; ${alone.length} alone`)
})

test('members of one owner run one after another', async () => {
  const { run, committed } = checkedCommit()
  await Promise.all([1, 2, 3].map((number) => run(member('same', number))))
  assert.deepEqual(committed, [1, 2, 3])
})

test('each member of a group that one of them failed runs alone', async () => {
  const { run, committed, alone } = checkedCommit()
  const settled = await Promise.allSettled(
    [member('a', 1), member('b', 2, 'refused'), member('c', 3)].map((each) => run(each)),
  )
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(committed.toSorted(), [1, 3])
  assert.deepEqual(alone.toSorted(), [1, 2, 3])
})

test('does not repeat a group whose commit is unknown', async () => {
  const { run, committed, alone } = checkedCommit()
  const settled = await Promise.allSettled([member('a', 1), member('b', 2, 'unknown')].map((each) => run(each)))
  assert.ok(settled.every(({ status }) => status === 'rejected'))
  assert.deepEqual(committed.toSorted(), [1, 2])
  assert.deepEqual(alone, [])
})

test('property: each member gets its own outcome and takes effect at most once', async () => {
  const members = fc.array(
    fc.record({
      owner: fc.integer({ min: 0, max: 30 }).map((number) => `borrower-${number}`),
      ending: fc.constantFrom<Member['ending']>('success', 'success', 'success', 'success', 'refused', 'unknown'),
      turns: fc.integer({ min: 0, max: 5 }),
    }),
    { maxLength: 120 },
  )
  await fc.assert(
    fc.asyncProperty(members, async (inputs) => {
      const { run, committed } = checkedCommit()
      const settled = await Promise.allSettled(
        inputs.map(async ({ turns, ...input }, number) => {
          for (let n = 0; n < turns; n++) await nextTurn()
          return run({ ...input, number })
        }),
      )
      assert.equal(new Set(committed).size, committed.length, 'no member took effect twice')
      settled.forEach((each, number) => {
        const { ending } = inputs[number]!
        if (each.status === 'fulfilled') assert.equal(each.value, number * 2)
        if (ending === 'success' && each.status === 'rejected') assert.ok(each.reason instanceof UnknownCommit)
        if (ending === 'success') assert.ok(committed.includes(number))
        if (ending === 'refused') assert.ok(each.status === 'rejected' && !committed.includes(number))
      })
    }),
    { numRuns: roundsOf(60) },
  )
})
