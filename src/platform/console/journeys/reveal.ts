// POST /api/console/journeys/{journeyId}/reveal: a borrower's unmasked data, with an audited reason.

import type { Revealable } from '#contract/console/journey-lists.ts'
import { JourneyParams, RevealReply, RevealRequest } from '#contract/console/journeys.ts'
import { OfTenant } from '#contract/console/staff.ts'
import type { BankAccount } from '#contract/hosted/embed.ts'
import type { Run } from '#kit/db/sql.ts'
import type { BorrowerDetails } from '#platform/borrower/borrower.ts'
import { common, prefix } from '#platform/console/route.ts'
import { type Context, route } from '#platform/context.ts'
import { readProfile } from '#platform/profile/edit.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { listNotes, maxNotes } from '#platform/staff/note/store.ts'
import { noteText } from '#platform/staff/note.ts'
import { inConsole } from '#platform/staff/session.ts'
import { bankContext, findStep } from '#platform/step/store.ts'
import { journeyPlace } from './journey-place.ts'
import type { TimelineKey } from './timeline-store.ts'

const reveal = route({
  ...common,
  auth: inConsole('operator', 'grievance-officer', 'admin', 'developer', 'support'),
  method: 'POST',
  path: `${prefix}/journeys/{journeyId}/reveal`,
  summary: "Reveal a borrower's data; needs a reason",
  params: JourneyParams,
  query: OfTenant,
  body: RevealRequest,
  reply: { 200: RevealReply },
  async handle(call, ctx) {
    const { who, body, at } = call
    const of = await journeyPlace(ctx, who, call)
    const fields = [...new Set(body.fields)]
    return ctx.db.tx(async (tx) => {
      const notes = fields.includes('notes') ? await notesIn({ ...ctx, db: tx }, of, who.tenantId === null) : null
      const { person } = await readProfile(tx, ctx, of)
      const account = fields.includes('account') ? await accountOf({ ...ctx, db: tx }, of, person) : null
      const detail = { fields: fields.join(','), reason: body.reason.trim() }
      const act = { act: 'PERSONAL_DATA_REVEALED', subject: of.journeyId, tenantId: of.tenantId, detail }
      await noteStaffAct({ tx, at }, who, act)
      return {
        fields: Object.fromEntries(
          fields.map((field) => [field, field === 'notes' ? notes : read[field](person, account)]),
        ),
      }
    })
  },
})

type RevealedAccount = Partial<BankAccount>

const read: Record<
  Exclude<Revealable, 'notes'>,
  (person: BorrowerDetails, account: RevealedAccount | null) => string | null
> = {
  name: ({ personal }) => personal.panName ?? null,
  mobile: ({ personal }) => personal.mobile,
  pan: ({ personal }) => personal.pan ?? null,
  email: ({ personal }) => personal.personalEmail ?? null,
  officialEmail: ({ work }) => work.officialEmail ?? null,
  address: ({ address: { addressL1, addressL2, city, state, pincode } }) =>
    inOneLine([addressL1, addressL2, city, state, pincode]),
  account: (_, account) => account && inOneLine([account.accountNumber, account.ifsc, account.accountHolderName]),
}

const inOneLine = (parts: (string | null | undefined)[]): string | null => parts.filter(Boolean).join(', ') || null

/** Colleagues' notes unmasked, oldest first. */
async function notesIn(
  { db, seal }: { db: Run } & Pick<Context, 'seal'>,
  of: TimelineKey,
  forPlatform: boolean,
): Promise<string | null> {
  const rows = await listNotes(db, of, forPlatform, maxNotes)
  return (
    rows
      .map((row) => noteText(seal, row))
      .reverse()
      .join('\n\n') || null
  )
}

/** The account sent to the lender, otherwise the one from the app. */
async function accountOf(
  { db, seal }: { db: Parameters<typeof findStep>[0] } & Pick<Context, 'seal'>,
  of: TimelineKey,
  person: BorrowerDetails,
): Promise<RevealedAccount | null> {
  const { bankSealed } = await findStep(db, of, 'bankMandate')
  if (bankSealed) return seal.openJson<BankAccount>(bankSealed, bankContext(of.tenantId, of.journeyId))
  return person.bank ?? null
}

export const revealRoutes = [reveal]
