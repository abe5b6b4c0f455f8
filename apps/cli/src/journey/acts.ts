// `lendloom journey reveal`, `note`, `notes`, `move-on`, `replay-events` and `retry-events`: acts on a journey.

import { countText } from '@lendloom/foundation/text'
import { minRevealReasonLength } from '@lendloom/wire/console/journey-lists'
import {
  type EventsReply,
  type RevealReply,
  revealable,
  type StaffNote,
  type StaffNotes,
} from '@lendloom/wire/console/journeys'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { type CommandCall, requireOption } from '#cli/command.ts'
import { consoleCommand } from '#cli/console/ask.ts'
import { fieldLines, idOf, resultTable } from '#cli/console/words.ts'

const path = '/journeys/{journeyId}'
const tenant = { type: 'string', value: 'tenantId', about: 'fail unless the journey belongs to this tenant' } as const
const tenantOptions = { tenant } as const

const journeyInput = ({ args, options }: Pick<CommandCall<typeof tenantOptions>, 'args' | 'options'>) => ({
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

const reveal = consoleCommand({
  name: 'journey reveal',
  summary: 'reveal masked personal data; the audit log records the reason',
  usage: '<journeyId> --reason <text> [--field <field>…] [--tenant <tenantId>]',
  options: revealOptions,
  route: `POST ${path}/reveal`,
  input: (call) => ({
    ...journeyInput(call),
    body: { reason: requireOption(call.options.reason, 'reason'), fields: call.options.field ?? [...revealable] },
  }),
  text: (revealed: RevealReply) => fieldLines(revealed.fields),
})

const notes = consoleCommand({
  name: 'journey notes',
  summary: 'list the notes of platform and tenant users about a journey',
  usage: '<journeyId> [--tenant <tenantId>]',
  options: tenantOptions,
  route: `GET ${path}/notes`,
  input: journeyInput,
  text({ items }: StaffNotes) {
    return resultTable(
      items,
      [
        { head: 'AT', of: ({ at }) => at },
        { head: 'AUTHOR', of: ({ personName }) => personName ?? 'a removed user' },
        { head: 'SIDE', of: ({ isPlatform }) => (isPlatform ? 'platform' : 'tenant') },
        { head: 'NOTE', of: ({ text }) => text },
      ],
      'There are no notes.',
    )
  },
})

const noteOptions = { tenant, text: { type: 'string', value: 'text', about: 'text of the note' } } as const

const note = consoleCommand({
  name: 'journey note',
  summary: 'add a note to a journey, visible to platform users',
  usage: '<journeyId> --text <text> [--tenant <tenantId>]',
  options: noteOptions,
  route: `POST ${path}/notes`,
  input: (call) => ({ ...journeyInput(call), body: { text: requireOption(call.options.text, 'text') } }),
  text: ({ noteId }: StaffNote) => `added note ${noteId}`,
})

const moveOnOptions = { tenant, to: { type: 'string', value: statuses.join('|'), about: 'the target status' } } as const

const moveOn = consoleCommand({
  name: 'journey move-on',
  summary: 'advance a sandbox journey to a status, as its borrower would',
  usage: '<journeyId> --to <STATUS> [--tenant <tenantId>]',
  options: moveOnOptions,
  route: `POST ${path}/move-on`,
  input: (call) => ({ ...journeyInput(call), body: { to: requireOption(call.options.to, 'to').toUpperCase() } }),
  text: ({ status, to }: { status: string; to: string }) => `the journey is ${status} and advances to ${to}`,
})

const eventsCommand = (verb: 'replay-events' | 'retry-events', summary: string) =>
  consoleCommand({
    name: `journey ${verb}`,
    summary,
    usage: '<journeyId> [--tenant <tenantId>]',
    options: tenantOptions,
    route: `POST ${path}/${verb}`,
    input: journeyInput,
    text: ({ count }: EventsReply) => countText(count, 'event'),
  })

export const acts = [
  reveal,
  notes,
  note,
  moveOn,
  eventsCommand('replay-events', 'resend events to the lending partner that were given up'),
  eventsCommand('retry-events', 'retry waiting events of the lending partner now'),
]
