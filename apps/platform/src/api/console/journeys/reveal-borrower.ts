// POST /api/console/journeys/{journeyId}/reveal: a borrower's unmasked data, with an audited reason.

import type { Run } from '@lendloom/postgres/sql'
import {
  JourneyParams,
  type Revealable,
  RevealReply,
  RevealRequest,
  revealedFields,
} from '@lendloom/wire/console/journeys'
import { OfTenant } from '@lendloom/wire/console/staff'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { type Context, route } from '#platform/context.ts'
import { type BorrowerDetails, profileFieldsOf } from '#platform/lending/borrower/borrower.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { bankContext, findStep } from '#platform/lending/step/store.ts'
import { noteReasonedAct } from '#platform/people/audit.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { listNotes, maxNotes } from '#platform/people/staff-note/store.ts'
import { noteText } from '#platform/people/staff-note.ts'
import { requireJourneyKey, requireUnerased } from './journey-key.ts'
import type { TimelineKey } from './timeline-store.ts'

const reveal = route({
  ...consoleCall,
  auth: inConsole('operator', 'grievance-officer', 'admin', 'developer', 'support'),
  method: 'POST',
  path: `${consolePrefix}/journeys/{journeyId}/reveal`,
  summary: "Reveal a borrower's data; needs a reason",
  params: JourneyParams,
  query: OfTenant,
  body: RevealRequest,
  reply: { 200: RevealReply },
  async handle(call, ctx) {
    const { who, body, at } = call
    const key = await requireJourneyKey(ctx, who, call)
    const fields = [...new Set(body.fields)]
    return ctx.db.tx(async (tx) => {
      // A reason that was stored after the erasure would stay.
      await requireUnerased(tx, key)
      const { person } = await readProfile(tx, ctx, key)
      const { profile, workProfile, address } = profileFieldsOf(person)
      const values = { ...profile, ...workProfile, ...address }
      const readField = async (field: Revealable): Promise<string | null> => {
        if (field === 'notes') return notesIn({ ...ctx, db: tx }, key, who.tenantId === null)
        if (field === 'account') return accountOf({ ...ctx, db: tx }, key, person)
        if (field === 'address')
          return inOneLine([address.addressL1, address.addressL2, address.city, address.state, address.pincode])
        return values[revealedFields[field].field]?.toString() ?? null
      }
      const revealed: RevealReply['fields'] = {}
      for (const field of fields) revealed[field] = await readField(field)
      const subject = { subject: key.journeyId, tenantId: key.tenantId, detail: { fields: fields.join(',') } }
      const act = { act: 'PERSONAL_DATA_REVEALED', ...subject, reason: body.reason }
      await noteReasonedAct({ ...ctx, tx, at }, who, act)
      return { fields: revealed }
    })
  },
})

const inOneLine = (parts: (string | null | undefined)[]): string | null => parts.filter(Boolean).join(', ') || null

/** Colleagues' notes, unmasked, oldest first; null when there are none. */
async function notesIn(
  { db, seal }: { db: Run } & Pick<Context, 'seal'>,
  key: TimelineKey,
  isPlatformStaff: boolean,
): Promise<string | null> {
  const rows = await listNotes(db, key, isPlatformStaff, maxNotes)
  return (
    rows
      .map((row) => noteText(seal, row))
      .reverse()
      .join('\n\n') || null
  )
}

/** The bank account that was sent to the lender; without one, the account of the app's profile. */
async function accountOf(
  { db, seal }: { db: Parameters<typeof findStep>[0] } & Pick<Context, 'seal'>,
  key: TimelineKey,
  person: BorrowerDetails,
): Promise<string | null> {
  const { bankSealed } = await findStep(db, key, 'bankMandate')
  const account: Partial<BankAccount> | undefined = bankSealed
    ? seal.openJson<BankAccount>(bankSealed, bankContext(key.tenantId, key.journeyId))
    : person.bank
  return account ? inOneLine([account.accountNumber, account.ifsc, account.accountHolderName]) : null
}

export const revealRoutes = [reveal]
