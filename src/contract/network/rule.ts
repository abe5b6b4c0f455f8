// Combinators for the rules of messages: required fields and allowed values (FIS12 §12).

import { fieldsOf, isFilled, isObject, isOneOf, ownValue } from '#kit/runtime/record.ts'

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

/** The positions of a path: `a.b[*].c` visits each element. A missing field is a position without a value. */
export function positionsAt(from: MessagePosition, path: string): MessagePosition[] {
  let positions = [from]
  for (const step of stepsOf(path))
    positions = positions.flatMap((position) => (step === '*' ? elements(position) : member(position, step)))
  return positions
}

/** Cached steps of the rules' paths, because hundreds of rules check each message. */
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

/** Every path has a value, in every element of its lists. */
export const present =
  (...paths: string[]): MessageRule =>
  (position) =>
    paths
      .flatMap((path) => positionsAt(position, path))
      .filter(({ value }) => isAbsent(value))
      .map(({ path }) => ({ path, message: 'must be present' }))

/** The value, if present, is one of the codes. */
export const allowed =
  (path: string, words: readonly string[]): MessageRule =>
  (position) =>
    positionsAt(position, path)
      .filter(({ value }) => !isAbsent(value) && !words.includes(String(value)))
      .map((found) => ({ path: found.path, message: `is ${found.value}, must be one of ${words.join(', ')}` }))

/** The value is present and one of the words. */
export const requiredCode =
  (path: string, words: readonly string[]): MessageRule =>
  (position) => [...present(path)(position), ...allowed(path, words)(position)]

/** Applies the rules at every position of the path; absent ones are skipped. */
export const each =
  (path: string, ...rules: MessageRule[]): MessageRule =>
  (position) =>
    positionsAt(position, path)
      .filter(({ value }) => value !== undefined)
      .flatMap((found) => rules.flatMap((rule) => rule(found)))

/** A condition on an object with arbitrary fields. */
export type Condition = (value: Record<string, unknown>) => boolean

/** Applies the rules to an object that satisfies the condition. */
export const when =
  (condition: Condition, ...rules: MessageRule[]): MessageRule =>
  (position) =>
    isObject(position.value) && condition(position.value) ? rules.flatMap((rule) => rule(position)) : []

/** The value at nested names. */
export const valueAt = (value: unknown, ...names: string[]): unknown =>
  names.reduce((at, name) => fieldsOf(at)[name], value)

/** The value at the path is one of the codes. */
export const is =
  (path: string, ...words: string[]): Condition =>
  (value) =>
    isOneOf(words, valueAt(value, ...path.split('.')))

/** At least one of the fields is present, even if empty. */
export const has =
  (...names: string[]): Condition =>
  (value) =>
    names.some((name) => ownValue(value, name) !== undefined)

export const not =
  (condition: Condition): Condition =>
  (value) =>
    !condition(value)

export interface GroupRule {
  /** All codes that the group may have. */
  codes: readonly string[]
  /** Codes that the group must have. */
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

/** The position has `tags` with this group, with known codes only. */
export const group =
  (code: string, rule: GroupRule): MessageRule =>
  (position) => {
    const tags = tagsWith(position, code)
    return isFilled(tags)
      ? codesIn(tags, code, rule)
      : [{ path: `${position.path}.tags`, message: `must have the group ${code}` }]
  }

/** Applies the rule to each group with this code among the position's `tags`, if any. */
export const eachGroup =
  (code: string, rule: GroupRule): MessageRule =>
  (position) =>
    tagsWith(position, code).flatMap((tag) => codesIn([tag], code, rule))
