// The page's draft in our own words, checked as D1 §2.1 asks; a field given as null is emptied.
import type { EmbedProfileRequest } from '#contract/hosted/embed.ts'
import { canonicalPersonal, canonicalWork, refuseAadhaar, type WorkProfile } from '#contract/hosted/profile.ts'
import { type FieldError, invalid } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import type { Person } from '#platform/borrower/person.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { readProfile } from '#platform/profile/edit.ts'
import type { World } from '#platform/world.ts'

export async function draftOf(
  tx: Tx,
  world: World,
  journey: Journey,
  body: EmbedProfileRequest,
  at: Date,
): Promise<{ person: Person; endUse: string | undefined }> {
  refuseAadhaar(body)
  const { person: known } = await readProfile(tx, world, journey)
  const faults: FieldError[] = []
  const [saidPersonal, clearedPersonal] = parted(body.profile ?? {})
  const [saidWork, clearedWork] = parted(body.workProfile ?? {})
  const personal = {
    ...clearedPersonal,
    ...canonicalPersonal(saidPersonal as Record<string, string>, at, faults),
  } as Record<string, string | undefined>
  const work = {
    ...clearedWork,
    ...canonicalWork(saidWork as WorkProfile, 4, faults, known.work.employmentType),
  } as Record<string, unknown>
  const [first, ...more] = faults
  if (first) throw invalid(first, ...more)
  return {
    person: {
      personal: {
        ...renamed(personal, { personalemail: 'personalEmail' }),
        mobile: known.personal.mobile,
      } as Person['personal'],
      work: renamed(work, { officialemail: 'officialEmail' }) as Person['work'],
      address: (body.address ?? {}) as Person['address'],
      gold: null,
    },
    endUse: body.endUse,
  }
}

/** What was said, and what was emptied. */
function parted(fields: Record<string, unknown>): [Record<string, unknown>, Record<string, null>] {
  const entries = Object.entries(fields)
  return [
    Object.fromEntries(entries.filter(([, value]) => value !== null)),
    Object.fromEntries(entries.filter(([, value]) => value === null)) as Record<string, null>,
  ]
}

const renamed = (fields: Record<string, unknown>, names: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]))
