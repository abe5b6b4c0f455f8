// Migrations that the version before them cannot work with: its processes are stopped before such a migration is applied.
import type { Program } from './programs.ts'

/** Why, by the name of the file; `test/compatibility.test.ts` finds those that are missing. The sandbox is one process. */
export const incompatibleMigrations: Record<Program, Record<string, string>> = {
  platform: {
    '040-lending-partner.sql': 'a case needs its lending partner, which older versions do not write',
    '044-bucket.sql': 'rows of borrowers need a bucket, which older versions do not write',
  },
  partner: {
    '005-case.sql': 'keys of tables begin with the case',
    '014-part-payment.sql': 'a loan needs its instalment, which older versions do not write',
    '020-asset-class.sql': 'a loan needs its principal, which older versions do not write',
    '035-desk-control.sql':
      'only an offer has an approval limit for one person, which older versions still set for payouts',
    '037-desk-control.sql': 'a contact note needs the time of the note, which older versions do not write',
  },
  sandbox: {},
}
