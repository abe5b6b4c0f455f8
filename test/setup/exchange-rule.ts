// Tests rules between fields: an example is changed in one thing, and one field, or none, is reported as wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventType, envelopeFaults } from '#contract/exchange/envelope.ts'
import { exampleEvent } from '#contract/exchange/example/event.ts'
import { withChange } from './exchange-change.ts'

/** Paths below `data` with their new values; undefined takes a field away. */
type Change = Record<string, unknown>

/** `faultPath` is the path below `data`, null when the changed event is still accepted. */
export type Case = [section: string, name: string, change: Change, faultPath: string | null]

export function testRules(type: EventType, cases: Case[]): void {
  for (const [section, name, change, path] of cases)
    test(`D3 §${section}: ${type}: ${name}`, () => {
      assert.deepEqual(faultPathsOf(type, change), path === null ? [] : [path])
    })
}

/** The paths below `data` that are reported when the example of that type is changed so. */
export function faultPathsOf(type: EventType, change: Change): string[] {
  const event = Object.entries(change).reduce<unknown>(
    (so, [path, to]) => withChange(so, `data.${path}`, to),
    exampleEvent(type),
  )
  return envelopeFaults(event).map(({ path }) => path.replace(/^data\./, ''))
}
