// The schemas that a message must match to be stored and acknowledged. The readers check more (FIS12 §3.1).
import { bodyFaultsOf, schemasOf } from '#contract/network/judge.ts'
import * as shape from './schema.ts'

/** The shape of each action's `message`. */
export const messageSchemas = schemasOf(shape)

/** Returns why a received body gets a NACK; empty if it may be stored. */
export const bodyFaults = bodyFaultsOf('2.0.3', messageSchemas)
