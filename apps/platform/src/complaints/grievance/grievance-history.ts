// Reads grievances for display, with the messages of borrower and lender by time, and the lender's grievance officer.

import { required } from '@lendloom/foundation/required'
import type { Run } from '@lendloom/postgres/sql'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { type Channel, channelOf, officerOf } from './complaint-channel.ts'
import { type Grievance, mayEscalate, type Officer } from './grievance.ts'
import { type ChosenLoan, chosenLoan, listGrievances } from './store.ts'

export interface HistoryLine {
  at: string
  by: 'borrower' | 'lender'
  /** The network action; ADDED if the borrower sent information. */
  action: string
  text: string | null
  person: string | null
}

/** The messages of both sides, oldest first. */
export function historyOf({ detail }: Grievance): HistoryLine[] {
  const acts = detail.ours.map((line) => ({ ...line, by: 'borrower' as const, person: null }))
  const additions = detail.additions.map(({ at, text }) => ({
    at,
    text,
    action: 'ADDED',
    by: 'borrower' as const,
    person: null,
  }))
  const answers = detail.theirs.map(({ at, action, text, person }) => ({
    at,
    by: 'lender' as const,
    action,
    text,
    person,
  }))
  return [...acts, ...additions, ...answers].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** The lender's grievance officer, from the latest answer that names an officer, otherwise from CONTACT_INFO. */
const officerFor = ({ detail }: Grievance, loan: Pick<ChosenLoan, 'lender'>): Officer =>
  detail.provider?.officers.find(({ name, phone, email }) => name && (phone || email)) ?? officerOf(loan.lender.contact)

export interface GrievanceOverview {
  channel: Channel
  grievances: { grievance: Grievance; officer: Officer; mayEscalate: boolean }[]
}

/** The grievances of a journey, with what the borrower may do about each. */
export async function grievancesOf(
  db: Run,
  { seal }: Pick<Context, 'seal'>,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
  at: Date,
): Promise<GrievanceOverview> {
  const [loan, all] = await Promise.all([chosenLoan(db, journey), listGrievances(db, seal, journey)])
  return {
    channel: channelOf(loan),
    grievances: all.map((grievance) => ({
      grievance,
      officer: officerFor(grievance, required(loan, 'the loan of a complaint')),
      mayEscalate: mayEscalate(grievance, at),
    })),
  }
}
