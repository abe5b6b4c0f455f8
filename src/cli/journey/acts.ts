// `lendloom journey reveal`, `note`, `notes`, `move-on`, `replay-events` and `retry-events`: acts on a journey.

import { type CommandCall, required } from '#cli/command.ts'
import { asking } from '#cli/console/ask.ts'
import { fields, idOf, listed } from '#cli/console/words.ts'
import { minRevealReasonLength } from '#contract/console/journey-lists.ts'
import {
  type EventsReply,
  type RevealReply,
  revealable,
  type StaffNote,
  type StaffNotes,
} from '#contract/console/journeys.ts'
import { statuses } from '#contract/hosted/lifecycle-status.ts'

const path = '/journeys/{journeyId}'
const tenant = { type: 'string', value: 'tenantId', about: 'fail unless the journey belongs to this tenant' } as const
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
    about: 'field to reveal; may be repeated (default: all)',
    multiple: true,
  },
  reason: {
    type: 'string',
    value: 'text',
    about: `reason for the audit log, at least ${minRevealReasonLength} characters`,
  },
} as const

const reveal = asking({
  name: 'journey reveal',
  summary: 'reveal masked personal data; the audit log records the reason',
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
  summary: 'list the notes of platform and tenant users about a journey',
  usage: '<journeyId> [--tenant <tenantId>]',
  options: whose,
  route: `GET ${path}/notes`,
  input: ofOne,
  text({ items }: StaffNotes) {
    const rows = items.map(({ at, personName, isPlatform, text }) => [
      ...[at, personName ?? 'a removed user', isPlatform ? 'platform' : 'tenant', text],
    ])
    return listed(['AT', 'WHO', 'OF', 'NOTE'], rows, 'There are no notes.')
  },
})

const noteOptions = { tenant, text: { type: 'string', value: 'text', about: 'text of the note' } } as const

const note = asking({
  name: 'journey note',
  summary: 'add a note to a journey, visible to platform users',
  usage: '<journeyId> --text <text> [--tenant <tenantId>]',
  options: noteOptions,
  route: `POST ${path}/notes`,
  input: (call) => ({ ...ofOne(call), body: { text: required(call.options.text, 'text') } }),
  text: ({ noteId }: StaffNote) => `added note ${noteId}`,
})

const moveOptions = { tenant, to: { type: 'string', value: statuses.join('|'), about: 'the status to reach' } } as const

const moveOn = asking({
  name: 'journey move-on',
  summary: 'advance a sandbox journey to a status, as its borrower would',
  usage: '<journeyId> --to <STATUS> [--tenant <tenantId>]',
  options: moveOptions,
  route: `POST ${path}/move-on`,
  input: (call) => ({ ...ofOne(call), body: { to: required(call.options.to, 'to').toUpperCase() } }),
  text: ({ status, to }: { status: string; to: string }) => `the journey is ${status} and advances to ${to}`,
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
  eventsOf('replay-events', 'resend the events to the lending partner whose delivery was given up'),
  eventsOf('retry-events', 'retry waiting events of the lending partner now'),
]
