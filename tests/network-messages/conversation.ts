// Reads the model conversations, whose JSON files are written without our message builders: expected values for tests.

import { readFileSync } from 'node:fs'
import { ownValue } from '@lendloom/foundation/record'
import { contextOf, type Dialect, type MessageContext } from '@lendloom/wire/network/context'
import type { Action } from '@lendloom/wire/network/sequence'

export interface Step {
  step: string
  action: Action
  context: MessageContext
  message: Json
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into messages of any shape to break them.
export type Json = any

interface File {
  /** Defaults to 2.0.3. */
  dialect?: Dialect
  context: { bap_id: string; bap_uri: string; bpp_id: string; bpp_uri: string; transaction_id: string }
  shared: Record<string, Json>
  steps: { step: string; action: Action; messageId: string; at: string; message: Json }[]
}

const fileOf = (name: string): File =>
  JSON.parse(readFileSync(new URL(import.meta.resolve(`#test/network-messages/${name}.json`)), 'utf8'))

/** Shared values of all conversations; a file's own shared values take precedence. */
const commonValues = fileOf('personal-loan').shared

type FixtureTexts = Record<
  string,
  { name?: string; display?: boolean; entries?: Record<string, [name: string, description?: string]> }
>
const tagTexts: FixtureTexts = JSON.parse(readFileSync(new URL(import.meta.resolve('./tag-words.json')), 'utf8'))

/** Adds the names and descriptions that official messages have beside tag codes (FIS12 §21). Changes the value. */
function addTagTexts(value: Json, dialect: Dialect | undefined): Json {
  if (value === null || typeof value !== 'object') return value
  for (const inner of Object.values(value)) addTagTexts(inner, dialect)
  for (const tag of Array.isArray(value.tags) ? value.tags : []) {
    const { code } = tag.descriptor
    const { name, display, entries } = tagTexts[code] ?? {}
    const dialectName = dialect === '2.3.0' && code === 'LOAN_INFO' ? 'Information' : name
    if (dialectName) tag.descriptor.name = dialectName
    if (display !== undefined) tag.display = display
    for (const entry of tag.list) {
      const [entryName, description] = entries?.[entry.descriptor.code] ?? []
      Object.assign(entry.descriptor, entryName && { name: entryName }, description && { short_desc: description })
    }
  }
  return value
}

/** The conversations as JSON, because tests ask for each hundreds of times and change what they get. */
const expanded = new Map<string, string>()

/** Returns fresh copies of the file's messages in wire order, by default with the optional tag texts. */
export function conversationIn(name: string, withoutTagTexts = false): Step[] {
  const key = `${name} ${withoutTagTexts}`
  const json = expanded.get(key) ?? JSON.stringify(expandedConversation(name, withoutTagTexts))
  expanded.set(key, json)
  return JSON.parse(json)
}

function expandedConversation(name: string, withoutTagTexts: boolean): Step[] {
  const { dialect, context, shared, steps } = fileOf(name)
  const { bap_id, bap_uri, bpp_id, bpp_uri, transaction_id: transactionId } = context
  const expand = expandWith({ ...commonValues, ...shared })
  return steps.map(({ step, action, messageId, at, message }) => {
    const isBroadcast = action === 'search' && !message.intent.provider
    const bpp = isBroadcast ? {} : { bpp: { id: bpp_id, uri: bpp_uri } }
    const ids = { transactionId, messageId, at: new Date(at), version: dialect }
    return {
      step,
      action,
      context: contextOf({ action, bap: { id: bap_id, uri: bap_uri }, ...bpp, ...ids }),
      message: withoutTagTexts ? expand(message) : addTagTexts(expand(message), dialect),
    }
  })
}

/**
 * Expands references: `@NAME` is a shared value, under the key `...` merged below the other keys;
 * `@INSTALLMENTS PAID:1 NOT-PAID:11` is the schedule with these statuses.
 */
function expandWith(shared: Record<string, Json>): (value: Json) => Json {
  const expand = (value: Json): Json => {
    if (typeof value === 'string' && value.startsWith('@'))
      return expand(structuredClone(ownValue(shared, value.slice(1))))
    if (Array.isArray(value)) return value.flatMap((each) => (isSchedule(each) ? schedule(each) : [expand(each)]))
    if (value === null || typeof value !== 'object') return value
    const { '...': base, ...own } = value
    const fields = Object.fromEntries(Object.entries(own).map(([key, inner]) => [key, expand(inner)]))
    return { ...(base && expand(base)), ...fields }
  }

  function schedule(text: string): Json[] {
    const runs = text
      .split(' ')
      .slice(1)
      .map((run) => run.split(':'))
    const statuses = runs.flatMap(([status = '', count]) => Array<string>(Number(count)).fill(status))
    return shared.INSTALLMENTS.map((each: Json, i: number) => ({ ...structuredClone(each), status: statuses[i] }))
  }
  return expand
}

const isSchedule = (value: Json): value is string => typeof value === 'string' && value.startsWith('@INSTALLMENTS ')
