// Connects the shared sign-in to the desk's users, audit log and mail.

import { type Clock, systemClock } from '@lendloom/foundation/clock'
import type { Config } from '@lendloom/foundation/config'
import { isKeyOf } from '@lendloom/foundation/record'
import { signInLimiter } from '@lendloom/http/sign-in-limit'
import { openIdOf, type openIdSettings } from '@lendloom/identity/open-id-settings'
import { emailOf, noTenant } from '@lendloom/identity/person'
import type { StaffAccount, StaffContext } from '@lendloom/identity/sign-in-program'
import type { DeskPerson } from '#partner/people/person.ts'
import {
  findBySession,
  findStaff,
  findStaffById,
  lockIfPasswordUnchanged,
  type StaffRow,
  writeHash,
} from '#partner/people/store.ts'
import { queueNotice } from './sign-in-notice.ts'
import { acts, noteAct } from './staff-acts.ts'

/** The fields of the partner context that the sign-in needs. */
export type DeskSignIn = Pick<StaffContext<DeskPerson>, 'realClock' | 'signIns' | 'openId' | 'staff'>

export const openIdReturnPath = '/desk/sign-in/openid/return'

interface DeskSignInDeps {
  config: Config<typeof openIdSettings> & { PARTNER_PUBLIC_URL: string; PARTNER_LENDER_NAME: string; SANDBOX: boolean }
}

export const deskSignIn = ({ config }: DeskSignInDeps, realClock: Clock = systemClock): DeskSignIn => ({
  realClock,
  signIns: signInLimiter(),
  openId: openIdOf(config, config.PARTNER_PUBLIC_URL + openIdReturnPath),
  staff: {
    name: 'desk',
    publicUrl: config.PARTNER_PUBLIC_URL,
    openIdName: config.OPENID_NAME,
    openIdDomains: config.OPENID_DOMAINS,
    openIdReplacesSecondFactor: config.OPENID_REPLACES_SECOND_FACTOR,
    findByEmail: async (db, email) => optionalAccount(await findStaff(db, emailOf(email))),
    findPerson: async (db, { personId }) => optionalAccount(await findStaffById(db, personId)),
    async findBySession(db, tenantId, sessionId) {
      const row = await findBySession(db, tenantId, sessionId)
      return row && { account: accountOf(row), session: row }
    },
    lockIfPasswordUnchanged,
    writeHash,
    async note({ tx, at }, { personId: staffId }, { act, ...about }) {
      if (!isKeyOf(acts, act)) throw new Error(`the desk has no act ${act}`)
      await noteAct(tx, { staffId, act, about, at })
    },
    // The entered address is not recorded, because it may be a password.
    noteFailure: ({ tx, at }, { failureId: subject, address, outcome }) =>
      noteAct(tx, { staffId: null, act: 'SIGN_IN_FAILED', about: { subject, detail: { outcome, address } }, at }),
    mailNotice: queueNotice(config.PARTNER_LENDER_NAME),
  },
})

const optionalAccount = (row: StaffRow | undefined) => row && accountOf(row)

function accountOf(row: StaffRow): StaffAccount<DeskPerson> {
  const { staffId: personId, passwordHash, totpSealed, totpPendingSealed } = row
  const { email, name, roles, knownTo, possibleUserEmails, decidesAt } = row
  const person = { email, name, roles, knownTo, possibleUserEmails, decidesAt }
  return {
    tenantId: noTenant,
    personId,
    passwordHash,
    totpSealed,
    totpPendingSealed,
    email,
    name,
    inSession: (sessionId) => ({ ...person, staffId: personId, personId, tenantId: null, sessionId }),
  }
}
