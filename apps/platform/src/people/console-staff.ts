// Adapts the console's people, audit log and mail to the shared sign-in.

import type { Config } from '@lendloom/foundation/config'
import { noticeMail } from '@lendloom/identity/mail-texts-en'
import type { openIdSettings } from '@lendloom/identity/open-id-settings'
import { tenantIn } from '@lendloom/identity/person'
import type { StaffAccount, StaffProgram } from '@lendloom/identity/sign-in-program'
import type { Seal } from '@lendloom/seal/seal'
import type { ConsolePerson } from '#platform/context.ts'
import { queueMail } from '#platform/mail/queue-mail.ts'
import { noteStaffAct } from './audit.ts'
import { emailDigest, identityOf } from './person.ts'
import { findByEmail, findBySession, findPerson, lockIfPasswordUnchanged, type PersonRow, writeHash } from './store.ts'

export type ConsoleStaff = StaffProgram<ConsolePerson>

/** The path to which the OpenID provider sends the browser back. */
export const openIdReturnPath = '/api/console/sign-in/openid/return'

interface ConsoleStaffDeps {
  seal: Seal
  config: Config<typeof openIdSettings> & { PUBLIC_URL: string; SMTP_URL: string; MAIL_DOMAIN: string }
}

export function consoleStaff({ seal, config }: ConsoleStaffDeps): ConsoleStaff {
  const accountOrUndefined = (row: PersonRow | undefined) => row && accountOf(seal, row)
  return {
    name: 'console',
    publicUrl: config.PUBLIC_URL,
    openIdName: config.OPENID_NAME,
    openIdDomains: config.OPENID_DOMAINS,
    openIdReplacesSecondFactor: config.OPENID_REPLACES_SECOND_FACTOR,
    findByEmail: async (db, email) => accountOrUndefined(await findByEmail(db, emailDigest(seal, email))),
    findPerson: async (db, { tenantId, personId }) => accountOrUndefined(await findPerson(db, tenantId, personId)),
    async findBySession(db, tenantId, sessionId) {
      const row = await findBySession(db, tenantId, sessionId)
      return row && { account: accountOf(seal, row), session: row }
    },
    lockIfPasswordUnchanged,
    writeHash,
    note: noteStaffAct,
    async mailNotice({ tx, at }, { tenantId, personId, email, name }, notice) {
      if (config.SMTP_URL === 'none') return
      await queueMail(
        { tx, at, seal, config },
        {
          tenantId,
          kind: 'sign-in',
          subjectId: personId,
          to: email,
          ...noticeMail({ name, account: 'your Lendloom account' }, notice),
          replyTag: null,
          inReplyTo: null,
          attachments: [],
        },
      )
    },
  }
}

function accountOf(seal: Seal, row: PersonRow): StaffAccount<ConsolePerson> {
  const { tenantId, personId, role } = row
  const identity = identityOf(seal, row)
  return {
    ...row,
    ...identity,
    inSession: (sessionId) => ({ ...identity, personId, role, tenantId: tenantIn(tenantId), sessionId }),
  }
}
