// The exports for an integrator's server: the client of the platform, the verification of webhooks, and their types.
export type { Borrower, BorrowerOptions } from './borrower.ts'
export { type Client, type ClientOptions, lendloom, type Session } from './client.ts'
export * from './error.ts'
export type { CallOptions } from './methods.ts'
export { apiVersion, type Operations } from './operations.ts'
export type * from './schemas.ts'
export * from './webhook.ts'
