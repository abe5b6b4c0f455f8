// Why a received body gets a NACK, by version; the readers check more (FIS12 §3.1, §24).

import { fieldsOf } from '@lendloom/foundation/record'
import type { FieldError } from '@lendloom/foundation/refusal'
import type { Dialect } from './context.ts'
import { bodyFaultsOf, oneSchemaEach } from './message-validators.ts'
import { valueAt } from './rule-combinators.ts'
import type { Action } from './sequence.ts'
import { messageSchemas as messages203 } from './v203/schema.ts'
import { schemaOf as schemaOf230 } from './v230/schema.ts'

const schemaOf203 = oneSchemaEach(messages203)
const faultsIn230 = bodyFaultsOf('2.3.0', schemaOf230)

/** Returns why a received body gets a NACK; empty if it may be stored. A directed search must name its lender. */
export const bodyFaultsIn: Record<Dialect, (action: Action, body: unknown) => FieldError[]> = {
  '2.0.1': bodyFaultsOf('2.0.1', schemaOf203),
  '2.0.2': bodyFaultsOf('2.0.2', schemaOf203),
  '2.0.3': bodyFaultsOf('2.0.3', schemaOf203),
  '2.3.0'(action, body) {
    const wrong = faultsIn230(action, body)
    if (wrong.length > 0 || action !== 'search') return wrong
    const { context, message } = fieldsOf(body)
    if (valueAt(message, 'intent', 'provider') === undefined) return []
    return ['bpp_id', 'bpp_uri']
      .filter((name) => valueAt(context, name) === undefined)
      .map((name) => ({ path: `context.${name}`, message: 'is required in a directed search' }))
  },
}
