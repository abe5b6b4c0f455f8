// How the providers behave, and what each has agreed on with its client.
import type { Context } from '#sandbox/core/context.ts'
import type { VerificationKind } from './verification.ts'

export interface VerificationSettings {
  clients: Record<VerificationKind, { credential: string; callbackSecret: string }>
  /** Seconds that officials, banks and analysers take, when no rule makes them slow. */
  seconds: number
}

/** What the providers need of the sandbox. */
export type VerificationContext = Pick<Context, 'db' | 'clock' | 'log' | 'seal' | 'url'> & {
  verification: VerificationSettings
}
