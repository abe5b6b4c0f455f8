// One call of the aggregator's interface, as what answers it sees it, and the refusal it may throw.
import type { Context } from '#sandbox/core/context.ts'
import type { EntityRow } from './store.ts'

/** A refusal of this interface; thrown by what answers a call. */
export class ApiRefusal extends Error {
  readonly status: number
  readonly errorCode: string

  constructor(status: number, errorCode: string, message: string) {
    super(message)
    this.status = status
    this.errorCode = errorCode
  }
}

export interface ApiCall<Body> {
  ctx: Context
  who: EntityRow
  body: Body
  at: Date
}
