// An authenticated call of the aggregator's API, and the refusal that its handler may throw.
import type { Context } from '#sandbox/core/context.ts'
import type { EntityRow } from './store.ts'

/** A refusal of this API, thrown by the handler of a call. */
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
  caller: EntityRow
  body: Body
  at: Date
}
