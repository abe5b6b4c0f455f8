// Settings of the partner's bank, with sandbox defaults.
import { number, secret, text, url } from '#kit/runtime/config.ts'

export const bankSettings = {
  BANK_URL: url("The lender's bank", 'http://127.0.0.1:4200/bank'),
  BANK_BEARER: secret('What we call the bank with', 'sandbox-bearer-of-the-bank'),
  BANK_NAME: text('The bank by whose name its results are known', 'SANDBOX_BANK'),
  BANK_TIMEOUT_MS: number('How long an answer of the bank is waited for', 10_000, 100, 60_000),
  BANK_POLL_SECONDS: number('How often the bank is asked for what is new', 20, 1, 3600),
}
