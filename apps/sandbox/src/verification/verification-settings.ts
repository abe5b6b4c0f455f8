// The settings of the providers: client credentials and delay.
import type { Context } from '#sandbox/core/context.ts'
import type { VerificationKind } from './provider.ts'

export interface VerificationSettings {
  clients: Record<VerificationKind, { credential: string; callbackSecret: string }>
  /** Seconds that officials, banks and analysers take; fault rules multiply them. */
  seconds: number
}

export type VerificationContext = Pick<Context, 'db' | 'clock' | 'log' | 'seal' | 'url'> & {
  verification: VerificationSettings
}
