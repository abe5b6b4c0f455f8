// Borrowers of the official flows who complain of their loan: they answer a question, escalate, rate and close (FIS12 §20).
import assert from 'node:assert/strict'
import type { EmbedGrievance } from '#contract/hosted/embed-grievance.ts'
import { type Borrower, call, readView } from './borrower.ts'
import { question, reply } from './official-lender/grievance.ts'
import type { OfficialPrograms } from './official-programs.ts'
import { type Programs, until } from './programs.ts'

const newest = ({ view }: Borrower): EmbedGrievance => view.grievances!.items[0]!

async function send(borrower: Borrower, path: string, body: object): Promise<void> {
  const answer = await call(borrower, 'POST', `/grievances${path}`, body)
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}

const reaching = (borrower: Borrower, what: string, fits: (grievance: EmbedGrievance) => boolean) =>
  until(what, async () => {
    await readView(borrower)
    return fits(newest(borrower)) && newest(borrower)
  })

async function raise(borrower: Borrower): Promise<string> {
  await send(borrower, '', { topic: 'CHARGES', text: 'A charge of 500 rupees was taken that the offer did not show.' })
  return newest(borrower).id
}

/** Waits for the resolution, which satisfies. */
async function close(borrower: Borrower): Promise<void> {
  const { id, resolution } = await reaching(borrower, 'the resolution', ({ status }) => status === 'RESOLVED')
  assert.deepEqual([resolution!.action, resolution!.refund], ['REFUND', '500.00'])
  await send(borrower, `/${id}/close`, { rating: 'THUMBS-UP' })
}

export async function complains(borrower: Borrower): Promise<void> {
  await raise(borrower)
  await close(borrower)
}

/** The lender asks for more information. */
export async function answersQuestion(borrower: Borrower): Promise<void> {
  const id = await raise(borrower)
  const grievance = await reaching(borrower, 'the question', ({ status }) => status === 'NEEDS_INFO')
  assert.equal(grievance.question, question)
  await send(borrower, `/${id}/reply`, { text: reply })
  await close(borrower)
}

/** The lender does not resolve it within expected_resolution_time. */
export async function escalates(borrower: Borrower, ctx: OfficialPrograms): Promise<void> {
  const id = await raise(borrower)
  await reaching(borrower, 'the first answer', ({ status }) => status === 'PROCESSING')
  assert.equal((await call(borrower, 'POST', `/grievances/${id}/escalate`, {})).status, 409, 'there is time left')
  await endResolutionTime(ctx, id)
  await reaching(borrower, 'the offer to escalate', ({ mayEscalate }) => mayEscalate)
  // It is possible as soon as the time is over, and the platform asks the lender once more in that moment.
  const { messages } = await ctx.talkOf(borrower.journeyId)
  await until('the lender was asked how it stands', () =>
    messages.some(({ action, acknowledgedAt }) => action === 'on_issue_status' && acknowledgedAt !== undefined),
  )
  await send(borrower, `/${id}/escalate`, {})
  assert.equal(newest(borrower).escalated, true)
  await close(borrower)
}

/** Ends the day that the lender has for a resolution, so that nobody has to wait for it. */
async function endResolutionTime({ db }: Pick<Programs, 'db'>, grievanceId: string): Promise<void> {
  await db`update grievance set resolution_due_at = now() where grievance_id = ${grievanceId}`
  const moved = await db`
    update job set due_at = now() where kind = 'grievance-follow-up' and key like ${`${grievanceId}:RESOLUTION:%`}
    returning 1`
  assert.equal(moved.length, 1, 'the follow-up of the resolution was waiting')
}
