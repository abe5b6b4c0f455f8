// What an integrator's server imports: the client of the platform, the check of a webhook, and the types of both.
export * from './client.ts'
export * from './error.ts'
export type * from './sessions.ts'
export type * from './updates.ts'
export * from './webhook.ts'
