// The lists of the proof `wall` cover every operation, so that a new route cannot be left out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overheadBytes } from '@lendloom/http/body-stream'
import { memoryOf } from '@lendloom/http/server'
import { maxBytesOf, memoryOfRoute, publicBodyLimit } from '@lendloom/http/src/mount-route.ts'
import { gateOf } from '../proofs/api/gates.ts'
import { operations } from '../proofs/api/operations.ts'
import { permittedRoles, roleOperations } from '../proofs/wall/roles.ts'

test('D1 §5: every operation has a gate in proofs/api/gates.ts', () => {
  for (const operation of operations) assert.ok(gateOf(operation))
  assert.equal(new Set(operations.map(({ name }) => name)).size, operations.length)
})

test('D1 §5: every operation of the console verifies that its body is the one that a command line signed', () => {
  const ofConsole = operations.filter((operation) => ['console', 'own console account'].includes(gateOf(operation)))
  const unverified = ofConsole.filter(({ route }) => route.auth.verifyBody === undefined)
  assert.ok(ofConsole.length > 100)
  assert.deepEqual(
    unverified.map(({ name }) => name),
    [],
  )
})

test('D1 §5: no route of platform and partner takes more than 16 KiB from a caller without a credential', () => {
  const isOpen = operations.filter(({ program, route }) => program !== 'sandbox' && route.auth.isPublic)
  assert.ok(isOpen.length > 10)
  const large = isOpen.filter(({ route }) => maxBytesOf(route) > publicBodyLimit)
  assert.deepEqual(
    large.map(({ name }) => name),
    [],
  )
})

test('D1 §5: the largest body of each route fits into the memory that its caller may have', () => {
  const memory = memoryOf({})
  // Streams are not kept in memory.
  const kept = operations.filter(({ route }) => route.method !== 'GET' && route.accepts !== 'stream')
  const tooSmall = kept.filter(({ route }) => memoryOfRoute(route, memory).share < maxBytesOf(route) + overheadBytes)
  assert.deepEqual(
    tooSmall.map(({ name }) => name),
    [],
  )
})

test('D1 §5: proofs/wall/roles.json lists each operation of console and desk, and no other', () => {
  const names = roleOperations().map(({ name }) => name)
  const listed = Object.keys(permittedRoles)
  const absent = names.filter((name) => !listed.includes(name))
  assert.deepEqual(absent, [], 'run `npm run wall -- --record-roles`, then review the new roles')
  assert.deepEqual(listed.sort(), names.sort())
})
