// `lendloom network transcript`: prints the network messages of a journey, and can check them against the rules.

import { styleText } from 'node:util'
import { type TranscriptMessage, tenantOfJourney, transcriptOf } from '@lendloom/platform/operations/network'
import { noteStaffAct } from '@lendloom/platform/operations/staff'
import { CannotRun, type CommandCall, command, requireArgument, UsageError } from '#cli/command.ts'
import { localTime } from '#cli/console/show.ts'
import { sealOf, withDatabase } from '#cli/database.ts'
import { clockOf } from '#cli/installation.ts'
import { findFaults } from './find-faults.ts'
import { gistOf, maskedBody, prettyBody } from './gist.ts'

const options = {
  bodies: { type: 'boolean', about: 'print message bodies, with personal data masked' },
  reveal: { type: 'boolean', about: 'with --bodies: show personal data; the audit log has it' },
  refused: { type: 'boolean', about: 'include messages that the platform rejected with a NACK' },
  check: {
    type: 'boolean',
    about:
      'check all messages against the rules of the network; a violation is an error, unless only a lender deviates',
  },
} as const

export const transcript = command({
  name: 'network transcript',
  summary: 'show the network messages of a journey',
  usage: '<journeyID> [--bodies [--reveal]] [--refused] [--check]',
  options,
  async run({
    args,
    options: { bodies = false, reveal = false, refused = false, check = false },
    env,
  }: CommandCall<typeof options>) {
    const journeyId = requireArgument(args, 'the journey id')
    if (reveal && !bodies) throw new UsageError('--reveal shows personal data in bodies: give --bodies too')
    const messages = await withDatabase('platform', env, async (db) => {
      const tenantId = await tenantOfJourney(db, journeyId)
      if (tenantId === undefined) throw new CannotRun(`journey ${journeyId} does not exist`)
      if (reveal) {
        const detail = { what: 'network messages' }
        const act = { act: 'PERSONAL_DATA_REVEALED', tenantId, subject: journeyId, detail }
        await db.tx((tx) => noteStaffAct({ tx, at: clockOf(env)() }, null, act))
      }
      return transcriptOf({ db, seal: sealOf(env) }, tenantId, journeyId, refused)
    })
    if (check && messages.some(({ isArchived }) => isArchived))
      throw new CannotRun('messages of this journey are in the archive, without which the rules cannot be checked')
    const { faults, deviations } = check ? await findFaults(messages, env) : { faults: [], deviations: [] }
    if (faults.length > 0)
      throw new CannotRun(['rules of the network are violated:', ...faults, ...deviations].join('\n'))
    const lines = messages.map(
      (each) =>
        lineOf(each) +
        (bodies && !each.isArchived ? `\n${reveal ? prettyBody(each.body) : maskedBody(each.body)}` : ''),
    )
    lines.push(...deviations.map((text) => styleText('yellow', text)))
    const keeper = deviations.length > 0 ? ' by us' : ''
    if (check)
      lines.push(styleText('green', `${messages.length} messages, every rule and invariant kept${keeper} (FIS12 §12)`))
    // Without headers, whose signatures nobody needs who may not see the bodies.
    const data = reveal ? messages : messages.map(({ headers: _, ...each }) => ({ ...each, ...maskedBodies(each) }))
    return { text: lines.join('\n') || 'There are no messages yet.', data }
  },
})

/** The bodies of a message and of its answer with personal data masked. */
const maskedBodies = ({ body, answer }: Pick<TranscriptMessage, 'body' | 'answer'>) => ({
  body: body === '' ? body : maskedBody(body),
  answer: answer && { ...answer, body: answer.body === '' ? '' : maskedBody(answer.body) },
})

function lineOf({ at, direction, party, action, outcome, note, body }: TranscriptMessage): string {
  const instant = at.toISOString()
  const time = `${localTime(instant).slice(11)}.${instant.slice(20, 23)}`
  const arrow = direction === 'sent' ? styleText('cyan', '→') : styleText('magenta', '←')
  const outcomeText = outcome === 'ACK' ? styleText('dim', 'ACK') : styleText('yellow', outcome ?? 'not sent')
  const gist = [gistOf(body), note && styleText('yellow', `(${note})`)].filter(Boolean).join(' ')
  return [styleText('dim', time), arrow, party.padEnd(28), styleText('bold', action.padEnd(10)), outcomeText, gist]
    .join('  ')
    .trimEnd()
}
