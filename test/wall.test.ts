// The lists of the proof `wall` cover every operation, so that a new route cannot be left out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../prove/api/operations.ts'
import { doorOf } from '../prove/wall/doors.ts'
import { permittedRoles, roleOperations } from '../prove/wall/roles.ts'

test('D1 §5: every operation has a door in prove/wall/doors.ts', () => {
  for (const operation of operations) assert.ok(doorOf(operation))
  assert.equal(new Set(operations.map(({ name }) => name)).size, operations.length)
})

test('D1 §5: prove/wall/roles.json lists each operation of console and desk, and no other', () => {
  const names = roleOperations().map(({ name }) => name)
  assert.deepEqual(Object.keys(permittedRoles).sort(), names.sort())
})
