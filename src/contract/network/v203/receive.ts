// The minimum for storing and acknowledging a message; its reader checks the rest (FIS12 §3.1).
import { bodyFaultsOf, schemasOf } from '#contract/network/judge.ts'
import * as shape from './schema.ts'

/** The shape of each action's `message`. */
export const messageSchemas = schemasOf(shape)

/** Returns why a received body gets a NACK; empty if it may be stored. */
export const bodyFaults = bodyFaultsOf('2.0.3', messageSchemas)
