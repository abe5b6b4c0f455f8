// Runs parsers in threads. Errors lose their class between threads, so a parser's refusal is passed as a return value.

import { ParserFailure, type ParserName, runParser } from '@lendloom/foundation/parser-thread'
import { isObject } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'

type ParserReply<T> = { value: T } | { refusal: Pick<Refusal, 'kind' | 'message' | 'details'> }

/** Runs a parser in a thread. Throws the `Refusal` of the parser, or the errors of `refuseParserFailure`. */
export async function runRefusingParser<T>(
  { module, name, ...limits }: ParserName,
  unreadable: (reason: string) => Refusal,
  ...args: unknown[]
): Promise<T> {
  const wrapper = { module: new URL(import.meta.url), name: 'runInThread', ...limits }
  const reply = await refuseParserFailure(runParser<ParserReply<T>>(wrapper, module.href, name, ...args), unreadable)
  if ('value' in reply) return reply.value
  const { kind, message, details } = reply.refusal
  throw new Refusal(kind, message, details)
}

/**
 * Returns the result of a parser thread. Refuses as `upstream` when no thread was free, or when another file
 * interrupted the parser. Throws `unreadable(reason)` when the content made the thread fail, for example by a time-out.
 */
export async function refuseParserFailure<T>(parsing: Promise<T>, unreadable: (reason: string) => Error): Promise<T> {
  try {
    return await parsing
  } catch (error) {
    if (!(error instanceof ParserFailure)) throw error
    if (error.fault === 'busy' || error.fault === 'interrupted')
      throw new Refusal('upstream', `the content ${error.message}; send it again`, { retryAfterSeconds: 1 })
    throw unreadable(error.message)
  }
}

/** Runs inside the thread, which loads this function by name. @public */
export async function runInThread(href: string, name: string, ...args: unknown[]): Promise<ParserReply<unknown>> {
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
