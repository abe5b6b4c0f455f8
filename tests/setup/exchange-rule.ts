// Tests rules between fields: changes one thing in an example event and expects one faulty field, or none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventType, envelopeFaults } from '@lendloom/wire/exchange/envelope'
import { exampleEvent } from '@lendloom/wire/exchange/example/event'
import { withChange } from './exchange-change.ts'

/** New values by path below `data`; undefined removes the field. */
type Change = Record<string, unknown>

/** `faultPath` is the path below `data`; null when the changed event is still valid. */
export type Case = [section: string, name: string, change: Change, faultPath: string | null]

export function testRules(type: EventType, cases: Case[]): void {
  for (const [section, name, change, path] of cases)
    test(`D3 §${section}: ${type}: ${name}`, () => {
      assert.deepEqual(faultPathsOf(type, change), path === null ? [] : [path])
    })
}

/** Returns the faulty paths below `data` when the example event of this type has these changes. */
export function faultPathsOf(type: EventType, change: Change): string[] {
  const event = Object.entries(change).reduce<unknown>(
    (changed, [path, value]) => withChange(changed, `data.${path}`, value),
    exampleEvent(type),
  )
  return envelopeFaults(event).map(({ path }) => path.replace(/^data\./, ''))
}
