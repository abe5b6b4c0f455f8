// Combinators for message rules, such as required fields and allowed values (FIS12 §12).

import { isFilled } from '@lendloom/foundation/lists'
import { fieldsOf, isObject, isOneOf, ownValue } from '@lendloom/foundation/record'

/** A position in a message and its value; undefined when absent. */
export interface MessagePosition {
  path: string
  value: unknown
}

export interface RuleFinding {
  path: string
  message: string
}

export type MessageRule = (position: MessagePosition) => RuleFinding[]

/** Returns the positions of a path. `[*]` stands for every element of a list. A missing field has no value. */
export function positionsAt(from: MessagePosition, path: string): MessagePosition[] {
  let positions = [from]
  for (const step of stepsOf(path))
    positions = positions.flatMap((position) => (step === '*' ? elements(position) : member(position, step)))
  return positions
}

/** Caches the steps of each path, because hundreds of rules check each message. */
const steps = new Map<string, string[]>()

function stepsOf(path: string): string[] {
  const cached = steps.get(path)
  if (cached) return cached
  const found = path.split('.').flatMap((part) => (part.endsWith('[*]') ? [part.slice(0, -3), '*'] : [part]))
  steps.set(path, found)
  return found
}

const member = ({ path, value }: MessagePosition, name: string): MessagePosition => ({
  path: `${path}.${name}`,
  value: fieldsOf(value)[name],
})

const elements = ({ path, value }: MessagePosition): MessagePosition[] =>
  Array.isArray(value)
    ? value.map((each, i) => ({ path: `${path}[${i}]`, value: each }))
    : [{ path: `${path}[*]`, value: undefined }]

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Requires a value at each path. */
export const present =
  (...paths: string[]): MessageRule =>
  (position) =>
    paths
      .flatMap((path) => positionsAt(position, path))
      .filter(({ value }) => isAbsent(value))
      .map(({ path }) => ({ path, message: 'must be present' }))

/** Requires one of the codes at the path, if there is a value. */
export const allowed =
  (path: string, codes: readonly string[]): MessageRule =>
  (position) =>
    positionsAt(position, path)
      .filter(({ value }) => !isAbsent(value) && !codes.includes(String(value)))
      .map((found) => ({ path: found.path, message: `is ${found.value}, must be one of ${codes.join(', ')}` }))

export const requiredCode =
  (path: string, codes: readonly string[]): MessageRule =>
  (position) => [...present(path)(position), ...allowed(path, codes)(position)]

/** Applies the rules at every position of the path that has a value. */
export const each =
  (path: string, ...rules: MessageRule[]): MessageRule =>
  (position) =>
    positionsAt(position, path)
      .filter(({ value }) => value !== undefined)
      .flatMap((found) => rules.flatMap((rule) => rule(found)))

export type Condition = (value: Record<string, unknown>) => boolean

/** Applies the rules if the value is an object that satisfies the condition. */
export const when =
  (condition: Condition, ...rules: MessageRule[]): MessageRule =>
  (position) =>
    isObject(position.value) && condition(position.value) ? rules.flatMap((rule) => rule(position)) : []

export const valueAt = (value: unknown, ...names: string[]): unknown =>
  names.reduce((at, name) => fieldsOf(at)[name], value)

export const is =
  (path: string, ...codes: string[]): Condition =>
  (value) =>
    isOneOf(codes, valueAt(value, ...path.split('.')))

/** Whether at least one of the fields is present, even if empty. */
export const has =
  (...names: string[]): Condition =>
  (value) =>
    names.some((name) => ownValue(value, name) !== undefined)

export const not =
  (condition: Condition): Condition =>
  (value) =>
    !condition(value)

export interface GroupRule {
  codes: readonly string[]
  required?: readonly string[]
}

const tagsWith = (position: MessagePosition, code: string): MessagePosition[] =>
  positionsAt(position, 'tags[*]').filter(({ value }) => valueAt(value, 'descriptor', 'code') === code)

function codesIn(
  tags: readonly [MessagePosition, ...MessagePosition[]],
  code: string,
  { codes, required = [] }: GroupRule,
): RuleFinding[] {
  const found = tags.flatMap((tag) => positionsAt(tag, 'list[*].descriptor.code')).map(({ value }) => value)
  const missing = required.filter((name) => !found.includes(name))
  return [
    ...tags.flatMap((tag) => allowed('list[*].descriptor.code', codes)(tag)),
    ...tags.flatMap((tag) => present('list[*].descriptor.code', 'list[*].value')(tag)),
    ...missing.map((name) => ({ path: tags[0].path, message: `must have ${code}.${name}` })),
  ]
}

/** Requires a tag group with this code, and applies the rule to the group. */
export const group =
  (code: string, rule: GroupRule): MessageRule =>
  (position) => {
    const tags = tagsWith(position, code)
    return isFilled(tags)
      ? codesIn(tags, code, rule)
      : [{ path: `${position.path}.tags`, message: `must have the group ${code}` }]
  }

/** Applies the rule to every tag group with this code. */
export const eachGroup =
  (code: string, rule: GroupRule): MessageRule =>
  (position) =>
    tagsWith(position, code).flatMap((tag) => codesIn([tag], code, rule))
