// `lendloom journey reveal`, `note`, `notes`, `move-on`, `replay-events` and `retry-events`: what is done about a journey.

import { type CommandCall, required } from '#cli/command.ts'
import { asking } from '#cli/console/ask.ts'
import { fields, idOf, listed } from '#cli/console/words.ts'
import { leastReasonLength, revealable } from '#contract/console/journey-lists.ts'
import type { EventsReply, RevealReply, StaffNote, StaffNotes } from '#contract/console/journeys.ts'
import { statuses } from '#contract/hosted/lifecycle-status.ts'

const path = '/journeys/{journeyId}'
const tenant = { type: 'string', value: 'tenantId', about: 'whose journey it must be' } as const
const whose = { tenant } as const

const ofOne = ({ args, options }: Pick<CommandCall<typeof whose>, 'args' | 'options'>) => ({
  params: { journeyId: idOf(args, 'the journey') },
  query: { tenantId: options.tenant },
})

const revealOptions = {
  tenant,
  field: {
    type: 'string',
    value: revealable.join('|'),
    about: 'what is to be seen; may be repeated (default: all of it)',
    multiple: true,
  },
  reason: { type: 'string', value: 'text', about: `why, in at least ${leastReasonLength} characters; it is kept` },
} as const

const reveal = asking({
  name: 'journey reveal',
  summary: 'show what is masked of a borrower, for a reason that the audit log keeps',
  usage: '<journeyId> --reason <text> [--field <field>…] [--tenant <tenantId>]',
  options: revealOptions,
  route: `POST ${path}/reveal`,
  input: (call) => ({
    ...ofOne(call),
    body: { reason: required(call.options.reason, 'reason'), fields: call.options.field ?? [...revealable] },
  }),
  text: (revealed: RevealReply) => fields(revealed.fields),
})

const notes = asking({
  name: 'journey notes',
  summary: 'show what people of the platform wrote about a journey, and those of its tenant',
  usage: '<journeyId> [--tenant <tenantId>]',
  options: whose,
  route: `GET ${path}/notes`,
  input: ofOne,
  text({ items }: StaffNotes) {
    const rows = items.map(({ at, personName, isPlatform, text }) => [
      ...[at, personName ?? 'somebody who is gone', isPlatform ? 'platform' : 'tenant', text],
    ])
    return listed(['AT', 'WHO', 'OF', 'NOTE'], rows, 'Nobody wrote a note.')
  },
})

const noteOptions = { tenant, text: { type: 'string', value: 'text', about: 'the note' } } as const

const note = asking({
  name: 'journey note',
  summary: 'write a note about a journey, which people of the platform see',
  usage: '<journeyId> --text <text> [--tenant <tenantId>]',
  options: noteOptions,
  route: `POST ${path}/notes`,
  input: (call) => ({ ...ofOne(call), body: { text: required(call.options.text, 'text') } }),
  text: ({ noteId }: StaffNote) => `wrote ${noteId}`,
})

const moveOptions = { tenant, to: { type: 'string', value: statuses.join('|'), about: 'the status to reach' } } as const

const moveOn = asking({
  name: 'journey move-on',
  summary: 'drive a journey of the sandbox to a status, as its borrower would',
  usage: '<journeyId> --to <STATUS> [--tenant <tenantId>]',
  options: moveOptions,
  route: `POST ${path}/move-on`,
  input: (call) => ({ ...ofOne(call), body: { to: required(call.options.to, 'to').toUpperCase() } }),
  text: ({ status, to }: { status: string; to: string }) => `it is ${status} and goes on to ${to}`,
})

const eventsOf = (verb: 'replay-events' | 'retry-events', summary: string) =>
  asking({
    name: `journey ${verb}`,
    summary,
    usage: '<journeyId> [--tenant <tenantId>]',
    options: whose,
    route: `POST ${path}/${verb}`,
    input: ofOne,
    text: ({ count }: EventsReply) => `${count} ${count === 1 ? 'event' : 'events'}`,
  })

export const acts = [
  reveal,
  notes,
  note,
  moveOn,
  eventsOf('replay-events', 'send the lending partner once more what was given up, unchanged'),
  eventsOf('retry-events', 'look now at events of the lending partner that wait'),
]
