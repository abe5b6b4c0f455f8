// Routes of colleagues' notes on a journey.

import { maskedNote } from '@lendloom/foundation/mask'
import { answer } from '@lendloom/http/server'
import { tenantKeyOf } from '@lendloom/identity/person'
import { JourneyParams, NoteRequest, StaffNote, StaffNotes } from '@lendloom/wire/console/journeys'
import { OfTenant } from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { namesOf } from '#platform/api/console/people/staff-names.ts'
import { listIdentities } from '#platform/api/console/people/staff-store.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { type Context, route } from '#platform/context.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { commandLine } from '#platform/people/person.ts'
import { listNotes, maxNotes } from '#platform/people/staff-note/store.ts'
import { addNote, noteText } from '#platform/people/staff-note.ts'
import { requireJourneyKey, requireUnerased } from './journey-key.ts'
import type { TimelineKey } from './timeline-store.ts'

const path = `${consolePrefix}/journeys/{journeyId}/notes`
const notesRoute = { path, params: JourneyParams, query: OfTenant } as const

/** Reads the notes with the names of their writers. Platform staff and the tenant's staff are in different lists of people. */
async function notesOf({ db, seal }: Pick<Context, 'db' | 'seal'>, key: TimelineKey, isPlatformStaff: boolean) {
  const rows = await listNotes(db, key, isPlatformStaff, maxNotes)
  const writers = async (isPlatform: boolean) => {
    const ids = rows.filter((row) => row.isPlatform === isPlatform).map(({ personId }) => personId)
    return ids.length > 0 ? listIdentities(db, tenantKeyOf(isPlatform ? null : key.tenantId), [...new Set(ids)]) : []
  }
  const names = namesOf(seal, (await Promise.all([writers(true), writers(false)])).flat())
  return rows.map((row) => ({
    noteId: row.noteId,
    at: row.at.toISOString(),
    personName: row.personId === commandLine.personId ? commandLine.name : (names.get(row.personId) ?? null),
    isPlatform: row.isPlatform,
    text: maskedNote(noteText(seal, row)),
  }))
}

const notes = route({
  ...byAnyUser,
  ...notesRoute,
  method: 'GET',
  summary: "Colleagues' notes on a journey",
  reply: { 200: StaffNotes },
  async handle(call, ctx): Promise<StaffNotes> {
    const key = await requireJourneyKey(ctx, call.who, call)
    return { items: await notesOf(ctx, key, call.who.tenantId === null), next: null }
  },
})

const writeNote = route({
  ...consoleCall,
  ...notesRoute,
  auth: inConsole('operator', 'admin', 'grievance-officer', 'developer', 'support'),
  method: 'POST',
  summary: 'Add a note for colleagues',
  body: NoteRequest,
  reply: { 201: StaffNote },
  async handle(call, ctx) {
    const { who, at } = call
    const text = call.body.text.trim()
    const key = await requireJourneyKey(ctx, who, call)
    const note = await ctx.db.tx(async (tx) => {
      await requireUnerased(tx, key)
      return addNote({ tx, at, seal: ctx.seal }, who, { ...key, text })
    })
    const { noteId, isPlatform } = note
    return answer(201, { noteId, at: at.toISOString(), personName: who.name, isPlatform, text: maskedNote(text) })
  },
})

export const journeyNoteRoutes = [notes, writeNote]
