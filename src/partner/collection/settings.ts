// The lender's collection policy as program settings.
import { number } from '#kit/runtime/config.ts'

export const collectionSettings = {
  PARTNER_COLLECT_FROM_HOUR: number('Debits are presented from this hour in India', 0, 0, 23),
  PARTNER_COLLECT_UNTIL_HOUR: number("The bank's cut-off: no debit is presented from this hour in India on", 24, 1, 24),
  PARTNER_NOTICE_HOURS: number('For so long a schedule must be known before anything of it is debited', 24, 0, 168),
  PARTNER_CLAIM_DAYS: number('Days for which a claimed payment is looked for at the bank', 3, 1, 30),
  PARTNER_CLAIM_EARLY_DAYS: number('Days that a receipt may be dated before the date a borrower claims', 1, 0, 7),
}
