// Settings for the partner's calls to its bank. The defaults are for the sandbox.
import { number, secret, text, url } from '@lendloom/foundation/config'
import { httpsUrl, line, settingGroup } from '@lendloom/foundation/setting-group'

export const bankSettings = {
  BANK: {
    ...settingGroup("The lender's bank", {
      url: httpsUrl('BANK_URL'),
      bearer: line('BANK_BEARER'),
      name: line('BANK_NAME'),
    }),
    secret: true,
  },
  BANK_URL: url("The lender's bank", 'http://127.0.0.1:4200/bank'),
  BANK_BEARER: secret('Bearer credential for calls to the bank', 'sandbox-bearer-of-the-bank'),
  BANK_NAME: text('Name under which the results of the bank are stored', 'SANDBOX_BANK'),
  BANK_TIMEOUT_MS: number('Timeout of calls to the bank, in milliseconds', 10_000, 100, 60_000),
  BANK_POLL_SECONDS: number('Seconds between polls of the bank', 20, 1, 3600),
}
