// How the providers behave, and what each has agreed on with its client.
import type { Config } from '#kit/runtime/config.ts'
import type { Context } from '#sandbox/context.ts'
import type { settings } from '#sandbox/settings.ts'
import type { Kind } from './verification.ts'

export interface VerificationSettings {
  clients: Record<Kind, { credential: string; callbackSecret: string }>
  /** Seconds that officials, banks and analysers take, when no rule makes them slow. */
  seconds: number
}

/** What the providers need of the sandbox. */
export type VerificationContext = Pick<Context, 'db' | 'clock' | 'log' | 'seal' | 'url' | 'verification'>

export const verificationSettings = (config: Config<typeof settings>): VerificationSettings => ({
  clients: {
    kyc: { credential: config.KYC_CREDENTIAL, callbackSecret: config.KYC_CALLBACK_SECRET },
    mandate: { credential: config.MANDATE_CREDENTIAL, callbackSecret: config.MANDATE_CALLBACK_SECRET },
    esign: { credential: config.ESIGN_CREDENTIAL, callbackSecret: config.ESIGN_CALLBACK_SECRET },
    statement: { credential: config.STATEMENT_CREDENTIAL, callbackSecret: config.STATEMENT_CALLBACK_SECRET },
  },
  seconds: config.SANDBOX_PROVIDER_SECONDS,
})
