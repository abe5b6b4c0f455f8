// A complaint as it goes into a file or onto a command line: everything that is kept of it, in words.

import type { Seal } from '#kit/crypto/seal.ts'
import type { Run } from '#kit/db/sql.ts'
import { tenantIn } from '#kit/staff/person.ts'
import { mailsAbout } from '#platform/mail/queue-mail.ts'
import { platformTenant } from '#platform/staff/person.ts'
import type { Place } from './complaint.ts'
import { listEntries } from './entry/store.ts'
import type { WrittenEntry } from './export.ts'
import { findComplaint } from './store.ts'
import { noSuchComplaint } from './thread.ts'

/** `names` tells people by their ids. Refused as `absent`. */
export async function writtenComplaint(
  db: Run,
  seal: Seal,
  place: Place,
  names: (personIds: string[]) => Promise<Map<string, string>>,
) {
  const complaint = await findComplaint(db, seal, place)
  if (!complaint) throw noSuchComplaint()
  const { replyTag: _, mirroredStatus: __, tenantId, ...rest } = complaint
  const entries = await listEntries(db, seal, place)
  const people = await names([...new Set(entries.flatMap(({ personId }) => personId ?? []))])
  const mails = [
    ...(await mailsAbout(db, tenantId, 'complaint', place.complaintId)),
    ...(tenantId === platformTenant ? [] : await mailsAbout(db, platformTenant, 'complaint', place.complaintId)),
  ]
  const states = new Map<string, string>(mails.map(({ mailId, state }) => [mailId, state]))
  const thread = entries.map(({ at, author, kind, code, shown, personId, body, mailId }): WrittenEntry => {
    const { text, subject = null, from = null, attachments } = body
    return {
      ...{ at, author, kind, code, shown, text, subject, from },
      person: personId === null ? null : (people.get(personId) ?? null),
      files: attachments.map(({ name }) => name),
      mail: mailId === null ? null : (states.get(mailId) ?? null),
    }
  })
  return { complaint: { ...rest, tenantId: tenantIn(tenantId) }, thread }
}
