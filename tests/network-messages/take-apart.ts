// Lists the keys of messages and removes single keys, to test that the rules report each missing key.

import type { Action } from '@lendloom/wire/network/sequence'
import type { Json, Step } from './conversation.ts'

export type Path = (string | number)[]

/** Yields the path to each key of each nested object. */
export function* keyPathsIn(value: Json, path: Path = []): Generator<Path> {
  if (value === null || typeof value !== 'object') return
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key]
    if (!Array.isArray(value)) yield here
    yield* keyPathsIn(inner, here)
  }
}

export const valueAtPath = (message: Json, path: Path): Json => path.reduce((here, key) => here[key], message)

export function withoutKey(message: Json, path: Path): Json {
  const copy = structuredClone(message)
  delete valueAtPath(copy, path.slice(0, -1))[path.at(-1) ?? '']
  return copy
}

export const isObject = (value: Json): boolean => value !== null && typeof value === 'object' && !Array.isArray(value)

const patternOf = (path: Path): string => path.map((key) => (typeof key === 'number' ? '*' : key)).join('.')

/** Returns the keys whose removal the rules do not report, each as `action order.items.*.id`. */
export function unreportedKeys(
  loan: Step[],
  outgoingFaults: (action: Action, message: unknown) => unknown[],
): string[] {
  const unreported = new Set<string>()
  for (const { action, message } of loan)
    for (const path of keyPathsIn(message)) {
      const holder = valueAtPath(message, path.slice(0, -1))
      const key = path.at(-1) ?? ''
      const value = holder[key]
      delete holder[key]
      if (outgoingFaults(action, message).length === 0) unreported.add(`${action} ${patternOf(path)}`)
      holder[key] = value
    }
  return [...unreported].sort()
}
