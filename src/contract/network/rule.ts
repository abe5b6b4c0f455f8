// The words in which the rules of a message are written: what must be there, and what it may be (FIS12 §12).

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

export type MessageRule = (place: MessagePosition) => RuleFinding[]

/** The places that `path` leads to: `a.b[*].c` visits each element. What is missing is one place without a value. */
export function placesAt(from: MessagePosition, path: string): MessagePosition[] {
  let places = [from]
  for (const step of stepsOf(path))
    places = places.flatMap((place) => (step === '*' ? elements(place) : member(place, step)))
  return places
}

/** Cached steps of the rules' paths: each message is checked by hundreds of them. */
const steps = new Map<string, string[]>()

function stepsOf(path: string): string[] {
  const known = steps.get(path)
  if (known) return known
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

/** Each path leads to a value, in every element it passes through. */
export const present =
  (...paths: string[]): MessageRule =>
  (place) =>
    paths
      .flatMap((path) => placesAt(place, path))
      .filter(({ value }) => isAbsent(value))
      .map(({ path }) => ({ path, message: 'must be present' }))

/** The value, if present, is one of the words. */
export const among =
  (path: string, words: readonly string[]): MessageRule =>
  (place) =>
    placesAt(place, path)
      .filter(({ value }) => !isAbsent(value) && !words.includes(String(value)))
      .map((found) => ({ path: found.path, message: `is ${found.value}, must be one of ${words.join(', ')}` }))

/** The value is present and one of the words. */
export const needed =
  (path: string, words: readonly string[]): MessageRule =>
  (place) => [...present(path)(place), ...among(path, words)(place)]

/** Applies the rules at every position of the path; absent ones are skipped. */
export const each =
  (path: string, ...rules: MessageRule[]): MessageRule =>
  (place) =>
    placesAt(place, path)
      .filter(({ value }) => value !== undefined)
      .flatMap((found) => rules.flatMap((rule) => rule(found)))

/** A condition on an object with arbitrary fields. */
export type Condition = (value: Record<string, unknown>) => boolean

/** The rules hold at an object of which the condition is true. */
export const when =
  (holds: Condition, ...rules: MessageRule[]): MessageRule =>
  (place) =>
    isObject(place.value) && holds(place.value) ? rules.flatMap((rule) => rule(place)) : []

/** The value at nested names. */
export const valueAt = (value: unknown, ...names: string[]): unknown =>
  names.reduce((at, name) => fieldsOf(at)[name], value)

/** The value at the path is one of the words. */
export const is =
  (path: string, ...words: string[]): Condition =>
  (value) =>
    isOneOf(words, valueAt(value, ...path.split('.')))

/** One of the fields is present, even if empty. */
export const has =
  (...names: string[]): Condition =>
  (value) =>
    names.some((name) => ownValue(value, name) !== undefined)

export const not =
  (holds: Condition): Condition =>
  (value) =>
    !holds(value)

export interface GroupRule {
  /** All codes that the group may have. */
  codes: readonly string[]
  /** The required ones. */
  required?: readonly string[]
}

const tagsWith = (place: MessagePosition, code: string): MessagePosition[] =>
  placesAt(place, 'tags[*]').filter(({ value }) => valueAt(value, 'descriptor', 'code') === code)

function codesIn(
  tags: readonly [MessagePosition, ...MessagePosition[]],
  code: string,
  { codes, required = [] }: GroupRule,
): RuleFinding[] {
  const found = tags.flatMap((tag) => placesAt(tag, 'list[*].descriptor.code')).map(({ value }) => value)
  const missing = required.filter((name) => !found.includes(name))
  return [
    ...tags.flatMap((tag) => among('list[*].descriptor.code', codes)(tag)),
    ...tags.flatMap((tag) => present('list[*].descriptor.code', 'list[*].value')(tag)),
    ...missing.map((name) => ({ path: tags[0].path, message: `must carry ${code}.${name}` })),
  ]
}

/** The position has `tags` with this group, with known codes only. */
export const group =
  (code: string, rule: GroupRule): MessageRule =>
  (place) => {
    const tags = tagsWith(place, code)
    return isFilled(tags)
      ? codesIn(tags, code, rule)
      : [{ path: `${place.path}.tags`, message: `must carry the group ${code}` }]
  }

/** Applies the rule to each group with this code among the position's `tags`, if any. */
export const eachGroup =
  (code: string, rule: GroupRule): MessageRule =>
  (place) =>
    tagsWith(place, code).flatMap((tag) => codesIn([tag], code, rule))
