// Complaint officers of the platform and of each lender. Entries by an admin override settings and lender data.

import { isOneOf } from '@lendloom/foundation/record'
import { invalid } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import { type OfficerLevel, officerLevels } from '@lendloom/wire/console/complaint-lists'
import { phonePattern } from '#platform/complaints/grievance/settings.ts'
import { emailFrom } from '#platform/people/person.ts'
import type { ActContext, ComplaintContext } from './complaint-context.ts'
import { findLender, type KnownLender, listLenders } from './lender-store.ts'
import { listOfficers, type OfficerContact, writeOfficer } from './officer/store.ts'

export type { OfficerContact }

const platformParty = 'PLATFORM'

export interface Officers {
  officer: OfficerContact
  nodal: OfficerContact
}

const officersFromSettings = ({ config }: Pick<ComplaintContext, 'config'>): Officers => ({
  officer: {
    name: config.GRIEVANCE_OFFICER_NAME,
    email: config.GRIEVANCE_OFFICER_EMAIL,
    phone: config.GRIEVANCE_OFFICER_PHONE,
  },
  nodal: {
    name: config.NODAL_OFFICER_NAME,
    email: config.NODAL_OFFICER_EMAIL,
    phone: config.NODAL_OFFICER_PHONE,
  },
})

/** The platform's officers; the regulator requires their names in every notice to borrowers. */
export async function platformOfficers(db: Run, ctx: Pick<ComplaintContext, 'seal' | 'config'>): Promise<Officers> {
  const entries = await listOfficers(db, ctx.seal)
  const platformEntries = entries.filter(({ party }) => party === platformParty)
  const configured = officersFromSettings(ctx)
  return {
    officer: platformEntries.find(({ level }) => level === 'OFFICER') ?? configured.officer,
    nodal: platformEntries.find(({ level }) => level === 'NODAL') ?? configured.nodal,
  }
}

/** A lender's officers. An email address may be empty. */
export interface LenderOfficers {
  party: string
  lender: string
  officer: OfficerContact
  nodal: OfficerContact
}

export async function lenderOfficers(
  db: Run,
  ctx: Pick<ComplaintContext, 'seal'>,
  { tenantId, lenderId }: { tenantId: string; lenderId: string },
): Promise<LenderOfficers | undefined> {
  const lender = await findLender(db, tenantId, lenderId)
  const entries = await listOfficers(db, ctx.seal)
  return lender && officersOf(lender, entries)
}

function officersOf(
  { party, name, contact }: KnownLender,
  entries: Awaited<ReturnType<typeof listOfficers>>,
): LenderOfficers {
  const fromLender = {
    name: contact.groName ?? '',
    email: contact.groEmail ?? '',
    phone: contact.groContactNumber ?? '',
  }
  const officerAt = (level: OfficerLevel) => entries.find((each) => each.party === party && each.level === level)
  const officer = officerAt('OFFICER') ?? fromLender
  return { party, lender: name, officer, nodal: officerAt('NODAL') ?? officer }
}

export interface OfficerContactLine extends OfficerContact {
  party: string
  partyName: string
  level: OfficerLevel
}

export async function listAllOfficers(
  db: Run,
  ctx: Pick<ComplaintContext, 'seal' | 'config'>,
): Promise<OfficerContactLine[]> {
  const platform = await platformOfficers(db, ctx)
  const lenders = await listLenders(db)
  const entries = await listOfficers(db, ctx.seal)
  const line = (party: string, partyName: string, level: OfficerLevel, { name, email, phone }: OfficerContact) => ({
    party,
    partyName,
    level,
    name,
    email,
    phone,
  })
  return [
    line(platformParty, 'Lendloom', 'OFFICER', platform.officer),
    line(platformParty, 'Lendloom', 'NODAL', platform.nodal),
    ...lenders.flatMap((lender) => {
      const { party, officer, nodal } = officersOf(lender, entries)
      return [line(party, lender.name, 'OFFICER', officer), line(party, lender.name, 'NODAL', nodal)]
    }),
  ]
}

export interface NewOfficer extends OfficerContact {
  party: string
  level: string
}

/** Stores an officer. Throws `invalid` for an invalid field. */
export async function storeOfficer(ctx: ActContext, input: NewOfficer): Promise<void> {
  const { party, level } = input
  const email = emailFrom(input.email)
  const name = input.name.trim()
  const phone = input.phone.trim()
  if (!isOneOf(officerLevels, level))
    throw invalid({ path: 'level', message: `must be one of ${officerLevels.join(', ')}` })
  if (name.length < 2 || name.length > 100) throw invalid({ path: 'name', message: 'must have 2 to 100 characters' })
  if (!phonePattern.test(phone)) throw invalid({ path: 'phone', message: 'must be a telephone number' })
  const isKnown = party === platformParty || (await listLenders(ctx.tx)).some((lender) => lender.party === party)
  if (!isKnown) throw invalid({ path: 'party', message: 'is not a known lender' })
  await writeOfficer(ctx.tx, ctx.seal, { party, level, name, email, phone }, ctx.at)
}
