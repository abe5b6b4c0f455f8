// Borrowers of the official flows who complain about their loan: answer a question, escalate, rate and close (FIS12 §20).
import assert from 'node:assert/strict'
import type { EmbedGrievance } from '@lendloom/wire/hosted/embed-grievance'
import { type Borrower, call, readView } from './borrower.ts'
import { question, reply } from './official-lender/grievance.ts'
import type { OfficialPrograms } from './official-programs.ts'
import { type Programs, until } from './programs.ts'

const newest = ({ view }: Borrower): EmbedGrievance => view.grievances!.items[0]!

async function send(borrower: Borrower, path: string, body: object): Promise<void> {
  const answer = await call(borrower, 'POST', `/grievances${path}`, body)
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}

const waitForGrievance = (borrower: Borrower, what: string, matches: (grievance: EmbedGrievance) => boolean) =>
  until(what, async () => {
    await readView(borrower)
    return matches(newest(borrower)) && newest(borrower)
  })

async function raise(borrower: Borrower): Promise<string> {
  await send(borrower, '', { topic: 'CHARGES', text: 'A charge of 500 rupees was taken that the offer did not show.' })
  return newest(borrower).id
}

/** Waits for the resolution and closes the complaint with a good rating. */
async function close(borrower: Borrower): Promise<void> {
  const { id, resolution } = await waitForGrievance(borrower, 'the resolution', ({ status }) => status === 'RESOLVED')
  assert.equal(resolution!.action, 'REFUND')
  assert.equal(resolution!.refund, '500.00')
  await send(borrower, `/${id}/close`, { rating: 'THUMBS-UP' })
}

export async function complainAndClose(borrower: Borrower): Promise<void> {
  await raise(borrower)
  await close(borrower)
}

/** Complains, and closes the complaint after the platform has asked for its status. */
export async function complainAndAsk(borrower: Borrower, { db }: Pick<Programs, 'db'>): Promise<void> {
  const id = await raise(borrower)
  await waitForGrievance(borrower, 'the first answer', ({ status }) => status === 'PROCESSING')
  await runFollowUp(db, id, 'STATUS')
  await close(borrower)
}

/** Complains and answers the lender's question. */
export async function complainAndAnswer(borrower: Borrower): Promise<void> {
  const id = await raise(borrower)
  const grievance = await waitForGrievance(borrower, 'the question', ({ status }) => status === 'NEEDS_INFO')
  assert.equal(grievance.messages.at(-1)?.text, question)
  await send(borrower, `/${id}/reply`, { text: reply })
  await close(borrower)
}

/** Complains and escalates after expected_resolution_time has passed. */
export async function complainAndEscalate(borrower: Borrower, ctx: OfficialPrograms): Promise<void> {
  const id = await raise(borrower)
  await waitForGrievance(borrower, 'the first answer', ({ status }) => status === 'PROCESSING')
  assert.equal(
    (await call(borrower, 'POST', `/grievances/${id}/escalate`, {})).status,
    409,
    'the resolution is not overdue yet',
  )
  await endResolutionTime(ctx, id)
  await waitForGrievance(borrower, 'the offer to escalate', ({ mayEscalate }) => mayEscalate)
  // Escalation becomes possible at the same moment in which the platform queries the lender's status.
  const { messages } = await ctx.talkOf(borrower.journeyId)
  await until('the lender answered the status query', () =>
    messages.some(({ action, acknowledgedAt }) => action === 'on_issue_status' && acknowledgedAt !== undefined),
  )
  await send(borrower, `/${id}/escalate`, {})
  assert.equal(newest(borrower).escalated, true)
  await close(borrower)
}

/** Moves the deadline for the resolution to now. */
async function endResolutionTime({ db }: Pick<Programs, 'db'>, grievanceId: string): Promise<void> {
  await db`update grievance set resolution_due_at = now() where grievance_id = ${grievanceId}`
  await runFollowUp(db, grievanceId, 'RESOLUTION')
}

async function runFollowUp(db: Programs['db'], grievanceId: string, due: 'STATUS' | 'RESOLUTION'): Promise<void> {
  const movedJobs = await db`
    update job set due_at = now() where kind = 'grievance-follow-up' and key like ${`${grievanceId}:${due}:%`}
    returning 1`
  assert.equal(movedJobs.length, 1, `the follow-up for the ${due} was waiting`)
}
