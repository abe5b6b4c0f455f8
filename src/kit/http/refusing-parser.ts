// Turns what a parser thread could not read into refusals; errors lose their class there, so the refusal of a parser crosses as an answer.

import { ParserFailure, type ParserName, runParser } from '#kit/runtime/parser-thread.ts'
import { isObject } from '#kit/runtime/record.ts'
import { Refusal } from './refusal.ts'

type Outcome<T> = { value: T } | { refusal: Pick<Refusal, 'kind' | 'message' | 'details'> }

/** Throws the `Refusal` of the parser, and otherwise as `refuseParserFailure` does. */
export async function runRefusingParser<T>(
  { module, name }: ParserName,
  unreadable: (why: string) => Refusal,
  ...args: unknown[]
): Promise<T> {
  const own = { module: new URL(import.meta.url), name: 'outcomeOf' }
  const outcome = await refuseParserFailure(runParser<Outcome<T>>(own, module.href, name, ...args), unreadable)
  if ('value' in outcome) return outcome.value
  const { kind, message, details } = outcome.refusal
  throw new Refusal(kind, message, details)
}

/**
 * The result of a parser thread. Throws the error of `unreadable` where the bytes ended the thread, given why, such as "takes
 * too long to be read"; refused as `upstream` when no thread was free.
 */
export async function refuseParserFailure<T>(parsing: Promise<T>, unreadable: (why: string) => Error): Promise<T> {
  try {
    return await parsing
  } catch (error) {
    if (!(error instanceof ParserFailure)) throw error
    if (error.fault === 'busy' || error.fault === 'interrupted')
      throw new Refusal('upstream', `the content ${error.message}; send it again`, { retryAfterSeconds: 1 })
    throw unreadable(error.message)
  }
}

/** Runs in the thread. @public by name. */
export async function outcomeOf(href: string, name: string, ...args: unknown[]): Promise<Outcome<unknown>> {
  const module: unknown = await import(href)
  const parser = isObject(module) ? module[name] : undefined
  if (typeof parser !== 'function') throw new Error(`${href} has no ${name}`)
  try {
    return { value: await parser(...args) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { kind, message, details } = error
    return { refusal: { kind, message, details } }
  }
}
