// State machines allow the moves of their table and no others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isTerminal, leadsTo, longestPath, next, type Table } from './machine.ts'

type Light = 'RED' | 'GREEN' | 'OUT'
const light: Table<Light, 'go' | 'stop' | 'fail'> = {
  RED: { go: 'GREEN', fail: 'OUT' },
  GREEN: { stop: 'RED', fail: 'OUT' },
  OUT: {},
}

test('next returns the status of a move in the table, else undefined', () => {
  assert.equal(next(light, 'RED', 'go'), 'GREEN')
  assert.equal(next(light, 'RED', 'stop'), undefined)
  assert.equal(next(light, 'OUT', 'fail'), undefined)
})

test('property names of Object.prototype are not moves', () => {
  for (const move of ['toString', 'constructor', '__proto__', 'valueOf'])
    assert.equal(next(light, 'RED', move as 'go'), undefined)
})

test('a status without moves is terminal', () => {
  assert.equal(isTerminal(light, 'RED'), false)
  assert.equal(isTerminal(light, 'OUT'), true)
})

test('leadsTo follows moves, also around a cycle', () => {
  assert.ok(leadsTo(light, 'RED', 'OUT'))
  assert.ok(leadsTo(light, 'RED', 'RED'))
  assert.ok(!leadsTo(light, 'OUT', 'RED'))
  assert.ok(!leadsTo(light, 'OUT', 'OUT'))
})

test('longestPath counts statuses, and its error names a cycle', () => {
  const stairs: Table<'a' | 'b' | 'c', string> = { a: { one: 'b', two: 'c' }, b: { one: 'c' }, c: {} }
  assert.equal(longestPath(stairs, 'a'), 3)
  assert.equal(longestPath(stairs, 'c'), 1)
  assert.throws(() => longestPath(light, 'RED'), /cycle: RED -> GREEN -> RED/)
})

test('property: longestPath finds the longest path of an acyclic table', () => {
  const size = 7
  const edges = fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 20 })
  fc.assert(
    fc.property(edges, (pairs) => {
      const table: Table<string, string> = Object.fromEntries(Array.from({ length: size }, (_, i) => [String(i), {}]))
      for (const [a, b] of pairs) if (a < b) table[String(a)]![`to${b}`] = String(b)
      const longest = Array<number>(size).fill(1)
      for (let i = size - 1; i >= 0; i--)
        for (const target of Object.values(table[String(i)]!))
          longest[i] = Math.max(longest[i]!, 1 + longest[Number(target)]!)
      assert.equal(longestPath<string>(table, '0'), longest[0])
      assert.ok(!leadsTo<string>(table, '0', '0'))
    }),
  )
})
