// The minimum for storing and acknowledging a 2.3.0 message; its reader checks the rest (FIS12 §3.1).
import { bodyFaultsOf, schemasOf } from '#contract/network/judge.ts'
import { valueAt } from '#contract/network/rule.ts'
import type { Action } from '#contract/network/sequence.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { fieldsOf } from '#kit/runtime/record.ts'
import * as shape from './schema.ts'

/** The shape of each action's `message`. */
export const messageSchemas = schemasOf(shape)

const faultsOf = bodyFaultsOf('2.3.0', messageSchemas)

/** Returns why a received body gets a NACK; empty if it may be stored. A directed search must name its lender. */
export function bodyFaults(action: Action, body: unknown): FieldError[] {
  const wrong = faultsOf(action, body)
  if (wrong.length > 0 || action !== 'search') return wrong
  const { context, message } = fieldsOf(body)
  if (valueAt(message, 'intent', 'provider') === undefined) return []
  return ['bpp_id', 'bpp_uri']
    .filter((name) => valueAt(context, name) === undefined)
    .map((name) => ({ path: `context.${name}`, message: 'is required in a directed search' }))
}
