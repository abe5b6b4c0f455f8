// The exports for an integrator's server: the client of the platform, the verification of webhooks, and their types.
export * from './client.ts'
export * from './error.ts'
export type * from './sessions.ts'
export type * from './updates.ts'
export * from './webhook.ts'
